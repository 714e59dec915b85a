import COpenSupport
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// A prepared statement that writes rows of one entity, with the positions of its values in a
/// packed row.
final class PreparedWrite {
  let statement: Statement
  private let bindings: UnsafeMutablePointer<ocd_binding>
  private let count: Int

  init(_ statement: Statement, _ bindings: [ocd_binding]) {
    self.statement = statement
    count = bindings.count
    self.bindings = .allocate(capacity: max(1, count))
    self.bindings.initialize(from: bindings, count: count)
  }

  deinit { bindings.deallocate() }

  /// Writes one row.
  ///
  /// - Returns: SQLite's result code, which is SQLITE_DONE if the row was written.
  @inline(__always)
  func write(_ row: RowView, expecting version: Int64 = 0) -> Int32 {
    ocd_write_row(statement.pointer, row.base, bindings, Int32(count), version)
  }

  /// Binds one row for a statement that the caller runs and resets.
  ///
  /// - Returns: SQLite's result code.
  func bind(_ row: Row, expecting version: Int64 = 0) -> Int32 {
    ocd_bind_row(statement.pointer, row.base, bindings, Int32(count), version)
  }

  /// Returns the positions of a row's slots for the C code.
  static func bindings(_ slots: [Int], of map: EntityMap) -> [ocd_binding] {
    slots.map { slot in
      ocd_binding(
        offset: UInt32(RowLayout.slot(slot, of: map.entity)), slot: UInt32(slot),
        // A trigger replaces a derived value, which therefore needs no file.
        kind: map.entity.slots[slot].isDerived
          ? Int32(map.columns[slot].kind.rawValue) : map.columns[slot].packedKind)
    }
  }

  /// Returns the bindings of an insertion, which include the row's key and all slots.
  static func wholeRow(of map: EntityMap) -> [ocd_binding] {
    [OCD_KEY, OCD_ENTITY, OCD_VERSION].map { part(Int($0)) }
      + bindings(Array(map.columns.indices), of: map)
  }

  /// Returns the bindings of an insertion that gives a row a new key. The new key is passed instead
  /// of the expected version.
  static func rowUnderNewKey(of map: EntityMap) -> [ocd_binding] {
    [OCD_EXPECTED, OCD_ENTITY, OCD_VERSION].map { part(Int($0)) }
      + bindings(Array(map.columns.indices), of: map)
  }

  /// Returns a part of the row's header, or the expected version.
  static func part(_ kind: Int) -> ocd_binding {
    ocd_binding(offset: 0, slot: 0, kind: Int32(kind))
  }
}

/// The prepared statements of a connection that write rows. The most recently used update is found
/// without hashing.
struct WriteCache {
  private struct Key: Hashable {
    var entityIndex: Int
    var slots: OrdinalSet

    /// Returns the slots that the entity's rows contain.
    func members(in map: EntityMap) -> [Int] {
      slots.members.filter { map.columns.indices.contains($0) }
    }
  }

  private var inserts: [Int: PreparedWrite] = [:]
  private var requests: [WriteRequest: Statement] = [:]
  private var updates: [Key: PreparedWrite] = [:]
  /// The statements that write many rows; nil if rows are written one by one.
  private var insertRuns: [Int: PreparedRun?] = [:]
  private var updateRuns: [Key: PreparedRun?] = [:]
  private var lastKey = Key(entityIndex: -1, slots: OrdinalSet())
  private var lastUpdate: PreparedWrite?
  private static let limit = 300

  /// Returns the statement for a request.
  mutating func statement(
    for request: WriteRequest, _ lowering: WriteLowering, on connection: Connection
  ) throws(StoreError) -> Statement {
    if let known = requests[request] { return known }
    if requests.count >= Self.limit { requests.removeAll() }
    let new = try connection.prepare(lowering.text(of: request))
    requests[request] = new
    return new
  }

  /// Returns the statement that inserts rows of an entity.
  mutating func insert(
    into map: EntityMap, _ lowering: WriteLowering, on connection: Connection
  ) throws(StoreError) -> PreparedWrite {
    if let known = inserts[map.entity.index] { return known }
    let new = PreparedWrite(
      try connection.prepare(lowering.insert(into: map)), PreparedWrite.wholeRow(of: map))
    inserts[map.entity.index] = new
    return new
  }

  /// Returns the statement that updates some slots of rows of an entity.
  @inline(__always)
  mutating func update(
    _ slots: OrdinalSet, of map: EntityMap, _ lowering: WriteLowering, on connection: Connection
  ) throws(StoreError) -> PreparedWrite {
    let key = Key(entityIndex: map.entity.index, slots: slots)
    if key == lastKey, let lastUpdate { return lastUpdate }
    let update = try find(key, of: map, lowering, on: connection)
    lastKey = key
    lastUpdate = update
    return update
  }

  private mutating func find(
    _ key: Key, of map: EntityMap, _ lowering: WriteLowering, on connection: Connection
  ) throws(StoreError) -> PreparedWrite {
    if let known = updates[key] { return known }
    if updates.count >= Self.limit { updates.removeAll() }
    let members = key.members(in: map)
    let tail = [OCD_VERSION, OCD_KEY, OCD_EXPECTED].map { PreparedWrite.part(Int($0)) }
    let new = PreparedWrite(
      try connection.prepare(lowering.update(members, of: map)),
      PreparedWrite.bindings(members, of: map) + tail)
    updates[key] = new
    return new
  }

  /// Returns the statement that inserts many rows of an entity, or nil if they are inserted one by
  /// one.
  mutating func insertRun(
    into map: EntityMap, _ lowering: WriteLowering, on connection: Connection
  ) throws(StoreError) -> PreparedRun? {
    if let known = insertRuns[map.entity.index] { return known }
    let new = try PreparedRun.insertion(
      of: PreparedWrite.wholeRow(of: map), into: map, lowering, on: connection)
    insertRuns[map.entity.index] = .some(new)
    return new
  }

  /// Returns the statement that updates some slots of many rows of an entity, or nil if they are
  /// updated one by one.
  mutating func updateRun(
    _ slots: OrdinalSet, of map: EntityMap, constraints: [UniquenessMap], _ lowering: WriteLowering,
    on connection: Connection
  ) throws(StoreError) -> PreparedRun? {
    let key = Key(entityIndex: map.entity.index, slots: slots)
    if let known = updateRuns[key] { return known }
    if updateRuns.count >= Self.limit { updateRuns.removeAll() }
    let new = try PreparedRun.update(
      key.members(in: map), of: map, constraints: constraints, lowering, on: connection)
    updateRuns[key] = .some(new)
    return new
  }
}
