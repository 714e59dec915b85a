package import Foundation
package import OpenObjectModel
package import OpenStoreContract
internal import Synchronization

/// A store that another version of the coordinator's model wrote.
package struct StoreMigrationRequest {
  /// The store's type.
  package var type: String
  package var url: URL
  /// How the store is to be opened.
  package var configuration: StoreConfiguration
  /// The options that it is added with.
  package var options: [AnyHashable: Any]
  /// The store's metadata.
  package var metadata: [String: Any]
  /// The model that it is to be brought to.
  package var model: CompiledModel
  package var files: StoreTypes.FileOperations

  /// Describes the migration of a store, whose metadata is read.
  ///
  /// - Throws: `CocoaError` when the metadata cannot be read.
  package init(
    type: String, url: URL, configuration: StoreConfiguration, options: [AnyHashable: Any],
    model: CompiledModel, files: StoreTypes.FileOperations
  ) throws {
    do throws(StoreError) {
      metadata = try files.metadata(StoreConfiguration(url: url))
    } catch {
      throw CocoaError.surfaced(error)
    }
    self.type = type
    self.url = url
    self.configuration = configuration
    self.options = options
    self.model = model
    self.files = files
  }

  /// The options without those that migrate the store: they open it in the version that it has.
  package var openingOptions: [AnyHashable: Any] {
    var options = options
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = nil
    options[NSMigratePersistentStoresAutomaticallyOption] = nil
    return options
  }
}

/// Migrates stores when they are added; this module only knows that something does.
package protocol StoreMigrating: Sendable {
  /// Brings a store to the model of a request.
  ///
  /// - Throws: `CocoaError` of Apple's codes: 134130 without a source model, 134140 without a mapping model, 134190 when none can be
  ///   inferred, 134110 for anything else; the store is as it was.
  func migrate(_ request: StoreMigrationRequest) throws

  /// Ends what a killed process had begun with a store of the right version.
  func resume(_ request: StoreMigrationRequest) throws
}

extension StoreTypes {
  private static let migrators = Mutex<(any StoreMigrating)?>(nil)

  /// Says who migrates stores when they are added.
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
