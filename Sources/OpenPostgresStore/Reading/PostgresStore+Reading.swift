public import OpenObjectModel
public import OpenPredicates
import OpenSQLCore
public import OpenStoreContract

extension PostgresStore {
  public func forEachChunk(
    matching plan: FetchPlan, _ body: (RowChunk) throws(StoreError) -> Void
  ) throws(StoreError) {
    if !ServerJudgement(plan: plan, model: model).allows(.rows) {
      for chunk in RowChunk.chunks(copying: try decidedRows(of: plan)) { try body(chunk) }
      return
    }
    try stream(try command(for: plan, .rows), of: plan, body)
  }

  /// The maximum size in bytes of a result that is read completely before its rows are passed on.
  /// The connection is then free while the rows are processed.
  private static let greatestHeldSize = 4 << 20

  private func stream(
    _ command: PostgresCommand, of plan: FetchPlan, _ body: (RowChunk) throws(StoreError) -> Void
  ) throws(StoreError) {
    var held: [RowChunk] = []
    var isStreaming = false
    try repeatingRead(unless: { isStreaming }) { (connection) throws(StoreError) in
      held = []
      var size = 0
      var packing = RowPacking(plan.shape.entityIndexes, of: self)
      var current: RowChunk?
      func take(_ chunk: RowChunk) throws(StoreError) {
        size += chunk.used
        held.append(chunk)
        guard isStreaming || size > Self.greatestHeldSize else { return }
        isStreaming = true
        let ready = held
        held = []
        for chunk in ready { try body(chunk) }
      }
      try connection.stream(command, of: plan) { (result, row) throws(StoreError) in
        let chunk = try packing.pack(result, row).chunk
        guard chunk !== current else { return }
        if let full = current {
          full.next = chunk
          try take(full)
        }
        current = chunk
      }
      if let current { try take(current) }
    }
    for chunk in held { try body(chunk) }
  }

