import COpenSQLite
import Foundation
import OpenStoreContract

/// Converts SQLite's result codes, whose numbers are fixed, to errors of the store.
enum SQLiteFailure {
  static let uniqueConstraint: Int32 = 2067
  static let primaryKeyConstraint: Int32 = 1555
  static let rowidConstraint: Int32 = 2579
  static let busySnapshot: Int32 = 517
  /// The file no longer has the name that it was opened by.
  static let moved: Int32 = 1032

  /// Returns the error for an extended result code.
  static func error(
    _ code: Int32, _ detail: String, path: String?, statement: String? = nil
  ) -> StoreError {
    if limits.contains(where: { detail.hasPrefix($0) }) {
      return StoreError(
        .unsupportedPredicate,
        "The request is larger than SQLite allows (\(detail)). Request less at a time: split the predicate, or "
          + "follow fewer relationships.", path: path, statement: statement, nativeCode: code)
    }
    if code == moved { return displaced(path, code) }
    let (kind, advice) = kind(of: code)
    let message = kind == .statement ? "\(advice) SQLite says: \(detail)." : advice
    return StoreError(
      kind, message, path: path, statement: statement, nativeCode: code)
  }

  /// Returns the error for a file that was deleted or replaced while it was open.
  static func displaced(_ path: String?, _ code: Int32) -> StoreError {
    StoreError(
      .missingFile,
      "The store's file was deleted or replaced while it was open, so that nothing can be saved in it. "
        + "Remove the store and add it again.", path: path, nativeCode: code)
  }

  /// Returns the error for a log that was deleted or replaced while it was open.
  static func lostLog(_ path: String?) -> StoreError {
    StoreError(
      .missingFile,
      "The log of the store's file (-wal) was deleted or replaced while it was open, so that nothing can be saved. "
        + "Remove the store and add it again.", path: path)
  }

  /// Returns the error for a file or log that was truncated while it was open.
  static func truncated(_ path: String?) -> StoreError {
    StoreError(
      .corrupt,
      "The store's file or its log (-wal) was truncated by another program while it was open; nothing was saved. "
        + "Remove the store, and restore the file from a copy.", path: path)
  }

  /// Returns the error for a lock that another connection held longer than the timeout.
  static func busy(_ path: String, _ code: Int32) -> StoreError {
    let own = ProcessInfo.processInfo.processIdentifier
    let writers = KernelLocks.holders(of: path + "-shm", byte: writeLock)
    // This process also holds locks on the file, but does not wait for itself.
    let others = { KernelLocks.holders(of: path).filter { $0.processID != own } }
    let holders = writers.isEmpty ? others() : writers
    let users = holders.isEmpty ? nil : StoreInUse(holders: holders)
    let name = users.map(\.description) ?? "Another connection"
    return StoreError(
      .locked, "\(name) held a lock for longer than the time-out; nothing was changed. Try again.",
      path: path, nativeCode: code, underlying: users)
  }

  /// The byte of the WAL index that a writer locks.
  private static let writeLock = 120

  /// The beginnings of SQLite's messages for statements that are too large. Their result code is
  /// that of all errors in statements.
  private static let limits = [
    "parser stack overflow", "Expression tree is too large", "at most ", "too many SQL variables",
    "too many columns in result set", "too many terms in ", "too many references to ",
    "statement too long",
  ]

  private static func kind(of code: Int32) -> (StoreError.Code, String) {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED:
      (.locked, "Another connection held a lock for longer than the time-out; try again.")
    case SQLITE_READONLY:
      (.readOnly, "The store's file or folder cannot be written; check its permissions.")
    case SQLITE_PERM, SQLITE_AUTH:
      (.permission, "The system refuses access to the store's file; check its permissions.")
    case SQLITE_CANTOPEN:
      (
        .permission,
        "The store's file or one beside it cannot be opened; check the permissions of its folder."
      )
    case SQLITE_NOTADB: (.foreignFile, "The file is not a SQLite database.")
    case SQLITE_CORRUPT:
      (.corrupt, "The store's file is damaged; restore it from a copy or make a new one.")
    case SQLITE_FULL: (.inputOutput, "The disk is full; free some space and try again.")
    case SQLITE_IOERR:
      (.inputOutput, "Reading or writing the store's file failed; check the disk.")
    case SQLITE_NOMEM: (.inputOutput, "SQLite is out of memory.")
    case SQLITE_INTERRUPT: (.interrupted, "The fetch was cancelled.")
    case SQLITE_TOOBIG: (.unfitValue, "A value is larger than SQLite allows.")
    case SQLITE_CONSTRAINT: (.constraintConflict, "A constraint of the store is violated.")
    default: (.statement, "A statement failed.")
    }
  }
}
