public import OpenMigration

/// A migration stage between two model versions, with handlers that run before and after the
/// migration.
///
/// The migration itself is lightweight. `willMigrateHandler` prepares the objects while the store
/// has the old schema, and `didMigrateHandler` updates the objects after the store has been
/// migrated to the new schema. If the process is killed during a handler, the handler runs again
/// the next time that the store is opened. A handler must therefore expect that some of its changes
/// were already saved.
///
/// > Reference: Apple, NSCustomMigrationStage.
open class NSCustomMigrationStage: NSMigrationStage {
  /// A closure that is called before the migration, while the store has the old version of the
  /// model; nil to call no closure.
  ///
  /// The closure receives the manager and the stage. If the closure throws an error, opening the
  /// store throws this error, and the stage does not migrate the store.
  open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
  /// A closure that is called after the migration, when the store has the new version of the model;
  /// nil to call no closure.
  ///
  /// The closure receives the manager and the stage. If the closure throws an error, opening the
  /// store throws this error. The closure is called again the next time that the store is opened.
  open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
  /// The model version before the migration.
  public let currentModel: NSManagedObjectModelReference
  /// The model version after the migration.
  public let nextModel: NSManagedObjectModelReference

  /// Creates a stage without handlers.
  ///
  /// If one of the models is not found when the stage runs, opening the store throws `CocoaError`
  /// 134504.
  ///
  /// - Parameters:
  ///   - currentModel: The model version before the migration.
  ///   - nextModel: The model version after the migration.
  public init(
    migratingFrom currentModel: NSManagedObjectModelReference,
    to nextModel: NSManagedObjectModelReference
  ) {
    self.currentModel = currentModel
    self.nextModel = nextModel
    super.init()
  }
}
