import COpenSQLite
import Foundation
import OpenStoreConformance

/// One way in which a file is damaged, decided by a seed alone.
struct Damage {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Damages a store's file or its log: its bytes, or its cells with SQL.
  mutating func apply(toStore file: URL, log: URL?) throws {
    if random.once(in: 3) { return try changeCells(of: file) }
    let target = log != nil && random.once(in: 3) ? log ?? file : file
    try apply(to: target)
  }

  /// Damages the bytes of a file.
  mutating func apply(to file: URL) throws {
    var bytes = [UInt8](try Data(contentsOf: file))
    switch random.below(6) {
    case 0: bytes = Array(bytes.prefix(random.below(bytes.count)))
    case 1: flip(&bytes, 1)
    case 2: flip(&bytes, 40)
    case 3: overwrite(&bytes)
    case 4: move(&bytes)
    default: flipNearStart(&bytes)
    }
    try Data(bytes).write(to: file)
  }

  private mutating func flip(_ bytes: inout [UInt8], _ count: Int) {
    guard !bytes.isEmpty else { return }
    for _ in 0...random.below(count) { bytes[random.below(bytes.count)] ^= 1 << random.below(8) }
  }

  private mutating func flipNearStart(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    bytes[random.below(min(bytes.count, 4096))] = UInt8(truncatingIfNeeded: random.next())
  }

  /// Puts numbers that are greater than anything should be.
  private mutating func overwrite(_ bytes: inout [UInt8]) {
    let length = 1 << random.below(5)
    guard bytes.count > length else { return }
    let start = random.below(bytes.count - length)
    let value: UInt8 = random.once(in: 2) ? 0xFF : UInt8(random.below(256))
    for index in start..<start + length { bytes[index] = value }
  }

  /// Copies a part of the file over another one.
  private mutating func move(_ bytes: inout [UInt8]) {
    let length = min(bytes.count / 2, 1 + random.below(4096))
    guard length > 0, bytes.count > 2 * length else { return }
    let (from, to) = (random.below(bytes.count - length), random.below(bytes.count - length))
    bytes.replaceSubrange(to..<to + length, with: Array(bytes[from..<from + length]))
  }

  // MARK: Cells

  /// Values of wrong types, beyond all ranges, or without meaning, as SQL.
  private static let values = [
    "NULL", "-1", "0", "99999", "9223372036854775807", "-9223372036854775808", "1e308", "'text'",
    "x'00FF'", "x''", "zeroblob(100)", "'x-coredata://'", "9e999", "x'62706c6973743030'",
    "x'0230303030'", "x'02'", "x'01'", "randomblob(40)", "printf('%.*c', 5000, 'é')",
  ]

  private mutating func changeCells(of file: URL) throws {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open(file.path, &database) == SQLITE_OK else { return }
    for _ in 0...random.below(4) {
      let tables = column(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'", database
      )
      guard !tables.isEmpty else { return }
      let preferred = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].filter(tables.contains)
      let table = random.element(of: random.once(in: 3) && !preferred.isEmpty ? preferred : tables)
      let columns = column("SELECT name FROM pragma_table_info('\(table)')", database)
      guard !columns.isEmpty else { continue }
      let name = random.element(of: columns)
      let value = random.element(of: Self.values)
      // A statement that a trigger or constraint rejects does not change the cell.
      sqlite3_exec(
        database,
        "UPDATE \"\(table)\" SET \"\(name)\" = \(value) WHERE rowid IN "
          + "(SELECT rowid FROM \"\(table)\" LIMIT \(1 + random.below(9)) OFFSET \(random.below(9)))",
        nil, nil, nil)
      if random.once(in: 12) {
        sqlite3_exec(database, "ALTER TABLE \"\(table)\" DROP COLUMN \"\(name)\"", nil, nil, nil)
      }
      if random.once(in: 20) { sqlite3_exec(database, "DROP TABLE \"\(table)\"", nil, nil, nil) }
    }
  }

  private func column(_ sql: String, _ database: OpaquePointer?) -> [String] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
    var names: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      if let text = sqlite3_column_text(statement, 0) { names.append(String(cString: text)) }
    }
    return names
  }
}
