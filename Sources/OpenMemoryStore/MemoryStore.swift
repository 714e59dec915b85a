import Foundation
public import OpenObjectModel
public import OpenPredicates
public import OpenStoreContract
import Synchronization

/// The smallest correct store: rows in dictionaries, gone with the process.
///
/// Shared; may be called from any thread. A reader takes a snapshot of the dictionaries under the
/// lock and evaluates its plan outside it, so that readers and writers never wait for each other's
/// plans. It is the oracle of differential tests, and therefore plain rather than fast: every fetch
/// visits every row.
public final class MemoryStore: StoreBackend {
  public let capabilities: StoreCapabilities = [.batchRequests, .uniquenessConstraints]
  public let identifier: String

  private let model: CompiledModel
  public let isReadOnly: Bool
  private let tracksHistory: Bool
  private let state: Mutex<MemoryState>
  private let visits = Atomic<Int>(0)

  /// How many rows look-ups of destinations, and of references to deleted rows, visited; for tests of how their cost
  /// grows.
  package var visitedRowCount: Int {
    visits.load(ordering: .relaxed) + state.withLock { $0.visitedRowCount }
  }

  private init(_ configuration: StoreConfiguration, model: CompiledModel) {
    self.model = model
    isReadOnly = configuration.isReadOnly
    tracksHistory = configuration.tracksHistory
    identifier = UUID().uuidString
    state = Mutex(
      MemoryState(
        model: model, identifier: identifier, tracksHistory: configuration.tracksHistory))
  }

  /// Makes an empty store; the configuration's file and pragmas have no meaning for it.
  ///
  /// - Throws: `StoreError` for a model with derived attributes, which this store does not compute.
  public static func open(
    _ configuration: StoreConfiguration, model: CompiledModel
  ) throws(StoreError) -> MemoryStore {
    for entity in model.entities {
      for property in entity.properties where property.attribute?.derivation != nil {
        throw StoreError(
          .unsupported,
          "Stores in memory do not compute derived attributes; use a SQLite store at /dev/null.",
          entityName: entity.name, propertyName: property.name)
      }
    }
    return MemoryStore(configuration, model: model)
  }

  public func forEachChunk(
    matching plan: FetchPlan, _ body: (RowChunk) throws(StoreError) -> Void
  ) throws(StoreError) {
    let rows = try MemoryQuery(plan: plan, snapshot: snapshot()).rows()
    for chunk in RowChunk.chunks(copying: rows) { try body(chunk) }
  }

  public func forEachKeyBatch(
    matching plan: FetchPlan, _ body: ([ObjectKey]) throws(StoreError) -> Void
  ) throws(StoreError) {
    try body(try MemoryQuery(plan: plan, snapshot: snapshot()).rows().map(\.objectKey))
  }

  public func forEachResultBatch(
    matching plan: FetchPlan, _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let projection = plan.shape.projection else { return }
    let results = try MemoryQuery(plan: plan, snapshot: snapshot()).results(projection)
    let batchSize = 256
    for start in stride(from: 0, to: results.count, by: batchSize) {
      try body(Array(results[start..<min(start + batchSize, results.count)].joined()))
    }
  }

  public func count(matching plan: FetchPlan) throws(StoreError) -> Int {
    try MemoryQuery(plan: plan, snapshot: snapshot()).rows().count
  }

  public func rows(of entity: CompiledEntity, keys: [Int64]) throws(StoreError) -> RowChunk {
    let table = try snapshot().state.tables[entity.rootIndex] ?? [:]
    let rows = Set(keys).compactMap { table[$0] }
    return RowChunk(copying: rows.filter { entity.subtree.contains($0.entityIndex) })
  }

  public func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64]
  ) throws(StoreError) -> [[ObjectKey]] {
    let snapshot = try snapshot()
    let found = sources.map { snapshot.destinations(of: property, source: $0).map(\.objectKey) }
    visits.add(snapshot.visitCount, ordering: .relaxed)
    return found
  }

  public func reserveKeys(_ counts: [Int: Int]) throws(StoreError) -> [Int: Int64] {
    try refuseReadOnly()
    return try state.withLock { (state) throws(StoreError) in
      try state.requireOpen()
      return state.reserveKeys(counts)
    }
  }

  public func commit(_ changes: inout ChangeSet) throws(StoreError) -> CommitOutcome {
    try refuseReadOnly()
    let given = changes
    let (outcome, written) = try state.withLock { (state) throws(StoreError) in
      try state.requireOpen()
      var changes = given
      changes.assignKeys(state.reserveKeys(changes.newRowCounts), in: model)
      return (try state.commit(changes), changes)
    }
    changes = written
    return outcome
  }

  public func requireWritable() throws(StoreError) {
    try refuseReadOnly()
    try state.withLock { (state) throws(StoreError) in try state.requireOpen() }
  }

  public func insert(
    _ batch: BatchInsert, origin: ChangeOrigin, _ next: () throws(StoreError) -> [Row]
  ) throws(StoreError) -> BatchOutcome {
    try refuseReadOnly()
    var rows: [Row] = []
    while true {
      let portion = try next()
      if portion.isEmpty { break }
      rows += portion
    }
    return try commit(by: origin) { (work) throws(StoreError) in
      try work.changes(inserting: rows, batch)
    }
  }

  public func execute(
    _ request: BatchRequest, origin: ChangeOrigin
  ) throws(StoreError) -> BatchOutcome {
    try refuseReadOnly()
    return try commit(by: origin) { (batch) throws(StoreError) in try batch.changes(for: request) }
  }

  /// Commits what is worked out of a snapshot, anew when the store changed meanwhile.
  private func commit(
    by origin: ChangeOrigin,
    _ work: (MemoryBatch) throws(StoreError) -> (ChangeSet, BatchOutcome)
  ) throws(StoreError) -> BatchOutcome {
    while true {
      let snapshot = try snapshot()
      var (changes, outcome) = try work(MemoryBatch(snapshot: snapshot))
      changes.origin = origin
      let isDone = try state.withLock { (state) throws(StoreError) in
        try state.requireOpen()
        guard state.generation == snapshot.state.generation else { return false }
        guard case .committed(_, let transaction) = try state.commit(changes) else {
          throw MemoryBatch.collision(in: nil)
        }
        outcome.transaction = transaction
        return true
      }
      if isDone { return outcome }
    }
  }

  public var history: (any StoreHistory)? {
    tracksHistory ? MemoryHistory(store: self) : nil
  }

  public func metadata() throws(StoreError) -> StoreMetadata { try snapshot().state.metadata }

  public func close() {
    state.withLock { $0.close() }
  }

  /// Reads or changes the history under the lock.
  func withHistory<Result: Sendable>(
    _ body: (inout HistoryLog) -> Result
  ) throws(StoreError) -> Result {
    try state.withLock { (state) throws(StoreError) in
      try state.requireOpen()
      var log = state.log ?? HistoryLog()
      defer { if state.log != nil { state.log = log } }
      return body(&log)
    }
  }

  private func snapshot() throws(StoreError) -> MemorySnapshot {
    let state = state.withLock { $0 }
    try state.requireOpen()
    return MemorySnapshot(state: state, model: model)
  }

  private func refuseReadOnly() throws(StoreError) {
    guard isReadOnly else { return }
    throw StoreError(.readOnly, "The store was opened for reading only.")
  }
}
