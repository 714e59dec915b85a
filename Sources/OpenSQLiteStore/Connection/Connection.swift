import COpenSQLite
import COpenSupport
import Foundation
import OpenSQLCore
import OpenStoreContract

/// A SQLite connection and its prepared statements.
///
/// Confined to one call at a time, to which the pool lends the connection. SQLite does not
/// synchronize access to the connection (NOMUTEX).
final class Connection {
  let database: OpaquePointer
  let path: String?
  let observer: (@Sendable (String) -> Void)?
  /// Whether the file has a write-ahead log, as determined by the writing connection.
  var hasLog = false
  /// Whether statements are reported.
  private var isReporting = true
  // Exclusivity is not checked for these, because every lookup uses them and pays for it.
  // Invariant: only the call that holds the connection touches them, and no access to one encloses
  // another one.
  @exclusivity(unchecked) var arena = BindingArena()
  /// The prepared fetches by shape, for the frequent operations.
  @exclusivity(unchecked) var fetches = FetchCache()
  var writes = WriteCache()
  /// The rows to write together.
  private(set) lazy var source = PackedRowTable()
  /// Whether an observer requests the values of each statement.
  let showsValues: Bool
  /// The transaction that a reader keeps from one read to the next.
  @exclusivity(unchecked) var kept = KeptTransaction()
  /// Rows in which triggers of this transaction computed values, by entity number and key.
  var derivedChanges: [(entity: Int64, key: Int64)] = []
  /// The number of this transaction in the history, if it has one.
  var historyNumber: Int64?
  /// The notification of watching processes by commits of this connection.
  var waking = Waking()
  /// The writer of external values; nil if the model has none.
  var external: ExternalWriter?
  /// The snapshot that is read, if it must be kept for the lifetime of the connection.
  var snapshot: StoreSnapshot?
  /// The record that the file is open; nil if the store or the caller holds the record.
  var claim: OpenFiles.Claim?
  /// The maximum time to wait for a lock, in milliseconds.
  private let waitLimit: Int32
  private var tracer: StatementTracer?
  private var statements: [String: Statement] = [:]
  private static let statementLimit = 500

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: The path of the file; nil for an in-memory database.
  ///   - name: The name that SQLite opens if it differs from the path: the path of a copy, or a
  ///     URI.
  init(
    path: String?, name: String? = nil, flags: Int32, configuration: StoreConfiguration
  ) throws(StoreError) {
    let files = SQLiteLibrary.files
    var pointer: OpaquePointer?
    let name = name ?? path ?? ":memory:"
    let code = sqlite3_open_v2(name, &pointer, flags | SQLITE_OPEN_NOMUTEX, files)
    guard code == SQLITE_OK, let pointer else {
      let detail = pointer.map { String(cString: sqlite3_errmsg($0)) } ?? "no connection"
      let extended = pointer.map { sqlite3_extended_errcode($0) } ?? code
      sqlite3_close_v2(pointer)
      throw SQLiteFailure.error(extended, detail, path: path)
    }
    database = pointer
    self.path = path
    observer = configuration.statementObserver
    showsValues = configuration.statementTrace.map { $0.detail >= .values } ?? false
    sqlite3_extended_result_codes(pointer, 1)
    waitLimit = Self.milliseconds(configuration.timeout)
    sqlite3_busy_timeout(pointer, waitLimit)
    ocd_harden(pointer)
    TextFunctions.register(on: pointer)
    Collations.register(on: pointer)
    DerivationFunctions.register(on: self)
    ocd_offer_lists(pointer)
    tracer = configuration.statementTrace.map { StatementTracer($0, of: pointer) }
  }

  deinit { close() }

  /// Converts a timeout to milliseconds for SQLite, at most about 24 days. The result is 0 for NaN.
  private static func milliseconds(_ timeout: TimeInterval) -> Int32 {
    guard timeout > 0 else { return 0 }
    return Int32(min(timeout * 1000, Double(Int32.max)))
  }

  private var isClosed = false

  func close() {
    guard !isClosed else { return }
    isClosed = true
    external?.removal.close(on: self)
    statements = [:]
    fetches = FetchCache()
    writes = WriteCache()
    sqlite3_close_v2(database)
    claim?.close()
  }

  /// Returns the last error that SQLite reported.
  func error(_ code: Int32, statement: String? = nil) -> StoreError {
    let extended = code == SQLITE_OK ? sqlite3_extended_errcode(database) : code
    if extended & 0xFF == SQLITE_BUSY, let path { return SQLiteFailure.busy(path, extended) }
    return SQLiteFailure.error(
      extended, String(cString: sqlite3_errmsg(database)), path: path, statement: statement)
  }

  /// Passes a statement to the observer.
  @inline(__always)
  func observe(_ sql: @autoclosure () -> String) {
    if let observer, isReporting { observer(sql()) }
  }

