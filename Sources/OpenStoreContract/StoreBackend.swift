public import Foundation
public import OpenObjectModel
public import OpenPredicates

/// The one protocol between the object graph and a store.
///
/// The graph passes plans and change sets down, and the store returns rows and outcomes; all of them are values. Every call is synchronous,
/// because a property getter may fire a fault and cannot await, and may come from any thread. A plan may contain an interruption,
/// which the store checks regularly while it reads (`FetchPlan.throwIfInterrupted()`).
public protocol StoreBackend: AnyObject, Sendable {
  /// What this store can do; the graph checks capabilities, never a store's name.
  var capabilities: StoreCapabilities { get }
  /// The store's UUID, part of every object id's URI.
  var identifier: String { get }

  /// Whether every write fails; may be true although the configuration did not request it.
  var isReadOnly: Bool { get }

  /// Hands over the rows that a plan selects, chunk by chunk, in the plan's order.
  ///
  /// The rows carry every stored property of their actual entity. A chunk may be kept; its `next` is the chunk that
  /// follows it.
  func forEachChunk(
    matching plan: FetchPlan, _ body: (RowChunk) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Hands over the keys that a plan selects, some thousand at a time, in its order.
  func forEachKeyBatch(
    matching plan: FetchPlan, _ body: ([ObjectKey]) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Hands over the results of a plan with a projection, some hundred at a time, in its order.
  ///
  /// Each array has the values of whole results, one behind the other, as many for each as the projection has
  /// columns. Values come as their column's type says, decimals and truth values included.
  func forEachResultBatch(
    matching plan: FetchPlan, _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError)

  /// How many rows a plan selects, its limit and offset applied.
  func count(matching plan: FetchPlan) throws(StoreError) -> Int

  /// How the store would carry a plan out, without doing so; for people, and for tests of their queries.
  ///
  /// Stores that look at every row need not implement it.
  ///
  /// - Parameters:
  ///   - result: The request that would be sent.
  ///   - bindings: Whether the explanation has the plan's values, which may be private.
  func explanation(
    of plan: FetchPlan, result: PlanResult, bindings: BindingVisibility
  ) throws(StoreError) -> PlanExplanation

  /// The text of the statement by which the store reads for one key.
  ///
  /// For people: nothing is read. Called only for stores with ``StoreCapabilities/statements``.
  func statement(for read: KeyedRead) -> String?

  /// The rows with the given keys, in one chunk and any order; keys without a row are omitted.
  ///
  /// - Parameters:
  ///   - entity: Their entity, or an ancestor of it.
  ///   - keys: Any number of keys, duplicates allowed.
  func rows(of entity: CompiledEntity, keys: [Int64]) throws(StoreError) -> RowChunk

  /// The destinations of a to-many relationship, for each of the sources in turn.
  func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64]
  ) throws(StoreError) -> [[ObjectKey]]

  /// Reserves keys permanently, outside any save (`obtainPermanentIDs`).
  ///
  /// - Parameter counts: The number of keys by root entity, as positions in the model.
  /// - Returns: The first key of each contiguous run.
  func reserveKeys(_ counts: [Int: Int]) throws(StoreError) -> [Int: Int64]

  /// Throws if no change set can be written, for example to a closed store or a store whose file was deleted.
  ///
  /// A save of several stores checks all of them before it writes the first.
  ///
  /// - Throws: `StoreError` with the code that `commit(_:)` would throw.
  func requireWritable() throws(StoreError)

  /// Writes a change set in one transaction: everything or nothing.
  ///
  /// The store reserves keys for the change set's new rows in the same transaction, and assigns them with
  /// `ChangeSet.assignKeys(_:in:)` before it reads a row. It calls nothing outside the store while it is locked.
  ///
  /// - Parameter changes: What to write. After a commit it has the permanent keys; after a conflict or an error it must
  ///   not be used again.
  func commit(_ changes: inout ChangeSet) throws(StoreError) -> CommitOutcome

  /// Inserts many rows in one transaction: everything or nothing.
  ///
  /// The rows come in portions, so that any number of them needs the memory of one portion only.
  ///
  /// - Parameters:
  ///   - batch: What to do with the rows.
  ///   - origin: Who inserts, for the store's history.
  ///   - next: Gives the next rows, each with all slots, to which the store gives keys; none at the end, after
  ///     which it is not called again. Runs while the store is locked for writing, and uses no store.
  /// - Throws: `StoreError` with code `.constraintConflict` when a uniqueness constraint does not allow it; what
  ///   `next` throws.
  func insert(
    _ batch: BatchInsert, origin: ChangeOrigin, _ next: () throws(StoreError) -> [Row]
  ) throws(StoreError) -> BatchOutcome

  /// Changes many rows in one transaction, without loading them: everything or nothing.
  ///
  /// - Parameters:
  ///   - request: What to change.
  ///   - origin: Who does so, for the store's history.
  /// - Throws: `StoreError` with code `.constraintConflict` when a delete rule or a uniqueness constraint
  ///   does not allow it.
  func execute(
    _ request: BatchRequest, origin: ChangeOrigin
  ) throws(StoreError) -> BatchOutcome

