public import OpenObjectGraph

extension NSPersistentStore {
  /// Returns `NSMigrationManager`, the class of migration managers for stores of all types.
  ///
  /// > Reference: Apple, NSPersistentStore, migrationManagerClass().
  public class func migrationManagerClass() -> AnyClass { NSMigrationManager.self }
}

extension NSPersistentStoreCoordinator {
  /// Does nothing, because stores are migrated completely when they are added.
  ///
  /// - Throws: No error. The method is declared with `throws` for source compatibility.
  /// > Reference: Apple, finishDeferredLightweightMigration(). Differs: D-320.
  public func finishDeferredLightweightMigration() throws {}

  /// Does nothing, because there are no deferred migration tasks.
  ///
  /// - Throws: No error. The method is declared with `throws` for source compatibility.
  /// > Reference: Apple, finishDeferredLightweightMigrationTask(). Differs: D-320.
  public func finishDeferredLightweightMigrationTask() throws {}
}
