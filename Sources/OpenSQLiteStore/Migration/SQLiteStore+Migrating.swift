import Foundation
import OpenSQLCore
package import OpenStoreContract

extension SQLiteStore {
  /// Returns the plan that `migrate` would execute, without changing anything.
  ///
  /// - Parameters:
  ///   - configuration: The store's file.
  ///   - transition: The conversion of the rows, whose source model is the model of the store.
  /// - Returns: The plan of the migration.
  /// - Throws: `StoreError` with one of these codes: `.missingFile` if the file does not exist;
  ///   `.foreignFile` if the file is not a store; `.incompatibleSchema` if the store's model is not
  ///   the source model; `.unfitValue` if a row has no value for a required property;
  ///   `.unsupported` for an in-memory store; another code if the file cannot be read.
  /// - Complexity: Counts the rows of the tables that would be written.
  /// > Concurrency: Callable from any thread.
  package static func migrationPlan(
    of configuration: StoreConfiguration, _ transition: ModelTransition
  ) throws(StoreError) -> StoreMigrationPlan {
    let files = try StoreFiles(migrating: configuration)
    return try StoreReading.withConnection(to: files.main) { (connection) throws(StoreError) in
      let source = try MigrationSource(transition, configuration, on: connection)
      return try MigrationPlanning(
        source: source, configurationName: configuration.configurationName, connection: connection
      ).plan()
    }
  }

  /// Migrates the rows of a store to another model.
  ///
  /// If SQLite can change the tables themselves, the file is migrated in place, in one transaction.
  /// Otherwise, a new file replaces the old file when the new file is complete. After an error, or
  /// if the process is killed, the file is either the complete old store or the complete new store.
  /// The store's identifier, its keys and the application's metadata are kept.
  ///
  /// Before the migration, the method closes the stores of this process that have the file open.
  /// The method does not close these stores if another process has the store open, if the store
  /// does not have the source model, or if a row has no value for a required property. After any
  /// other error, these stores remain closed.
  ///
  /// - Parameters:
  ///   - configuration: The store's file, and the timeout for other processes.
  ///   - transition: The conversion of the rows, whose source model is the model of the store.
  ///   - way: The way in which the migration changes the store; nil to migrate in place if
  ///     possible.
  ///   - progress: A closure that receives the completed fraction, from 0 to 1; nil for no closure.
  ///     If the closure returns false, the migration is canceled.
  /// - Throws: `StoreError` with one of the following codes, or with another code if a file cannot
  ///   be read or written:
  ///   - `.missingFile`: The store's file does not exist.
  ///   - `.locked`: Another process has the store open, or a call or a pinned state of this process
  ///     uses the store.
  ///   - `.readOnly`: The configuration is read-only.
  ///   - `.incompatibleSchema`: The store's model is not the source model.
  ///   - `.unfitValue`: A row has no value for a required property.
  ///   - `.constraintConflict`: A uniqueness constraint is violated. The underlying error is a
  ///     `DuplicateValues`.
  ///   - `.interrupted`: The progress closure canceled the migration.
  ///   - `.inputOutput`: The disk is full.
  ///   - `.unsupported`: The store is in memory, or `way` is `.expand`.
  /// > Concurrency: Callable from any thread. Other processes wait, or receive an error that names
  /// > this process.
  package static func migrate(
    _ configuration: StoreConfiguration, _ transition: ModelTransition,
    by way: StoreMigrationPlan.Way? = nil, progress: MigrationProgress? = nil
  ) throws(StoreError) {
    guard way != .expand else {
      throw StoreError(
        .unsupported, "Programs with different versions of the model cannot share a SQLite store.")
    }
    let files = try StoreFiles(migrating: configuration)
    guard !configuration.isReadOnly else {
      throw StoreError(
        .readOnly,
        "The store cannot be migrated because it is opened for reading only. Open it for writing, or migrate a copy.",
        path: files.main.path)
    }
    try StoreFileMigration(
      configuration: configuration, transition: transition, files: files, progress: progress
    ).run(way)
  }

  /// Writes a migrated copy of a store to a new location.
  ///
  /// The contents of the store are not changed. The store is checkpointed first, unless another
  /// process has the store open. The copy is one file without a write-ahead log. The copy has the
  /// identifier of the store, and separate files for external values.
  ///
  /// - Parameters:
  ///   - configuration: The store's file, which may be open.
  ///   - destination: The location of the copy, and the timeout for other processes.
  ///   - transition: The conversion of the rows, whose source model is the model of the store.
  ///   - progress: A closure that receives the completed fraction, from 0 to 1; nil for no closure.
  ///     If the closure returns false, the migration is canceled.
  /// - Throws: The same errors as `migrate`, except that a read-only configuration and an open
  ///   store are not errors. Throws `StoreError` with code `.permission` if there is a file at the
  ///   destination. After an error, no files of the copy remain.
  /// > Concurrency: Callable from any thread.
  package static func migrateCopy(
    of configuration: StoreConfiguration, to destination: StoreConfiguration,
    _ transition: ModelTransition, progress: MigrationProgress? = nil
  ) throws(StoreError) {
    try StoreCopyMigration(
      configuration: configuration, transition: transition,
      source: try StoreFiles(migrating: configuration),
      destination: try StoreFiles(migrating: destination),
      timeout: destination.timeout, progress: progress
    ).run()
  }
}

extension StoreFiles {
  /// Creates the files of a store that is migrated; throws for an in-memory store.
  fileprivate init(migrating configuration: StoreConfiguration) throws(StoreError) {
    guard let url = configuration.url, !url.isInMemory else {
      throw StoreError(
        .unsupported, "An in-memory store cannot be migrated, because closing it deletes it.")
    }
    try StoreFile.requireRegularFiles(at: StorePath.resolved(url.path))
    self.init(resolving: url)
  }
}
