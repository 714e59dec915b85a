import Foundation
import StoreSharing
import Synchronization

/// The programs that show a store to the reader. While other programs show it, old content is not deleted automatically, because those
/// programs may have it on screen.
///
/// Shared.
public final class StoreViewers: Sendable {
  /// The lock file; nil for an in-memory store, which no other program can open.
  private let path: String?
  /// The shared lock that this program holds while it shows the store.
  private let own = Mutex<FileLock?>(nil)

  /// Creates the viewers of a store, without this program.
  public init(of store: ForumStore) {
    path = store.file.map { "\($0.path).viewers" }
  }

  /// Records that this program shows the store, until this object is released.
  ///
  /// - Throws: `ForumStoreError` with code `.notOpened` if the lock file cannot be created.
  public func join() throws {
    guard let path else { return }
    let lock = try Self.locking(path) { try FileLock.share(path) }
    own.withLock { $0 = lock }
  }

  /// Performs work if no other program shows the store. Programs that want to show it wait for the end of the work.
  ///
  /// - Parameter work: The work.
  /// - Returns: The result of the work; nil if another program shows the store, or performs such work.
  /// - Throws: Any error from the work, or `ForumStoreError` with code `.notOpened` if the lock file cannot be created.
  public func whileAlone<Result: Sendable>(
    _ work: () async throws -> Result
  ) async throws -> Result? {
    guard let path else { return try await work() }
    // Without its own lock, this program does not count as a viewer. During this time, no other program may begin such work.
    guard let turn = try Self.locking(path, { try FileLock.takeIfFree("\(path).turn") }) else {
      return nil
    }
    defer { withExtendedLifetime(turn) {} }
    let isViewer = own.withLock { own in
      defer { own = nil }
      return own != nil
    }
    do {
      let result = try await Self.locked(path, work)
      if isViewer { try join() }
      return result
    } catch {
      // The first error matters more than one of the lock.
      if isViewer { try? join() }
      throw error
    }
  }

  private static func locked<Result: Sendable>(
    _ path: String, _ work: () async throws -> Result
  ) async throws -> Result? {
    guard let lock = try locking(path, { try FileLock.takeIfFree(path) }) else { return nil }
    defer { withExtendedLifetime(lock) {} }
    return try await work()
  }

  private static func locking<Lock>(_ path: String, _ take: () throws -> Lock) throws -> Lock {
    do {
      return try take()
    } catch {
      throw ForumStoreError(
        .notOpened, "The lock of the programs that show the store cannot be acquired.", path: path,
        underlying: error)
    }
  }
}
