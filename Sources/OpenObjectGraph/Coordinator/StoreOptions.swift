// Names that the interface of stores shares with Apple's: types, keys of metadata, options.

/// The version of the framework's interface that the library follows: that of macOS 14 and iOS 17.
public let NSCoreDataVersionNumber = 1344.1

/// The type of a store in a SQLite file.
public let NSSQLiteStoreType = "SQLite"
/// The type of an in-memory store.
public let NSInMemoryStoreType = "InMemory"
/// The key of a store's type in its metadata.
public let NSStoreTypeKey = "NSStoreType"
/// The key of a store's UUID in its metadata.
public let NSStoreUUIDKey = "NSStoreUUID"
/// The key of the version hashes of a store's entities, by name, in its metadata.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// The key of the identifiers of the model version that a store was created with, in its metadata.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// The option that opens a store for reading only.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// The option that limits the wait for locks, in seconds.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// The option with SQLite pragmas by name.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// The option that recomputes the statistics of a SQLite file when the store is added; SQLite uses them to choose
/// indexes.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// The option that frees the space of deleted rows when the store is added, unless another process uses its file.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// The option that keeps a history of changes.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// The option that announces changes by other processes.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationPostOptionKey"
/// The option that migrates a store when it is opened with a newer model.
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
/// The option that makes a migration infer the mapping between two models.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// The option that opens a store even though another version of the model wrote it.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// The option that destroys or replaces a store even while it is in use.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// The option whose value, a `StatementObserver`, receives each statement. Addition.
public let OpenStatementObserverOption = "OpenStatementObserverOption"
/// The option whose value, an `NSStagedMigrationManager`, has the stages of a store's migration.
public let NSPersistentStoreStagedMigrationManagerOptionKey =
  "NSPersistentStoreStagedMigrationManagerOptionKey"
/// The option that defers parts of a lightweight migration. A store is migrated completely when it is added, so
/// nothing is deferred; Differs: D-320.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// The option that keeps an index of the words of attributes with `isIndexedBySpotlight` in a SQLite store, for full-text searches.
/// Addition.
public let OpenTextIndexOption = "OpenTextIndexOption"
/// The option with an array of further models, which are searched for the model of a store to migrate. Addition.
public let OpenModelVersionsOption = "OpenModelVersionsOption"
/// The option with the identifier of a new store, a string. A copy that replaces another store gets the identifier of that store.
package let OpenNewStoreIdentifierOption = "OpenNewStoreIdentifierOption"
