import Foundation
import OpenSQLCore
package import OpenStoreContract

extension SQLiteStore {
  /// What `migrate` would do, without changing anything.
  ///
  /// - Parameters:
  ///   - configuration: The store's file.
  ///   - transition: How rows become rows of the other model; its source model is the store's.
  /// - Throws: `StoreError` with code `.incompatibleSchema` for a store of another model than the source.
  /// - Complexity: Counts rows of the tables that are written.
  /// > Concurrency: Any thread.
  package static func migrationPlan(
    of configuration: StoreConfiguration, _ transition: ModelTransition
  ) throws(StoreError) -> StoreMigrationPlan {
    let files = try migratedFiles(configuration)
    return try StoreReading.withConnection(to: files.main) { (connection) throws(StoreError) in
      let source = try MigrationSource(transition, configuration, on: connection)
      return try MigrationPlanning(
        source: source, configurationName: configuration.configurationName, connection: connection
      ).plan()
    }
  }

  /// Brings the rows of a store to another model.
  ///
  /// In place where SQLite can change the tables themselves, in one transaction; else by a new file, which takes the place
  /// of the old one when it is complete. After any failure, and if the process is killed, the file is the complete
  /// old store or the complete new one. Identifier, keys and the application's metadata stay.
  ///
  /// - Parameters:
  ///   - configuration: The store's file, and the timeout for other processes.
  ///   - transition: How rows become rows of the other model; its source model is the store's.
  ///   - way: How to change the file; nil for in place if possible.
  ///   - progress: Told how much is done; cancels by returning false.
  /// - Throws: `StoreError`: `.locked` when any connection, of this process too, has the store open, with the user as a
  ///   `StoreInUse`; `.readOnly`, `.incompatibleSchema` for a store of another model than the source, `.constraintConflict` with a
  ///   `DuplicateValues`, `.interrupted` when cancelled, `.inputOutput` for a full disk.
  /// > Concurrency: Any thread. Other processes wait, or get an error that names this one.
  package static func migrate(
    _ configuration: StoreConfiguration, _ transition: ModelTransition,
    by way: StoreMigrationPlan.Way? = nil, progress: MigrationProgress? = nil
  ) throws(StoreError) {
    let files = try migratedFiles(configuration)
    guard !configuration.isReadOnly else {
      throw StoreError(
        .readOnly,
        "The store is opened for reading only, and cannot be migrated; open it for writing, or migrate a copy.",
        path: files.main.path)
    }
    try StoreFileMigration(
      configuration: configuration, transition: transition, files: files, progress: progress
    ).run(way)
  }

  /// Writes a copy of a store, with its rows as another model has them, to a place where no file is.
  ///
  /// The store itself stays as it is; unless another process has it open, it is checkpointed first. The copy is one
  /// file without a log, has the identifier of the store, and its own files for external values.
  ///
  /// - Parameters:
  ///   - configuration: The store's file, which may be open.
  ///   - destination: The place of the copy, and how long to wait.
  ///   - transition: How rows become rows of the other model; its source model is the store's.
  ///   - progress: Told how much is done; cancels by returning false.
  /// - Throws: `StoreError` as `migrate` does; `.permission` when there is a file at the place. Nothing is left then.
  /// > Concurrency: Any thread.
  package static func migrateCopy(
    of configuration: StoreConfiguration, to destination: StoreConfiguration,
    _ transition: ModelTransition, progress: MigrationProgress? = nil
  ) throws(StoreError) {
    try StoreCopyMigration(
      configuration: configuration, transition: transition,
      source: try migratedFiles(configuration), destination: try migratedFiles(destination),
      timeout: destination.timeout, progress: progress
    ).run()
  }

  private static func migratedFiles(
    _ configuration: StoreConfiguration
  ) throws(StoreError) -> StoreFiles {
    guard let url = configuration.url, !url.isInMemory else {
      throw StoreError(
        .unsupported, "A store in memory cannot be migrated; it ends when it is closed.")
    }
    try StoreFile.requireRegularFiles(at: StorePath.resolved(url.path))
    return StoreFiles(resolving: url)
  }
}
