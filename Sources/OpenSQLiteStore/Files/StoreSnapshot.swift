import COpenSQLite
import Foundation
import OpenStoreContract

/// Reads a store's file without changing the file or its sidecar files.
///
/// There are three cases. A file without a pending write-ahead log is read in place, as immutable.
/// A file with a log whose WAL index is missing or unused, as left by a killed program or a copy,
/// is copied together with the log to a temporary folder, because SQLite would write to the index
/// in the original folder. A file with an index that another program uses is read in place under
/// SQLite's locks. The copy is deleted with the snapshot.
final class StoreSnapshot: Sendable {
  /// The path or URI that SQLite opens.
  let name: String
  /// The flags for opening the file.
  let flags: Int32
  /// Whether SQLite's locks make later changes by other processes visible.
  let isFollowing: Bool
  private let folder: URL?
  /// A file that is read in place without locks, with its stamp before the first read; nil for a
  /// copy and for a file that is read under SQLite's locks.
  private let unlocked: (path: String, stamp: FileStamp)?

  /// - Parameters:
  ///   - path: The path of the store's file.
  ///   - isInUse: Whether another program is known to have the file open, so that it must be read
  ///     under SQLite's locks.
  /// - Throws: `StoreError` if the files cannot be copied.
  init(of path: String, isInUse: Bool = false) throws(StoreError) {
    var folder: URL?
    var unlocked: (path: String, stamp: FileStamp)?
    var isFollowing = true
    if OpenFiles.isOpen(path) {
      // The stores of this process share one index; it must not be opened as read-only.
      name = path
      flags = SQLITE_OPEN_READONLY
    } else if let option = try Self.lockingOption(path) {
      name = Self.uri(path, option)
      flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    } else if isInUse {
      name = path
      flags = SQLITE_OPEN_READONLY
    } else if let sidecar = Self.sidecar(of: path),
      let copy = try OpenFiles.ifClosed(
        path, { () throws(StoreError) in try Self.copy(path, sidecar) })
    {
      folder = copy.folder
      isFollowing = false
      name = copy.path
      flags = SQLITE_OPEN_READWRITE
    } else {
      isFollowing = false
      unlocked = (path, FileStamp(path, suffixes: [""]))
      name = Self.uri(path, "immutable=1")
      flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    }
    self.unlocked = unlocked
    self.folder = folder
    self.isFollowing = isFollowing
  }

  /// Creates a snapshot of a file with a WAL index that no store of this process has open.
  fileprivate init(indexed path: String) {
    name = Self.uri(path, "readonly_shm=1")
    flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    isFollowing = true
    folder = nil
    unlocked = nil
  }

  /// Whether the file is read in place without locks.
  var isUnlocked: Bool { unlocked != nil }

  /// Whether another connection has written to the file, although it is read without locks.
  var isOverwritten: Bool {
    unlocked.map { FileStamp($0.path, suffixes: [""]) != $0.stamp } ?? false
  }

  /// Returns the option for reading a file under SQLite's locks; nil if the file has no WAL index,
  /// if no connection has the index open, or if a store of this process has the file open.
  ///
  /// SQLite shares an index among all connections of a process, in the mode in which the first
  /// connection opened it. A connection that lasts therefore opens the index for writing, so that a
  /// store that is opened later can write.
  private static func lockingOption(_ path: String) throws(StoreError) -> String? {
    let index = path + "-shm"
    let option = try OpenFiles.ifClosed(path) { () throws(StoreError) -> String? in
      guard hasReadableIndex(path) else { return nil }
      // No store of this process can write to such a file.
      guard FileManager.default.isWritableFile(atPath: index) else { return "readonly_shm=1" }
      return LogIdentity.isInUse(index) ? "mode=ro" : nil
    }
    return option ?? nil
  }

  /// Returns whether there is a WAL index that SQLite can use without changing it. Use only while
  /// no store of this process has the file open.
  ///
  /// If no connection has the index open, SQLite reads the log instead. If the log has a header but
  /// no frames, as a killed process can leave it, SQLite retries for ten seconds and fails.
  fileprivate static func hasReadableIndex(_ path: String) -> Bool {
    let index = path + "-shm"
    guard FileManager.default.fileExists(atPath: index) else { return false }
    return size(of: path + "-wal") != LogFrames.headerSize || LogIdentity.isInUse(index)
  }

  /// Returns the suffix of the write-ahead log or rollback journal that the database needs, or nil
  /// if there is none.
  private static func sidecar(of path: String) -> String? {
    if size(of: path + "-wal") > LogFrames.headerSize { return "-wal" }
    return size(of: path + "-journal") > 0 ? "-journal" : nil
  }

  deinit {
    if let folder { try? FileManager.default.removeItem(at: folder) }  // a temporary copy
  }

