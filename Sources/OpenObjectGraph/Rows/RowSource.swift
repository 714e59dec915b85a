internal import OpenObjectModel
internal import OpenStoreContract

/// Where a context's rows come from: the stores of a coordinator, or the objects of a parent context.
///
/// A context uses its source without branching on its kind. This class by itself is the source of a context
/// without stores: it finds nothing, and keeps the context's settings for the source that takes its place.
///
/// > Concurrency: Confined to the context's queue.
class RowSource {
  /// The oldest age in seconds of a cached row that may still be used; -1 for any age.
  @exclusivity(unchecked) final var stalenessInterval: Double { didSet { settingsDidChange() } }
  /// The state of the stores that is read; nil for a source that follows them.
  @exclusivity(unchecked) final var generation: NSQueryGenerationToken? {
    didSet { settingsDidChange() }
  }
  /// Cancels the running fetch; nil if it cannot be cancelled.
  @exclusivity(unchecked) final var interruption: ReadInterruption?
  /// Whether a row may be used as soon as the row cache has it, so that most faults cost no dynamic call.
  @exclusivity(unchecked) final var trustsRowCache = false

  /// Creates a source with the settings of the one whose place it takes.
  init(after former: RowSource? = nil) {
    stalenessInterval = former?.stalenessInterval ?? -1
    interruption = former?.interruption
  }

  /// Called when the generation or the staleness interval was set.
  func settingsDidChange() {}

  // MARK: Rows

  /// The newest row at hand for a key, read from no store.
  @inline(__always)
  final func knownRow(root: Int, key: Int64, in store: NSPersistentStore) -> Row? {
    trustsRowCache
      ? store.rowCache.row(root: root, key: key) : rowAtHand(root: root, key: key, in: store)
  }

  /// The newest row at hand where the row cache does not decide alone.
  func rowAtHand(root: Int, key: Int64, in store: NSPersistentStore) -> Row? { nil }

  /// Whether an object's key can have a row here: keys of unsaved objects are negative.
  @inline(__always)
  final func mayHaveRow(_ key: Int64) -> Bool { key > 0 || hasUnsavedRows }

  /// Whether unsaved objects have rows here.
  var hasUnsavedRows: Bool { false }

  /// Whether changes that are in no store show in the rows.
  var hasUnsavedChanges: Bool { false }

  /// Rows by key, those without one left out: one statement, but for what parents hold.
  ///
  /// - Parameter entity: Their entity, or an ancestor of it.
  func rows(
    of entity: CompiledEntity, keys: [Int64], in store: NSPersistentStore
  ) throws(StoreError) -> [RowChunk] { [] }

  /// The destinations of a to-many relationship, for each of the sources in turn.
  func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64],
    in store: NSPersistentStore
  ) throws(StoreError) -> [[ObjectKey]] { sources.map { _ in [] } }

  /// Makes rows that were read available to other contexts; does nothing with those of a parent or of a pinned state.
  func publish(_ chunk: RowChunk, in store: NSPersistentStore) {}

  /// Whether the row of an object that was changed elsewhere must be read before the change is merged.
  ///
  /// - Parameter source: What is known of the change.
  func isUnread(
    root: Int, key: Int64, in store: NSPersistentStore, after source: ForeignChanges.Source
  ) -> Bool { false }

  // MARK: Fetches

  /// Whether the source executes whole requests: also what no store can do, and the order of several stores.
  var carriesOutRequests: Bool { false }

  /// The request that the source executes in place of a plan; nil where stores execute plans.
  ///
  /// - Parameter window: The part of the result that is wanted of the source.
  func request<Result>(
    for request: NSFetchRequest<Result>, window: FetchWindow
  ) -> NSFetchRequest<NSManagedObject>? { nil }

  /// Appends the objects that a fetch finds, with their rows.
  func append(rowsOf operation: FetchOperation, to objects: inout [NSManagedObject]) throws {}

  /// The keys of the objects that a fetch finds.
  func keys(of operation: FetchOperation) throws -> [KeyRun] { [] }

  /// The ids of the objects that a fetch finds.
  func ids(of operation: FetchOperation) throws -> [NSManagedObjectID] { [] }

  /// How many objects a fetch finds.
  func count(of operation: FetchOperation) throws -> Int { 0 }

  /// Runs fetches that can be cancelled from any thread.
  ///
  /// Only fetches of the work itself are concerned: no faults, and no reads that a save makes elsewhere.
  ///
  /// - Throws: What the work throws; `CocoaError` with code `.userCancelled` for an interrupted fetch.
  final func interruptible<Result>(
    by interruption: ReadInterruption?, _ work: () throws -> Result
  ) rethrows -> Result {
    let outer = self.interruption
    self.interruption = interruption
    defer { self.interruption = outer }
    return try work()
  }

  /// Gives another context a source of the same rows.
  func attach(_ reader: NSManagedObjectContext) {}

  // MARK: Saves

  /// Lets a save write its changes to where the rows come from.
  ///
  /// - Parameter stores: The coordinator's stores.
  /// - Throws: The error of the save.
  func accept(_ save: SaveOperation, in stores: [NSPersistentStore]) throws {}

  // MARK: The state that is read

  /// What reads are sent to: the store, or the state of it that the context is pinned to.
  @inline(__always)
  final func reader(of store: NSPersistentStore) throws(StoreError) -> any StoreBackend {
    generation == nil ? store.backend : try pinnedReader(of: store)
  }

  /// The state of a store to which the source is pinned.
  func pinnedReader(of store: NSPersistentStore) throws(StoreError) -> any StoreBackend {
    store.backend
  }

  /// What fetches of values are sent to: they read the stored rows, past the unsaved values of parents.
  func valueReader(of store: NSPersistentStore) throws(StoreError) -> any StoreBackend {
    try reader(of: store)
  }

  /// Sets the state to read.
  ///
  /// - Throws: `CocoaError` where the rows come from a parent.
  func setGeneration(_ generation: NSQueryGenerationToken?) throws { self.generation = generation }

  /// Lets the next read of a pinned source see the newest state.
  final func advanceGeneration() {
    if generation != nil { generation = .current }
  }

  /// The token of a pinned source for the notification of a save; nil when nothing is pinned.
  func pinnedGeneration() -> NSQueryGenerationToken? { nil }

  // MARK: Parent and siblings

  /// The context that answers in the stores' place; nil without one.
  var parent: NSManagedObjectContext? { nil }

  /// The contexts that merge each save into the stores; nil if a parent notifies its children.
  var mergingContexts: WeakContexts? { nil }

  /// Files a child's objects under the permanent keys that a save of its parent gave them.
  func adoptRenames(in child: NSManagedObjectContext) {}
}

/// Keys of objects of one store that follow each other in a result.
struct KeyRun {
  /// The position of the store.
  var store: Int
  var keys: [ObjectKey]
}

extension Array where Element == KeyRun {
  /// Appends a key to the last run, or to a new one.
  mutating func append(_ key: ObjectKey, at store: Int) {
    if last?.store == store {
      self[count - 1].keys.append(key)
    } else {
      append(KeyRun(store: store, keys: [key]))
    }
  }
}
