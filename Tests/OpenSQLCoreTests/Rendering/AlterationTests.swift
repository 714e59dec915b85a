import Foundation
import OpenSQLCore
import Testing

@Suite("Changes of a schema as text")
struct AlterationTests {
  private func text(_ statement: SQLStatement) -> String {
    SQLRenderer.render(statement, for: SQLiteDialect()).text
  }

  @Test(
    "each alteration has its statement, with names quoted if necessary",
    arguments: [
      (
        SQLAlteration.addColumn(.init("ZNOTE", "VARCHAR"), table: "ZBOOK"),
        "ALTER TABLE ZBOOK ADD COLUMN ZNOTE VARCHAR"
      ),
      (
        .renameColumn("ZNOTE", to: "ZTEXT", table: "ZBOOK"),
        "ALTER TABLE ZBOOK RENAME COLUMN ZNOTE TO ZTEXT"
      ),
      (.dropColumn("ZNOTE", table: "ZBOOK"), "ALTER TABLE ZBOOK DROP COLUMN ZNOTE"),
      (.renameTable("ZBOOK", to: "ZÄ"), "ALTER TABLE ZBOOK RENAME TO \"ZÄ\""),
      (.dropTable("ZBOOK"), "DROP TABLE ZBOOK"),
      (.dropIndex("Z Book"), "DROP INDEX \"Z Book\""),
      (.dropTrigger("Z_DA_X"), "DROP TRIGGER Z_DA_X"),
    ])
  func alterations(_ alteration: SQLAlteration, _ expected: String) {
    #expect(text(.alter(alteration)) == expected)
  }

  @Test("rows of another database are inserted, with constants of the model")
  func insertion() {
    var select = SQLSelect(
      [
        .column(table: "m", "Z_PK"), .text("it's"), .data(Data([0, 0xAB])), .real(.infinity),
      ], from: .attached("ZBOOK", schema: "source", alias: "m"))
    select.condition = .binary(.greater, .column(table: "m", "Z_PK"), .parameter(.caller))
    var insert = SQLInsert(into: "ZBOOK", columns: ["Z_PK", "ZA", "ZB", "ZC"], select)
    #expect(
      text(.insert(insert)) == """
        INSERT INTO ZBOOK (Z_PK, ZA, ZB, ZC) SELECT m.Z_PK, 'it''s', X'00AB', 9e999 \
        FROM source.ZBOOK AS m WHERE m.Z_PK > ?
        """)
    insert.ignoresDuplicates = true
    #expect(text(.insert(insert)).hasPrefix("INSERT OR IGNORE INTO ZBOOK "))
  }
}
