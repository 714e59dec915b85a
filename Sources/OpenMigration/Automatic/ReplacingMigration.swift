internal import Foundation
package import OpenObjectGraph
package import OpenObjectModel
package import OpenStoreContract

/// A migration that copies objects to a new store, which then replaces the old store.
package struct ReplacingMigration {
  private let request: StoreMigrationRequest
  private let source: NSManagedObjectModel
  private let mapping: NSMappingModel

  package init(
    _ request: StoreMigrationRequest, from source: NSManagedObjectModel, _ mapping: NSMappingModel
  ) {
    self.request = request
    self.source = source
    self.mapping = mapping
  }

  /// The error that ends the replacement if another process has already migrated the store.
  private struct AlreadyMigrated: Error {}

  /// Runs the migration. Does nothing if another process has already migrated the store.
  ///
  /// - Parameter progress: A closure that receives the completed fraction, from 0 to 1, and returns
  ///   false to cancel the migration; nil to report no progress.
  /// - Throws: `CocoaError` 134110 if the mapping model does not match the models; 134170 if a
  ///   policy class of the mapping model is missing or ambiguous. The method throws these errors
  ///   before it closes a store.
  ///
  ///   Later, the method throws any error that the migration manager throws, 134120 if `progress`
  ///   cancels the migration, and 134110 if the new store cannot replace the old store. After an
  ///   error, the old store is unchanged.
  package func run(_ progress: MigrationProgress? = nil) throws {
    let manager = NSMigrationManager(
      sourceModel: source, destinationModel: request.model.descriptions)
    manager.usesStoreSpecificMigrationManager = false
    do { try check(manager) } catch {
      // The error of the check is more useful than an error of reading the metadata.
      if (try? isMigrated()) == true { return }
      throw error
    }
    let place = request.files.newPlace?(request.url) ?? Self.place(for: request.url)
    do {
      try request.files.rebuild(request.configuration, place) {
        if try isMigrated() { throw AlreadyMigrated() }
        try makeStore(at: place, manager, progress)
      }
    } catch is AlreadyMigrated {
      return
    } catch let error as StoreError {
      throw CocoaError.migration(
        "The store cannot be migrated: \(error)", CocoaError.surfaced(error))
    }
  }

  private func check(_ manager: NSMigrationManager) throws {
    try MappingCheck(manager, mapping).run()
    try mapping.requirePolicies()
  }

  /// Returns whether another process migrated the store after the request was made. If the result
  /// is false, another process can still migrate the store, unless the caller keeps other
  /// migrations of the store waiting.
  private func isMigrated() throws -> Bool {
    // Other store types make other migrations wait before the request is made.
    guard request.files.excludeMigrations == nil else { return false }
    let metadata = try request.files.metadata(request.configuration)
    return fits(metadata) && !fits(request.metadata)
  }

  private func fits(_ metadata: [String: Any]) -> Bool {
    request.model.descriptions.isConfiguration(
      withName: request.configuration.configurationName, compatibleWithStoreMetadata: metadata)
  }

  /// Returns the URL of the new store, which is hidden and in the folder of the old store.
  private static func place(for url: URL) -> URL {
    let resolved = URL(fileURLWithPath: StorePath.resolved(url.path))
    return resolved.deletingLastPathComponent()
      .appendingPathComponent(".\(resolved.lastPathComponent).migrating")
  }

  private func makeStore(
    at place: URL, _ manager: NSMigrationManager, _ progress: MigrationProgress?
  ) throws {
    var options = request.openingOptions
    var destinationOptions = options
    destinationOptions[OpenNewStoreIdentifierOption] = request.metadata[NSStoreUUIDKey]
    if request.configuration.ignoresModelVersion {
      options[NSIgnorePersistentStoreVersioningOption] = true
    }
    let observation = progress.map { progress in
      manager.observe(\.migrationProgress) { manager, _ in
        guard manager.migrationProgress < 1, !progress(Double(manager.migrationProgress)) else {
          return
        }
        manager.cancelMigrationWithError(CocoaError(.migrationCancelled))
      }
    }
    defer { observation?.invalidate() }
    try manager.migrateStore(
      from: request.url, sourceType: request.type, options: options, with: mapping,
      toDestinationURL: place, destinationType: request.type,
      destinationOptions: destinationOptions)
  }
}
