internal import Foundation
internal import OpenAtomicStores
internal import OpenMemoryStore
internal import OpenMigration
internal import OpenObjectGraph
internal import OpenSQLiteStore
internal import OpenStoreContract

/// Found by its name when a coordinator looks for a kind of store.
final class BuiltInStoreRegistry: StoreRegistry {
  static func register() { BuiltInStores.register() }
}

/// Registers the store types that the library implements.
///
/// Coordinators can open only stores of registered types.
package enum BuiltInStores {
  private static let registration: Void = {
    StoreTypes.register(NSSQLiteStoreType, sqlite)
    StoreTypes.register(NSInMemoryStoreType, memory)
    StoreTypes.register(NSXMLStoreType, file(as: .xml))
    StoreTypes.register(NSBinaryStoreType, file(as: .binary))
    StoreTypes.setMigrator(AutomaticMigration())
    StoreTypes.setRowStore { (configuration, model, contents, persistence) throws(StoreError) in
      try MemoryStore.open(
        configuration, model: model, contents: contents, persistence: persistence)
    }
  }()

  /// Registers the store types; does nothing after the first call.
  package static func register() { registration }

  private static var sqlite: StoreTypes.Opener {
    StoreTypes.Opener(
      open: { (configuration, model) throws(StoreError) in
        try SQLiteStore.open(configuration, model: model)
      },
      files: StoreTypes.FileOperations(
        metadata: { (configuration) throws(StoreError) in
          guard let url = configuration.url else {
            throw StoreError(.missingFile, "Reading metadata requires the URL of the store file.")
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
        },
        check: { (configuration) throws(StoreError) in
          guard let url = configuration.url else { return }
          try StoreInspection.checkStructure(ofStoreAt: url)
        },
        model: { (configuration) throws(StoreError) in
          guard let url = configuration.url else { return nil }
          return try ModelCache.model(inStoreAt: url)
        },
        settle: { (configuration) throws(StoreError) in try SQLiteStore.settle(configuration) },
        rebuild: { configuration, place, make in
          try SQLiteStore.rebuild(configuration, at: place, make)
        },
        migration: sqliteMigration,
        excludeMigrations: { configuration in
          try StoreLock.excludeMigrations(of: configuration)
        }))
  }

  private static var sqliteMigration: StoreTypes.MigrationOperations {
    StoreTypes.MigrationOperations(
      plan: { (configuration, transition) throws(StoreError) in
        try SQLiteStore.migrationPlan(of: configuration, transition)
      },
      migrate: { (configuration, transition, way, progress) throws(StoreError) in
        try SQLiteStore.migrate(configuration, transition, by: way, progress: progress)
      },
      migrateCopy: { (configuration, destination, transition, progress) throws(StoreError) in
        try SQLiteStore.migrateCopy(
          of: configuration, to: destination, transition, progress: progress)
      })
  }

  private static var memory: StoreTypes.Opener {
    StoreTypes.Opener { (configuration, model) throws(StoreError) in
      try MemoryStore.open(configuration, model: model)
    }
  }

  /// A kind of store that is one file, read and written as a whole.
  private static func file(as format: some StoreFileFormat) -> StoreTypes.Opener {
    StoreTypes.Opener(
      open: { (configuration, model) throws(StoreError) in
        try FileStore.open(configuration, model: model, as: format)
      },
      files: StoreTypes.FileOperations(
        metadata: { (configuration) throws(StoreError) in
          try FileStore.metadata(of: configuration, as: format)
        },
        setMetadata: { (metadata, configuration) throws(StoreError) in
          try FileStore.setMetadata(metadata, of: configuration, as: format)
        },
        destroy: { (configuration, _) throws(StoreError) in
          try FileStore.destroy(configuration, as: format)
        },
        replace: { (configuration, source, _) throws(StoreError) in
          try FileStore.replace(configuration, withStoreAt: source, as: format)
        },
        check: { (configuration) throws(StoreError) in
          try FileStore.check(configuration, as: format)
        },
        rebuild: { configuration, place, make in
          try FileStore.rebuild(configuration, at: place, make)
        },
        excludeMigrations: { configuration in
          try StoreLock.excludeMigrations(of: configuration)
        }))
  }
}
