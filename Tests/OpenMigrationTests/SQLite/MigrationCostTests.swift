import Foundation
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite("What migrating a large store costs", .serialized)
struct MigrationCostTests {
  /// The number of rows; the long run sets it.
  private static var rowCount: Int {
    ProcessInfo.processInfo.environment["OPENCOREDATA_MIGRATED_ROWS"].flatMap(Int.init) ?? 50_000
  }

  private static func model(_ change: (NSEntityDescription) -> Void = { _ in })
    -> NSManagedObjectModel
  {
    Models.make { models in
      let author = models.entity("Author").attribute("name")
      let book = models.entity("Book").attribute("title").attribute("pages", .integer64)
        .relationship("author", to: author)
      author.relationship("books", to: book, isToMany: true)
      book.relationshipsByName["author"]?.inverseRelationship = author.relationshipsByName["books"]
      author.relationshipsByName["books"]?.inverseRelationship = book.relationshipsByName["author"]
      book.uniquenessConstraints = [["title"]]
      change(book)
    }
  }

  private static let rows = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
    INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPAGES, ZAUTHOR)
    SELECT i, 2, 1, 'A title of some length, number ' || i, i * 7 %% 1000, i %% 100 + 1 FROM n
    """

  private func filled() throws -> MigratedStore {
    let store = try MigratedStore()
    try store.withContext(Self.model()) { _ in }
    try store.sqlite(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) "
        + "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 1, 1, 'Author ' || i FROM n")
    try store.sqlite(String(format: Self.rows, Self.rowCount))
    try store.sqlite("UPDATE Z_PRIMARYKEY SET Z_MAX = \(Self.rowCount)")
    return store
  }

  /// Bytes of memory that the process has in use.
  private func memory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }

  @Test("a copy uses bounded memory, reports progress, and takes as long as reading and inserting")
  func copy() throws {
    let store = try filled()
    // What it costs at least: all rows, read and written with their indexes.
    let clock = ContinuousClock()
    let place = store.folder.appendingPathComponent("plain.sqlite")
    try store.withContext(Self.model(), at: place) { _ in }
    let least = try clock.measure {
      try store.attach(store.file, to: place, "INSERT INTO ZBOOK SELECT * FROM other.ZBOOK")
    }
    let before = try memory()
    var most = before
    var reports = 0
    let duration = try clock.measure {
      try store.migrate(
        Self.model(), Self.model { $0.attribute("note", default: "none") }, by: .copy
      ) { _ in
        reports += 1
        most = max(most, (try? memory()) ?? 0)
        return true
      }
    }
    print(
      "\(Self.rowCount) rows: copy \(duration), reading and inserting \(least), "
        + "\((most - before) >> 20) MB, \(reports) reports")
    #expect(most - before < 64 << 20)
    #expect(reports > Self.rowCount / 20_000)
    #expect(
      try store.sqlite("SELECT count(*) FROM ZBOOK WHERE ZNOTE = 'none'") == ["\(Self.rowCount)"])
  }

  @Test("the time for adding an attribute in place does not depend on the rows")
  func inPlace() throws {
    let store = try filled()
    let duration = try ContinuousClock().measure {
      try store.migrate(Self.model(), Self.model { $0.attribute("note") })
    }
    print(
      "\(Self.rowCount) rows: attribute added in \(duration), \(store.statements.count) statements")
    #expect(!store.statements.contains { $0.hasPrefix("UPDATE ZBOOK") || $0.contains("INDEX") })
  }
}
