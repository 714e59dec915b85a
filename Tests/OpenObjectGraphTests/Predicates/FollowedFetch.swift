import Foundation
import OpenCoreData

extension NSManagedObjectContext {
  /// Ignores the changes of the results; having a delegate makes a controller follow them.
  private final class SilentDelegate: NSFetchedResultsControllerDelegate {}

  /// Returns the followed results of a request after the controller has reevaluated every object
  /// individually.
  func followedObjects(
    of request: NSFetchRequest<NSManagedObject>
  ) throws -> [NSManagedObject] {
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: self, sectionNameKeyPath: nil, cacheName: nil)
    let delegate = SilentDelegate()
    controller.delegate = delegate
    try controller.performFetch()
    return withExtendedLifetime(delegate) {
      refreshAllObjects()
      return controller.fetchedObjects ?? []
    }
  }
}
