public import OpenMigration

/// A step between two versions with handlers before and after.
///
/// The step itself is a lightweight migration. `willMigrateHandler` prepares the objects in their old shape, `didMigrateHandler` ends
/// the work in the new one. If the process is killed, the handler that was not run to its end is run again when the store is opened
/// next, so that handlers must be able to find their work done in part.
///
/// > Reference: Apple, NSCustomMigrationStage.
open class NSCustomMigrationStage: NSMigrationStage {
  /// Called with the store in its old shape.
  open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
  /// Called with the store in its new shape.
  open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
  /// The version before.
  public let currentModel: NSManagedObjectModelReference
  /// The version after.
  public let nextModel: NSManagedObjectModelReference

  /// Makes a stage.
  public init(
    migratingFrom currentModel: NSManagedObjectModelReference,
    to nextModel: NSManagedObjectModelReference
  ) {
    self.currentModel = currentModel
    self.nextModel = nextModel
    super.init()
  }
}
