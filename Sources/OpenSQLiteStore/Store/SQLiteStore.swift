public import Foundation
public import OpenObjectModel
import OpenPredicates
import OpenSQLCore
public import OpenStoreContract
import Synchronization

/// A store in a SQLite file with Apple's layout, or in a SQLite database in memory.
///
/// The store reads rows according to fetch plans, and writes the rows in change sets, without
/// managed objects or contexts.
///
/// > Concurrency: Shared; usable on any thread. Reads of a file use separate connections and never
/// > wait for the writer. An in-memory store has one connection for all calls.
public final class SQLiteStore: StoreBackend {
  public let capabilities: StoreCapabilities
  public let identifier: String

  let model: CompiledModel
  let schema: SchemaMap
  let pool: ConnectionPool
  let fetches: FetchLowering
  let writes: WriteLowering
  public let isReadOnly: Bool
  /// The number of values that the history keeps of a deleted row; nil for a store without history.
  let tombstoneColumnCount: Int?
  /// The masks that identify changed properties in the history, by entity; empty without history.
  let historyMasks: [HistoryMask]
  private let claim: OpenFiles.Claim?
  /// The lock of the store; nil for a read-only or in-memory store.
  let lock: StoreLock?
  /// The state shared with other stores of the same file; nil without a file or history.
  let changes: FileChanges?
  let pinnedStates = PinnedStates()
  /// A weak reference to the store; without a target if the store is not in a file or reads through
  /// another store.
  private let weakReference = WeakReference<SQLiteStore>()
  /// The average size of a row by entity, in bytes, as last observed. Fetches by key use it to
  /// allocate memory once.
  let averages = Mutex<[Int: Int]>([:])

  init(_ opened: OpenedFile, model: CompiledModel) {
    let dialect = SQLiteDialect()
    self.model = model
    schema = opened.schema
    pool = opened.pool
    identifier = opened.identifier
    isReadOnly = opened.isReadOnly
    claim = opened.claim
    lock = opened.lock
    changes =
      opened.tombstoneColumnCount == nil
      ? nil : FileChanges.shared(forStoreAt: opened.path)
    tombstoneColumnCount = opened.tombstoneColumnCount
    historyMasks = opened.tombstoneColumnCount == nil ? [] : model.entities.map(HistoryMask.init)
    fetches = FetchLowering(
      schema: opened.schema, dialect: dialect, textIndexes: opened.textIndexes)
    writes = WriteLowering(dialect: dialect)
    capabilities =
      opened.pool.isShared
      ? [.batchRequests, .uniquenessConstraints, .statements, .textRanking]
      : [.durable, .batchRequests, .uniquenessConstraints, .statements, .textRanking]
    if let path = opened.path {
      weakReference.begin(self)
      OpenStores.add(weakReference, at: path)
    }
  }

  /// Creates a store that reads the same contents through other connections and never writes.
  init(reading store: SQLiteStore, through pool: ConnectionPool) {
    model = store.model
    schema = store.schema
    self.pool = pool
    identifier = store.identifier
    isReadOnly = true
    claim = nil
    lock = nil
    changes = nil
    tombstoneColumnCount = store.tombstoneColumnCount
    historyMasks = store.historyMasks
    fetches = store.fetches
    writes = store.writes
    capabilities = store.capabilities
  }

  deinit {
    weakReference.end()
    OpenStores.remove(weakReference)
    close()
  }

  /// Opens a store, and creates the file of the store if it does not exist.
  ///
  /// If the configuration is read-only, the method throws instead of creating a file.
  ///
  /// If the configuration has no URL or the path `/dev/null`, the store is in memory. Closing the
  /// store discards its contents. In one process, all open stores with the path `/dev/null/NAME`
  /// share their contents. Closing the last of these stores discards the contents.
  ///
  /// If the file contains a history, but the configuration does not track history, the store is
  /// read-only.
  ///
  /// - Parameters:
  ///   - configuration: The store's file and its options.
  ///   - model: The model of the store.
  /// - Returns: The open store.
  /// - Throws: `StoreError` if the store cannot be opened, for example with one of the following
  ///   codes:
  ///   - `.missingFile`: The configuration is read-only, and the file does not exist.
  ///   - `.missingFolder`: The folder in which to create the file does not exist.
  ///   - `.foreignFile`: The file is not a store.
  ///   - `.corrupt`: The file is damaged.
  ///   - `.locked`: Another process holds a lock for longer than the timeout.
  ///   - `.permission`: The file or its folder cannot be read or written.
  ///   - `.obstructed`: The path is not a regular file, or the file's log belongs to another store.
  ///   - `.unsupported`: The layout does not support a property of the model, or a setting is
  ///     invalid.
  ///   - `.incompatibleSchema`: The store was written with another version of the model.
  public static func open(
    _ configuration: StoreConfiguration, model: CompiledModel
  ) throws(StoreError) -> SQLiteStore {
    let opened = try StoreOpening(configuration, model: model).open()
    let store = SQLiteStore(opened, model: model)
    // A migration that begins afterward finds the store among the open stores.
    if let path = opened.path { try opened.lock?.settle(at: path) }
    return store
  }

  /// Returns the metadata of the store in a file, without opening the store.
  ///
  /// - Parameter url: The URL of the store's file.
  /// - Returns: The metadata.
  /// - Throws: `StoreError` if the metadata cannot be read, for example with one of the following
  ///   codes:
  ///   - `.missingFile`: The file does not exist.
  ///   - `.foreignFile`: The file is not a store.
  ///   - `.corrupt`: The file is damaged.
  ///   - `.locked`: Another process holds a lock for longer than 240 seconds.
  ///   - `.permission`: The file cannot be read.
  ///   - `.obstructed`: The path is not a regular file, or the file's log belongs to another store.
  public static func metadata(at url: URL) throws(StoreError) -> StoreMetadata {
    try StoreOpening.metadata(at: url)
  }

  public func metadata() throws(StoreError) -> StoreMetadata {
    try pool.withReader { (connection) throws(StoreError) in
      try MetadataTable.read(on: connection).metadata
    }
  }

  public func close() {
    #if canImport(Glibc) || canImport(Musl)
      changes?.remove(self)
    #endif
    pinnedStates.close()
    pool.close()
    claim?.close()
    lock?.release()
  }
}
