import Foundation
public import OpenObjectModel
public import OpenPredicates
public import OpenStoreContract
import Synchronization

/// An in-memory store, which keeps its rows in dictionaries until the store is closed.
///
/// The store is simple rather than fast, because it is the reference for differential tests of
/// other stores. Every fetch visits every row of the fetched entity's hierarchy. If the store has a
/// `RowPersistence`, each commit also writes the complete contents to this persistence. Atomic
/// stores are implemented in this way.
///
/// > Concurrency: Shared; usable on any thread. A reader copies the state under the lock and
/// > evaluates its plan without the lock, so a plan never delays another reader or a writer.
public final class MemoryStore: StoreBackend {
  public let capabilities: StoreCapabilities
  public let identifier: String

  private let model: CompiledModel
  public let isReadOnly: Bool
  private let tracksHistory: Bool
  private let state: Mutex<MemoryState>
  private let visits = Atomic<Int>(0)
  /// The persistence that saves the contents, or nil for a store that exists only in memory.
  private let persistence: (any RowPersistence)?
  private let turn = WriteTurn()

  /// The number of rows that the store has visited to find destinations and references to deleted
  /// rows. Tests use this number to limit the cost of these operations.
  package var visitedRowCount: Int {
    visits.load(ordering: .relaxed) + state.withLock { $0.visitedRowCount }
  }

  private init(
    _ state: MemoryState, identifier: String, isReadOnly: Bool, persistence: (any RowPersistence)?
  ) {
    model = state.model
    self.isReadOnly = isReadOnly
    tracksHistory = state.log != nil
    self.identifier = identifier
    self.persistence = persistence
    capabilities = persistence?.capabilities ?? [.batchRequests, .uniquenessConstraints]
    self.state = Mutex(state)
  }

  /// Creates an empty store.
  ///
  /// The method uses only `newIdentifier`, `isReadOnly` and `tracksHistory` of the configuration.
  /// If `newIdentifier` is nil, the identifier of the store is a new UUID.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the store.
  ///   - model: The model of the store.
  /// - Returns: The open store.
  /// - Throws: `StoreError` with code `.unsupported` if the model has derived attributes, which
  ///   this store does not compute.
  public static func open(
    _ configuration: StoreConfiguration, model: CompiledModel
  ) throws(StoreError) -> MemoryStore {
    try refuseDerivedAttributes(of: model)
    let contents = StoreContents(
      identifier: configuration.newIdentifier ?? UUID().uuidString,
      metadata: ["NSStoreType": "InMemory"])
    let state = MemoryState(
      model: model, contents: contents, tracksHistory: configuration.tracksHistory)
    return MemoryStore(
      state, identifier: contents.identifier, isReadOnly: configuration.isReadOnly,
      persistence: nil)
  }

  /// Creates a store with contents that a persistence has read. Each commit writes the contents to
  /// the persistence.
  ///
  /// The store records no history.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the store.
  ///   - model: The model of the store.
  ///   - contents: The initial contents.
  ///   - persistence: The persistence that saves the contents.
  /// - Returns: The open store.
  /// - Throws: `StoreError` with code `.corrupt` if the contents are inconsistent, or
  ///   `.unsupported` if the model has derived attributes.
  package static func open(
    _ configuration: StoreConfiguration, model: CompiledModel, contents: StoreContents,
    persistence: any RowPersistence
  ) throws(StoreError) -> MemoryStore {
    try refuseDerivedAttributes(of: model)
    var state = MemoryState(model: model, contents: contents, tracksHistory: false)
    if case .conflicts = try state.commit(contents.changes) {
      throw StoreError(
        .corrupt,
        "The contents of the store are inconsistent: two objects have the same key or the same unique values, or a "
          + "relationship refers to a missing object.", path: configuration.url?.path)
    }
    return MemoryStore(
      state, identifier: contents.identifier, isReadOnly: configuration.isReadOnly,
      persistence: persistence)
  }

  private static func refuseDerivedAttributes(of model: CompiledModel) throws(StoreError) {
    for entity in model.entities {
      for property in entity.properties where property.attribute?.derivation != nil {
        throw StoreError(
          .unsupported,
          "An in-memory store cannot compute derived attributes. Use a SQLite store at /dev/null.",
          entityName: entity.name, propertyName: property.name)
      }
    }
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
    let query = MemoryQuery(plan: plan, snapshot: try snapshot())
    if let projection = plan.shape.projection { return try query.results(projection).count }
    return try query.rows().count
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
    guard persistence != nil else { return try takeKeys(counts) }
    // Waits for a running write, whose state would not contain the reserved keys.
    return try turn.run { () throws(StoreError) in try takeKeys(counts) }
  }

