import COpenSQLite
import Foundation
import OpenStoreContract
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Detects a write-ahead log of another database, before SQLite applies the log's pages to the
/// file.
///
/// A killed program leaves a log. If only the file is then replaced, SQLite uses the old log for
/// the new file and undoes the replacement without an error.
enum LogIdentity {
  /// The byte of the WAL index that SQLite locks while a connection has it open.
  private static let connectionLock = 128
  /// The last files that were found to belong together, by path.
  private static let accepted = Mutex<(path: String, stamp: FileStamp)?>(nil)

  /// Requires that the log of a file, if there is one, belongs to the file.
  ///
  /// The method does not check the log of a file in use. To check any other log, the method copies
  /// the file. If the file does not exist, no check is necessary, because SQLite deletes the log.
  ///
  /// - Throws: `StoreError` if the log belongs to another database.
  static func require(_ path: String?) throws(StoreError) {
    guard let path, StoreSnapshot.size(of: path + "-wal") > 0,
      FileManager.default.fileExists(atPath: path)
    else { return }
    try OpenFiles.ifClosed(path) { () throws(StoreError) in
      let stamp = FileStamp(path)
      let isAccepted = accepted.withLock { $0?.path == path && $0?.stamp == stamp }
      if isAccepted || isInUse(path + "-shm") { return }
      let difference: String?
      do {
        difference = try self.difference(path)
      } catch {
        // The log is deleted by the last of other programs that close the store.
        guard StoreSnapshot.size(of: path + "-wal") > 0, !isMoving(path, since: stamp) else {
          return
        }
        throw StoreError(
          .inputOutput,
          "The store's write-ahead log cannot be checked: the log cannot be read, or the store and the log cannot be copied to the "
            + "temporary folder. Check the free space in this folder.", path: path,
          underlying: error)
      }
      // What another program changes meanwhile was not looked at as a whole.
      if isMoving(path, since: stamp) { return }
      if let difference { throw foreignLog(path, difference) }
      accepted.withLock { $0 = (path, stamp) }
    }
  }

  private static func isMoving(_ path: String, since stamp: FileStamp) -> Bool {
    FileStamp(path) != stamp || isInUse(path + "-shm")
  }

  /// Returns whether another process has the WAL index open. Use only while no store of this
  /// process has it open.
  static func isInUse(_ path: String) -> Bool {
    let file = open(path, O_RDWR)
    guard file >= 0 else { return false }
    defer { close(file) }
    return KernelLocks.process(locking: connectionLock, in: file) != nil
  }

  private static func foreignLog(_ path: String, _ difference: String) -> StoreError {
    StoreError(
      .obstructed,
      "The write-ahead log \(path)-wal belongs to another store, and would overwrite the data in this file: "
        + "\(difference) Move the log and \(path)-shm to another folder, or restore the store file that the log belongs to.",
      path: path)
  }

  /// Returns the reason why a log belongs to another database, or nil if there is none.
  private static func difference(_ path: String) throws -> String? {
    guard let log = try LogFrames(path + "-wal"), !log.pages.isEmpty else { return nil }
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }  // Nothing was written.
    // SQLite deletes the log of an empty file.
    guard let header = try file.read(upToCount: 100), header.count == 100 else { return nil }
    let size = header[16] == 0 && header[17] == 1 ? 65536 : Int(header.bigEndian(at: 14) & 0xFFFF)
    if size != log.pageSize {
      return "the log's page size is \(log.pageSize) bytes, but the file's is \(size)."
    }
    if let difference = difference(LogFrames.Head(header), log) { return difference }
    if try isWritten(log, path + "-wal", into: file) { return nil }
    return try LogTrial(path).difference()
  }

  /// Compares page 1 of the file with its possible contents for this log.
  ///
  /// The file is either in the state before the log's first transaction, or a checkpoint has moved
  /// it to a later state.
  private static func difference(_ file: LogFrames.Head, _ log: LogFrames) -> String? {
    if let first = log.heads.first,
      file.changeCounter &+ 1 != first.changeCounter,
      !log.heads.contains(where: { $0.changeCounter == file.changeCounter })
    {
      return "the log starts after change \(Int64(first.changeCounter) - 1) of its file, "
        + "but this file is at change \(file.changeCounter)."
    }
    guard let present = file.pageCount, let expected = pageCounts(file.changeCounter, log),
      !expected.contains(present)
    else { return nil }
    return "the log requires a file with \(expected[0]) pages, but this file has \(present)."
  }

  /// Returns the possible numbers of pages for a change counter, or nil if any number is possible.
  private static func pageCounts(_ counter: UInt32, _ log: LogFrames) -> [UInt32]? {
    var counts: [UInt32] = []
    for head in log.heads where head.changeCounter == counter {
      guard let count = head.pageCount else { return nil }
      counts.append(count)
    }
    // A connection that keeps page 1 in memory writes the same counter again.
    let first = log.heads.first?.changeCounter
    if first.map({ $0 == counter || $0 == counter &+ 1 }) ?? true {
      // A log that begins with page 1 does not say how many pages there were before.
      guard let count = log.initialPageCount else { return nil }
      counts.append(count)
    }
    return counts.isEmpty ? nil : counts
  }

  /// Returns whether the file already contains all pages of the log.
  private static func isWritten(
    _ log: LogFrames, _ path: String, into file: FileHandle
  ) throws -> Bool {
    let source = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? source.close() }  // Nothing was written.
    for (page, offset) in log.pages {
      try source.seek(toOffset: offset)
      try file.seek(toOffset: UInt64(page - 1) * UInt64(log.pageSize))
      if try source.read(upToCount: log.pageSize) != file.read(upToCount: log.pageSize) {
        return false
      }
    }
    return true
  }
}
