import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenStoreContract
import Testing

@Suite("Texts in the statements of a migration")
struct QuotedTextMigrationTests {
  @Test(
    "a default value with an apostrophe is complete, also if a combining mark follows",
    arguments: ["it's", "it'\u{301}s", "'\u{338}, ZTITLE = 'x"], SQLiteMigrationTests.ways)
  func defaultValues(_ text: String, _ way: StoreMigrationPlan.Way) throws {
    try expectDefault(text, by: way)
  }

  @Test(
    "a default value with a zero character is complete", arguments: ["a\0b", "\0", "it's\0'"],
    SQLiteMigrationTests.ways)
  func zeroCharacters(_ text: String, _ way: StoreMigrationPlan.Way) throws {
    try expectDefault(text, by: way)
  }

  /// Expects that the rows of a migrated store have a string as the value of a new attribute.
  private func expectDefault(_ text: String, by way: StoreMigrationPlan.Way) throws {
    let store = try MigratedStore()
    let old = Models.make { $0.entity("Book").attribute("title") }
    let new = Models.make {
      $0.entity("Book").attribute("title").attribute("note", isOptional: false, default: text)
    }
    try store.withContext(old) { context in
      context.insert("Book", ["title": "Dune"])
      try context.save()
    }
    try store.migrate(old, new, by: way)
    try store.withContext(new) { context in
      let books = try context.all("Book", by: "title")
      let note = try #require(books.first?.value(forKey: "note") as? String)
      #expect(note.utf8.elementsEqual(text.utf8))
      #expect(books.map { $0.value(forKey: "title") as? String } == ["Dune"])
    }
  }
}
