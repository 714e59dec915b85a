public import Foundation
public import OpenObjectGraph
internal import OpenObjectModel

/// Sets the modification date of a context's objects.
///
/// Before each save, every inserted or updated object whose entity has the attribute receives the
/// current time. Validation runs afterwards, so the attribute may be mandatory. The observer is
/// active until it is deallocated.
///
/// > Concurrency: Create and release the observer on any thread. It works on the context's queue.
public final class LastModifiedContextObserver {
  private let token: any NSObjectProtocol

  /// Creates an observer, which is active immediately.
  ///
  /// - Parameters:
  ///   - managedObjectContext: The context, which is not retained.
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