  private func takeKeys(_ counts: [Int: Int]) throws(StoreError) -> [Int: Int64] {
    try state.withLock { (state) throws(StoreError) in
      try state.requireOpen()
      return state.reserveKeys(counts)
    }
  }

  public func commit(_ changes: inout ChangeSet) throws(StoreError) -> CommitOutcome {
    try refuseReadOnly()
    let given = changes
    let (outcome, written) = try change { (state) throws(StoreError) in
      try state.requireOpen()
      return try commit(given, to: &state)
    }
    changes = written
    return outcome
  }

  /// Assigns keys to the new rows of a change set, and commits the change set to a state.
  private func commit(
    _ given: ChangeSet, to state: inout MemoryState
  ) throws(StoreError) -> (CommitOutcome, ChangeSet) {
    var changes = given
    changes.assignKeys(state.reserveKeys(changes.newRowCounts), in: model)
    return (try state.commit(changes), changes)
  }

  /// Runs a commit on the newest state. With a persistence, readers see the commit only after the
  /// persistence has written it.
  private func change(
    _ commit: (inout MemoryState) throws(StoreError) -> (CommitOutcome, ChangeSet)
  ) throws(StoreError) -> (CommitOutcome, ChangeSet) {
    guard let persistence else {
      return try state.withLock { (state) throws(StoreError) in try commit(&state) }
    }
    return try turn.run { () throws(StoreError) in
      var next = state.withLock { $0 }
      let result = try commit(&next)
      guard case .committed = result.0 else { return result }
      if !result.1.isEmpty {
        let contents = MemoryStore(
          next, identifier: identifier, isReadOnly: true, persistence: nil)
        try persistence.write(contents, nextKeys: next.nextKeys, changes: result.1)
      }
      // A store that was closed meanwhile has saved the changes, but stays closed.
      state.withLock { state in
        if !state.isClosed { state = next }
      }
      return result
    }
  }

  public func requireWritable() throws(StoreError) {
    try refuseReadOnly()
    try state.withLock { (state) throws(StoreError) in try state.requireOpen() }
    try persistence?.requireWritable()
  }

  public func insert(
    _ batch: BatchInsert, origin: ChangeOrigin, _ next: () throws(StoreError) -> [Row]
  ) throws(StoreError) -> BatchOutcome {
    try refuseReadOnly()
    try refuseBatches()
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
    try refuseBatches()
    return try commit(by: origin) { (batch) throws(StoreError) in try batch.changes(for: request) }
  }

  /// Computes changes from a snapshot and commits them. If the store has changed since the
  /// snapshot, computes the changes again.
  private func commit(
    by origin: ChangeOrigin,
    _ work: (MemoryBatch) throws(StoreError) -> (ChangeSet, BatchOutcome)
  ) throws(StoreError) -> BatchOutcome {
    while true {
      let snapshot = try snapshot()
      var (changes, outcome) = try work(MemoryBatch(snapshot: snapshot))
      changes.origin = origin
      var isOutdated = false
      let (result, written) = try change { (state) throws(StoreError) in
        try state.requireOpen()
        isOutdated = state.revision != snapshot.state.revision
        if isOutdated { return (.conflicts([]), changes) }
        return try commit(changes, to: &state)
      }
      if isOutdated { continue }
      guard case .committed(_, let transaction) = result else {
        throw .collision(in: nil)
      }
      if !outcome.inserted.isEmpty { outcome.inserted = written.inserted.map(\.objectKey) }
      outcome.transaction = transaction
      return outcome
    }
  }

  public var history: (any StoreHistory)? {
    tracksHistory ? MemoryHistory(store: self) : nil
  }

  public func metadata() throws(StoreError) -> StoreMetadata { try snapshot().state.metadata }

  public func close() {
    state.withLock { $0.close() }
    persistence?.close()
  }

  /// Reads or changes the persistent history under the lock.
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

  /// Throws an error if the persistence cannot save the changes of batch requests.
  ///
  /// The store throws before it takes the write lock. A custom atomic store that saves objects
  /// takes its own lock first, so another thread must not wait for that lock with the write lock.
  private func refuseBatches() throws(StoreError) {
    if capabilities.contains(.batchRequests) { return }
    throw StoreError(
      .unsupported,
      "A custom atomic store does not support batch requests. Change the objects in a context.")
  }

  private func refuseReadOnly() throws(StoreError) {
    guard isReadOnly else { return }
    throw StoreError(.readOnly, "The store was opened for reading only.")
  }
}
