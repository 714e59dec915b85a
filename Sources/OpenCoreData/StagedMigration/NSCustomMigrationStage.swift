public import OpenMigration

/// A step between two versions, with a handler before and a handler after it.
///
/// The step itself is a lightweight migration. `willMigrateHandler` prepares the objects with the old schema;
/// `didMigrateHandler` completes them with the new one. If the process is killed during a handler, the handler runs
/// again when the store is opened next, so a handler may find its work partly done.
///
/// > Reference: Apple, NSCustomMigrationStage.
open class NSCustomMigrationStage: NSMigrationStage {
  /// Called before the step, with the old version of the model.
  open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
  /// Called after the step, with the new version of the model.
  open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
  /// The version before.
  public let currentModel: NSManagedObjectModelReference
  /// The version after.
  public let nextModel: NSManagedObjectModelReference

  /// Creates a stage.
  public init(
    migratingFrom currentModel: NSManagedObjectModelReference,
    to nextModel: NSManagedObjectModelReference
  ) {
    self.currentModel = currentModel
    self.nextModel = nextModel
    super.init()
  }
}
