import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectModel
import OpenStoreContract
import PostgresTestServer
import Testing

@Suite("Composite attributes that change in PostgreSQL", .enabled(if: TestServer.isPresent))
struct PostgresCompositeTests {
  @Test(
    "a part that becomes required has its default where it has no value; other rows keep theirs",
    arguments: PostgresMigrationTests.ways)
  func required(_ way: StoreMigrationPlan.Way) throws {
    let (old, new) = (PlacedBooks.loose, PlacedBooks.strict)
    let store = try ServedStore()
    try store.with(old) { PlacedBooks.fill($0) }
    try store.migrate(old, new, by: way)
    #expect(try store.with(new) { try PlacedBooks.values($0) } == PlacedBooks.migrated)
  }

  @Test("composite attributes with the same elements keep their values if one is renamed (D-461)")
  func renamedAlike() throws {
    let (old, new) = RenamedComposite.models
    let store = try ServedStore()
    try store.with(old) { RenamedComposite.fill($0) }
    let refused = #expect(throws: CocoaError.self) { try store.with(new) { _ in } }
    #expect(refused?.code.rawValue == 134_100)
    let cities = try store.with(new, options: RenamedComposite.options) {
      try RenamedComposite.cities($0)
    }
    #expect(cities == ["H", "B"])
    #expect(throws: CocoaError.self) { try store.with(old) { _ in } }
  }
}
