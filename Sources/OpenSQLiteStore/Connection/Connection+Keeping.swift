import COpenSQLite
import OpenStoreContract

/// The state of a read transaction that stays open from one read to the next.
struct KeptTransaction {
  /// The header of SQLite's WAL index, which every commit changes before it returns.
  struct LogHeader: Equatable {
    private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    static func == (one: Self, other: Self) -> Bool { one.words == other.words }
  }

  /// A pointer to the header that all connections of all processes share. The pointer is valid
  /// while the connection is open.
  fileprivate(set) var header: UnsafePointer<LogHeader>?
  /// The header before the transaction began.
  fileprivate var seen: LogHeader?
  /// The number of consecutive reads.
  fileprivate var readCount = 0
  /// Whether there was a read since the last check.
  fileprivate var isUsed = false
}

/// A read in a separate transaction acquires system locks, which can take as long as the read. A
/// frequently used reader therefore keeps its transaction open and continues to use it until there
/// is a commit, because a new transaction would see the same state.
extension Connection {
  /// The number of consecutive reads after which a read keeps its transaction open.
  private static let patience = 4

  /// Whether a transaction is open.
  @inline(__always)
  var isInTransaction: Bool { sqlite3_get_autocommit(database) == 0 }

  /// Ensures that the next read of the lent connection sees the newest state.
  @inline(__always)
  func beginRead() throws(StoreError) {
    if kept.readCount >= Self.patience { try continueOrKeep() }
  }

  private func continueOrKeep() throws(StoreError) {
    guard let header = kept.header else { return }
    // Read before SQLite reads it: a commit in between only ends the transaction one read early.
    let newest = header.pointee
    kept.isUsed = true
    if isInTransaction {
      if kept.seen != newest { try endKeptTransaction() }
    } else {
      kept.seen = newest
      try step("BEGIN")
    }
  }

  /// Counts a read.
  @inline(__always)
  func endRead() {
    kept.readCount &+= 1
    if kept.readCount == Self.patience, kept.header == nil { findHeader() }
  }

  private func findHeader() {
    kept.header = logHeader()
    // Without a header, commits cannot be detected, so no transaction is ever kept.
    if kept.header == nil { kept.readCount = .min }
  }

  /// Ends the kept transaction, if there is one.
  func endKeptTransaction() throws(StoreError) {
    kept.readCount = 0
    if isInTransaction { try step("COMMIT") }
  }

  /// Runs reads that must see the same state of the file.
  func inOneState<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard !isInTransaction else { return try body() }
    try step("BEGIN")
    do throws(StoreError) {
      let result = try body()
      try step("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Returns whether there was no read since the last check.
  func wasUnused() -> Bool {
    defer { kept.isUsed = false }
    return !kept.isUsed
  }

  private func step(_ sql: String) throws(StoreError) {
    try silently { () throws(StoreError) in try run(try statement(sql)) }
  }

  /// Returns a pointer to the header of the WAL index, or nil if SQLite does not reveal its
  /// address.
  ///
  /// The connection must have read before, so that its index is open.
  private func logHeader() -> UnsafePointer<KeptTransaction.LogHeader>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods,
      methods.pointee.iVersion >= 2, let map = methods.pointee.xShmMap
    else { return nil }
    var region: UnsafeMutableRawPointer?
    // The index consists of regions of 32 KB; the first region begins with the header.
    guard map(file, 0, 32768, 0, &region) == SQLITE_OK, let region else { return nil }
    return UnsafePointer(region.assumingMemoryBound(to: KeptTransaction.LogHeader.self))
  }
}
