internal import OpenObjectModel
internal import OpenStoreContract

/// The source of a context's rows: the stores of a coordinator or the objects of a parent context.
///
/// A context uses its source without checking its kind. An instance of this base class is the
/// source of a context without stores. It finds no rows, and it keeps the context's settings for
/// the source that replaces it.
///
/// > Concurrency: Confined to the context's queue.
class RowSource {
  /// The oldest age in seconds of a cached row that may still be used; -1 for any age.
  @exclusivity(unchecked) final var stalenessInterval: Double { didSet { settingsDidChange() } }
  /// The query generation to read, or nil to read the current state of the stores.
  @exclusivity(unchecked) final var generation: NSQueryGenerationToken? {
    didSet { settingsDidChange() }
  }
  /// Cancels the running fetch; nil if it cannot be cancelled.
  @exclusivity(unchecked) final var interruption: ReadInterruption?
  /// Whether a cached row may always be used, which saves a dynamic call for most faults.
  @exclusivity(unchecked) final var trustsRowCache = false

  /// Creates a source with the settings of the source that it replaces.
  init(after former: RowSource? = nil) {
    stalenessInterval = former?.stalenessInterval ?? -1
    interruption = former?.interruption
  }

  /// Called when the generation or the staleness interval was set.
  func settingsDidChange() {}

  // MARK: Rows

  /// Returns the newest row for a key that is available without reading a store.
  @inline(__always)
  final func knownRow(root: Int, key: Int64, in store: NSPersistentStore) -> Row? {
    trustsRowCache
      ? store.rowCache.row(root: root, key: key) : rowAtHand(root: root, key: key, in: store)
  }

  /// Returns the newest row that is available without reading a store, if the row cache alone
  /// cannot be used.
  func rowAtHand(root: Int, key: Int64, in store: NSPersistentStore) -> Row? { nil }

  /// Returns whether this source can have a row for an object's key. Keys of unsaved objects are
  /// negative.
  @inline(__always)
  final func mayHaveRow(_ key: Int64) -> Bool { key > 0 || hasUnsavedRows }

  /// Whether the source has rows for unsaved objects.
  var hasUnsavedRows: Bool { false }

  /// Whether the rows include unsaved changes.
  var hasUnsavedChanges: Bool { false }

  /// Reads rows by key with one statement, not counting the rows that a parent holds. Keys without
  /// a row are omitted.
  ///
  /// - Parameter entity: The entity of the objects, or an ancestor of that entity.
  func rows(
    of entity: CompiledEntity, keys: [Int64], in store: NSPersistentStore
  ) throws(StoreError) -> [RowChunk] { [] }

  /// Returns the destinations of a to-many relationship for each source object, in order.
  func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64],
    in store: NSPersistentStore
  ) throws(StoreError) -> [[ObjectKey]] { sources.map { _ in [] } }

  /// Makes rows available to other contexts. Does nothing with rows of a parent or of a pinned
  /// generation.
  func publish(_ chunk: RowChunk, in store: NSPersistentStore) {}

  /// Returns whether the row of an object that was changed elsewhere must be read before the change
  /// is merged.
  ///
  /// - Parameter source: The origin of the change, which determines what is known about it.
  func isUnread(
    root: Int, key: Int64, in store: NSPersistentStore, after source: ForeignChanges.Source
  ) -> Bool { false }

  // MARK: Fetches

  /// Whether the source executes whole requests, including sorting across stores and conditions
  /// that no store can evaluate.
  var carriesOutRequests: Bool { false }

  /// Returns the request that the source executes instead of a plan, or nil if stores execute
  /// plans.
  ///
  /// - Parameter window: The part of the result that the source must return.
  func request<Result>(
    for request: NSFetchRequest<Result>, window: FetchWindow
  ) -> NSFetchRequest<NSManagedObject>? { nil }

  /// Fetches objects and appends them, with their rows.
  func append(rowsOf operation: FetchOperation, to objects: inout [NSManagedObject]) throws {}

  /// Returns the keys of the objects that a fetch finds.
  func keys(of operation: FetchOperation) throws -> [KeyRun] { [] }

  /// Returns the ids of the objects that a fetch finds.
  func ids(of operation: FetchOperation) throws -> [NSManagedObjectID] { [] }

  /// Returns the number of objects that a fetch finds.
  func count(of operation: FetchOperation) throws -> Int { 0 }

  /// Runs work whose fetches can be cancelled from any thread.
  ///
  /// Only fetches of the work itself can be cancelled. Firing faults and the reads of a save in
  /// another context are not affected.
  ///
  /// - Throws: The error of the work, or `CocoaError` with code `.userCancelled` if a fetch was
  ///   interrupted.
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

  /// Accepts the changes of a save: writes them to the stores, or passes them to the parent
  /// context.
  ///
  /// - Parameter stores: The coordinator's stores.
  /// - Throws: The error of the save.
  func accept(_ save: SaveOperation, in stores: [NSPersistentStore]) throws {}

  // MARK: The state that is read

  /// Returns the store to read from, or the store at the generation that the context is pinned to.
  @inline(__always)
  final func reader(of store: NSPersistentStore) throws(StoreError) -> any StoreBackend {
    generation == nil ? store.backend : try pinnedReader(of: store)
  }

  /// Returns the store at the generation that the source is pinned to.
  func pinnedReader(of store: NSPersistentStore) throws(StoreError) -> any StoreBackend {
    store.backend
  }

  /// Returns the store for fetches of values, which read the stored rows and ignore the unsaved
  /// values of parents.
  func valueReader(of store: NSPersistentStore) throws(StoreError) -> any StoreBackend {
    try reader(of: store)
  }

  /// Sets the query generation to read.
  ///
  /// - Throws: `CocoaError` if the rows come from a parent.
  func setGeneration(_ generation: NSQueryGenerationToken?) throws { self.generation = generation }

  /// Moves a pinned source to the newest state with the next read.
  final func advanceGeneration() {
    if generation != nil { generation = .current }
  }

  /// Returns the token of a pinned source for the notification of a save, or nil if the source is
  /// not pinned.
  func pinnedGeneration() -> NSQueryGenerationToken? { nil }

  // MARK: Parent and siblings

  /// The parent context that requests are sent to; nil if there is none.
  var parent: NSManagedObjectContext? { nil }

  /// The contexts that merge each save into the stores; nil if a parent notifies its children.
  var mergingContexts: WeakContexts? { nil }

  /// Registers a child's objects under the permanent keys that they received when the parent was
  /// saved.
  func adoptRenames(in child: NSManagedObjectContext) {}
}

/// Consecutive keys of a result that belong to the same store.
struct KeyRun {
  /// The position of the store.
  var store: Int
  var keys: [ObjectKey]
}

extension Array where Element == KeyRun {
  /// Appends a key to the last run, or starts a new run if the store differs.
  mutating func append(_ key: ObjectKey, at store: Int) {
    if last?.store == store {
      self[count - 1].keys.append(key)
    } else {
      append(KeyRun(store: store, keys: [key]))
    }
  }
}
