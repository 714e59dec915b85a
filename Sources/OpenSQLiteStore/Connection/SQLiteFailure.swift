import COpenSQLite
import Foundation
import OpenStoreContract

/// Converts SQLite's result codes, whose numbers are fixed, to errors of the store.
enum SQLiteFailure {
  static let uniqueConstraint: Int32 = 2067
  static let primaryKeyConstraint: Int32 = 1555
  static let rowidConstraint: Int32 = 2579
  static let busySnapshot: Int32 = 517
  /// The database is damaged.
  static let damaged: Int32 = 11
  /// The file is not a database.
  static let notADatabase: Int32 = 26
  /// The file no longer has the name that it was opened by.
  static let moved: Int32 = 1032

  /// Returns the error for an extended result code.
  static func error(
    _ code: Int32, _ detail: String, path: String?, statement: String? = nil
  ) -> StoreError {
    if limits.contains(where: { detail.hasPrefix($0) }) {
      return StoreError(
        .unsupportedPredicate,
        "The request is larger than SQLite allows (\(detail)). Fetch less at a time: split the predicate, or "
          + "follow fewer relationships.", path: path, statement: statement, nativeCode: code)
    }
    if detail == sumOverflow {
      return .sumOverflow(path: path, statement: statement, nativeCode: code)
    }
    if code == moved { return displaced(path, code) }
    let (kind, advice) = kind(of: code)
    let message = kind == .statement ? "\(advice) SQLite reports: \(detail)." : advice
    return StoreError(
      kind, message, path: path, statement: statement, nativeCode: code)
  }

  /// Returns the error for a file that was deleted or replaced while it was open.
  static func displaced(_ path: String?, _ code: Int32) -> StoreError {
    StoreError(
      .missingFile,
      "The store file was deleted or replaced while it was open, so changes can no longer be saved to it. "
        + "Remove the store and add it again.", path: path, nativeCode: code)
  }

  /// Returns the error for a log that was deleted or replaced while it was open.
  static func lostLog(_ path: String?) -> StoreError {
    StoreError(
      .missingFile,
      "The store's write-ahead log (-wal) was deleted or replaced while the store was open, so changes can no longer be saved. "
        + "Remove the store and add it again.", path: path)
  }

  /// Returns the error for a file or log that was truncated while it was open.
  static func truncated(_ path: String?) -> StoreError {
    StoreError(
      .corrupt,
      "Another program truncated the store file or its write-ahead log (-wal) while the store was open. Nothing was saved. "
        + "Remove the store, and restore the file from a backup.", path: path, nativeCode: damaged)
  }

  /// Returns the error for a read without locks of a file that another connection changed during
  /// the read.
  static func overwritten(_ path: String?) -> StoreError {
    StoreError(
      .locked,
      "Another connection changed the store file while this read-only store read it without locks. "
        + "Repeat the read.", path: path)
  }

  /// Returns the error for a lock that another connection held longer than the timeout.
  static func busy(_ path: String, _ code: Int32) -> StoreError {
    let own = ProcessInfo.processInfo.processIdentifier
    let writers = KernelLocks.holders(of: path + "-shm", byte: writeLock)
    // This process also holds locks on the file, but does not wait for itself.
    let others = { KernelLocks.holders(of: path).filter { $0.processID != own } }
    let holders = writers.isEmpty ? others() : writers
    let users = holders.isEmpty ? nil : StoreInUse(holders: holders)
    let name = users.map(\.description) ?? "another connection"
    return StoreError(
      .locked, "Timed out waiting for a lock held by \(name). Nothing was changed. Try again.",
      path: path, nativeCode: code, underlying: users)
  }

  /// The byte of the WAL index that a writer locks.
  private static let writeLock = 120

  /// SQLite's message for a sum of integers that does not fit into 64 bits. Its result code is that
  /// of all errors in statements.
  private static let sumOverflow = "integer overflow"

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
      (.locked, "Timed out waiting for a lock held by another connection. Try again.")
    case SQLITE_READONLY:
      (.readOnly, "The store file or its folder is not writable. Check their permissions.")
    case SQLITE_PERM, SQLITE_AUTH:
      (.permission, "Access to the store file is denied. Check its permissions.")
    case SQLITE_CANTOPEN:
      (
        .permission,
        "The store file or one of its sidecar files cannot be opened. Check the permissions of the folder."
      )
    case SQLITE_NOTADB: (.foreignFile, "The file is not a SQLite database.")
    case SQLITE_CORRUPT:
      (.corrupt, "The store file is damaged. Restore it from a backup, or create a new one.")
    case SQLITE_FULL: (.inputOutput, "The disk is full. Free some space and try again.")
    case SQLITE_IOERR:
      (.inputOutput, "Reading or writing the store file failed. Check the disk.")
    case SQLITE_NOMEM: (.inputOutput, "SQLite is out of memory.")
    case SQLITE_INTERRUPT: (.interrupted, "The fetch was canceled.")
    case SQLITE_TOOBIG: (.unfitValue, "A value is larger than SQLite allows.")
    case SQLITE_CONSTRAINT: (.constraintConflict, "A constraint of the store is violated.")
    default: (.statement, "A statement failed.")
    }
  }
}
