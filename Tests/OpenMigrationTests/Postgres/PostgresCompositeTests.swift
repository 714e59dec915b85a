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
}
