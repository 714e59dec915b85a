import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel

/// A folder with stores, deleted with the value.
final class MigrationFixture {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("migration-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

  /// The names of the files in the folder, sorted.
  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  /// Opens a store, works with it, saves what has changed, and closes it.
  @discardableResult
  func with<Result>(
    _ name: String, _ model: NSManagedObjectModel, type: String = NSSQLiteStoreType,
    configuration: String? = nil, options: [AnyHashable: Any]? = nil,
    _ work: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: type, configurationName: configuration, at: url(name), options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let result = try context.performAndWait {
      let result = try work(context)
      if context.hasChanges { try context.save() }
      context.reset()
      return result
    }
    try coordinator.remove(store)
    return result
  }

  /// Migrates `source` to `destination`.
  func migrate(
    _ manager: NSMigrationManager, _ mapping: NSMappingModel?, from source: String = "old",
    to destination: String = "new", type: String = NSSQLiteStoreType
  ) throws {
    try manager.migrateStore(
      from: url(source), sourceType: type, options: nil, with: mapping,
      toDestinationURL: url(destination), destinationType: type, destinationOptions: nil)
  }
}

extension NSManagedObjectContext {
  /// Inserts an object with values.
  @discardableResult
  func insert(_ entity: String, _ values: [String: Any?] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  /// All objects of an entity, by the value of a text.
  func all(_ entity: String, by key: String) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    return try fetch(request)
  }

  /// The values of a text of all objects of an entity, sorted.
  func texts(_ entity: String, _ key: String) throws -> [String] {
    try all(entity, by: key).map { $0.value(forKey: key) as? String ?? "nil" }
  }
}

extension NSManagedObject {
  /// The texts of the objects that a relationship leads to, sorted unless it is ordered.
  func texts(_ relationship: String, _ key: String) -> [String] {
    switch value(forKey: relationship) {
    case let object as NSManagedObject: [object.value(forKey: key) as? String ?? "nil"]
    case let members as NSOrderedSet:
      members.map { ($0 as? NSManagedObject)?.value(forKey: key) as? String ?? "nil" }
    case let members as NSSet:
      members.map { ($0 as? NSManagedObject)?.value(forKey: key) as? String ?? "nil" }.sorted()
    default: []
    }
  }
}
