public import OpenObjectGraph

extension NSPersistentStore {
  /// The class of migration managers for stores of the kind.
  ///
  /// - Returns: The class of migration managers for stores of the kind.
  /// > Reference: Apple, NSPersistentStore, migrationManagerClass().
  public class func migrationManagerClass() -> AnyClass { NSMigrationManager.self }
}

extension NSPersistentStoreCoordinator {
  /// Does what deferred lightweight migrations left for later: nothing, since a store is migrated wholly when it is added.
  ///
  /// - Throws: Never.
  /// > Reference: Apple, finishDeferredLightweightMigration(). Differs: D-320.
  public func finishDeferredLightweightMigration() throws {}

  /// Does one task that deferred lightweight migrations left for later: there is none.
  ///
  /// - Throws: Never.
  /// > Reference: Apple, finishDeferredLightweightMigrationTask(). Differs: D-320.
  public func finishDeferredLightweightMigrationTask() throws {}
}
