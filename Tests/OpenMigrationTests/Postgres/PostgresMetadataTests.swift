import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import Testing

@Suite("The metadata of a PostgreSQL store during a migration", .enabled(if: TestServer.isPresent))
struct PostgresMetadataTests {
  private func setOwner(_ name: String, of store: ServedStore, timeout: Double) throws {
    try NSPersistentStoreCoordinator.setMetadata(
      ["owner": name], forPersistentStoreOfType: OpenPostgresStoreType, at: store.url,
      options: [NSPersistentStoreTimeoutOption: NSNumber(value: timeout)])
  }

  @Test("metadata that another program sets is written after the migration, or not at all")
  func migration() throws {
    let store = try ServedStore()
    let old = Models.make { $0.entity("Book").attribute("title") }
    let new = Models.make { $0.entity("Book").attribute("title").attribute("note") }
    try store.with(old) { $0.insert("Book", ["title": "Dune"]) }
    var failures: [CocoaError.Code?] = []
    try store.migrate(old, new) { _ in
      if !failures.isEmpty { return true }
      do {
        try setOwner("other", of: store, timeout: 0.1)
        failures.append(nil)
      } catch {
        failures.append((error as? CocoaError)?.code)
      }
      return true
    }
    #expect(failures == [.persistentStoreTimeout])
    try setOwner("last", of: store, timeout: 10)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: OpenPostgresStoreType, at: store.url)
    #expect(metadata["owner"] as? String == "last")
    #expect(try store.with(new) { try $0.texts("Book", "title") } == ["Dune"])
  }
}
