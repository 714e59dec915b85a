public import OpenObjectGraph

extension NSPersistentStore {
  /// The class of migration managers for stores of the kind.
  ///
  /// - Returns: The class of migration managers for stores of the kind.
  /// > Reference: Apple, NSPersistentStore, migrationManagerClass().
  public class func migrationManagerClass() -> AnyClass { NSMigrationManager.self }
}

extension NSPersistentStoreCoordinator {
  /// Completes deferred lightweight migrations; does nothing, because stores are migrated completely when they are added.
  ///
  /// - Throws: Never.
  /// > Reference: Apple, finishDeferredLightweightMigration(). Differs: D-320.
  public func finishDeferredLightweightMigration() throws {}

  /// Performs one task of a deferred lightweight migration; does nothing, because there are no such tasks.
  ///
  /// - Throws: Never.
  /// > Reference: Apple, finishDeferredLightweightMigrationTask(). Differs: D-320.
  public func finishDeferredLightweightMigrationTask() throws {}
}
