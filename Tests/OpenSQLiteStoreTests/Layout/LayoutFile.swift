import COpenSQLite
import Foundation

/// The contents of a store's file in the collection, read from a copy.
struct LayoutFile {
  /// Texts of the statements of tables, indexes and triggers, in their order.
  private(set) var statements: [String] = []
  /// Columns by table.
  private(set) var tables: [String: [String]] = [:]

  init(_ url: URL) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("layout-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // a temporary folder
    let copy = folder.appendingPathComponent("copy")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
      try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
    }
    let database = try LayoutDatabase(copy.path)
    // The node tables of R-trees have quoted names.
    statements = try database.rows(
      "SELECT sql FROM sqlite_master WHERE sql NOT LIKE 'CREATE TABLE \"Z_RT_%' "
        + "AND name NOT LIKE 'sqlite_%' ORDER BY rowid")
    for row in try database.rows(
      "SELECT m.name || '|' || c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c "
        + "WHERE m.type = 'table' ORDER BY m.name, c.cid")
    {
      let parts = row.split(separator: "|").map(String.init)
      if parts.count == 2 { tables[parts[0], default: []].append(parts[1]) }
    }
  }

  /// The name of the object that a statement creates.
  static func name(of statement: String) -> String {
    let words = statement.split(separator: " ", maxSplits: 4).map(String.init)
    guard let kind = words.firstIndex(where: { ["TABLE", "INDEX", "TRIGGER"].contains($0) }),
      words.indices.contains(kind + 1)
    else { return statement }
    return words[kind + 1]
  }
}

/// A SQLite database with the functions that triggers of derived attributes call.
final class LayoutDatabase {
  private var database: OpaquePointer?
  /// The time that `NSCoreDataNow` returns.
  static let now = 700_000_000.5

  init(_ path: String = ":memory:") throws {
    guard sqlite3_open(path, &database) == SQLITE_OK else { throw failure }
    for name in ["UpdatedAffectedObjectValue", "InsertUpdatedAffectedObjectValue"] {
      add("NSCoreDataDATrigger" + name, 5) { context, _, _ in sqlite3_result_null(context) }
    }
    add("NSCoreDataNow", 0) { context, _, _ in sqlite3_result_double(context, LayoutDatabase.now) }
    add("ocd_uppercase", 1) { context, _, values in
      guard let text = sqlite3_value_text(values?[0]) else { return sqlite3_result_null(context) }
      let upper = String(cString: text).uppercased()
      sqlite3_result_text(context, upper, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
  }

  deinit { sqlite3_close_v2(database) }

  private func add(
    _ name: String, _ count: Int32,
    _ body:
      @escaping @convention(c) (
        OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
      ) -> Void
  ) {
    sqlite3_create_function_v2(
      database, name, count, SQLITE_UTF8 | SQLITE_INNOCUOUS, nil, body, nil, nil, nil)
  }

  private var failure: Shop.Failure {
    Shop.Failure(message: database.map { String(cString: sqlite3_errmsg($0)) } ?? "open")
  }

  func run(_ script: String) throws {
    guard sqlite3_exec(database, script, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  /// The rows of a query, columns joined by "|".
  func rows(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      throw failure
    }
    var rows: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
        }.joined(separator: "|"))
    }
    return rows
  }
}
