public import Foundation
public import OpenObjectModel
public import OpenPredicates

/// The interface through which the object graph uses a store.
///
/// The object graph passes plans and change sets to the store, and the store returns rows and
/// outcomes. Plans, change sets, rows and outcomes are values. Every call is synchronous, because a
/// property getter that fires a fault cannot await. Calls may come from any thread. While a store
/// executes a plan, the store regularly calls `FetchPlan.throwIfInterrupted()`. This method throws
/// if the plan was interrupted.
public protocol StoreBackend: AnyObject, Sendable {
  /// The capabilities of this store; the object graph checks capabilities instead of the type of
  /// the store.
  var capabilities: StoreCapabilities { get }
  /// The store's UUID, which is part of every object id's URI.
  var identifier: String { get }

  /// Whether the store is read-only. If the value is `true`, every write fails.
  ///
  /// A store can be read-only even if the configuration does not request a read-only store.
  var isReadOnly: Bool { get }

  /// Calls `body` with chunks of the rows that a plan selects, in the plan's order.
  ///
  /// Each row contains every stored property of its actual entity. The caller may retain a chunk.
  /// The `next` property of a chunk is the following chunk.
  ///
  /// - Parameters:
  ///   - plan: The plan that selects the rows.
  ///   - body: A closure that receives the next chunk.
  /// - Throws: `StoreError` with one of these codes: `.interrupted` if the plan was interrupted;
  ///   `.unsupportedPredicate` or `.unsupported` if the store does not support the plan; `.closed`
  ///   if the store is closed; another code if the store cannot be read. Also throws the error that
  ///   `body` throws.
  func forEachChunk(
    matching plan: FetchPlan, _ body: (RowChunk) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Calls `body` with the keys that a plan selects, in one or more batches.
  ///
  /// Keys arrive in the plan's order.
  ///
  /// - Parameters:
  ///   - plan: The plan that selects the rows.
  ///   - body: A closure that receives the next keys.
  /// - Throws: `StoreError` with one of these codes: `.interrupted` if the plan was interrupted;
  ///   `.unsupportedPredicate` or `.unsupported` if the store does not support the plan; `.closed`
  ///   if the store is closed; another code if the store cannot be read. Also throws the error that
  ///   `body` throws.
  func forEachKeyBatch(
    matching plan: FetchPlan, _ body: ([ObjectKey]) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Calls `body` with the results of a plan with a projection, in one or more batches.
  ///
  /// Results arrive in the plan's order. Each array contains the values of one or more complete
  /// results, in order. Each result has one value for each column of the projection. Each value has
  /// the type of its column, even if the type is decimal or Boolean.
  ///
  /// - Parameters:
  ///   - plan: A plan with a projection.
  ///   - body: A closure that receives the values of the next results.
  /// - Throws: `StoreError` with one of these codes: `.interrupted` if the plan was interrupted;
  ///   `.unsupportedPredicate` or `.unsupported` if the store does not support the plan; `.closed`
  ///   if the store is closed; another code if the store cannot be read. Also throws the error that
  ///   `body` throws.
  func forEachResultBatch(
    matching plan: FetchPlan, _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Returns the number of rows that a plan selects after applying its limit and offset; for a plan
  /// with a projection, the number of results.
  ///
  /// - Throws: `StoreError` with one of these codes: `.interrupted` if the plan was interrupted;
  ///   `.unsupportedPredicate` or `.unsupported` if the store does not support the plan; `.closed`
  ///   if the store is closed; another code if the store cannot be read.
  func count(matching plan: FetchPlan) throws(StoreError) -> Int

  /// Explains how the store would execute a plan, without executing the plan.
  ///
  /// Explanations are for developers and for tests of their queries. A store that reads every row
  /// for every plan can use the default implementation.
  ///
  /// - Parameters:
  ///   - plan: The plan to explain.
  ///   - result: The kind of result that the store would return for the plan.
  ///   - bindings: Whether the explanation contains the plan's values, which may be private.
  /// - Returns: The explanation.
  /// - Throws: `StoreError` with one of these codes: `.unsupportedPredicate` or `.unsupported` if
  ///   the store does not support the plan; `.closed` if the store is closed; another code if the
  ///   store cannot be read.
  func explanation(
    of plan: FetchPlan, result: PlanResult, bindings: BindingVisibility
  ) throws(StoreError) -> PlanExplanation

  /// Returns the text of the statement that reads rows or destinations by key; nil if the store
  /// does not use statements.
  ///
  /// The text is for information only. The method does not execute the statement. The object graph
  /// calls this method only for stores with ``StoreCapabilities/statements``.
  func statement(for read: KeyedRead) -> String?

  /// Returns the rows with the given keys in one chunk, in any order; keys without a row are
  /// omitted.
  ///
  /// - Parameters:
  ///   - entity: The entity of the rows, or an ancestor of that entity.
  ///   - keys: Any number of keys; duplicates are allowed.
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   store cannot be read.
  func rows(of entity: CompiledEntity, keys: [Int64]) throws(StoreError) -> RowChunk

  /// Returns the destinations of a to-many relationship for several source rows.
  ///
  /// - Parameters:
  ///   - property: The relationship.
  ///   - entity: The entity of the sources.
  ///   - sources: The keys of the source rows.
  /// - Returns: One array of destinations for each element of `sources`, in the same order.
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   store cannot be read.
  func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64]
  ) throws(StoreError) -> [[ObjectKey]]

  /// Reserves keys permanently for objects that receive permanent ids before they are saved.
  ///
  /// - Parameter counts: The number of keys to reserve, keyed by the position of the root entity in
  ///   the model.
  /// - Returns: The first key of each contiguous range of reserved keys, keyed by the position of
  ///   the root entity in the model.
  /// - Throws: `StoreError` with code `.readOnly` if the store is read-only, with code `.closed` if
  ///   the store is closed, or with another code if the store cannot be written.
  func reserveKeys(_ counts: [Int: Int]) throws(StoreError) -> [Int: Int64]

  /// Throws an error if the store cannot be written, for example because it is closed or its file
  /// was deleted.
  ///
  /// A save to several stores checks all stores before writing to the first store.
  ///
  /// - Throws: `StoreError` with the code that `commit(_:)` would throw.
  func requireWritable() throws(StoreError)

  /// Writes all changes of a change set in one transaction, or writes nothing.
  ///
  /// The store reserves keys for new rows in the same transaction, and assigns these keys with
  /// `ChangeSet.assignKeys(_:in:)` before the store reads a row. While the store is locked, the
  /// store does not call any code outside the store.
  ///
  /// - Parameter changes: The changes to write. A commit replaces provisional keys with permanent
  ///   keys. After a conflict or an error, the change set must not be used again.
  /// - Returns: Whether the changes were committed or conflict with the store.
  /// - Throws: `StoreError` with code `.readOnly` if the store is read-only, or with code `.closed`
  ///   if the store is closed. Throws `StoreError` with another code if the changes cannot be
  ///   written.
  func commit(_ changes: inout ChangeSet) throws(StoreError) -> CommitOutcome

  /// Inserts many rows in one transaction, or writes nothing.
  ///
  /// The caller provides the rows in portions, so that only one portion at a time is in memory.
  ///
  /// - Parameters:
  ///   - batch: The entity of the rows, and how the store treats a row that violates a uniqueness
  ///     constraint.
  ///   - origin: The origin of the insertion, for the store's history.
  ///   - next: A closure that returns the next rows, each with all slots; the store assigns the
  ///     keys of these rows. An empty array ends the insertion. The store calls the closure while
  ///     the store is locked for writing, so the closure must not use a store.
  /// - Returns: The outcome of the insertion.
  /// - Throws: `StoreError` with one of these codes: `.constraintConflict` if a row violates a
  ///   uniqueness constraint and the batch specifies ``BatchInsert/Collision/fail``; `.readOnly` if
  ///   the store is read-only; `.closed` if the store is closed; another code if the store cannot
  ///   be written. Also throws the error that `next` throws.
  func insert(
    _ batch: BatchInsert, origin: ChangeOrigin, _ next: () throws(StoreError) -> [Row]
  ) throws(StoreError) -> BatchOutcome

  /// Deletes or updates many rows in one transaction without loading managed objects, or writes
  /// nothing.
  ///
  /// - Parameters:
  ///   - request: The deletion or update to execute.
  ///   - origin: The origin of the change, for the store's history.
  /// - Returns: The outcome of the request.
  /// - Throws: `StoreError` with one of these codes: `.constraintConflict` if a delete rule, a
  ///   required relationship or a uniqueness constraint does not allow the change;
  ///   `.versionConflict` if an update refers to a row that does not exist; `.unsupportedPredicate`
  ///   if the store does not support the request's plan; `.readOnly` if the store is read-only;
  ///   `.closed` if the store is closed; another code if the store cannot be written.
  func execute(
    _ request: BatchRequest, origin: ChangeOrigin
  ) throws(StoreError) -> BatchOutcome

  /// The history of the store's changes; nil if the store does not record a history.
  var history: (any StoreHistory)? { get }

  /// Returns a store that keeps the current state of the rows; later writes do not change this
  /// state.
  ///
  /// The state remains readable as long as the returned object exists. If the store loses the state
  /// earlier, reads throw `StoreError` with code `.snapshotLost`. The result is nil if the store
  /// cannot pin its state.
  ///
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   store cannot be read.
  func pinned() throws(StoreError) -> (any StoreBackend)?

  /// Returns the store's metadata as last written.
  ///
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   store cannot be read.
  func metadata() throws(StoreError) -> StoreMetadata

  /// Releases files and connections. Later reads and writes throw `StoreError` with code `.closed`.
  func close()
}

extension StoreBackend {
  /// Returns the keys that a plan selects, in the plan's order.
  ///
  /// - Throws: `StoreError` with one of these codes: `.interrupted` if the plan was interrupted;
  ///   `.unsupportedPredicate` or `.unsupported` if the store does not support the plan; `.closed`
  ///   if the store is closed; another code if the store cannot be read.
  public func keys(matching plan: FetchPlan) throws(StoreError) -> [ObjectKey] {
    var keys: [ObjectKey] = []
    try forEachKeyBatch(matching: plan) { batch in
      if keys.isEmpty { keys = batch } else { keys += batch }
    }
    return keys
  }

