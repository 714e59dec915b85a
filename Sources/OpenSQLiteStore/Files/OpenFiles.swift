import Foundation
package import OpenStoreContract
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files that this process has open as stores.
///
/// Open such a file only through SQLite, because closing any other descriptor of the file would
/// release all locks that the process holds on the file.
package enum OpenFiles {
  /// The identity of a file, independent of its path.
  struct Identity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Creates the identity of a file; nil if the file is missing.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// A record that a store, or a read under SQLite's locks, has a file open. The record is valid
  /// until ``close()``.
  final class Claim: Sendable {
    private let claimed: Mutex<(identity: Identity, file: File)?>

    /// Waits until no thread opens the file without SQLite.
    ///
    /// - Parameter path: The path of an existing file.
    init(_ path: String) {
      guard let identity = Identity(path) else {
        claimed = Mutex(nil)
        return
      }
      let file = OpenFiles.use(identity)
      claimed = Mutex((identity: identity, file: file))
      file.storeCount.withLock { $0 += 1 }
    }

    deinit { close() }

    func close() {
      let ended = claimed.withLock { claimed in
        defer { claimed = nil }
        return claimed
      }
      guard let ended else { return }
      ended.file.storeCount.withLock { $0 -= 1 }
      OpenFiles.endUse(of: ended.identity)
    }
  }

  /// A file that stores have open, or that a thread opens without SQLite.
  private final class File: Sendable {
    /// The number of stores that have the file open. A thread that opens the file without SQLite
    /// holds the lock, which does not affect other files.
    let storeCount = Mutex(0)
  }

  private struct Entry {
    let file = File()
    /// The number of claims and threads that use the entry.
    var userCount = 0
  }

  private static let entries = Mutex<[Identity: Entry]>([:])

  private static func use(_ identity: Identity) -> File {
    entries.withLock { entries in
      var entry = entries[identity] ?? Entry()
      entry.userCount += 1
      entries[identity] = entry
      return entry.file
    }
  }

  private static func endUse(of identity: Identity) {
    entries.withLock { entries in
      guard var entry = entries[identity] else { return }
      entry.userCount -= 1
      entries[identity] = entry.userCount > 0 ? entry : nil
    }
  }

  static func isOpen(_ path: String) -> Bool {
    guard let identity = Identity(path) else { return false }
    let known = entries.withLock { entries in entries[identity]?.file }
    guard let file = known else { return false }
    return file.storeCount.withLock { $0 > 0 }
  }

  /// Runs work that opens a file without SQLite, if the file exists and is not open as a store.
  /// While the work runs, no store can open the file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - body: The work, which must not open the file as a store.
  /// - Returns: The result of `body`; nil if the file does not exist or a store has the file open.
  /// - Throws: The error of `body`.
  @discardableResult
  package static func ifClosed<Result: Sendable>(
    _ path: String, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    guard let identity = Identity(path) else { return nil }
    let file = use(identity)
    defer { endUse(of: identity) }
    return try file.storeCount.withLock { (count) throws(StoreError) in
      if count > 0 { return nil }
      return try body()
    }
  }
}
