import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenSQLiteStore
import Testing

@Suite(
  "The layout of Apple's stores",
  .enabled(if: !RealStore.all.isEmpty, "the collection of Apple's files is not here"))
struct RealLayoutTests {
  private func texts(_ statements: [SQLStatement]) -> [String] {
    statements.map { SQLRenderer.render($0, for: SQLiteDialect()).text }
  }

  @Test(
    "the statements for a store's model equal those in its file, in the same order",
    arguments: RealStore.all)
  func statements(_ real: RealStore) throws {
    guard let model = try ModelCache.model(inStoreAt: real.url) else { return }
    let file = try LayoutFile(real.url)
    let schema = try SchemaMap(try model.compiled())
    var ours = texts(schema.statements())
    if file.tables["ACHANGE"] != nil { ours += texts(schema.historyStatements) }
    let exception = LayoutException.all[real.path] ?? LayoutException()

    let known = Set(file.statements)
    let made = Set(ours)
    #expect(Set(ours.filter { !known.contains($0) }.map(LayoutFile.name)) == exception.ours)
    let additional = file.statements.filter { !made.contains($0) }.map(LayoutFile.name)
    #expect(additional.filter { begins($0, exception.theirs) } == additional)
    #expect(exception.theirs.filter { name in !additional.contains { $0.hasPrefix(name) } } == [])

    let fixed = { (statement: String) in
      known.contains(statement) && made.contains(statement)
        && !begins(LayoutFile.name(of: statement), exception.moved)
    }
    #expect(ours.filter(fixed) == file.statements.filter(fixed))
  }

  @Test(
    "with a file's tables known, all tables and indexes are the file's", arguments: RealStore.all)
  func existing(_ real: RealStore) throws {
    guard let model = try ModelCache.model(inStoreAt: real.url) else { return }
    let file = try LayoutFile(real.url)
    let schema = try SchemaMap(try model.compiled(), existing: file.tables)
    #expect(schema.missingOrderColumns.isEmpty)
    let known = Set(file.statements)
    let made = texts(schema.tableStatements() + schema.indexStatements())
    #expect(made.filter { !known.contains($0) } == [])
    for (table, columns) in schema.requiredColumns() {
      #expect(Set(columns).subtracting(file.tables[table] ?? []).isEmpty)
    }
  }

  private func begins(_ name: String, _ beginnings: [String]) -> Bool {
    beginnings.contains { name.hasPrefix($0) }
  }
}
