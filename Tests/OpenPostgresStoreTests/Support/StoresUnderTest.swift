import Foundation
import OpenMemoryStore
import OpenObjectModel
import OpenPostgresStore
import PostgresTestServer
import OpenStoreConformance
import OpenStoreContract
import Synchronization

extension StoreUnderTest {
  /// Stores in schemas of the tests' server.
  ///
  /// - Parameters:
  ///   - isPooled: Whether a pooler in transaction mode is between.
  ///   - url: The URL of the first store; nil for a new schema for each store.
  static func postgres(
    tracksHistory: Bool = false, isPooled: Bool = false, at url: URL? = nil
  ) -> StoreUnderTest {
    let places = Mutex<[ObjectIdentifier: URL]>([:])
    @Sendable func open(_ url: URL, _ model: CompiledModel) throws -> any StoreBackend {
      var configuration = StoreConfiguration(url: url)
      configuration.tracksHistory = tracksHistory
      configuration.timeout = 10
      let store = try PostgresStore.open(configuration, model: model)
      places.withLock { $0[ObjectIdentifier(store)] = url }
      return store
    }
    return StoreUnderTest(
      name: tracksHistory ? "PostgreSQL with history" : "PostgreSQL",
      open: {
        try open(
          url ?? (isPooled ? TestServer.newPooledURL() : TestServer.shared.get().newURL()), $0)
      },
      reopen: { store, model in
        guard let url = places.withLock({ $0[ObjectIdentifier(store)] }) else {
          throw TestServer.Failure(description: "The store is none of the tests' server.")
        }
        store.close()
        return try open(url, model)
      })
  }

  static let memory = StoreUnderTest(name: "memory") { model in
    try MemoryStore.open(StoreConfiguration(url: nil), model: model)
  }
}
