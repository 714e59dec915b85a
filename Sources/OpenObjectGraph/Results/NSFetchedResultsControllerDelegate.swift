public import Foundation

/// The kinds of change of an object or a section of fetched results, with the same raw values as
/// Apple's.
///
/// > Reference: Apple, NSFetchedResultsChangeType.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  case insert = 1
  case delete = 2
  /// The object's position changed, and possibly other values as well.
  case move = 3
  /// The object's values changed, but not its position.
  case update = 4
}

/// A section of fetched results, as it was when the controller returned it.
///
/// > Concurrency: Confined to the context's queue.
/// > Reference: Apple, NSFetchedResultsSectionInfo.
public protocol NSFetchedResultsSectionInfo: AnyObject {
  /// The text of the section's value; empty if there is no value or if the results have no
  /// sections.
  var name: String { get }
  /// The section's title in the index of a list.
  var indexTitle: String? { get }
  /// The number of objects in the section.
  var numberOfObjects: Int { get }
  /// The objects of the section, in order.
  var objects: [Any]? { get }
}

/// A delegate that receives changes of fetched results.
///
/// All methods are optional. A delegate that implements the snapshot method receives only
/// snapshots. A delegate that implements the difference method receives only differences, if the
/// results have no sections. To find out which methods are implemented, the controller calls them
/// with the current content after a fetch, or before the first change if the delegate is set later.
///
/// The methods receive an untyped controller. Comparing it with the original controller by `===` or
/// `==` returns true.
///
/// > Concurrency: Called on the context's queue while the context announces changes.
/// > Reference: Apple, NSFetchedResultsControllerDelegate.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
  /// Called before the content changes.
  ///
  /// - Parameter controller: The controller, which still shows the old content.
  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// Called for each object that was inserted, deleted, moved or updated.
  ///
  /// - Parameters:
  ///   - controller: The controller, which already shows the new content.
  ///   - anObject: The object.
  ///   - indexPath: The object's index path in the old content; nil for an insertion.
  ///   - type: The kind of change.
  ///   - newIndexPath: The object's index path in the new content; nil for a deletion.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?)

  /// Called for each section that was inserted or deleted.
  ///
  /// The method is called after the deletions of the objects in deleted sections, and before all
  /// other changes of objects.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - sectionInfo: The section. A deleted section has no objects.
  ///   - sectionIndex: The section's index: in the old content for a deletion, in the new content
  ///     for an insertion.
  ///   - type: `.insert` or `.delete`.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  /// Called after all changes were reported.
  ///
  /// - Parameter controller: The controller, which shows the new content.
  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// Returns the index title of a section.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - sectionName: The name of the section.
  /// - Returns: The title, or nil to use the uppercased first letter of the section's name.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?

  /// Called with the whole content, as object ids, after a fetch and after each change.
  ///
  /// On Apple platforms, the snapshot has a type that belongs to UIKit and AppKit.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - snapshot: The content.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: FetchedResultsSnapshot)

  /// Called after a change of results without sections, with the difference in object ids.
  ///
  /// An object that moved or changed appears as a removal and an insertion that are associated with
  /// each other.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - diff: The difference between the old and the new content.
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

  /// Returns nil, so that the controller determines the title with
  /// ``NSFetchedResultsController/sectionIndexTitle(forSectionName:)``.
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

/// The forms of change that a delegate is known to receive. The controller finds them out by
/// calling the delegate.
struct DelegateForms {
  /// Whether the delegate uses snapshots; nil until a snapshot is sent.
  var takesSnapshots: Bool?
  /// Whether the delegate uses differences; nil until a difference is sent.
  var takesDifferences: Bool?
}
