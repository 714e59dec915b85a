import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectModel
import OpenPersistenceKit
import OpenSQLiteStore
import OpenStoreContract
import ProcessModel

/// Migrates a store, or continues an unfinished migration.
struct MigrationWork {
  /// How the store is migrated.
  enum Kind: String {
    /// To the next version, within the file.
    case inPlace
    /// To the next version, into a new file.
    case copy
    /// To the next version, with a mapping model.
    case objects
    /// To the last version over the next one, with a backup before.
    case chain
    /// Migrates to the next version when a container opens the store, followed by a handler.
    case staged
  }

  private let url: URL
  private let old = ProcessModel.make()
  private let next = ProcessModel.makeNext()

  init(_ url: URL) { self.url = url }

  func run(_ kind: Kind) throws {
    switch kind {
    case .inPlace: try migrate(by: .inPlace)
    case .copy: try migrate(by: .copy)
    case .objects: try run(byObjects())
    case .chain: try run(chain())
    case .staged: try runStages()
    }
  }

  private func migrate(by way: StoreMigrationPlan.Way) throws {
    // A migration that was killed may have been complete.
    if try isMigrated() { return }
    var configuration = StoreConfiguration(url: url)
    configuration.timeout = 10
    let transition = try ModelTransition.inferred(from: old.compiled(), to: next.compiled())
    try SQLiteStore.migrate(configuration, transition, by: way)
  }

  private func isMigrated() throws -> Bool {
    next.isConfiguration(
      withName: nil, compatibleWithStoreMetadata: try SQLiteStore.metadata(at: url))
  }

  private func run(_ migration: StoreMigration) throws {
    if try migration.resume() == nil { try migration.run() }
  }

  private func byObjects() throws -> StoreMigration {
    var migration = StoreMigration(
      storeAt: url, options: Self.options, versions: [.init("old", old), .init("new", next)],
      mappings: [try inferred(from: old, to: next)])
    migration.backups = nil
    return migration
  }

  private func chain() throws -> StoreMigration {
    let last = ProcessModel.makeLast()
    return StoreMigration(
      storeAt: url, options: Self.options,
      versions: [.init("old", old), .init("next", next), .init("last", last)],
      mappings: [try inferred(from: next, to: last)])
  }

  private func inferred(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws -> NSMappingModel {
    try NSMappingModel.inferredMappingModel(
      forSourceModel: source, destinationModel: destination)
  }

  private static var options: [AnyHashable: Any] {
    [NSPersistentHistoryTrackingKey: true, NSPersistentStoreTimeoutOption: 10]
  }

  /// Takes a chain back that did not end.
  func rollBack() throws -> String {
    try chain().rollBack() == nil ? "nothing" : "rolledBack"
  }

  // MARK: Stages

  private func reference(_ model: NSManagedObjectModel) -> NSManagedObjectModelReference {
    NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
  }

  private func runStages() throws {
    let stage = NSCustomMigrationStage(migratingFrom: reference(old), to: reference(next))
    stage.didMigrateHandler = { manager, _ in
      guard let context = manager.container?.newBackgroundContext() else { return }
      try context.performAndWait {
        let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
        for item in items { item.setValue(ProcessModel.handledKind, forKey: "kind") }
        try context.save()
      }
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: next)
    var options = Self.options
    options[NSMigratePersistentStoresAutomaticallyOption] = true
    options[NSInferMappingModelAutomaticallyOption] = true
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager([stage])
    options[OpenModelVersionsOption] = [old, next]
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    try coordinator.remove(store)
  }
}