  private static func copy(
    _ path: String, _ sidecar: String
  ) throws(StoreError) -> (folder: URL, path: String) {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("store-" + UUID().uuidString)
    let copy = folder.appendingPathComponent("store.sqlite").path
    do {
      try files.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for suffix in [sidecar, ""] {
        try files.copyItem(atPath: path + suffix, toPath: copy + suffix)
        try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy + suffix)
      }
      return (folder, copy)
    } catch {
      try? files.removeItem(at: folder)  // what is left is a temporary copy
      throw StoreError(
        .inputOutput,
        "The store file and its log cannot be copied for reading. Check the free space in the temporary folder.",
        path: path, underlying: error)
    }
  }

  /// Returns the URI with which SQLite opens a file with an option.
  static func uri(_ path: String, _ option: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~".utf8)
    let escaped = path.utf8.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + String(format: "%02X", Int(byte))
    }
    return "file:" + escaped.joined() + "?" + option
  }

  static func size(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)  // often missing
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }
}

extension Connection {
  /// Runs a read of the connection.
  ///
  /// - Throws: `StoreError` with code `.locked` if the file is read without locks and another
  ///   connection wrote to the file during the read, or any error that the read throws.
  @inline(__always)
  func steadily<Result>(
    _ read: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard let snapshot, snapshot.isUnlocked else { return try read(self) }
    return try checking(snapshot, read)
  }

  private func checking<Result>(
    _ snapshot: StoreSnapshot, _ read: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) {
      let result = try read(self)
      if !snapshot.isOverwritten { return result }
    } catch {
      // Pages of several states can look like damage.
      if !snapshot.isOverwritten { throw error }
    }
    throw SQLiteFailure.overwritten(path)
  }
}

/// Reads a store's file without opening it for a model and without changing it.
enum StoreReading {
  /// Runs `body` with a connection to the file. Runs `body` again if another connection opened or
  /// closed the file during the call.
  ///
  /// - Parameter body: A closure that only reads.
  static func withConnection<Result>(
    to url: URL, _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let path = StorePath.resolved(url.path)
    return try SteadyReading.run(path) { () throws(StoreError) in
      try StoreFile.check(path, isReadOnly: true)
      try LogIdentity.require(path)
      return try claiming(url, at: path, StoreSnapshot(of: path), body)
    }
  }

  /// Runs `body` once with a connection to a file whose lock the caller holds.
  ///
  /// - Parameter isInUse: Whether another program is known to have the file open.
  static func withLockedConnection<Result>(
    to url: URL, isInUse: Bool, _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let path = StorePath.resolved(url.path)
    try StoreFile.check(path, isReadOnly: true)
    try LogIdentity.require(path)
    return try claiming(url, at: path, StoreSnapshot(of: path, isInUse: isInUse), body).result
  }

  /// Runs `body`, which reads little, with a connection to the file.
  ///
  /// SQLite shares a WAL index among all connections of a process, in the mode in which the first
  /// connection opened it. While a read-only index is in use, no store of this process is opened,
  /// so that no store shares the index.
  static func brieflyWithConnection<Result>(
    to url: URL, _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let path = StorePath.resolved(url.path)
    return try SteadyReading.run(path) { () throws(StoreError) in
      try StoreFile.check(path, isReadOnly: true)
      try LogIdentity.require(path)
      if let result = try readIndexed(url, at: path, body) { return (result, true) }
      return try claiming(url, at: path, StoreSnapshot(of: path), body)
    }
  }

  /// The longest wait for another process while stores wait for their opening, in seconds.
  private static let briefTimeout = 0.1

  /// Reads a file with a WAL index that no store of this process has open.
  ///
  /// - Returns: The result of `body`, or nil if the file was replaced or another process has it
  ///   locked.
  private static func readIndexed<Result>(
    _ url: URL, at path: String, _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    var found: Result?
    try OpenFiles.ifClosed(path) { () throws(StoreError) in
      guard StoreSnapshot.hasReadableIndex(path) else { return }
      do throws(StoreError) {
        let snapshot = StoreSnapshot(indexed: path)
        found = try read(url, at: path, snapshot, timeout: briefTimeout, body).result
      } catch {
        if error.code != .locked { throw error }
      }
    }
    return found
  }

  /// Reads a file. If SQLite's locks protect the read, no thread of this process opens the file
  /// without SQLite meanwhile, because closing the file would release the locks.
  private static func claiming<Result>(
    _ url: URL, at path: String, _ snapshot: StoreSnapshot,
    _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> (result: Result, isLocked: Bool) {
    let claim = snapshot.isFollowing ? OpenFiles.Claim(path) : nil
    defer { claim?.close() }
    return try read(url, at: path, snapshot, body)
  }

  private static func read<Result>(
    _ url: URL, at path: String, _ snapshot: StoreSnapshot, timeout: TimeInterval? = nil,
    _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> (result: Result, isLocked: Bool) {
    var configuration = StoreConfiguration(url: url)
    if let timeout { configuration.timeout = timeout }
    let connection = try Connection(
      path: path, name: snapshot.name, flags: snapshot.flags, configuration: configuration)
    defer {
      connection.close()
      withExtendedLifetime(snapshot) {}
    }
    try FileTables.requireStore(try FileTables.read(on: connection), path: path)
    return (try body(connection), snapshot.isFollowing)
  }
}
