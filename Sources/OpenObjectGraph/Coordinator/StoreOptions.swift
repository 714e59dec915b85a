// Names that the interface of stores shares with Apple's: types, keys of metadata, options.

/// The version of Apple's framework whose interface the library follows: the version in macOS 14 and iOS 17.
public let NSCoreDataVersionNumber = 1344.1

/// The type of a store in a SQLite file.
public let NSSQLiteStoreType = "SQLite"
/// The type of an in-memory store.
public let NSInMemoryStoreType = "InMemory"
/// The metadata key of a store's type.
public let NSStoreTypeKey = "NSStoreType"
/// The metadata key of a store's UUID.
public let NSStoreUUIDKey = "NSStoreUUID"
/// The metadata key of the version hashes of a store's entities, by entity name.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// The metadata key of the identifiers of the model version with which a store was created.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// The store option that opens a store for reading only.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// The store option for the longest wait for a lock, in seconds.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// The store option for SQLite pragmas: a dictionary of values by pragma name.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// The store option that recomputes the statistics of a SQLite file when the store is added.
///
/// SQLite uses the statistics to choose indexes.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// The store option that frees the space of deleted rows when the store is added, unless another process uses the file.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// The store option that records persistent history.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// The store option that posts notifications of changes by other processes.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationPostOptionKey"
/// The store option that migrates a store when it is added with another version of its model.
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
/// The store option that makes a migration infer the mapping between the two models.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// The store option that opens a store even if another version of the model wrote it.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// The store option that destroys or replaces a store even while it is in use.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// The store option for a `StatementObserver`, which receives each SQL statement of the store.
///
/// This is an addition to Apple's API.
public let OpenStatementObserverOption = "OpenStatementObserverOption"
/// The store option for an `NSStagedMigrationManager` with the stages of the store's migration.
public let NSPersistentStoreStagedMigrationManagerOptionKey =
  "NSPersistentStoreStagedMigrationManagerOptionKey"
/// The store option that defers parts of a lightweight migration on Apple platforms.
///
/// Here, the option has no effect: a store is migrated completely when it is added (D-320).
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// The store option that indexes the words of attributes with `isIndexedBySpotlight` in a SQLite store.
///
/// Full-text searches use the index.
///
/// This is an addition to Apple's API.
public let OpenTextIndexOption = "OpenTextIndexOption"
/// The store option for an array of additional models, in which a migration searches for the model of the store.
///
/// This is an addition to Apple's API.
public let OpenModelVersionsOption = "OpenModelVersionsOption"
/// The store option for the identifier of a new store, a string.
///
/// A copy that replaces another store gets the identifier of that store.
package let OpenNewStoreIdentifierOption = "OpenNewStoreIdentifierOption"
