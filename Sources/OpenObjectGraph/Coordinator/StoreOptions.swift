// Store types, metadata keys and store options.

/// The version of Apple's framework whose interface the library follows: the version in macOS 14
/// and iOS 17.
public let NSCoreDataVersionNumber = 1344.1

/// The type string of a store in a SQLite file.
public let NSSQLiteStoreType = "SQLite"
/// The type string of an in-memory store.
public let NSInMemoryStoreType = "InMemory"
/// The metadata key for a store's type, a string such as `NSSQLiteStoreType`.
public let NSStoreTypeKey = "NSStoreType"
/// The metadata key for a store's UUID, a string.
public let NSStoreUUIDKey = "NSStoreUUID"
/// The metadata key for the version hashes of a store's entities: a dictionary of `Data` by entity
/// name.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// The metadata key for an array of the identifiers of the model version with which a store was
/// created or last migrated.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// The Boolean store option that opens a store for reading only; false by default.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// The store option for the maximum time to wait for a lock, in seconds.
///
/// The default is 240 seconds, or 2 seconds for destroying or replacing a store. With 0 or a
/// negative number, operations do not wait.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// The store option for SQLite pragmas: a dictionary of values by pragma name, such as
/// `["synchronous": "FULL"]`.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// The Boolean store option that recomputes the statistics of a SQLite file when the store is
/// added.
///
/// SQLite uses the statistics to choose indexes. The default is false.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// The Boolean store option that frees the space of deleted rows in a SQLite file when the store is
/// added.
///
/// The option has no effect while another process uses the file. The default is false.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// The store option that enables persistent history; the value is true or a dictionary, whose
/// contents have no effect. Without the option, the store records no history.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// The Boolean store option that makes a coordinator post a notification after this process or
/// another process has committed changes to the store.
///
/// The option has an effect only together with `NSPersistentHistoryTrackingKey`. The default is
/// false.
// Programs also use this text directly, because the first systems with the option had no constant.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// The Boolean store option that migrates a store when the store is added, if the store has another
/// version of the coordinator's model.
///
/// The default is false in a dictionary of options, and true in an `NSPersistentStoreDescription`.
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
/// The Boolean store option that makes a migration infer the mapping model if the program does not
/// contain a mapping model for the two model versions.
///
/// The default is false in a dictionary of options, and true in an `NSPersistentStoreDescription`.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// The Boolean store option that allows a coordinator to open a store written with another version
/// of the model; false by default.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// The Boolean store option that allows destroying or replacing a store while it is in use; false
/// by default.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// The store option for the level of file protection on Apple platforms.
///
/// Here, the option has no effect (D-409).
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// The store option for a `StatementObserver`, which receives each SQL statement of the store.
///
/// This is an addition to Apple's API.
public let OpenStatementObserverOption = "OpenStatementObserverOption"
/// The store option for an `NSStagedMigrationManager` with the stages of the store's migration.
///
/// The option has an effect only together with `NSMigratePersistentStoresAutomaticallyOption`.
public let NSPersistentStoreStagedMigrationManagerOptionKey =
  "NSPersistentStoreStagedMigrationManagerOptionKey"
/// The store option that defers parts of a lightweight migration on Apple platforms.
///
/// Here, the option has no effect: a store is migrated completely when it is added (D-320).
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// The Boolean store option that indexes the words of attributes with `isIndexedBySpotlight` in a
/// SQLite store.
///
/// Full-text searches use the index. The default is false.
///
/// This is an addition to Apple's API.
public let OpenTextIndexOption = "OpenTextIndexOption"
/// The store option for an array of additional models in which a migration searches for the store's
/// model.
///
/// This is an addition to Apple's API.
public let OpenModelVersionsOption = "OpenModelVersionsOption"
/// The store option for a string: the identifier of a new store.
///
/// A copy that replaces another store receives the identifier of the replaced store.
package let OpenNewStoreIdentifierOption = "OpenNewStoreIdentifierOption"
/// The store option for an `NSNumber`: in a new store, the number that precedes the number of the
/// first transaction in the history.
///
/// A new store with the identifier of another store, but without the history of that store, needs
/// this option. Otherwise, tokens of the other store would be valid for the new store.
package let OpenHistoryBaseOption = "OpenHistoryBaseOption"
