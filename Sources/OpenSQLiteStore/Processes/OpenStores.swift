import OpenObjectModel
import OpenStoreContract
import Synchronization

/// The stores of this process that have a file open.
///
/// Shared between threads. The list does not retain the stores.
enum OpenStores {
  private struct Entry {
    let store: WeakReference<SQLiteStore>
    let path: String
    let identity: OpenFiles.Identity?
  }

  private static let entries = Mutex<[Entry]>([])

  /// Adds a store.
  ///
  /// - Parameters:
  ///   - store: A reference to the store, which must remove the reference when it is deallocated.
  ///   - path: The path of the store's file, without links.
  static func add(_ store: WeakReference<SQLiteStore>, at path: String) {
    let entry = Entry(store: store, path: path, identity: OpenFiles.Identity(path))
    entries.withLock { $0.append(entry) }
  }

  static func remove(_ store: WeakReference<SQLiteStore>) {
    entries.withLock { $0.removeAll { $0.store === store } }
  }

  /// Closes the stores of a file, so that the file can be migrated. Reads and writes through a
  /// closed store throw an error that mentions the migration.
  ///
  /// A store whose file was deleted is also closed if its path is the same, because it holds a lock
  /// in the lock file of the new file.
  ///
  /// - Parameters:
  ///   - path: The path of the file, without links.
  ///   - deadline: The end of the wait for running reads and writes.
  /// - Throws: `StoreError` with code `.locked` and this process as the holder: immediately if a
  ///   state of a store is pinned, or at the deadline if a read or write is still running. The
  ///   store in use stays open. Stores that were closed before it remain closed.
  static func retire(
    at path: String, until deadline: ContinuousClock.Instant
  ) throws(StoreError) {
    let identity = OpenFiles.Identity(path)
    let references = entries.withLock { entries in
      entries.filter { $0.path == path || (identity != nil && $0.identity == identity) }
        .map(\.store)
    }
    let stores = references.compactMap(\.target)
    guard !stores.contains(where: { $0.pinnedStates.isInUse }) else {
      var error = StoreLock.inUse([StoreLock.holder("open")], path)
      error.message =
        "The store cannot be migrated while a context of this process is pinned to a query generation of the store. Unpin the context and try again."
      throw error
    }
    for store in stores {
      guard store.pool.retire(until: deadline) else {
        throw StoreLock.inUse([StoreLock.holder("open")], path)
      }
      store.close()
    }
  }
}