  /// Whether the store is read-only, so that every write fails. The default is false.
  public var isReadOnly: Bool { false }

  /// Returns nil by default, for stores that cannot pin their state.
  ///
  /// - Throws: `StoreError` if the store cannot be read; the default implementation never throws.
  public func pinned() throws(StoreError) -> (any StoreBackend)? { nil }

  /// Returns nil by default, for stores that do not use statements.
  public func statement(for read: KeyedRead) -> String? { nil }

  /// The history of the store's changes; nil by default.
  public var history: (any StoreHistory)? { nil }

  /// Throws an error by default; stores that support batch insertions implement this method.
  ///
  /// - Parameters:
  ///   - batch: The insertion, which has no effect.
  ///   - origin: The origin of the insertion, which has no effect.
  ///   - next: The closure that returns the rows; never called.
  /// - Returns: The outcome of the insertion; the default implementation never returns.
  /// - Throws: `StoreError` with code `.unsupported`.
  public func insert(
    _ batch: BatchInsert, origin: ChangeOrigin, _ next: () throws(StoreError) -> [Row]
  ) throws(StoreError) -> BatchOutcome {
    throw StoreError(.unsupported, "The store does not support batch requests.")
  }

  /// Throws an error by default; stores that support batch requests implement this method.
  ///
  /// - Parameters:
  ///   - request: The request, which has no effect.
  ///   - origin: The origin of the request, which has no effect.
  /// - Returns: The outcome of the request; the default implementation never returns.
  /// - Throws: `StoreError` with code `.unsupported`.
  public func execute(
    _ request: BatchRequest, origin: ChangeOrigin
  ) throws(StoreError) -> BatchOutcome {
    throw StoreError(.unsupported, "The store does not support batch requests.")
  }
}

/// A read of rows or destinations by key.
public enum KeyedRead: Sendable {
  /// Reads rows of an entity and its subentities.
  case rows(of: CompiledEntity)
  /// Reads the keys of the destinations of an entity's to-many relationship.
  case destinations(of: CompiledProperty, in: CompiledEntity)
}

/// The metadata of a store, as property-list values by key, such as the type of the store under
/// `NSStoreType`.
public typealias StoreMetadata = [String: any Sendable]

/// The optional features that a store supports.
public struct StoreCapabilities: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The store's rows remain after the process ends.
  public static let durable = StoreCapabilities(rawValue: 1)
  /// The store implements ``StoreBackend/insert(_:origin:_:)`` and
  /// ``StoreBackend/execute(_:origin:)``.
  public static let batchRequests = StoreCapabilities(rawValue: 2)
  /// The store enforces uniqueness constraints.
  public static let uniquenessConstraints = StoreCapabilities(rawValue: 4)
  /// The store executes statements and can report their text.
  public static let statements = StoreCapabilities(rawValue: 8)
  /// The store supports plans whose results are ranked by a full-text query.
  public static let textRanking = StoreCapabilities(rawValue: 16)
}

