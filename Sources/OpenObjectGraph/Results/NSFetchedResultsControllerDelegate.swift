public import Foundation

/// The kinds of change of an object or a section of fetched results, with Apple's numbers.
///
/// > Reference: Apple, NSFetchedResultsChangeType.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  case insert = 1
  case delete = 2
  /// The object's position changed, and its values as well.
  case move = 3
  /// The object's values changed, but not its position.
  case update = 4
}

/// One section of fetched results, at the time when the controller returns it.
///
/// > Concurrency: Confined to the context's queue.
/// > Reference: Apple, NSFetchedResultsSectionInfo.
public protocol NSFetchedResultsSectionInfo: AnyObject {
  /// The text of the section's value; empty when there is none, or when there are no sections.
  var name: String { get }
  /// The title in the index of a list.
  var indexTitle: String? { get }
  /// The number of objects.
  var numberOfObjects: Int { get }
  /// The objects in order.
  var objects: [Any]? { get }
}

/// A delegate that receives changes of fetched results.
///
/// All methods are optional. A delegate with the snapshot method receives only snapshots; a delegate with the
/// difference method receives only differences, if there are no sections. To determine the implemented methods, the
/// controller calls them with the current content after a fetch or, for a delegate set later, before the first
/// change.
///
/// The methods receive an untyped controller; `===` and `==` with the original controller return true.
///
/// > Concurrency: Called on the context's queue, while it announces changes.
/// > Reference: Apple, NSFetchedResultsControllerDelegate.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
  /// The content is about to change; the controller still shows the old one.
  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// An object joined, left, moved or changed.
  ///
  /// - Parameters:
  ///   - controller: The controller, which shows the new content already.
  ///   - anObject: The object.
  ///   - indexPath: Its place in the old content; nil for an insertion.
  ///   - type: The kind of change.
  ///   - newIndexPath: Its place in the new content; nil for a deletion.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?)

  /// A section was inserted or deleted.
  ///
  /// Called after the deletions of the deleted sections' objects, and before all other changes of objects.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - sectionInfo: The section; a deleted one has no objects.
  ///   - sectionIndex: Its place: in the old content for a deletion, in the new one for an insertion.
  ///   - type: `.insert` or `.delete`.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  /// All changes were reported.
  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// The title of a section for the index; nil for its first letter.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?

  /// The content was fetched, or changed: all of it, by ids.
  ///
  /// An addition in its type: Apple's snapshots belong to UIKit and AppKit.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: FetchedResultsSnapshot)

  /// The content without sections changed.
  ///
  /// An object that moved or changed is removed and inserted, each associated with the other.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)
}

extension NSFetchedResultsControllerDelegate {
  /// Does nothing.
  public func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {}

  /// Does nothing.
  public func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {}

  /// By default, the controller determines the title with ``NSFetchedResultsController/sectionIndexTitle(forSectionName:)``.
  ///
  /// - Returns: nil.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? {
    nil
  }

  /// Tells the controller that the delegate does not use snapshots.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: FetchedResultsSnapshot
  ) {
    controller.tracker.forms.takesSnapshots = false
  }

  /// Tells the controller that the delegate does not use differences.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    controller.tracker.forms.takesDifferences = false
  }
}

/// Which forms of change a delegate takes, as far as it was found out by calling it.
struct DelegateForms {
  /// nil until a snapshot was sent.
  var takesSnapshots: Bool?
  /// nil until a difference was sent.
  var takesDifferences: Bool?
}
