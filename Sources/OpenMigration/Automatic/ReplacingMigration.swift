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

  /// Runs the migration.
  ///
  /// - Parameter progress: A closure that receives the completed fraction, from 0 to 1. Return
  ///   false to cancel the migration.
  /// - Throws: The error of the migration. After an error, the old store is unchanged.
  package func run(_ progress: MigrationProgress? = nil) throws {
    let place = request.files.newPlace?(request.url) ?? Self.place(for: request.url)
    do {
      try request.files.rebuild(request.configuration, place) {
        try makeStore(at: place, progress)
      }
    } catch let error as StoreError {
      throw CocoaError.migration(
        "The store cannot be migrated: \(error)", CocoaError.surfaced(error))
    }
  }

  /// Returns the URL of the new store, which is hidden and in the folder of the old store.
  private static func place(for url: URL) -> URL {
    let resolved = url.resolvingSymlinksInPath()
    return resolved.deletingLastPathComponent()
      .appendingPathComponent(".\(resolved.lastPathComponent).migrating")
  }

  private func makeStore(at place: URL, _ progress: MigrationProgress?) throws {
    let manager = NSMigrationManager(
      sourceModel: source, destinationModel: request.model.descriptions)
    manager.usesStoreSpecificMigrationManager = false
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
