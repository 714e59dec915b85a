internal import Foundation
internal import OpenObjectGraph
internal import OpenSQLCore
internal import OpenStoreContract

extension PostgresStore {
  private static let registration: Void = StoreTypes.register(
    OpenPostgresStoreType,
    StoreTypes.Opener(
      open: { (configuration, model) throws(StoreError) in
        try PostgresStore.open(configuration, model: model)
      },
      files: StoreTypes.FileOperations(
        metadata: { (configuration) throws(StoreError) in
          try withStore(configuration) { (session) throws(StoreError) in
            try MetadataRow.read(in: session).metadata
          }
        },
        setMetadata: { (metadata, configuration) throws(StoreError) in
          try withStore(configuration) { (session) throws(StoreError) in
            // Waits for a running migration, which replaces the metadata.
            let beginning = session.dialect.beginning(lockTimeout: configuration.lockTimeout)
            try session.connection.inTransaction(beginning) { (_) throws(StoreError) in
              try MetadataRow.write(metadata, in: session)
            }
          }
        },
        destroy: { (configuration, _) throws(StoreError) in try destroy(configuration) },
        replace: { (_, _, _) throws(StoreError) in
          throw StoreError(
            .unsupported,
            "A PostgreSQL store cannot be replaced by a file. Add both stores to a coordinator and migrate one to the other."
          )
        },
        check: { (_) throws(StoreError) in },
        model: { (configuration) throws(StoreError) in
          try withStore(configuration) { (session) throws(StoreError) in
            try MetadataRow.model(in: session)
          }
        },
        rebuild: { configuration, place, make in
          try StoreRebuilding.run(configuration, at: place, make)
        },
        migration: migration, newPlace: { StoreRebuilding.place(beside: $0) }),
      schemes: ["postgresql", "postgres"]))

  private static var migration: StoreTypes.MigrationOperations {
    StoreTypes.MigrationOperations(
      plan: { (configuration, transition) throws(StoreError) in
        try PostgresMigration(configuration, transition).plan()
      },
      migrate: { (configuration, transition, way, progress) throws(StoreError) in
        try PostgresMigration(configuration, transition, progress).run(way)
      },
      migrateCopy: nil)
  }

  /// Registers the store type, so that coordinators and containers open URLs with the scheme
  /// `postgresql` or `postgres`.
  ///
  /// Call this method before you open the first PostgreSQL store. Later calls have no effect.
  ///
  /// This is an addition to Apple's API.
  ///
  /// > Concurrency: Callable from any thread.
  public static func register() { registration }

  /// Runs work on an existing store.
  ///
  /// - Throws: `StoreError` with code `.missingFile` if the schema does not contain a store.
  private static func withStore<Result>(
    _ configuration: StoreConfiguration,
    _ body: (PostgresSession) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let session = try PostgresPlace(configuration).connect()
    guard try StoreTables.tables(in: session).contains("z_metadata") else {
      throw StoreError(
        .missingFile, "The schema does not contain a store. Check the schema in the URL.",
        path: session.path)
    }
    return try body(session)
  }

  /// Drops the tables of a store. The schema remains, and so do the tables of other programs.
  private static func destroy(_ configuration: StoreConfiguration) throws(StoreError) {
    let session = try PostgresPlace(configuration).connect()
    let tables = try StoreTables.names(in: session)
    guard !tables.isEmpty else { return }
    try session.connection.run([
      .begin, PostgresDialect.lockTimeout(5000), session.dialect.drop(tables), .commit,
    ])
  }
}
