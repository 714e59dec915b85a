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
  /// - Throws: `CocoaError` if the metadata cannot be read.
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
  /// Migrates a store to the model of a request.
  ///
  /// - Throws: `CocoaError` 134130 if the source model is not found, 134140 if the mapping model is
  ///   not found and cannot be inferred, 134110 for other failures. After an error, the store is
  ///   unchanged.
  func migrate(_ request: StoreMigrationRequest) throws

  /// Returns whether a stage of a staged migration began and was not completed.
  func hasBegunStage(_ request: StoreMigrationRequest) -> Bool

  /// Completes the stage of a staged migration that a killed process began. Other migrations need
  /// no completion.
  ///
  /// - Throws: `CocoaError` if the stage fails.
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