  /// The history of the store's changes; nil while the store keeps none.
  var history: (any StoreHistory)? { get }

  /// The store's rows as they are now, whatever is written later; nil for a store that cannot do this.
  ///
  /// The state is kept as long as the answer is.
  func pinned() throws(StoreError) -> (any StoreBackend)?

  /// The store's metadata as last written.
  func metadata() throws(StoreError) -> StoreMetadata

  /// Releases files and connections; later calls throw.
  func close()
}

extension StoreBackend {
  /// The keys that a plan selects, in its order.
  ///
  /// - Returns: The keys that a plan selects, in its order.
  /// - Throws: `StoreError` if the store cannot be read or does not support the plan.
  public func keys(matching plan: FetchPlan) throws(StoreError) -> [ObjectKey] {
    var keys: [ObjectKey] = []
    try forEachKeyBatch(matching: plan) { batch in
      if keys.isEmpty { keys = batch } else { keys += batch }
    }
    return keys
  }

  /// Whether every write fails; false by default.
  public var isReadOnly: Bool { false }

  /// By default, no state can be pinned.
  ///
  /// - Returns: The pinned store; nil if states cannot be pinned.
  /// - Throws: `StoreError` if the store cannot be read; the default never throws.
  public func pinned() throws(StoreError) -> (any StoreBackend)? { nil }

  /// Returns nil by default, for stores without statements.
  ///
  /// - Returns: The statement; nil by default.
  public func statement(for read: KeyedRead) -> String? { nil }

  /// By default, there is no history.
  public var history: (any StoreHistory)? { nil }

  /// The default implementation throws, for stores without batch insertions.
  ///
  /// - Returns: The outcome.
  /// - Throws: `StoreError` with code `.unsupported`.
  public func insert(
    _ batch: BatchInsert, origin: ChangeOrigin, _ next: () throws(StoreError) -> [Row]
  ) throws(StoreError) -> BatchOutcome {
    throw StoreError(.unsupported, "The store carries out no batch requests.")
  }

  /// The default implementation throws, for stores without batch requests.
  ///
  /// - Returns: The outcome.
  /// - Throws: `StoreError` with code `.unsupported`.
  public func execute(
    _ request: BatchRequest, origin: ChangeOrigin
  ) throws(StoreError) -> BatchOutcome {
    throw StoreError(.unsupported, "The store carries out no batch requests.")
  }
}

/// The result of reading rows by key.
public enum KeyedRead: Sendable {
  /// Rows of an entity and its sub-entities.
  case rows(of: CompiledEntity)
  /// Keys of the destinations of a to-many relationship of an entity.
  case destinations(of: CompiledProperty, in: CompiledEntity)
}

/// A store's metadata: property-list values by key.
public typealias StoreMetadata = [String: any Sendable]

/// The capabilities of a store.
public struct StoreCapabilities: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Rows survive the process.
  public static let durable = StoreCapabilities(rawValue: 1)
  /// Batch requests run inside the store.
  public static let batchRequests = StoreCapabilities(rawValue: 2)
  /// Uniqueness constraints are enforced.
  public static let uniquenessConstraints = StoreCapabilities(rawValue: 4)
  /// Executes statements, and can report their texts.
  public static let statements = StoreCapabilities(rawValue: 8)
  /// Supports plans that are ranked by a full-text search.
  public static let textRanking = StoreCapabilities(rawValue: 16)
}

/// Where and how to open a store.
public struct StoreConfiguration: Sendable {
  /// The store's file; nil for stores without one.
  public var url: URL?
  public var isReadOnly = false
  /// The maximum wait for another connection's lock, in seconds.
  public var timeout: TimeInterval = 240
  /// Settings specific to the kind of store, by name.
  public var settings: [String: String] = [:]
  /// The name of the model's configuration with the store's entities; nil for all.
  public var configurationName: String?
  /// Whether to open a store that another version of the model wrote.
  public var ignoresModelVersion = false
  /// Whether the store keeps a history of changes.
  public var tracksHistory = false
  /// The identifier of a store that is created; nil for a new identifier.
  public var newIdentifier: String?
  /// Maintenance of the store when it is opened for writing.
  public var maintenance: StoreMaintenance = []
  /// Whether the store has a text index of searched attributes.
  public var indexesText = false
  /// Receives the text of every statement, without values, from stores with
  /// ``StoreCapabilities/statements``.
  public var statementObserver: (@Sendable (String) -> Void)?
  /// Receives every executed statement, with its time.
  public var statementTrace: StatementTrace?

  public init(url: URL?) { self.url = url }
}

/// Work that a store may do on its file when it is opened for writing.
public struct StoreMaintenance: OptionSet, Sendable {
  /// Recomputes the statistics by which the store chooses its indexes.
  public static let refreshesStatistics = StoreMaintenance(rawValue: 1)
  /// Releases the space of deleted rows, unless another process uses the file.
  public static let reclaimsSpace = StoreMaintenance(rawValue: 2)

  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }
}
