public import CoreData
import KanoraCore
import OpenPersistenceKit

/// The music of the service, in a store that several processes use at the same time.
///
/// Each request uses a new context. Shared.
public struct MusicDatabase: Sendable {
  let container: NSPersistentContainer
  /// The attempts to make a change while other requests change the same objects.
  private static let patience = RetryPolicy(
    attempts: 20, firstDelay: .milliseconds(2), longestDelay: .milliseconds(100), jitter: 1)

  /// Opens a store, and creates it if there is none.
  ///
  /// - Parameter url: The URL of a store in PostgreSQL, or of a SQLite file. Other processes may have it open.
  /// - Throws: The error of a store that cannot be opened.
  public init(at url: URL) throws {
    container = NSPersistentContainer(
      name: KanoraModel.name, managedObjectModel: try KanoraModel.make())
    let description = NSPersistentStoreDescription(url: url)
    let yes = NSNumber(value: true)
    description.setOption(yes, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(yes, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = failure ?? error }
    if let failure { throw failure }
  }

  /// Reads values in a new context, which never uses cached rows, because other processes may have changed them.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    try await container.performBackgroundTask { context in
      context.stalenessInterval = 0
      return try body(context)
    }
  }

  /// Changes an object in a new context, and saves. If another request changes the object first, the change is repeated with the
  /// object's new values.
  ///
  /// - Parameters:
  ///   - name: The object's name in paths.
  ///   - change: The change.
  ///   - answer: Reads the object after the save.
  /// - Throws: `ServiceError.notFound`; the errors of the change and the save.
  func change<Object: NSManagedObject, Result: Sendable>(
    _ type: Object.Type, _ name: String, by change: @escaping @Sendable (Object) throws -> Void,
    answer: @escaping @Sendable (Object) -> Result
  ) async throws -> Result {
    try await Self.patience.run { _ in
      try await read { context in
        let object = try object(type, name, in: context)
        try change(object)
        try context.save()
        return answer(object)
      }
    }
  }

  // MARK: Names

  /// Returns the name of an object in the paths of the service.
  static func name(of id: NSManagedObjectID) -> String { id.uriRepresentation().lastPathComponent }

  /// Returns the object with a name.
  ///
  /// - Throws: `ServiceError.notFound` if there is no such object; an error of the store.
  func object<Object: NSManagedObject>(
    _ type: Object.Type, _ name: String, in context: NSManagedObjectContext
  ) throws -> Object {
    let entity = Object.entity().name ?? ""
    let coordinator = container.persistentStoreCoordinator
    guard let store = coordinator.persistentStores.first?.identifier,
      let url = URL(string: "x-coredata://\(store)/\(entity)/\(name)"),
      let id = coordinator.managedObjectID(forURIRepresentation: url)
    else { throw ServiceError.notFound }
    do {
      guard let object = try context.existingObject(with: id) as? Object else {
        throw ServiceError.notFound
      }
      return object
    } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
      throw ServiceError.notFound
    }
  }
}
