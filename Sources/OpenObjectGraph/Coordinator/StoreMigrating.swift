package import Foundation
package import OpenObjectModel
package import OpenStoreContract
internal import Synchronization

/// A request to migrate a store of another model version to the coordinator's model.
package struct StoreMigrationRequest {
  /// The store's type.
  package var type: String
  /// The URL of the store.
  package var url: URL
  /// The configuration with which the store is opened.
  package var configuration: StoreConfiguration
  /// The options with which the store is added.
  package var options: [AnyHashable: Any]
  /// The store's metadata.
  package var metadata: [String: Any]
  /// The model to which the store is migrated.
  package var model: CompiledModel
  /// The file operations of the store type.
  package var files: StoreTypes.FileOperations

  /// Creates a request and reads the metadata of the store.
  ///
  /// - Parameters:
  ///   - type: The store's type.
  ///   - url: The URL of the store.
  ///   - configuration: The configuration with which the store is opened.
  ///   - options: The options with which the store is added.
  ///   - model: The model to which the store is migrated.
  ///   - files: The file operations of the store type.
  /// - Throws: `CocoaError` with the code of the store's error if the metadata cannot be read, for
  ///   example 260 if the file is missing, or 259 if the file is damaged.
  package init(
    type: String, url: URL, configuration: StoreConfiguration, options: [AnyHashable: Any],
    model: CompiledModel, files: StoreTypes.FileOperations
  ) throws {
    metadata = try surfacingErrors { () throws -> [String: Any] in
      try files.metadata(StoreConfiguration(url: url))
    }
    self.type = type
    self.url = url
    self.configuration = configuration
    self.options = options
    self.model = model
    self.files = files
  }

  /// The options for opening the store in its current version: all options except those that
  /// request a migration.
  package var openingOptions: [AnyHashable: Any] {
    var options = options
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = nil
    options[NSMigratePersistentStoresAutomaticallyOption] = nil
    return options
  }
}

/// A type that migrates stores when the stores are added. Another module contains the
/// implementation.
package protocol StoreMigrating: Sendable {
  /// Migrates a store to the model of a request, in stages if the options contain an
  /// `NSStagedMigrationManager`.
  ///
  /// After an error, the store is unchanged, but completed stages are not undone.
  ///
  /// - Parameter request: The store and its new model.
  /// - Throws: The error of a stage's handler, or a `CocoaError`, for example with one of the
  ///   following codes:
  ///   - 134110: The migration fails for a reason that no other code describes.
  ///   - 134111: A uniqueness constraint of the new model is violated.
  ///   - 134130: The source model is not found.
  ///   - 134140: The mapping model is not found and cannot be inferred.
  ///   - 134504: No stage contains the version of the store, or the model of a stage is not found.
  ///   - 134506: The store is newer than the model, and the options contain stages.
  func migrate(_ request: StoreMigrationRequest) throws

  /// Returns whether a stage with a `didMigrateHandler` began but was not completed. The result is
  /// false if the options contain no `NSStagedMigrationManager`.
  ///
  /// - Parameter request: The store and its new model.
  func hasBegunStage(_ request: StoreMigrationRequest) -> Bool

  /// Runs the `didMigrateHandler` that a killed process did not complete in a staged migration.
  /// For other migrations, the method does nothing.
  ///
  /// - Parameter request: The store and its new model.
  /// - Throws: Any error that the handler throws; `CocoaError` 134504 if the model of the stage is
  ///   not found; the store's error as a `CocoaError` if the store or its metadata cannot be read
  ///   or written.
  func resume(_ request: StoreMigrationRequest) throws
}

extension StoreTypes {
  private static let migrators = Mutex<(any StoreMigrating)?>(nil)

  /// Sets the object that migrates stores when the stores are added.
  package static func setMigrator(_ migrator: any StoreMigrating) {
    migrators.withLock { $0 = migrator }
  }

  static var migrator: (any StoreMigrating)? {
    if let known = migrators.withLock({ $0 }) { return known }
    // A program may have opened no built-in store yet.
    if let registry = ClassLookup.builtInStores { registry.register() }
    return migrators.withLock { $0 }
  }
}
