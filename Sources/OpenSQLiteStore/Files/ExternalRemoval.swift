import COpenSQLite
import Foundation
import OpenStoreContract

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The external files that no row of the newest state refers to, until they can be deleted.
///
/// A file is kept while a state that refers to it can be read by a reader, a pinned query
/// generation or another process, or can return after a power failure. When a checkpoint moves the
/// whole write-ahead log into the synchronized database and finds no reader of the log, the newest
/// state is the only one left, and the files can be deleted.
///
/// A mark in the store's support folder records that such files may exist. A killed program leaves
/// the mark. The next program that uses the store exclusively then searches for orphaned files.
///
/// Confined to the writing connection, which owns this object.
final class ExternalRemoval {
  /// The number of waiting files, and of their bytes, from which a save tries to delete them.
  private struct Limit {
    var files = 16
    var bytes = 16 << 20
  }

  private let files: ExternalFiles
  private var waiting: [String] = []
  private var waitingBytes = 0
  /// Whether the outcome of a commit is unknown, so that some files may be orphaned.
  private var isUncertain = false
  /// The mark of this connection, if it has created one.
  private var mark: String?
  /// The marks of killed programs, which are removed after their files are deleted.
  private var leftMarks: [String] = []
  private var limit = Limit()

  init(_ files: ExternalFiles) { self.files = files }

  /// Creates a mark on disk before orphaned files can exist.
  func announce() throws(StoreError) {
    if mark == nil { mark = try files.makeMark() }
  }

  /// Adds the files of values that a commit replaced or deleted.
  func add(_ names: [String]) {
    guard !names.isEmpty else { return }
    waiting += names
    for name in names { waitingBytes += StoreSnapshot.size(of: files.path(of: name)) }
  }

  /// Records that a commit failed but may have reached the disk. The rows determine later which
  /// files are in use.
  func suspect() { isUncertain = true }

  /// The names of waiting files, which are not damage.
  var names: Set<String> { Set(waiting) }

  // MARK: Deleting

  /// Deletes the waiting files if there are many, and no reader needs them.
  func releaseIfDue(on connection: Connection) {
    guard waiting.count >= limit.files || waitingBytes >= limit.bytes else { return }
    if release(on: connection) {
      limit = Limit()
    } else {
      // A reader stays; there is no use in asking after every save.
      limit.files = max(limit.files, waiting.count * 2)
      limit.bytes = max(limit.bytes, waitingBytes * 2)
    }
  }

  /// Deletes the waiting files, unless a reader prevents the deletion.
  ///
  /// Files that remain only waste space, so this is not an error.
  ///
  /// - Returns: Whether no files are waiting any more.
  @discardableResult
  func release(on connection: Connection) -> Bool {
    guard isUncertain || !waiting.isEmpty else { return true }
    // A store that took the place of this one may use the files.
    guard !connection.hasMoved else { return false }
    do throws(StoreError) {
      if isUncertain { try collect(on: connection) }
      if !waiting.isEmpty {
        guard try isOnlyState(on: connection) else { return false }
        for name in waiting { files.remove(name) }
      }
    } catch {
      return false
    }
    for mark in leftMarks { files.remove(mark: mark) }
    (waiting, waitingBytes, leftMarks, isUncertain) = ([], 0, [], false)
    return true
  }

  /// Deletes the files that killed programs left, if there are any. Requires exclusive access.
  func recover(on connection: Connection) {
    let marks = files.marks()
    guard !marks.isEmpty, !files.mayBelongToOthers else { return }
    leftMarks = marks
    releaseAll(on: connection)
  }

  /// Deletes all orphaned files, unless a reader prevents the deletion.
  func releaseAll(on connection: Connection) {
    isUncertain = true
    release(on: connection)
  }

  /// Deletes the waiting files, and removes the mark if none remains.
  func close(on connection: Connection) {
    guard release(on: connection), let mark else { return }
    files.remove(mark: mark)
    self.mark = nil
  }

  /// Finds the orphaned files.
  ///
  /// Files of new values are created in write transactions only. Inside a write transaction of this
  /// connection, all orphaned files are therefore leftovers. If another store, or a copy that is
  /// being made, uses the same folder for its values, no file is an orphan.
  ///
  /// The search reads every column for data, because a store that was opened for a configuration
  /// may contain entities, with files, that the model lacks.
  private func collect(on connection: Connection) throws(StoreError) {
    try connection.silently { () throws(StoreError) in
      try connection.withoutWaiting { () throws(StoreError) in try connection.run("BEGIN IMMEDIATE")
      }
      defer { sqlite3_exec(connection.database, "ROLLBACK", nil, nil, nil) }
      let present = try files.names().filter(ExternalFiles.isName)
      guard !present.isEmpty, !files.mayBelongToOthers else { return }
      let named = try ExternalReferences(on: connection).names()
      waiting = present.subtracting(named).sorted()
    }
  }

  /// Returns whether the newest state is the only one that can be read or can return after a power
  /// failure.
  private func isOnlyState(on connection: Connection) throws(StoreError) -> Bool {
    // After a commit with unknown outcome the log must not keep frames behind those that count.
    let mode = isUncertain ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_RESTART
    var pages: Int32 = 0
    let code = try connection.withoutWaiting { () throws(StoreError) -> Int32 in
      sqlite3_wal_checkpoint_v2(connection.database, "main", mode, &pages, nil)
    }
    guard code == SQLITE_OK else { return false }
    let database = files.store.main.path
    if pages < 0 {
      // Without a log the commit had the database for itself, and was done when the journal ended.
      for path in [database + "-journal", files.store.folder.path]
      where access(path, F_OK) == 0 { try FileSync.sync(path) }
    } else if isUncertain, access(database + "-wal", F_OK) == 0 {
      try FileSync.sync(database + "-wal")
    }
    return true
  }
}
