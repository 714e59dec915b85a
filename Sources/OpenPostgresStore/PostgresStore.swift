public import OpenObjectModel
import OpenPredicates
import OpenSQLCore
public import OpenStoreContract
import Synchronization

/// The type of stores in PostgreSQL databases. The metadata of such a store contains this value
/// under `NSStoreType`.
///
/// This is an addition to Apple's API.
public let OpenPostgresStoreType = "PostgreSQL"

/// A store in a schema of a PostgreSQL database.
///
/// Any number of processes and machines can share the store. The tables have the same layout as in
/// SQLite stores, with lowercase names. Call ``register()`` once, and then add the store to a
/// coordinator or container with a URL such as `postgresql://user@host/database?schema=name`.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: Shared; usable on any thread. Each call leases a connection from the pool while
/// > the call runs.
public final class PostgresStore: StoreBackend {
  public let capabilities: StoreCapabilities = [
    .durable, .batchRequests, .uniquenessConstraints, .statements,
  ]
  public let identifier: String
  public let isReadOnly: Bool
  private let opened: PostgresOpening.Opened
  var model: CompiledModel { opened.schema.model }
  var schema: SchemaMap { opened.schema }
  var dialect: PostgresDialect { opened.dialect }
  var pool: PostgresPool { opened.pool }
  var tracksHistory: Bool { opened.tracksHistory }
  /// The maximum time that a statement waits for locks, in milliseconds.
  var lockTimeout: Int { opened.lockTimeout }
  let fetches: FetchLowering
  let rowStatements: RowStatements
  /// The statements that record a transaction in the history.
  let historyTexts: (lock: String, transaction: String, changes: String)
  /// The statements that begin a transaction that writes.
  let beginning: [PostgresCommand]
  let derivedAttributes: [DerivedAttribute]
  /// The check that rejects transactions after a migration by another process.
  let fence: ReadFence
  /// The number of the last transaction in the history that the process knows.
  let lastNumber: Atomic<Int64>
  let keys = KeyBlocks()
  let watcher = Mutex<ChangeListener?>(nil)
  /// How complete rows are packed, by the indexes of the entities.
  private let packingPlans = Mutex<[Range<Int>: PackingPlan]>([:])
  /// The rendered statements, by purpose.
  let statements = Mutex<[StatementKey: RenderedSQL]>([:])

  init(_ opened: PostgresOpening.Opened) {
    self.opened = opened
    identifier = opened.identifier
    isReadOnly = opened.isReadOnly
    fetches = FetchLowering(
      schema: opened.schema, dialect: opened.dialect,
      precondition: ReadFence.condition(opened.generation))
    rowStatements = RowStatements(opened.schema, opened.dialect)
    historyTexts = (
      opened.dialect.text(of: OwnStatement.lockHistory),
      opened.dialect.text(of: OwnStatement.insertTransaction),
      opened.dialect.text(of: OwnStatement.insertChanges)
    )
    beginning = opened.dialect.beginning(lockTimeout: opened.lockTimeout)
    derivedAttributes = opened.schema.derivedAttributes
    lastNumber = Atomic(opened.lastNumber)
    fence = ReadFence(
      opened.generation, recordsHistory: opened.tracksHistory, opened.dialect,
      opened.pool.settings.description)
  }

  /// Returns a read-only store that is pinned to the current state of this store.
  ///
  /// Later writes do not affect the pinned store. The pinned store uses at least two connections to
  /// the server: one connection keeps the state, and the other connections read from the state.
  /// Migrations of the store wait until the pinned store is released. After the time that the `pin`
  /// option of the URL specifies, reads of the pinned store throw `.snapshotLost`.
  ///
  /// - Returns: The pinned store; never nil.
  /// - Throws: `StoreError` if the state cannot be pinned, for example with one of the following
  ///   codes:
  ///   - `.unreachable`: The server cannot be reached.
  ///   - `.closed`: This store is closed.
  ///   - `.incompatibleSchema`: Another process has migrated the store.
  public func pinned() throws(StoreError) -> (any StoreBackend)? {
    let pool = try pool.pinned { (connection) throws(StoreError) in
      // The lock precedes the snapshot, because an older snapshot may be older than the tables.
      let results = try connection.run([dialect.lock(.accessShare), fence.command])
      try fence.check(results[1])
    }
    var facts = opened
    (facts.isReadOnly, facts.pool) = (true, pool)
    return PostgresStore(facts)
  }

  /// Opens the store in the database schema that the URL specifies, or creates the store if the
  /// schema does not contain one.
  ///
  /// - Parameters:
  ///   - configuration: The URL of the store and its options.
  ///   - model: The model of the store.
  /// - Returns: The open store.
  /// - Throws: `StoreError` with one of these codes: `.unreachable` if the server cannot be
  ///   reached; `.permission` if the server denies access; `.unusableLocation` if the URL is not
  ///   valid or the database cannot contain a store; `.incompatibleSchema` if the store was written
  ///   with another model version; another code if the store cannot be opened for another reason.
  public static func open(
    _ configuration: StoreConfiguration, model: CompiledModel
  ) throws(StoreError) -> PostgresStore {
    PostgresStore(try PostgresOpening(configuration, model: model).open())
  }

  /// Returns the session for statements on the store's own tables.
  func session(on connection: PostgresConnection) -> PostgresSession {
    PostgresSession(connection, dialect)
  }

  /// Returns how rows of the given entities are packed.
  func packingPlan(of indexes: Range<Int>) -> PackingPlan {
    packingPlans.withLock { known in
      if let plan = known[indexes] { return plan }
      let plan = PackingPlan(of: indexes, in: schema)
      known[indexes] = plan
      return plan
    }
  }

  public func close() {
    watcher.withLock { watcher in
      watcher?.stop()
      watcher = nil
    }
    pool.close()
  }

  public func metadata() throws(StoreError) -> StoreMetadata {
    try pool.repeatingLease { (connection) throws(StoreError) in
      try MetadataRow.read(in: session(on: connection)).metadata
    }
  }

  public func requireWritable() throws(StoreError) {
    try refuseReadOnly()
    try pool.repeatingLease { (connection) throws(StoreError) in
      if try session(on: connection).isStandby() { throw PostgresStore.readOnlyError }
    }
  }

  func refuseReadOnly() throws(StoreError) {
    if isReadOnly { throw Self.readOnlyError }
  }

  private static let readOnlyError = StoreError(
    .readOnly, "The store was opened for reading only, or its server is a standby server.")
}

/// The purpose of a rendered statement.
enum StatementKey: Hashable {
  /// A fetch: the identity of the shape, the kind of result, and the forms of the lists.
  case plan(UInt64, FetchLowering.Result, [Int: ListForm])
  /// Rows by key, for the entities with the given indexes in the model.
  case rows(Range<Int>)
  /// Destinations of a relationship: the storage, and the index of the destination entity.
  case destinations(ToManyStorage, Int)
}