  /// Runs internal statements, which are not reported.
  func silently<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let wasReporting = isReporting
    isReporting = false
    defer { isReporting = wasReporting }
    return try body()
  }

  /// Runs work that fails immediately if another connection holds a lock.
  @discardableResult
  func withoutWaiting<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    sqlite3_busy_timeout(database, 0)
    defer { sqlite3_busy_timeout(database, waitLimit) }
    return try body()
  }

  /// Prepares a new statement, without using the statements that were prepared before.
  func prepare(_ sql: String) throws(StoreError) -> Statement {
    var pointer: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
    guard code == SQLITE_OK, let pointer else { throw error(code, statement: sql) }
    return Statement(pointer, sql: sql)
  }

  /// Returns the statement with the given text, which is prepared once.
  func statement(_ sql: String) throws(StoreError) -> Statement {
    if let known = statements[sql] { return known }
    if statements.count >= Self.statementLimit { statements.removeAll() }
    let new = try prepare(sql)
    statements[sql] = new
    return new
  }

  /// Runs a statement and calls `body` for each row of its result. The statement is reset
  /// afterward.
  func forEachRow(
    _ sql: String, _ values: [SlotContent] = [],
    _ body: (Statement) throws(StoreError) -> Void
  ) throws(StoreError) {
    let statement = try statement(sql)
    try bind(values, to: statement)
    observe(sql)
    defer { statement.reset() }
    while true {
      let code = sqlite3_step(statement.pointer)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw error(code, statement: sql) }
      try body(statement)
    }
  }

  /// Runs a statement and returns the number of changed rows.
  @discardableResult
  func run(_ sql: String, _ values: [SlotContent] = []) throws(StoreError) -> Int {
    try forEachRow(sql, values) { _ in }
    return Int(sqlite3_changes(database))
  }

  /// Runs a statement that returns no rows and whose values are already bound.
  func run(_ statement: Statement) throws(StoreError) {
    observe(statement.sql)
    let stepped = sqlite3_step(statement.pointer)
    let code = sqlite3_reset(statement.pointer)
    guard stepped == SQLITE_DONE else { throw error(code, statement: statement.sql) }
  }

  /// Runs a write statement that needs no packed row, only keys and versions.
  ///
  /// - Returns: The number of changed rows.
  @discardableResult
  func run(
    _ request: WriteRequest, _ lowering: WriteLowering, _ values: Int64...
  ) throws(StoreError) -> Int {
    let statement = try writes.statement(for: request, lowering, on: self)
    for (index, value) in values.enumerated() {
      sqlite3_bind_int64(statement.pointer, Int32(index) + 1, value)
    }
    try run(statement)
    return Int(sqlite3_changes(database))
  }

  /// Returns the first column of the first row as an integer, or nil if there is no row.
  func integer(_ sql: String, _ values: [SlotContent] = []) throws(StoreError) -> Int64? {
    var result: Int64?
    try forEachRow(sql, values) { statement in
      if result == nil { result = statement.integer(0) }
    }
    return result
  }

  private func bind(_ values: [SlotContent], to statement: Statement) throws(StoreError) {
    arena.removeAll()
    for (index, value) in values.enumerated() {
      let code = statement.bind(value, at: Int32(index) + 1, arena: &arena)
      guard code == SQLITE_OK else { throw error(code, statement: statement.sql) }
    }
  }

  /// Runs `body` in a write transaction, which is rolled back if `body` throws or requests it.
  func transaction<Result>(
    _ body: () throws(StoreError) -> (result: Result, isKept: Bool)
  ) throws(StoreError) -> Result {
    guard !isInTransaction else {
      return try body().result
    }
    try run("BEGIN IMMEDIATE")
    var isCommitting = false
    do throws(StoreError) {
      try requirePlace()
      let (result, isKept): (Result, Bool)
      if let external {
        (result, isKept) = try external.writing(body)
      } else {
        (result, isKept) = try body()
      }
      isCommitting = isKept
      if isKept { try run("COMMIT") } else { try run("ROLLBACK") }
      if isKept { external?.committed() } else { external?.rolledBack() }
      return result
    } catch {
      rollBack()
      if isCommitting { external?.failedToCommit() } else { external?.rolledBack() }
      throw error
    }
  }

  /// Requires that the file and its log still have their names and contents, because changes
  /// written to other files would be lost.
  func requirePlace() throws(StoreError) {
    switch ocd_lost_file(database) {
    case OCD_NOTHING_LOST: return
    case OCD_DATABASE_MOVED: throw SQLiteFailure.displaced(path, 0)
    case OCD_LOG_MOVED: throw SQLiteFailure.lostLog(path)
    default: throw SQLiteFailure.truncated(path)
    }
  }

  /// Whether the file was deleted or replaced by another file.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  /// Ends the transaction, unless SQLite has already ended it. A failure does not affect the
  /// caller.
  func rollBack() {
    guard isInTransaction else { return }
    observe("ROLLBACK")
    sqlite3_exec(database, "ROLLBACK", nil, nil, nil)
  }
}

/// The settings of the SQLite library, which are made once, before the first connection is opened.
enum SQLiteLibrary {
  /// The name of the SQLite VFS to open databases with; nil for the system's default.
  static let files: String? = {
    ocd_disable_memory_statistics()
    guard sqlite3_initialize() == SQLITE_OK else { return nil }
    return ocd_offer_files().map { String(cString: $0) }
  }()
}
