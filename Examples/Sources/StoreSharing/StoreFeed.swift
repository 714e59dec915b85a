public import CoreData
import Foundation

/// Reads and follows a store for views.
///
/// The feed does not use the main queue. One context follows the store, and each read uses a new context. A read for one view therefore
/// delays neither the reads for other views nor the notifications of saves.
///
/// > Concurrency: Shared; usable on any thread.
// Invariant of the unchecked conformance: context and observers are used on the context's queue only; the rest is immutable.
public final class StoreFeed: @unchecked Sendable {
  private let store: SharedStore
  private let context: NSManagedObjectContext
  /// The observers, by entity name, that make the context announce the changes of all objects of an entity.
  private var observers: [String: EntityObserver] = [:]
  private let others: Task<Void, Never>

  /// Starts to follow a store, including changes by other programs.
  public init(_ store: SharedStore) {
    self.store = store
    context = store.newBackgroundContext()
    context.name = "Views"
    context.automaticallyMergesChangesFromParent = true
    others = store.followOthers(in: context)
  }

  deinit { others.cancel() }

  /// Reads the saved data in a new context, which is released afterwards.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let context = store.newBackgroundContext()
    return try await context.perform { try body(context) }
  }

  /// Returns a stream with an element whenever the results of a request, or the objects in them, have changed.
  public func changes<Object: NSManagedObject>(
    of makeRequest: @escaping @Sendable () -> NSFetchRequest<Object>
  ) -> AsyncStream<Void> {
    let snapshots = context.snapshots(of: makeRequest())
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        do {
          for try await _ in snapshots { continuation.yield() }
        } catch {
          // Reading the rows throws the error.
          continuation.yield()
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Returns a stream with an element whenever objects of the given entities have changed in the context.
  public func changes(ofEntities names: Set<String>) -> AsyncStream<Void> {
    context.performAndWait {
      for name in names where observers[name] == nil {
        observers[name] = EntityObserver(name, in: context)
      }
    }
    let notifications = NotificationCenter.default.notifications(
      named: .NSManagedObjectContextObjectsDidChange, object: context)
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        for await notification in notifications where Self.concerns(notification, names) {
          continuation.yield()
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private static func concerns(_ notification: Notification, _ names: Set<String>) -> Bool {
    let keys = [
      NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey,
    ]
    return keys.contains { key in
      let objects = notification.userInfo?[key] as? Set<NSManagedObject> ?? []
      return objects.contains { names.contains($0.entity.name ?? "") }
    } || notification.userInfo?[NSInvalidatedAllObjectsKey] != nil
  }
}

/// Fetched results without objects. While they exist, the context announces changes of objects that are not registered with it.
///
/// A context that merges saved changes announces changes of registered objects and of objects that fetched results may show. Lists of
/// values register no objects. A fetch offset makes the results depend on deletions as well.
private final class EntityObserver: NSObject, NSFetchedResultsControllerDelegate {
  private let results: NSFetchedResultsController<NSManagedObject>?

  init(_ name: String, in context: NSManagedObjectContext) {
    let entity = NSEntityDescription.entity(forEntityName: name, in: context)
    results = entity?.attributesByName.keys.min().map { key in
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      request.predicate = NSPredicate(value: false)
      request.fetchOffset = 1
      request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
      return NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
        cacheName: nil)
    }
    super.init()
    results?.delegate = self
    // Reading the rows throws the error of the store.
    try? results?.performFetch()
  }
}