/// The location of a store and the options for opening it.
public struct StoreConfiguration: Sendable {
  /// The URL of the store's file or server; nil for a store without a URL.
  public var url: URL?
  public var isReadOnly = false
  /// The maximum time, in seconds, to wait for a lock that another connection holds.
  public var timeout: TimeInterval = 240
  /// Settings specific to the kind of store, keyed by name; empty for no settings. For a SQLite
  /// store, the settings are pragmas, such as `["synchronous": "full"]`.
  public var settings: [String: String] = [:]
  /// The name of the model configuration that contains the store's entities; nil for all entities
  /// of the model.
  public var configurationName: String?
  /// Whether to open a store that was written with another version of the model. The default is
  /// false.
  public var ignoresModelVersion = false
  /// Whether the store keeps a history of changes. The default is false.
  public var tracksHistory = false
  /// The identifier for a newly created store; nil to generate an identifier.
  public var newIdentifier: String?
  /// The number that precedes the first transaction in the history of a newly created store; 0 by
  /// default.
  package var historyBase: Int64 = 0
  /// The maintenance to perform when the store is opened for writing; none by default.
  public var maintenance: StoreMaintenance = []
  /// Whether the store maintains a full-text index of the attributes that the model marks for
  /// searches. The default is false.
  public var indexesText = false
  /// A closure that receives the text of every executed statement, without values; nil for no
  /// closure.
  ///
  /// Only stores with ``StoreCapabilities/statements`` call the closure.
  public var statementObserver: (@Sendable (String) -> Void)?
  /// A trace that receives every executed statement with its duration; nil if statements are not
  /// traced.
  public var statementTrace: StatementTrace?

  public init(url: URL?) { self.url = url }
}

/// Maintenance that a store may perform on its file when the store is opened for writing.
public struct StoreMaintenance: OptionSet, Sendable {
  /// Recomputes the statistics that the store uses to select indexes for queries.
  public static let refreshesStatistics = StoreMaintenance(rawValue: 1)
  /// Releases the space of deleted rows, unless another process uses the file.
  public static let reclaimsSpace = StoreMaintenance(rawValue: 2)

  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }
}
