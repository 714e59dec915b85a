import COpenSQLite
import Foundation

/// A value as SQLite has it.
enum RawCell: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  /// SQLite's conversion of the value to text.
  var text: String? {
    switch self {
    case .null: nil
    case .integer(let integer): String(integer)
    case .real(let real): "\(real)"
    case .text(let text): text
    case .blob(let data): String(decoding: data, as: UTF8.self)
    }
  }

  var integer: Int64? {
    switch self {
    case .integer(let integer): integer
    case .real(let real): Int64(exactly: real.rounded(.towardZero))
    case .text(let text): Int64(text)
    case .null, .blob: nil
    }
  }

  var real: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .text(let text): Double(text)
    case .null, .blob: nil
    }
  }

  var data: Data? {
    switch self {
    case .blob(let data): data
    case .text(let text): Data(text.utf8)
    case .null, .integer, .real: nil
    }
  }
}

/// A copy of a store's files, read with SQLite alone.
final class RawStore {
  let url: URL
  private let copy: StoreCopy
  private var database: OpaquePointer?

  init(copyOf original: URL) throws {
    copy = try StoreCopy(of: original)
    url = copy.url
    guard sqlite3_open(url.path, &database) == SQLITE_OK else {
      throw RawFailure(message: "cannot open \(url.path)")
    }
  }

  deinit { sqlite3_close(database) }

  /// The rows of a statement.
  func rows(_ sql: String) throws -> [[RawCell]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      throw RawFailure(message: "\(String(cString: sqlite3_errmsg(database))): \(sql)")
    }
    defer { sqlite3_finalize(statement) }
    var rows: [[RawCell]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append((0..<sqlite3_column_count(statement)).map { Self.cell($0, of: statement) })
    }
    return rows
  }

  /// The names of the columns of every table.
  func columns() throws -> [String: [String]] {
    var columns: [String: [String]] = [:]
    for row in try rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
      guard let name = row[0].text else { continue }
      columns[name] = try rows("SELECT name FROM pragma_table_info('\(name)') ORDER BY cid")
        .compactMap { $0[0].text }
    }
    return columns
  }

  /// The names of entities by their number.
  func entityNames() throws -> [Int64: String] {
    var names: [Int64: String] = [:]
    for row in try rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") {
      if let number = row[0].integer { names[number] = row[1].text }
    }
    return names
  }

  private static func cell(_ column: Int32, of statement: OpaquePointer?) -> RawCell {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      guard let text = sqlite3_column_text(statement, column) else { return .null }
      let count = Int(sqlite3_column_bytes(statement, column))
      return .text(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      guard let bytes = sqlite3_column_blob(statement, column) else { return .blob(Data()) }
      return .blob(Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column))))
    default: return .null
    }
  }
}

struct RawFailure: Error {
  var message: String
}
