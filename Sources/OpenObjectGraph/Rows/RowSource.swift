internal import OpenObjectModel
internal import OpenStoreContract

/// The source of a context's rows: the stores of a coordinator or the objects of a parent context.
///
/// An instance of this base class is the source of a context without stores. It finds no rows, and
/// keeps the context's settings until another source replaces it.
///
/// > Concurrency: Confined to the context's queue.
class RowSource {
  /// The maximum age, in seconds, of cached rows that may be used; a negative value for any age.
  @exclusivity(unchecked) final var stalenessInterval: Double { didSet { settingsDidChange() } }
  /// The query generation to read, or nil to read the current state of the stores.
  @exclusivity(unchecked) final var generation: NSQueryGenerationToken? {
    didSet { settingsDidChange() }
  }
  /// The object that can cancel the running fetch; nil if the fetch cannot be canceled.
  @exclusivity(unchecked) final var interruption: ReadInterruption?
  /// Whether every cached row may be used. In this case, firing a fault needs no dynamic call.
  @exclusivity(unchecked) final var trustsRowCache = false

  /// Creates a source with the settings of the source that it replaces.
  init(after former: RowSource? = nil) {
    stalenessInterval = former?.stalenessInterval ?? -1
    interruption = former?.interruption
  }

  /// Called after the generation or the staleness interval was set.
  func settingsDidChange() {}

  // MARK: Rows

  /// Returns the newest row for a key that is available without reading a store, or nil if there is
  /// none.
  @inline(__always)
  final func knownRow(root: Int, key: Int64, in store: NSPersistentStore) -> Row? {
    trustsRowCache
      ? store.rowCache.row(root: root, key: key) : rowAtHand(root: root, key: key, in: store)
  }

  /// Returns the newest row for a key that is available without reading a store. The method is
  /// called if the row cache cannot be used without checks.
  func rowAtHand(root: Int, key: Int64, in store: NSPersistentStore) -> Row? { nil }

  /// Returns whether this source can have a row for an object's key. Keys of unsaved objects are
  /// negative.
  @inline(__always)
  final func mayHaveRow(_ key: Int64) -> Bool { key > 0 || hasUnsavedRows }

  /// Whether the source has rows for unsaved objects.
  var hasUnsavedRows: Bool { false }

  /// Whether the rows include unsaved changes.
  var hasUnsavedChanges: Bool { false }

  /// Reads rows by key. A parent context returns the rows of its objects; all other rows are read
  /// with one statement. Keys without a row are omitted.
  ///
  /// - Parameter entity: The entity of the objects, or an ancestor of that entity.
  func rows(
    of entity: CompiledEntity, keys: [Int64], in store: NSPersistentStore
  ) throws(StoreError) -> [RowChunk] { [] }

  /// Returns the destinations of a to-many relationship, with one array for each source key, in the
  /// order of `sources`.
  func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64],
    in store: NSPersistentStore
  ) throws(StoreError) -> [[ObjectKey]] { sources.map { _ in [] } }

  /// Makes rows available to other contexts. The method ignores rows of a parent or of a pinned
  /// query generation.
  func publish(_ chunk: RowChunk, in store: NSPersistentStore) {}

  /// Returns whether the row of an object that another context or process changed must be read
  /// before the change is merged.
  ///
  /// - Parameter source: The origin of the change, which determines whether the new row is
  ///   available.
  func isUnread(
    root: Int, key: Int64, in store: NSPersistentStore, after source: ForeignChanges.Source
  ) -> Bool { false }

  // MARK: Fetches

  /// Whether the source executes fetch requests completely, including sorting across stores and
  /// conditions that no store can evaluate.
  var carriesOutRequests: Bool { false }

  /// Returns the request that the source executes instead of a plan, or nil if stores execute
  /// plans.
  ///
  /// - Parameter window: The part of the result that the source must return.
  func request<Result>(
    for request: NSFetchRequest<Result>, window: FetchWindow
  ) -> NSFetchRequest<NSManagedObject>? { nil }

  /// Fetches objects with their rows and appends the objects to an array.
  func append(rowsOf operation: FetchOperation, to objects: inout [NSManagedObject]) throws {}

  /// Returns the keys of the objects that a fetch finds.
  func keys(of operation: FetchOperation) throws -> [KeyRun] { [] }

  /// Returns the ids of the objects that a fetch finds.
  func ids(of operation: FetchOperation) throws -> [NSManagedObjectID] { [] }

  /// Returns the number of objects that a fetch finds.
  func count(of operation: FetchOperation) throws -> Int { 0 }

  /// Runs work whose fetches can be canceled from any thread.
  ///
  /// Only fetches of the work itself can be canceled. Firing faults and the reads of a save in
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

  /// Attaches another context to the stores or the parent of this source.
  func attach(_ reader: NSManagedObjectContext) {}

  // MARK: Saves

  /// Writes the changes of a save to the stores, or passes the changes to the parent context.
  ///
  /// - Parameter stores: The coordinator's stores.
  /// - Throws: The error of the save.
  func accept(_ save: SaveOperation, in stores: [NSPersistentStore]) throws {}

  // MARK: The state that is read

  /// Returns the backend to read a store's rows from. If the context is pinned to a query
  /// generation, the backend reads that generation.
  @inline(__always)
  final func reader(of store: NSPersistentStore) throws(StoreError) -> any StoreBackend {
    generation == nil ? store.backend : try pinnedReader(of: store)
  }

  /// Returns the backend that reads a store at the query generation to which the source is pinned.
  func pinnedReader(of store: NSPersistentStore) throws(StoreError) -> any StoreBackend {
    store.backend
  }

  /// Returns the backend for fetches of values. Such fetches read the stored rows and ignore the
  /// unsaved values of parents.
  func valueReader(of store: NSPersistentStore) throws(StoreError) -> any StoreBackend {
    try reader(of: store)
  }

  /// Sets the query generation to read.
  ///
  /// - Throws: `CocoaError` 134060 if the source is a parent context.
  func setGeneration(_ generation: NSQueryGenerationToken?) throws { self.generation = generation }

  /// Runs work that reads the newest state of the stores, even if the source is pinned.
  final func readingNewest<Result>(_ work: () throws -> Result) rethrows -> Result {
    guard let pinned = generation else { return try work() }
    generation = nil
    defer { generation = pinned }
    return try work()
  }

  /// Makes the next read of a pinned source use the newest state of the stores.
  final func advanceGeneration() {
    if generation != nil { generation = .current }
  }

  /// Returns the query generation of a pinned source, for the notification of a save; nil if the
  /// source is not pinned.
  func pinnedGeneration() -> NSQueryGenerationToken? { nil }

  // MARK: Parent and siblings

  /// The parent context; nil if the rows do not come from a parent.
  var parent: NSManagedObjectContext? { nil }

  /// The number of contexts between the context of this source and the stores.
  final var depth: Int { parent.map { $0.source.depth + 1 } ?? 0 }

  /// The contexts that merge each save into the stores; nil if a parent notifies its children.
  var mergingContexts: WeakContexts? { nil }

  /// Registers the objects of a child context under the permanent keys that were assigned when the
  /// parent was saved.
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
