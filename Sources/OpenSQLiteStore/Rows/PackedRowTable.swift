import COpenSQLite
import COpenSupport
import OpenSQLCore
import OpenStoreContract

/// Packed rows that one statement reads as a table and writes together.
///
/// Fewer statements are executed this way, because executing a statement costs as much as writing
/// several columns of a row. Confined to its connection.
final class PackedRowTable {
  /// The maximum number of rows that are written together.
  static let limit = Int(OCD_ROW_LIMIT)
  /// The minimum number of rows for which writing them together is faster.
  static let worthwhile = 2

  fileprivate let pointer = UnsafeMutablePointer<ocd_row_source>.allocate(capacity: 1)
  private let rows = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: limit)
  private var count = 0
  /// The widths of the virtual tables that the connection has registered.
  private var widths: Set<Int> = []

  init() {
    pointer.initialize(to: ocd_row_source())
    rows.initialize(repeating: nil, count: Self.limit)
    pointer.pointee.rows = UnsafePointer(rows)
  }

  deinit {
    pointer.deallocate()
    rows.deallocate()
  }

  /// Removes all rows.
  ///
  /// - Parameter key: The key of the next row, if rows receive new keys.
  func removeAll(next key: Int64 = 0) {
    count = 0
    pointer.pointee.first_expected = key
  }

  /// Adds a row, which must remain valid until the rows are written. The table can hold `limit`
  /// rows.
  @inline(__always)
  func append(_ row: RowView) {
    rows[count] = row.base
    count &+= 1
  }

  /// Runs a statement that writes the rows.
  fileprivate func write(
    _ statement: Statement, _ bindings: UnsafeBufferPointer<ocd_binding>, isUpdate: Bool,
    on connection: Connection
  ) -> (code: Int32, written: Int) {
    pointer.pointee.bindings = bindings.baseAddress
    pointer.pointee.binding_count = Int32(bindings.count)
    pointer.pointee.updates = isUpdate ? 1 : 0
    pointer.pointee.count = count
    let code = ocd_write_rows(connection.database, statement.pointer, pointer)
    return (code, pointer.pointee.written)
  }

  /// Returns the name of the virtual table from which a connection's statements read the rows.
  fileprivate func table(_ width: Int, on connection: Connection) throws(StoreError) -> String {
    if !widths.contains(width) {
      let code = ocd_offer_rows(connection.database, Int32(width), pointer)
      guard code == SQLITE_OK else { throw connection.error(code) }
      widths.insert(width)
    }
    return "OpenCoreDataRows\(width)"
  }
}

/// A prepared statement that writes all rows of its connection's packed row table.
final class PreparedRun {
  let statement: Statement
  private let bindings: UnsafeMutableBufferPointer<ocd_binding>
  private let isUpdate: Bool

  private init(_ statement: Statement, _ bindings: [ocd_binding], isUpdate: Bool) {
    self.statement = statement
    self.isUpdate = isUpdate
    self.bindings = .allocate(capacity: bindings.count)
    _ = self.bindings.initialize(from: bindings)
  }

  deinit { bindings.deallocate() }

  /// Returns the statement that inserts rows of an entity, or nil if they must be inserted one by
  /// one.
  ///
  /// - Parameter bindings: The parts of each row to insert, with the row's own key or a new key.
  static func insertion(
    of bindings: [ocd_binding], into map: EntityMap, _ lowering: WriteLowering,
    on connection: Connection
  ) throws(StoreError) -> PreparedRun? {
    guard !map.columns.contains(where: \.isTagged), try connection.canWriteTogether(map.table)
    else { return nil }
    let source = try connection.source.table(bindings.count, on: connection)
    return PreparedRun(
      try connection.prepare(lowering.insert(into: map, from: source)), bindings, isUpdate: false)
  }

  /// Returns the statement that updates some slots of rows of an entity, or nil if they must be
  /// updated one by one.
  ///
  /// Values of uniqueness constraints are also updated one by one, because a violation by one row
  /// would undo the statement's other changes.
  static func update(
    _ slots: [Int], of map: EntityMap, constraints: [UniquenessMap], _ lowering: WriteLowering,
    on connection: Connection
  ) throws(StoreError) -> PreparedRun? {
    let columns = slots.map { map.columns[$0] }
    let isConstrained = constraints.contains { constraint in
      constraint.table == map.table && columns.contains { constraint.columns.contains($0.name) }
    }
    guard !isConstrained, !columns.contains(where: \.isTagged),
      try connection.canWriteTogether(map.table)
    else { return nil }
    let bindings =
      PreparedWrite.bindings(slots, of: map)
      + [OCD_VERSION, OCD_KEY].map { PreparedWrite.part(Int($0)) }
    let source = try connection.source.table(bindings.count, on: connection)
    return PreparedRun(
      try connection.prepare(lowering.update(slots, of: map, from: source)), bindings,
      isUpdate: true)
  }

  /// Inserts rows until one violates a constraint.
  ///
  /// - Parameter key: The key of the first row, if rows receive new keys.
  /// - Returns: The number of inserted rows.
  func insert(
    _ rows: ArraySlice<Row>, from key: Int64 = 0, on connection: Connection
  ) throws(StoreError) -> Int {
    var count = 0
    while count < rows.count {
      let some = rows.dropFirst(count).prefix(PackedRowTable.limit)
      connection.source.removeAll(next: key + Int64(count))
      for row in some { connection.source.append(row.view) }
      let written = try write(on: connection)
      count += written
      if written < some.count { break }
    }
    return count
  }

  /// Writes the rows of the connection's table until one cannot be written as required.
  ///
  /// If an update does not find its row, SQLite has inserted a row, and the transaction must be
  /// rolled back.
  ///
  /// - Returns: The number of written rows.
  func write(on connection: Connection) throws(StoreError) -> Int {
    connection.observe(statement.sql)
    let (code, written) = connection.source.write(
      statement, UnsafeBufferPointer(bindings), isUpdate: isUpdate, on: connection)
    guard code == SQLITE_DONE || code & 0xFF == SQLITE_CONSTRAINT else {
      throw connection.error(code, statement: statement.sql)
    }
    return written
  }
}

extension Connection {
  /// Returns whether a table's rows can be written together.
  ///
  /// They cannot if an observer requests the values of each row, or if triggers compute values,
  /// because SQLite would then collect the rows first. The triggers of a text index justify the
  /// collection, because FTS5 writes the collected words with each statement.
  func canWriteTogether(_ table: String) throws(StoreError) -> Bool {
    if showsValues { return false }
    let count = try silently { () throws(StoreError) in
      try integer(
        """
        SELECT count(*) FROM (SELECT tbl_name, type, name FROM sqlite_master UNION ALL \
        SELECT tbl_name, type, name FROM sqlite_temp_master) WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE \
        AND substr(name, 1, ?) <> ?
        """,
        [
          .text(table), .integer(Int64(SQLTextIndex.prefix.utf8.count)), .text(SQLTextIndex.prefix),
        ])
    }
    return count == 0
  }
}
