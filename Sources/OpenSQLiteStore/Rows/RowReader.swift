import COpenSQLite
import COpenSupport
import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Runs a bound statement and packs its rows with C code into chunks that grow from 1 KB to 64 KB.
struct RowReader {
  let connection: Connection
  let fetch: CompiledFetch
  private static let firstCapacity = 1 << 10
  private static let greatestCapacity = 64 << 10

  /// Runs the statement and calls `body` with each chunk.
  @inline(__always)
  func forEachChunk(
    _ damagedValues: DamagedValues, _ body: (RowChunk) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let plan = fetch.rowPlan else { return }
    defer { fetch.statement.reset() }
    var chunk = RowChunk(capacity: firstCapacity)
    var state = ocd_chunk(filling: chunk, from: 0, after: 0)
    state.skips_damage = damagedValues == .readAsNull ? 1 : 0
    var total = 0
    while true {
      let outcome = ocd_pack_rows(fetch.statement.pointer, plan.pointer, &state)
      chunk.take(state)
      total += state.used
      if outcome == OCD_DONE {
        fetch.lastByteCount = total
        guard state.row_count > 0 else { return }
        // A chunk that another one names as the next must stay itself.
        return try body(total == state.used ? chunk.trimmed(to: state) : chunk)
      }
      guard outcome == OCD_FULL else { throw failure(outcome, state, plan) }
      let filled = chunk
      chunk = RowChunk(
        capacity: max(min(filled.capacity * 4, Self.greatestCapacity), Int(state.needed)))
      if state.row_count > 0 {
        filled.next = chunk
        try body(filled)
      }
      state.refill(chunk)
    }
  }

  /// The capacity for the number of bytes that the statement last returned, rounded up, so that a
  /// page fits into one chunk.
  @inline(__always)
  private var firstCapacity: Int {
    var capacity = Self.firstCapacity
    while capacity < fetch.lastByteCount, capacity < Self.greatestCapacity { capacity *= 4 }
    return capacity
  }

  /// Packs all rows into one chunk, which grows as necessary.
  func wholeChunk(expecting byteCount: Int) throws(StoreError) -> RowChunk {
    guard let plan = fetch.rowPlan else { return RowChunk(capacity: 0) }
    defer { fetch.statement.reset() }
    var chunk = RowChunk(capacity: max(Self.firstCapacity, byteCount))
    try append(to: &chunk, plan)
    return chunk
  }

  /// Appends more rows to a chunk.
  func append(to chunk: inout RowChunk, _ plan: RowPlan) throws(StoreError) {
    var state = ocd_chunk(filling: chunk, from: chunk.used, after: chunk.rowCount)
    while true {
      let outcome = ocd_pack_rows(fetch.statement.pointer, plan.pointer, &state)
      chunk.take(state)
      if outcome == OCD_DONE { return }
      guard outcome == OCD_FULL else { throw failure(outcome, state, plan) }
      let larger = RowChunk(capacity: max(chunk.capacity * 2, chunk.used + Int(state.needed)))
      larger.base.copyMemory(from: chunk.base, byteCount: chunk.used)
      larger.fill(used: chunk.used, rowCount: chunk.rowCount)
      chunk = larger
      state.base = chunk.base.assumingMemoryBound(to: CChar.self)
      state.capacity = chunk.capacity
    }
  }

  private func failure(_ outcome: Int32, _ state: ocd_chunk, _ plan: RowPlan) -> StoreError {
    let sql = fetch.statement.sql
    if outcome == OCD_UNKNOWN_ENTITY {
      return StoreError(
        .corrupt, "A row has an entity number that does not exist in the model.",
        path: connection.path, statement: sql, nativeCode: SQLiteFailure.damaged)
    }
    if outcome == OCD_LONG_ROW { return longRow(plan.entityName(state.damaged_entity)) }
    if outcome == OCD_EXTERNAL_BLOB || outcome == OCD_UNFIT_VALUE {
      let (entity, property) = plan.property(ofSlot: state.damaged_slot, in: state.damaged_entity)
      return outcome == OCD_EXTERNAL_BLOB
        ? missingFile(of: property, in: entity) : unreadableValue(of: property, in: entity)
    }
    return connection.error(sqlite3_extended_errcode(connection.database), statement: sql)
  }
}

extension RowReader {
  /// Returns the error for a value of the current row that its property cannot have.
  private func unreadableValue(
    of property: CompiledProperty, in entity: CompiledEntity
  ) -> StoreError {
    let key = fetch.statement.integer(RowColumns.keyColumn)
    return connection.located(
      .unreadableValue(of: property, in: entity, row: key), in: fetch.statement)
  }

  private func longRow(_ entityName: String) -> StoreError {
    let key = fetch.statement.integer(RowColumns.keyColumn)
    return StoreError(
      .unsupported, "The values in row \(key) total more than four gigabytes.",
      path: connection.path, entityName: entityName, statement: fetch.statement.sql)
  }

  /// Returns the error for the current row, one of whose files is missing.
  private func missingFile(
    of property: CompiledProperty, in entity: CompiledEntity
  ) -> StoreError {
    let files = ExternalFiles(StoreFiles(URL(fileURLWithPath: connection.path ?? "")))
    let statement = fetch.statement
    let names = (0..<sqlite3_column_count(statement.pointer)).compactMap { column in
      ExternalFiles.name(in: statement.data(Int(column)) ?? Data())
    }
    let name = names.first { !files.exists($0) } ?? names.first ?? ""
    var error = files.missing(name, statement: statement.sql)
    error.entityName = entity.name
    error.propertyName = property.name
    return error
  }
}

extension ocd_chunk {
  /// Creates the state for filling a chunk after the given bytes and rows.
  init(filling chunk: RowChunk, from used: Int, after rowCount: Int) {
    self.init(
      base: chunk.base.assumingMemoryBound(to: CChar.self), capacity: chunk.capacity,
      used: used, row_count: rowCount, needed: 0, has_pending_row: 0, skips_damage: 0,
      damaged_slot: 0, damaged_entity: 0)
  }

  /// Continues in an empty chunk with the pending row.
  fileprivate mutating func refill(_ chunk: RowChunk) {
    let (isPending, skipsDamage) = (has_pending_row, skips_damage)
    self = ocd_chunk(filling: chunk, from: 0, after: 0)
    has_pending_row = isPending
    skips_damage = skipsDamage
  }
}

extension RowChunk {
  @inline(__always)
  fileprivate func take(_ state: ocd_chunk) {
    fill(used: state.used, rowCount: state.row_count)
  }

  /// Returns the chunk, or a copy without the unused memory if most of the chunk is unused.
  @inline(__always)
  fileprivate func trimmed(to state: ocd_chunk) -> RowChunk {
    if state.capacity <= 4 * state.used || state.capacity <= 1 << 10 { return self }
    let copy = RowChunk(capacity: max(state.used, 1 << 10))
    copy.base.copyMemory(from: base, byteCount: state.used)
    copy.take(state)
    return copy
  }
}
