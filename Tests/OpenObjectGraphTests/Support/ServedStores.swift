import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer

/// Stores in PostgreSQL, for suites that compare kinds of stores.
enum ServedStores {
  /// The store type, if a server can be started.
  static let types = TestServer.isPresent ? [OpenPostgresStoreType] : []

  /// Sets a description's URL to a new store, if the description is of this type.
  ///
  /// - Parameter type: The type of the store, ignoring wrappers.
  static func place(_ description: NSPersistentStoreDescription, ofType type: String) throws {
    guard type == OpenPostgresStoreType else { return }
    PostgresStore.register()
    description.url = try TestServer.shared.get().newURL()
  }
}
