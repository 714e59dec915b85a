public import OpenObjectModel
import OpenPredicates
import OpenSQLCore
public import OpenStoreContract
import Synchronization

/// The store type of stores in PostgreSQL databases.
public let OpenPostgresStoreType = "PostgreSQL"

/// A store in a schema of a PostgreSQL database, which any number of processes and machines share.
///
/// An addition to Apple's API. The layout is that of SQLite stores in lowercase. Call `register()` once, and open the store by the
/// URL `postgresql://user@host/database?schema=name`.
///
/// > Concurrency: Any thread; each call uses a connection of the pool for as long as it runs.
public final class PostgresStore: StoreBackend {
  public let capabilities: StoreCapabilities = [
    .durable, .batchRequests, .uniquenessConstraints, .statements,
  ]
  public let identifier: String
  public let isReadOnly: Bool
  let model: CompiledModel
  let schema: SchemaMap
  let dialect: PostgresDialect
  let fetches: FetchLowering
  let pool: PostgresPool
  let tracksHistory: Bool
  let derivedAttributes: [DerivedAttribute]
  /// How long a statement waits for locks, in milliseconds.
  let lockTimeout: Int
  /// Refuses transactions after a migration by another process.
  let fence: ReadFence
  let keys = KeyBlocks()
  let watcher = Mutex<ChangeListener?>(nil)
  /// Statements that were rendered, by what they are for.
  let statements = Mutex<[StatementKey: RenderedSQL]>([:])

  init(_ opened: PostgresOpening.Opened) {
    identifier = opened.identifier
    isReadOnly = opened.isReadOnly
    model = opened.schema.model
    schema = opened.schema
    dialect = opened.dialect
    fetches = FetchLowering(schema: opened.schema, dialect: opened.dialect)
    pool = opened.pool
    tracksHistory = opened.tracksHistory
    derivedAttributes = opened.schema.derivedAttributes
    lockTimeout = opened.lockTimeout
    fence = ReadFence(opened.generation, opened.dialect, opened.pool.settings.description)
  }

  /// Opens a store, or creates it if the schema has none.
  ///
  /// - Throws: `StoreError` with code `.unreachable` or `.permission` for the server, `.incompatibleSchema` for a store of
  ///   another version of the model.
  public static func open(
    _ configuration: StoreConfiguration, model: CompiledModel
  ) throws(StoreError) -> PostgresStore {
    PostgresStore(try PostgresOpening(configuration, model: model).open())
  }

  public func close() {
    watcher.withLock { watcher in
      watcher?.stop()
      watcher = nil
    }
    pool.close()
  }

  public func metadata() throws(StoreError) -> StoreMetadata {
    try pool.lease { (connection) throws(StoreError) in
      try MetadataRow.read(on: connection, dialect).metadata
    }
  }

  public func requireWritable() throws(StoreError) {
    try refuseReadOnly()
    try pool.lease { (connection) throws(StoreError) in
      let result = try connection.run("SELECT pg_is_in_recovery()::int::bigint")
      if result.integer(0, 0) == 1 { throw PostgresStore.readOnlyError }
    }
  }

  func refuseReadOnly() throws(StoreError) {
    if isReadOnly { throw Self.readOnlyError }
  }

  private static let readOnlyError = StoreError(
    .readOnly, "The store was opened for reading only, or its server is a standby.")
}

/// What a statement is rendered for.
enum StatementKey: Hashable {
  /// A plan's shape, what is wanted of it, and the forms of its lists.
  case plan(UInt64, FetchLowering.Result, [Int: ListForm])
  /// Rows of entities, as positions in the model, by key.
  case rows(Range<Int>)
  /// Destinations of a relationship, and the position of their entity.
  case destinations(ToManyStorage, Int)
}