  /// Runs a read after the check for migrations. If the connection is lost, runs the read again on
  /// a new connection.
  func repeatingRead<Result>(
    unless isBegun: () -> Bool = { false },
    _ work: (PostgresConnection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try pool.repeatingLease(unless: isBegun) { (connection) throws(StoreError) -> Result in
      connection.fence = fence
      defer { connection.fence = nil }
      return try work(connection)
    }
  }

  public func forEachKeyBatch(
    matching plan: FetchPlan, _ body: ([ObjectKey]) throws(StoreError) -> Void
  ) throws(StoreError) {
    let keys = try repeatingRead { (connection) throws(StoreError) in
      try self.keys(of: plan, on: connection)
    }
    try body(keys)
  }

  /// Returns the keys that a plan selects, in the order of the plan.
  func keys(
    of plan: FetchPlan, on connection: PostgresConnection
  ) throws(StoreError) -> [ObjectKey] {
    guard ServerJudgement(plan: plan, model: model).allows(.keys) else {
      return try decidedRows(of: plan, on: connection).map(\.objectKey)
    }
    var keys: [ObjectKey] = []
    let indexes = plan.shape.entityIndexes
    try connection.stream(try command(for: plan, .keys), of: plan) {
      (result, row) throws(StoreError) in
      let index =
        indexes.count > 1
        ? schema.numbers.index(of: result.integer(row, 1)) : indexes.lowerBound
      keys.append(ObjectKey(entityIndex: index, key: result.integer(row, 0)))
    }
    return keys
  }

  public func count(matching plan: FetchPlan) throws(StoreError) -> Int {
    try plan.throwIfInterrupted()
    guard ServerJudgement(plan: plan, model: model).allows(.count) else {
      guard let projection = plan.shape.projection else { return try decidedRows(of: plan).count }
      return try repeatingRead { (connection) throws(StoreError) in
        try results(of: projection, plan, on: connection).count
      }
    }
    let command = try command(for: plan, .count)
    return try repeatingRead { (connection) throws(StoreError) in
      var count: Int64 = 0
      try connection.stream(command, of: plan) { (result, row) throws(StoreError) in
        count = result.integer(row, 0)
      }
      return Int(count)
    }
  }

  // MARK: By key

  public func rows(of entity: CompiledEntity, keys: [Int64]) throws(StoreError) -> RowChunk {
    try repeatingRead { (connection) throws(StoreError) in
      try rows(of: entity, keys: keys, on: connection)
    }
  }

  func rows(
    of entity: CompiledEntity, keys: [Int64], on connection: PostgresConnection
  ) throws(StoreError) -> RowChunk {
    let keys = Set(keys).sorted()
    let result = try connection.run(rowsText(of: entity), [.keys(keys)])
    var packing = RowPacking(
      entity.subtree, of: self, capacity: min(max(result.rowCount * 256, 1 << 10), 64 << 10))
    var rows: [Row] = []
    for row in 0..<result.rowCount { rows.append(try packing.pack(result, row)) }
    let chunks = packing.writer.chunks
    return chunks.count == 1 ? chunks[0] : RowChunk(copying: rows)
  }

  public func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64]
  ) throws(StoreError) -> [[ObjectKey]] {
    try repeatingRead { (connection) throws(StoreError) in
      try destinations(of: property, sources: sources, on: connection)
    }
  }

  func destinations(
    of property: CompiledProperty, sources: [Int64], on connection: PostgresConnection
  ) throws(StoreError) -> [[ObjectKey]] {
    guard let storage = schema.storage(of: property), let relationship = property.relationship
    else {
      throw StoreError(
        .unsupported, "The property is not a stored to-many relationship.",
        propertyName: property.name)
    }
    let destination = model.entities[relationship.destinationIndex]
    let hasSeveral = destination.subtree.count > 1
    let text = destinationsText(storage, destination)
    let result = try connection.run(text, [.keys(Set(sources).sorted())])
    var found: [Int64: [ObjectKey]] = [:]
    for row in 0..<result.rowCount {
      let index =
        hasSeveral
        ? schema.numbers.index(of: result.integer(row, 2)) : destination.index
      found[result.integer(row, 0), default: []].append(
        ObjectKey(entityIndex: index, key: result.integer(row, 1)))
    }
    return sources.map { found[$0] ?? [] }
  }

  public func statement(for read: KeyedRead) -> String? {
    switch read {
    case .rows(let entity): return rowsText(of: entity)
    case .destinations(let property, _):
      guard let storage = schema.storage(of: property), let relationship = property.relationship
      else { return nil }
      return destinationsText(storage, model.entities[relationship.destinationIndex])
    }
  }

  // MARK: Results of values

  public func forEachResultBatch(
    matching plan: FetchPlan, _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let projection = plan.shape.projection else { return }
    let found = try repeatingRead { (connection) throws(StoreError) in
      try results(of: projection, plan, on: connection)
    }
    let batchSize = 256
    for start in stride(from: 0, to: found.count, by: batchSize) {
      try body(Array(found[start..<min(start + batchSize, found.count)].joined()))
    }
  }

  private func results(
    of projection: Projection, _ plan: FetchPlan, on connection: PostgresConnection
  ) throws(StoreError) -> [[Value]] {
    guard ServerJudgement(plan: plan, model: model).allows(.values) else {
      return try inSnapshot(on: connection) { (snapshot) throws(StoreError) -> [[Value]] in
        try evaluation(of: plan, in: snapshot).results(projection)
      }
    }
    var results: [[Value]] = []
    let columns = projection.columns.map { ResultColumn($0, in: schema) }
    try connection.stream(try command(for: plan, .values), of: plan) {
      (result, row) throws(StoreError) in
      results.append(
        columns.enumerated().map { index, column in column.value(of: result.content(row, index)) })
    }
    return results
  }
}

/// Reads the values of one column of a result according to its type.
private struct ResultColumn {
  private let type: AttributeType?
  /// The token of the root entity if the column contains objects; nil for other columns.
  private let token: UInt32?

  init(_ column: Projection.Column, in schema: SchemaMap) {
    var token: UInt32?
    var type = column.type
    if case .property(let path) = column.operand {
      let reached = path.reachedEntity(in: schema.model)
      if let property = path.property(in: schema.model) {
        token = property.relationship.map { schema.model.entities[$0.destinationIndex].rootToken }
        type = type ?? property.attribute?.type
      } else {
        token = reached.rootToken
      }
    }
    (self.token, self.type) = (token, type)
  }

  func value(of content: SlotContent) -> Value {
    switch content {
    case .null: return .null
    case .integer(let key):
      if let token { return .object(ObjectReference(entityToken: token, storeToken: 0, key: key)) }
      return decoded(.int(key))
    case .real(let real): return decoded(.double(real))
    case .text(let text): return decoded(.string(text))
    case .data(let data): return decoded(.data(data))
    }
  }

  private func decoded(_ value: Value) -> Value { type.map { value.decoded(as: $0) } ?? value }
}
