public import Foundation

/// The kinds of change to an object or a section in fetched results, with Apple's raw values.
///
/// > Reference: Apple, NSFetchedResultsChangeType.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  /// An object or a section was inserted.
  case insert = 1
  /// An object or a section was deleted.
  case delete = 2
  /// The position of an object changed because its values changed.
  case move = 3
  /// The values of an object changed, but not its position relative to unchanged objects.
  case update = 4
}

/// An immutable description of a section of fetched results.
///
/// > Concurrency: Confined to the context's queue.
/// > Reference: Apple, NSFetchedResultsSectionInfo.
public protocol NSFetchedResultsSectionInfo: AnyObject {
  /// The name of the section: the value at the section key path, as text.
  ///
  /// The name is empty if the value is nil or if the results have no sections.
  var name: String { get }
  /// The section's title in the index of a list; nil if the section has no title.
  var indexTitle: String? { get }
  /// The number of objects in the section.
  var numberOfObjects: Int { get }
  /// The objects of the section, in order; never nil in the sections of a controller.
  var objects: [Any]? { get }
}

/// A delegate that receives changes to fetched results.
///
/// All methods are optional. A delegate that implements the method with a
/// ``FetchedResultsSnapshot`` parameter receives only snapshots. If the results have no sections,
/// any other delegate that implements the method with a `CollectionDifference` parameter receives
/// only differences. In all other cases, the controller reports each change with the other methods.
///
/// To determine whether a delegate uses snapshots, the controller sends a snapshot of the current
/// content after a fetch, or before the first change. To determine whether a delegate uses
/// differences, the controller sends an empty difference before the first change.
///
/// The methods receive an untyped controller. The operators `===` and `==` return true for the
/// untyped controller and the original controller.
///
/// > Concurrency: The controller calls the methods on the context's queue while the context posts
/// > changes.
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
  /// The controller first reports the deletions of the objects in deleted sections, then calls this
  /// method for each section, and then reports all other changes to objects.
  ///
  /// - Parameters:
  ///   - controller: The controller, which already shows the new content.
  ///   - sectionInfo: The section. A deleted section has no objects.
  ///   - sectionIndex: The section's index: in the old content for a deletion, in the new content
  ///     for an insertion.
  ///   - type: The kind of change, which is `.insert` or `.delete`.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  /// Called after all changes have been reported.
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

  /// Called after a fetch and after each change, with a snapshot of the results.
  ///
  /// On Apple platforms, the snapshot has a type that belongs to UIKit and AppKit.
  ///
  /// - Parameters:
  ///   - controller: The controller, which shows the new content.
  ///   - snapshot: The new content, as object ids.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: FetchedResultsSnapshot)

  /// Called after a change to results without sections, with the difference in object ids.
  ///
  /// For an object that moved or changed, the difference contains a removal and an insertion that
  /// are associated with each other.
  ///
  /// - Parameters:
  ///   - controller: The controller, which shows the new content.
  ///   - diff: The difference between the old and the new content.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)
}

extension NSFetchedResultsControllerDelegate {
  /// The default implementation, which ignores that the results are about to change.
  public func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {}

  /// The default implementation, which ignores changes to objects.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  ) {}

  /// The default implementation, which ignores insertions and deletions of sections.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {}

  /// The default implementation, which ignores the end of a series of changes.
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

  /// The default implementation makes the controller stop sending snapshots to the delegate.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: FetchedResultsSnapshot
  ) {
    controller.tracker.forms.takesSnapshots = false
  }

  /// The default implementation makes the controller stop sending differences to the delegate.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    controller.tracker.forms.takesDifferences = false
  }
}

/// The forms in which a delegate receives changes. The controller determines the forms by calling
/// the delegate.
struct DelegateForms {
  /// Whether the delegate uses snapshots; nil until a snapshot is sent.
  var takesSnapshots: Bool?
  /// Whether the delegate uses differences; nil until a difference is sent.
  var takesDifferences: Bool?
}
