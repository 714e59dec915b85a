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

/// The files that this process has open as stores.
///
/// Such a file must be opened through SQLite only, because closing any other descriptor of the file
/// would release all SQLite locks of the process.
enum OpenFiles {
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

  /// A record that a store has a file open, which is valid until the store is closed.
  final class Claim: Sendable {
    private let identity: Mutex<Identity?>

    /// - Parameter path: The path of an existing file.
    init(_ path: String) {
      let identity = Identity(path)
      self.identity = Mutex(identity)
      if let identity { OpenFiles.counts.withLock { $0[identity, default: 0] += 1 } }
    }

    deinit { close() }

    func close() {
      let identity = identity.withLock { identity in
        defer { identity = nil }
        return identity
      }
      guard let identity else { return }
      OpenFiles.counts.withLock { counts in
        let count = (counts[identity] ?? 1) - 1
        counts[identity] = count > 0 ? count : nil
      }
    }
  }

  private static let counts = Mutex<[Identity: Int]>([:])

  static func isOpen(_ path: String) -> Bool {
    guard let identity = Identity(path) else { return false }
    return counts.withLock { $0[identity] != nil }
  }

  /// Runs work that opens a file without SQLite, unless a store has the file open. While the work
  /// runs, no store can open the file.
  ///
  /// - Parameter body: The work, which must not open a store.
  /// - Returns: The result of `body`, or nil if it did not run.
  @discardableResult
  static func ifClosed<Result: Sendable>(
    _ path: String, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    try counts.withLock { (counts) throws(StoreError) in
      if let identity = Identity(path), counts[identity] != nil { return nil }
      return try body()
    }
  }
}
