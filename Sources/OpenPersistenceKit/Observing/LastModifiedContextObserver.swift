public import Foundation
public import OpenObjectGraph
internal import OpenObjectModel

/// An observer that sets the modification dates of a context's objects before each save.
///
/// If the entity of an inserted or updated object has a date attribute with the specified name, the
/// observer sets the attribute to the current date. The context validates the objects afterward,
/// so the attribute may be mandatory. The observer is active until it is deallocated.
///
/// > Concurrency: You can create and release an observer on any thread. The observer sets dates on
/// > the context's queue.
public final class LastModifiedContextObserver {
  private let token: any NSObjectProtocol

  /// Creates an observer, which is active immediately.
  ///
  /// - Parameters:
  ///   - managedObjectContext: The context, which the observer does not retain.
  ///   - key: The name of the date attribute.
  ///   - now: A closure that returns the current date.
  public init(
    managedObjectContext: NSManagedObjectContext, key: String = "lastModifiedDate",
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextWillSave, object: managedObjectContext, queue: nil
    ) { notification in
      guard let context = notification.object as? NSManagedObjectContext else { return }
      LastModifiedContextObserver.mark(context, key, now())
    }
  }

  deinit { NotificationCenter.default.removeObserver(token) }

  private static func mark(_ context: NSManagedObjectContext, _ key: String, _ instant: Date) {
    var hasAttribute: [String: Bool] = [:]
    for object in context.insertedObjects.union(context.updatedObjects) {
      let entity = object.entity
      let name = entity.name ?? ""
      let isMarked =
        hasAttribute[name] ?? (entity.attributesByName[key]?.attributeType == .dateAttributeType)
      hasAttribute[name] = isMarked
      if isMarked { object.setValue(instant, forKey: key) }
    }
  }
}
