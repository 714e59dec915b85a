import COpenSQLite
import Foundation
import ProcessModel

/// Opens disks after a power loss with plain SQLite, and checks for complete saves and the files
/// of their values.
final class CrashCheck {
  /// What is wrong with a disk.
  struct Finding: Error, CustomStringConvertible {
    var description: String
  }

  private let root: String
  private let folder: URL
  /// The contents after each save, as text; the first is the empty store.
  private let states: [String]
  private var values: [Int: Data] = [:]

  /// - Parameters:
  ///   - root: The recorded folder.
  ///   - states: The contents after each save, as text.
  ///   - folder: Where disks are put for SQLite.
  init(root: String, states: [String], folder: URL) {
    self.root = root
    self.states = [""] + states
    self.folder = folder
  }

  /// Requires that a disk has the state after one of some saves.
  func require(_ saves: ClosedRange<Int>, on image: CrashImage) throws {
    try put(image)
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    let place = folder.appendingPathComponent("crash.sqlite").path
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    guard sqlite3_open_v2(place, &database, flags, "unix") == SQLITE_OK, let database else {
      throw Finding(description: "SQLite cannot open the file")
    }
    let damage = try rows("PRAGMA integrity_check", of: database).map { $0[0] ?? "" }
    guard damage == ["ok"] else { throw Finding(description: "damaged: \(damage)") }
    let tables = try rows("SELECT name FROM sqlite_master WHERE name = 'ZITEM'", of: database)
    let save = tables.isEmpty ? 0 : try checkSave(in: database, image)
    guard saves.contains(save) else {
      throw Finding(description: "has save \(save), which is not among \(saves)")
    }
  }

  /// Requires one complete save.
  ///
  /// - Returns: Its number.
  private func checkSave(in database: OpaquePointer, _ image: CrashImage) throws -> Int {
    let counters = try rows("SELECT ZVALUE FROM ZCOUNTER", of: database)
    let save = counters.first?[0].flatMap(Int.init) ?? 0
    guard states.indices.contains(save), counters.count <= 1 else {
      throw Finding(description: "has save \(save)")
    }
    var stamps: [Int: Int] = [:]
    try forEachRow("SELECT ZNUMBER, ZSTAMP, ZVALUE FROM ZITEM", of: database) { statement in
      let number = Int(sqlite3_column_int64(statement, 0))
      let stamp = Int(sqlite3_column_int64(statement, 1))
      stamps[number] = stamp
      let count = Int(sqlite3_column_bytes(statement, 2))
      let value = sqlite3_column_blob(statement, 2).map { Data(bytes: $0, count: count) }
      try check(value ?? Data(), stamp, image)
    }
    guard CrashModel.text(of: stamps) == states[save] else {
      throw Finding(
        description: "part of save \(save): \(CrashModel.text(of: stamps)), not \(states[save])")
    }
    // A separate transaction creates the history tables.
    let tables = try rows("SELECT 0 FROM sqlite_master WHERE name = 'ATRANSACTION'", of: database)
    let sql = tables.isEmpty ? "SELECT 0" : "SELECT count(*) FROM ATRANSACTION"
    let history = try rows(sql, of: database).first?[0]
    guard history == "\(save)" else {
      throw Finding(description: "save \(save) with \(history ?? "no") transactions in its history")
    }
    return save
  }

  /// Requires that a value is the one of a stamp, in the row or in its file.
  private func check(_ stored: Data, _ stamp: Int, _ image: CrashImage) throws {
    if stored.first == 1 {
      guard stored.dropFirst() == value(of: stamp) else {
        throw Finding(description: "another value for stamp \(stamp)")
      }
      return
    }
    let name = String(decoding: stored.dropFirst().prefix(36), as: UTF8.self)
    let path = root + "/.crash_SUPPORT/_EXTERNAL_DATA/" + name
    guard stored.count == 38, let file = image.file(path, in: root) else {
      throw Finding(description: "the row of stamp \(stamp) has no file \(name)")
    }
    if file.knownStamp == stamp { return }
    guard image.contents(of: file) == value(of: stamp) else {
      throw Finding(description: "the file of stamp \(stamp) has other contents")
    }
    if file.changes.isEmpty { file.knownStamp = stamp }
  }

  private func value(of stamp: Int) -> Data {
    if let known = values[stamp] { return known }
    let value = CrashModel.value(of: stamp)
    values[stamp] = value
    return value
  }

  /// Writes the database and the files from which SQLite recovers it.
  private func put(_ image: CrashImage) throws {
    for suffix in ["", "-wal", "-journal", "-shm"] {
      let name = "crash.sqlite" + suffix
      let place = folder.appendingPathComponent(name)
      try? FileManager.default.removeItem(at: place)  // often missing
      guard suffix != "-shm", let file = image.file(root + "/" + name, in: root) else { continue }
      try image.contents(of: file).write(to: place)
    }
  }

  // MARK: SQLite

  private func rows(_ sql: String, of database: OpaquePointer) throws -> [[String?]] {
    var rows: [[String?]] = []
    try forEachRow(sql, of: database) { statement in
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) }
        })
    }
    return rows
  }

  private func forEachRow(
    _ sql: String, of database: OpaquePointer, _ body: (OpaquePointer) throws -> Void
  ) throws {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw Finding(description: "\(sql): \(String(cString: sqlite3_errmsg(database)))")
    }
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else {
        throw Finding(description: "\(sql): \(String(cString: sqlite3_errmsg(database)))")
      }
      try body(statement)
    }
  }
}
