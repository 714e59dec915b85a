import COpenSQLite
import Foundation
import OpenStoreTool
import Testing

@Suite("Verification of stores")
struct VerificationTests {
  @Test("a sound store has no findings")
  func sound() throws {
    let sample = try Sample()
    try sample.writeItems(20)
    #expect(try Verification.findings(in: sample.open()).isEmpty)
  }

  @Test("a damaged store's findings name entity, property and objects")
  func damaged() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    try Self.run("UPDATE ZITEM SET ZOWNER = 9 WHERE Z_PK = 2", on: sample.file)
    let rows = try Verification.findings(in: sample.open())
    #expect(rows.count == 1)
    let row = try #require(rows.first)
    #expect(row.map(\.key) == ["finding", "entity", "property", "object", "related", "message"])
    #expect(row["finding"] == .text("danglingReference"))
    #expect(row["entity"] == .text("Item"))
    #expect(row["property"] == .text("owner"))
    #expect(row["object"]?.cell.hasSuffix("/Item/p2") == true)
    #expect(row["related"]?.cell.hasSuffix("/Owner/p9") == true)
  }

  @Test("the error for an unreadable value names its entity and property")
  func unreadableValue() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    try Self.run("UPDATE ZITEM SET ZMEDIUM = 'many' WHERE Z_PK = 2", on: sample.file)
    let error = #expect(throws: ToolError.self) { try sample.rows() }
    #expect(error?.message.contains("row 2") == true)
    #expect(error?.message.hasSuffix("(entity Item, property medium)") == true, "\(error as Any)")
  }

  @Test("a row of an unknown entity is a finding, and the rest is checked all the same")
  func unknownEntity() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    try Self.run("UPDATE ZITEM SET Z_ENT = 9 WHERE Z_PK = 2", on: sample.file)
    let rows = try Verification.findings(in: sample.open())
    #expect(rows.map { $0["finding"] } == [.text("unknownEntity")])
    #expect(rows.first?["object"]?.cell.hasSuffix("/Item/p2") == true)
  }

  @Test("a file whose pages are overwritten is broken, or cannot be read")
  func overwritten() throws {
    let sample = try Sample()
    try sample.writeItems(500)
    try Self.run("PRAGMA wal_checkpoint(TRUNCATE)", on: sample.file)
    var bytes = try Data(contentsOf: sample.file)
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 4096, with: Data(repeating: 0x5A, count: 4096))
    try bytes.write(to: sample.file)
    do {
      let rows = try Verification.findings(in: sample.open())
      #expect(rows.contains { $0["finding"] == .text("brokenFile") })
    } catch let error as ToolError {
      #expect(error.status == .unreadable)
    }
  }

  @Test("stores that Apple's frameworks wrote are sound", arguments: RealStore.all)
  func realStores(_ store: RealStore) throws {
    guard store.keepsModel else { return }
    let copy = try StoreCopy(of: store.url)
    let opened = try InspectedStore(at: copy.url.path, modelPath: nil)
    // The copies do not include the folders of external values.
    let rows = try Verification.findings(in: opened).filter {
      $0["finding"] != .text("missingFile")
    }
    #expect(rows.isEmpty)
  }

  private static func run(_ sql: String, on file: URL) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open(file.path, &database) == SQLITE_OK,
      sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
    else { throw RawFailure(message: sql) }
  }
}
