import COpenSQLite
public import OpenObjectModel
import OpenSQLCore
public import OpenStoreContract
import Synchronization

extension SQLiteStore {
  public func forEachChunk(
    matching plan: FetchPlan, _ body: (RowChunk) throws(StoreError) -> Void
  ) throws(StoreError) {
    if pool.isShared {
      // The one connection must be free again when `body` asks the store for something else.
      for chunk in try collectChunks(matching: plan) { try body(chunk) }
      return
    }
    try pool.withReader { (connection) throws(StoreError) in
      try connection.reading(plan) { () throws(StoreError) in
        let fetch = try prepare(plan, .rows, on: connection)
        try RowReader(connection: connection, fetch: fetch).forEachChunk(plan.damagedValues, body)
      }
    }
  }

  private func collectChunks(matching plan: FetchPlan) throws(StoreError) -> [RowChunk] {
    try pool.withReader { (connection) throws(StoreError) in
      var chunks: [RowChunk] = []
      try connection.reading(plan) { () throws(StoreError) in
        let fetch = try prepare(plan, .rows, on: connection)
        try RowReader(connection: connection, fetch: fetch)
          .forEachChunk(plan.damagedValues) { chunks.append($0) }
      }
      return chunks
    }
  }

  public func forEachKeyBatch(
    matching plan: FetchPlan, _ body: ([ObjectKey]) throws(StoreError) -> Void
  ) throws(StoreError) {
    if pool.isShared {
      // The one connection must be free again when `body` asks the store for something else.
      let all = try pool.withReader { (connection) throws(StoreError) in
        try keys(matching: plan, on: connection)
      }
      return try body(all)
    }
    try pool.withReader { (connection) throws(StoreError) in
      try forEachKeyBatch(matching: plan, on: connection, body)
    }
  }

  func keys(
    matching plan: FetchPlan, on connection: Connection
  ) throws(StoreError) -> [ObjectKey] {
    var keys: [ObjectKey] = []
    try forEachKeyBatch(matching: plan, on: connection) { keys += $0 }
    return keys
  }

  private func forEachKeyBatch(
    matching plan: FetchPlan, on connection: Connection,
    _ body: ([ObjectKey]) throws(StoreError) -> Void
  ) throws(StoreError) {
    try connection.reading(plan) { () throws(StoreError) in
      let fetch = try prepare(plan, .keys, on: connection)
      defer { fetch.statement.reset() }
      try KeyReader(connection: connection, statement: fetch.statement)
        .forEachBatch(of: plan.shape.entityIndexes, body)
    }
  }

  public func count(matching plan: FetchPlan) throws(StoreError) -> Int {
    try pool.withReader { (connection) throws(StoreError) in
      try connection.reading(plan) { () throws(StoreError) in
        let fetch = try prepare(plan, .count, on: connection)
        defer { fetch.statement.reset() }
        let code = sqlite3_step(fetch.statement.pointer)
        guard code == SQLITE_ROW else {
          throw connection.error(code, statement: fetch.statement.sql)
        }
        return Int(sqlite3_column_int64(fetch.statement.pointer, 0))
      }
    }
  }

  public func rows(of entity: CompiledEntity, keys: [Int64]) throws(StoreError) -> RowChunk {
    try pool.withReader { (connection) throws(StoreError) in
      try rows(of: entity, keys: keys, on: connection)
    }
  }

  /// Returns the rows with the given keys in one chunk, without duplicates.
  func rows(
    of entity: CompiledEntity, keys: [Int64], on connection: Connection
  ) throws(StoreError) -> RowChunk {
    if keys.count == 1 {
      let fetch = try fetch(of: entity, .members(1), on: connection)
      sqlite3_bind_int64(fetch.statement.pointer, 1, keys[0])
      connection.observe(fetch.statement.sql)
      return try RowReader(connection: connection, fetch: fetch).wholeChunk(expecting: 0)
    }
    let keys = keys.sortedAndUnique
    let average = averages.withLock { $0[entity.index] } ?? 256
    var chunk = RowChunk(capacity: max(1 << 10, keys.count * (average + average / 8)))
    try pack(keys, of: entity, into: &chunk, on: connection)
    if chunk.rowCount > 0 {
      let average = chunk.used / chunk.rowCount
      averages.withLock { $0[entity.index] = average }
    }
    return chunk
  }

  /// Packs the rows with the given keys, which must be distinct.
  private func pack(
    _ keys: [Int64], of entity: CompiledEntity, into chunk: inout RowChunk,
    on connection: Connection
  ) throws(StoreError) {
    guard !connection.showsValues else {
      for start in stride(from: 0, to: keys.count, by: 1000) {
        let batch = keys[start..<min(start + 1000, keys.count)]
        let form = FetchLowering.KeyForm.members(ListForm.bucket(for: batch.count))
        let fetch = try fetch(of: entity, form, on: connection)
        fetch.statement.bind(keys: batch)
        try pack(fetch, into: &chunk, on: connection)
      }
      return
    }
    let fetch = try fetch(of: entity, .table, on: connection)
    connection.arena.removeAll()
    let code = BoundList.bind(keys, to: fetch.statement, at: 1, in: &connection.arena)
    guard code == SQLITE_OK else { throw connection.error(code) }
    try pack(fetch, into: &chunk, on: connection)
  }

  private func pack(
    _ fetch: CompiledFetch, into chunk: inout RowChunk, on connection: Connection
  ) throws(StoreError) {
    connection.observe(fetch.statement.sql)
    defer { fetch.statement.reset() }
    guard let plan = fetch.rowPlan else { return }
    try RowReader(connection: connection, fetch: fetch).append(to: &chunk, plan)
  }

  private func fetch(
    of entity: CompiledEntity, _ keys: FetchLowering.KeyForm, on connection: Connection
  ) throws(StoreError) -> CompiledFetch {
    let key = FetchCache.RowsKey(
      first: entity.subtree.lowerBound, end: entity.subtree.upperBound, keys: keys)
    if let known = connection.fetches.rowsByKey[key] { return known }
    let rendered = fetches.rows(of: entity.subtree, keys: keys)
    let new = CompiledFetch(
      try connection.prepare(rendered.text),
      rowPlan: rowPlan(of: entity.subtree, on: connection))
    connection.fetches.rowsByKey[key] = new
    return new
  }
}

extension Statement {
  /// Binds keys to all parameters and repeats the last key for the remaining parameters.
  func bind(keys: ArraySlice<Int64>) {
    guard let last = keys.last else { return }
    var index: Int32 = 1
    for key in keys {
      sqlite3_bind_int64(pointer, index, key)
      index += 1
    }
    for rest in stride(from: index, through: sqlite3_bind_parameter_count(pointer), by: 1) {
      sqlite3_bind_int64(pointer, rest, last)
    }
  }
}
