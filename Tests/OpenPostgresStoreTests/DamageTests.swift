import Foundation
import OpenCoreData
import OpenObjectModel
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Testing

@Suite("Damage of a PostgreSQL store is found", .enabled(if: TestServer.isPresent))
struct DamageTests {
  /// Damage to the tables by another program, and the resulting findings.
  struct Harm: Sendable, CustomStringConvertible {
    let description: String
    let sql: String
    let kind: StoreDamage.Kind
  }

  static let harms = [
    Harm(
      description: "a transaction of the history is deleted",
      sql: "DELETE FROM SCHEMA.atransaction WHERE z_pk = 2", kind: .historyGap),
    Harm(
      description: "the counter of keys is set back",
      sql: "UPDATE SCHEMA.z_primarykey SET z_max = 1", kind: .keysInUse),
    Harm(
      description: "a row gets the number of an entity that does not exist",
      sql: "UPDATE SCHEMA.zbook SET z_ent = 99 WHERE z_pk = (SELECT min(z_pk) FROM SCHEMA.zbook)",
      kind: .unknownEntity),
  ]

  private func filled(_ schema: String) throws -> URL {
    let url = try TestServer.shared.get().url(schema: schema)
    let context = try Library.container(url).viewContext
    try context.performAndWait {
      for number in 0..<3 {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("book \(number)", forKey: "title")
        try context.save()
      }
    }
    return url
  }

  private func damage(_ url: URL) throws -> [StoreDamage] {
    let store = try Library.store(url)
    defer { store.close() }
    return try store.damage()
  }

  @Test("by its kind", arguments: harms)
  func kinds(_ harm: Harm) throws {
    let schema = "damage_\(harm.kind)".lowercased()
    let url = try filled(schema)
    #expect(try damage(url).isEmpty)
    try TestServer.shared.get().execute(
      harm.sql.replacingOccurrences(of: "SCHEMA", with: "\"\(schema)\""))
    let found = try damage(url)
    #expect(found.map(\.kind) == [harm.kind])
  }
}
