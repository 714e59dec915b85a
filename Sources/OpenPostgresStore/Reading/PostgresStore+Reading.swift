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

  private func stream(
    _ command: PostgresCommand, of plan: FetchPlan, _ body: (RowChunk) throws(StoreError) -> Void
  ) throws(StoreError) {
    var held = HeldParts<RowChunk>()
    try repeatingRead(unless: { held.isStreaming }) { (connection) throws(StoreError) in
      held = HeldParts()
      var packing = RowPacking(plan.shape.entityIndexes, of: self)
      var current: RowChunk?
      func take(_ chunk: RowChunk) throws(StoreError) {
        for ready in held.adding(chunk, ofSize: chunk.used) { try body(ready) }
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
    for chunk in held.takeAll() { try body(chunk) }
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
        try decidedResults(of: projection, plan, on: connection).count
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
    let result = try connection.run(PostgresCommand(rowsText(of: entity), [.keys(keys)]))
    var packing = RowPacking(
      entity.subtree, of: self, capacity: min(max(result.rowCount * 256, 1 << 10), 64 << 10))
    var rows: [Row] = []
    for row in 0..<result.rowCount { rows.append(try packing.pack(result, row)) }
    // The chunks are filled one after the other.
    if let first = rows.first, first.chunk === rows.last?.chunk { return first.chunk }
    return RowChunk(copying: rows)
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
    let result = try connection.run(
      PostgresCommand(destinationsText(storage, destination), [.keys(Set(sources).sorted())]))
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
    fetches.text(of: read, keys: .array)
  }

  // MARK: Results of values

  /// The number of results in a batch.
  private static let batchSize = 256

  public func forEachResultBatch(
    matching plan: FetchPlan, _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let projection = plan.shape.projection else { return }
    if ServerJudgement(plan: plan, model: model).allows(.values) {
      return try stream(try command(for: plan, .values), of: projection, plan, body)
    }
    let found = try repeatingRead { (connection) throws(StoreError) in
      try decidedResults(of: projection, plan, on: connection)
    }
    for start in stride(from: 0, to: found.count, by: Self.batchSize) {
      try body(Array(found[start..<min(start + Self.batchSize, found.count)].joined()))
    }
  }

  private func stream(
    _ command: PostgresCommand, of projection: Projection, _ plan: FetchPlan,
    _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError) {
    let columns = projection.columns.map { ResultColumn($0, in: schema) }
    var held = HeldParts<[Value]>()
    try repeatingRead(unless: { held.isStreaming }) { (connection) throws(StoreError) in
      held = HeldParts()
      var batch: [Value] = []
      var size = 0
      func takeBatch() throws(StoreError) {
        let (full, byteCount) = (batch, size)
        (batch, size) = ([], 0)
        for ready in held.adding(full, ofSize: byteCount) { try body(ready) }
      }
      try connection.stream(command, of: plan) { (result, row) throws(StoreError) in
        for (index, column) in columns.enumerated() {
          let content = result.content(row, index)
          try projection.columns[index].require(content, in: result, row, index, of: self)
          size += MemoryLayout<Value>.stride + content.byteCount
          batch.append(column.value(of: content))
        }
        if batch.count >= Self.batchSize * columns.count { try takeBatch() }
      }
      if !batch.isEmpty { try takeBatch() }
    }
    for batch in held.takeAll() { try body(batch) }
  }

  /// Returns the results of a plan that the library evaluates partly in memory.
  private func decidedResults(
    of projection: Projection, _ plan: FetchPlan, on connection: PostgresConnection
  ) throws(StoreError) -> [[Value]] {
    try inSnapshot(on: connection) { (snapshot) throws(StoreError) in
      try evaluation(of: plan, in: snapshot).results(projection)
    }
  }
}

/// The parts of a result that a read has not passed on yet.
///
/// A small result is read completely before its parts are passed on, so that the connection is free
/// while the parts are processed. The parts of a larger result are passed on while the server sends
/// the result, which limits memory use.
private struct HeldParts<Part> {
  private var parts: [Part] = []
  private var size = 0
  /// Whether parts were passed on, so that the read must not run again.
  private(set) var isStreaming = false

  /// Adds a part with a size in bytes, and returns the parts to pass on.
  mutating func adding(_ part: Part, ofSize byteCount: Int) -> [Part] {
    parts.append(part)
    size += byteCount
    if size > 4 << 20 { isStreaming = true }
    return isStreaming ? takeAll() : []
  }

  mutating func takeAll() -> [Part] {
    defer { parts = [] }
    return parts
  }
}

extension Projection.Column {
  /// Requires that a value without content is null, and not NaN or infinity in the column of a
  /// decimal attribute.
  fileprivate func require(
    _ content: SlotContent, in result: PostgresResult, _ row: Int, _ index: Int,
    of store: PostgresStore
  ) throws(StoreError) {
    guard case .null = content, !result.isNull(row, index) else { return }
    var source: (property: CompiledProperty?, entity: CompiledEntity)?
    if case .property(let path) = operand {
      source = (path.property(in: store.model), path.reachedEntity(in: store.model))
    }
    throw .unreadableValue(
      of: source?.property, in: source?.entity, row: nil, path: store.pool.settings.description)
  }
}

/// Reads the values of one column of a result according to its type.
private struct ResultColumn {
  private let type: AttributeType?
  /// The token of the root entity if the column contains objects; nil for other columns.
  private let token: UInt32?
  /// The numbers of the entities in the store if the column contains entity numbers; nil for other
  /// columns.
  private let numbers: EntityNumbers?
  /// Whether the column contains the stored values of a decimal attribute.
  private let isDecimal: Bool

  init(_ column: Projection.Column, in schema: SchemaMap) {
    guard case .property(let path) = column.operand else {
      (token, type, isDecimal) = (nil, column.type, false)
      if case .entityNumber = column.operand { numbers = schema.numbers } else { numbers = nil }
      return
    }
    numbers = nil
    token = path.rootToken(in: schema.model)
    let stored = path.property(in: schema.model)?.attribute?.type
    isDecimal = stored == .decimal
    type = column.type ?? stored
  }

  func value(of content: SlotContent) -> Value {
    switch content {
    case .null: return .null
    case .integer(let key):
      if let token { return .object(ObjectReference(entityToken: token, storeToken: 0, key: key)) }
      if let numbers { return .int(Int64(numbers.index(of: key)) + 1) }
      return decoded(.int(key))
    case .real(let real): return decoded(.double(real))
    case .text(let text):
      // The result may have another type than the attribute.
      return decoded(isDecimal ? Value.string(text).decoded(as: .decimal) : .string(text))
    case .data(let data): return decoded(.data(data))
    }
  }

  private func decoded(_ value: Value) -> Value { type.map { value.decoded(as: $0) } ?? value }
}
