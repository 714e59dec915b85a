internal import Foundation
internal import OpenMemoryStore
internal import OpenObjectGraph
internal import OpenSQLiteStore
internal import OpenStoreContract

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
      metadata: { (configuration) throws(StoreError) in
        guard let url = configuration.url else {
          throw StoreError(.missingFile, "A store file is needed to read its metadata.")
        }
        return try SQLiteStore.metadata(at: url)
      },
      destroy: { (url) throws(StoreError) in try StoreFiles.delete(at: url) })
  }

  private static var memory: StoreTypes.Opener {
    StoreTypes.Opener(
      open: { (configuration, model) throws(StoreError) in
        try MemoryStore.open(configuration, model: model)
      },
      metadata: { (_) throws(StoreError) in [:] },
      destroy: { (_) throws(StoreError) in })
  }
}

/// The files of a store in SQLite: the database and its companions.
enum StoreFiles {
  /// Deletes them; missing ones are no error.
  static func delete(at url: URL) throws(StoreError) {
    for suffix in ["", "-wal", "-shm"] {
      let path = url.path + suffix
      guard FileManager.default.fileExists(atPath: path) else { continue }
      do {
        try FileManager.default.removeItem(atPath: path)
      } catch {
        throw StoreError(
          .permission, "The store's file cannot be deleted: \(error.localizedDescription)",
          path: path)
      }
    }
  }
}
