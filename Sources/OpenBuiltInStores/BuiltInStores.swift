internal import Foundation
internal import OpenMemoryStore
internal import OpenObjectGraph
internal import OpenSQLiteStore
internal import OpenStoreContract

/// Found by its name when a coordinator looks for a kind of store.
final class BuiltInStoreRegistry: StoreRegistry {
  static func register() { BuiltInStores.register() }
}

/// Makes the stores of this library known to coordinators.
package enum BuiltInStores {
  private static let registration: Void = {
    StoreTypes.register(NSSQLiteStoreType, sqlite)
    StoreTypes.register(NSInMemoryStoreType, memory)
  }()

  /// Registers the stores once.
  package static func register() { registration }

  private static var sqlite: StoreTypes.Opener {
    StoreTypes.Opener(
      open: { (configuration, model) throws(StoreError) in
        try SQLiteStore.open(configuration, model: model)
      },
      files: StoreTypes.FileOperations(
        metadata: { (configuration) throws(StoreError) in
          guard let url = configuration.url else {
            throw StoreError(.missingFile, "A store file is needed to read its metadata.")
          }
          return try SQLiteStore.metadata(at: url)
        },
        setMetadata: { (metadata, configuration) throws(StoreError) in
          try SQLiteStore.setMetadata(metadata, configuration)
        },
        destroy: { (configuration, isForced) throws(StoreError) in
          try SQLiteStore.destroy(configuration, isForced: isForced)
        },
        replace: { (configuration, source, isForced) throws(StoreError) in
          try SQLiteStore.replace(configuration, withStoreAt: source, isForced: isForced)
        }))
  }

  private static var memory: StoreTypes.Opener {
    StoreTypes.Opener { (configuration, model) throws(StoreError) in
      try MemoryStore.open(configuration, model: model)
    }
  }
}
