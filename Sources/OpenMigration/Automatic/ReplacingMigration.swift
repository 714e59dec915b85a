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
    guard let rebuild = request.files.rebuild else {
      return try replace(place, progress)
    }
    do {
      try rebuild(request.configuration, place) { try makeStore(at: place, progress) }
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

  /// Creates the new store and replaces the old store, for store types that use one file without
  /// locks.
  private func replace(_ place: URL, _ progress: MigrationProgress?) throws {
    // A killed process may have left a file here, and the new store is not needed once it is copied.
    defer { try? FileManager.default.removeItem(at: place) }
    try? FileManager.default.removeItem(at: place)
    try makeStore(at: place, progress)
    do throws(StoreError) {
      try request.files.replace(request.configuration, place, false)
    } catch {
      throw CocoaError.migration(
        "The migrated store cannot take the place of the old one: \(error)",
        CocoaError.surfaced(error))
    }
  }

  private func makeStore(at place: URL, _ progress: MigrationProgress?) throws {
    let manager = NSMigrationManager(
      sourceModel: source, destinationModel: request.model.descriptions)
    manager.usesStoreSpecificMigrationManager = false
    let options = request.openingOptions
    var destinationOptions = options
    destinationOptions[OpenNewStoreIdentifierOption] = request.metadata[NSStoreUUIDKey]
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
