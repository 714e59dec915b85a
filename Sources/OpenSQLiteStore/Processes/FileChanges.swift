import Dispatch
import Foundation
import OpenStoreContract
import Synchronization

/// The transactions of one file that this process committed, and the observers of all other
/// transactions.
///
/// Shared between threads. There is one object for each file in use, even if several stores have
/// the file open. A transaction of this process is recorded before it is committed, so that it is
/// never mistaken for a transaction of another process.
final class FileChanges: Sendable {
  private struct Member {
    weak var store: SQLiteStore?
    var handler: @Sendable (Int64) -> Void
  }

  private struct State {
    var members: [ObjectIdentifier: Member] = [:]
    /// Transactions of this process that are not yet skipped.
    var own: Set<Int64> = []
    /// The newest transaction that was processed.
    var seen: Int64 = 0
    var isScheduled = false

    /// Returns whether there are unprocessed transactions of other processes.
    func hasOthers(upTo last: Int64) -> Bool {
      var number = last
      while number > seen, own.contains(number) { number -= 1 }
      return number > seen
    }
  }

  private struct Weak {
    weak var changes: FileChanges?
  }

  private static let table = Mutex<[OpenFiles.Identity: Weak]>([:])
  private static let listeners = Atomic<Int>(1)

  private let path: String
  private let listener: Int
  private let state = Mutex(State())
  /// A lock that is held while a thread reads the newest transaction, so that a closing store can
  /// wait for the end of the read.
  private let looking = Mutex(())
  /// A lock that is held while an observer is added or removed, so that a watch ends only when the
  /// last observer is removed.
  private let membership = Mutex(())
  private let queue = DispatchQueue(label: "OpenCoreData.RemoteChanges")
  /// The delay before transactions are read, because each commit causes several events.
  private static let gathering = DispatchTimeInterval.milliseconds(5)

  private init(path: String) {
    self.path = path
    listener = Self.listeners.add(1, ordering: .relaxed).oldValue
  }

  /// Returns the object shared by all stores of a file, or nil without a file.
  static func shared(forStoreAt path: String?) -> FileChanges? {
    guard let path, let identity = OpenFiles.Identity(path) else { return nil }
    return table.withLock { table in
      if let known = table[identity]?.changes { return known }
      let new = FileChanges(path: path)
      table = table.filter { $0.value.changes != nil }
      table[identity] = Weak(changes: new)
      return new
    }
  }

  // MARK: Own transactions

  /// Records a transaction of this process before it is committed.
  func begin(_ number: Int64) { state.withLock { _ = $0.own.insert(number) } }

  /// Records the outcome of a transaction.
  ///
  /// If the transaction was not committed, another process may already use its number.
  func end(_ number: Int64, isCommitted: Bool) {
    let isWatched = state.withLock { state in
      if !isCommitted || state.members.isEmpty { state.own.remove(number) }
      return !state.members.isEmpty
    }
    if !isCommitted, isWatched { schedule() }
  }

  // MARK: Others' transactions

  #if canImport(Glibc) || canImport(Musl)
    /// Sets a store's handler for transactions of other processes.
    func add(
      _ store: SQLiteStore, _ handler: @escaping @Sendable (Int64) -> Void
    ) throws(StoreError) {
      try membership.withLock { (_) throws(StoreError) in
        do throws(StoreError) {
          try watch()
          // Read after the watch has begun, so that no transaction is missed.
          let last = try store.history?.bounds().last ?? 0
          state.withLock { state in
            if state.members.isEmpty { state.seen = last }
            state.members[ObjectIdentifier(store)] = Member(store: store, handler: handler)
          }
        } catch {
          if state.withLock({ $0.members.isEmpty }) { FileWatcher.shared.end(listener) }
          throw error
        }
      }
    }

    /// Removes a store's handler. When the call returns, the store is no longer read for
    /// notifications.
    func remove(_ store: SQLiteStore) {
      remove(ObjectIdentifier(store))
      looking.withLock { _ in }
    }

    private func remove(_ store: ObjectIdentifier) {
      membership.withLock { _ in
        let isLast = state.withLock { state in
          state.members.removeValue(forKey: store) != nil && state.members.isEmpty
        }
        if isLast { FileWatcher.shared.end(listener) }
      }
    }

    /// Watches the lock file and its creation. Every process touches this file after its commits
    /// and closes it when it exits.
    private func watch() throws(StoreError) {
      let lock = URL(fileURLWithPath: LockFile.path(ofStoreAt: path))
      _ = try FileWatcher.shared.watch(
        lock.deletingLastPathComponent().path, for: .names, name: lock.lastPathComponent,
        by: listener
      ) { [weak self] in self?.lockFileCame() }
      try watchLockFile(lock.path)
    }

    private func watchLockFile(_ path: String) throws(StoreError) {
      _ = try FileWatcher.shared.watch(path, for: .contents, by: listener) { [weak self] in
        self?.schedule()
      }
    }

    private func lockFileCame() {
      // If the system rejects the watch, later commits are reported when the file is next created.
      membership.withLock { _ in
        // The last observer may have been removed before this call.
        if state.withLock({ $0.members.isEmpty }) { return }
        try? watchLockFile(LockFile.path(ofStoreAt: path))
      }
      schedule()
    }
  #endif

  private func schedule() {
    let isNew = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    guard isNew else { return }
    queue.asyncAfter(deadline: .now() + Self.gathering) { [weak self] in self?.look() }
  }

  /// Reads the transactions of other processes and reports them.
  private func look() {
    let stores = state.withLock { state in
      state.isScheduled = false
      return state.members.values.compactMap(\.store)
    }
    for store in stores {
      // If this store has been closed meanwhile, another store may still be readable.
      guard let last = newest(in: store) else { continue }
      return tell(last)
    }
  }

  /// Returns the newest transaction, read from a store, or nil if the store is closing or must not
  /// be read.
  private func newest(in store: SQLiteStore) -> Int64? {
    looking.withLock { _ in
      guard state.withLock({ $0.members[ObjectIdentifier(store)] != nil }) else { return nil }
      do throws(StoreError) {
        return try store.history?.bounds().last
      } catch {
        // Another process holds such a lock only briefly, so a later read can succeed.
        if error.code == .locked { schedule() }
        return nil
      }
    }
  }

  private func tell(_ last: Int64) {
    let (hasOthers, handlers) = state.withLock { state in
      let hasOthers = state.hasOthers(upTo: last)
      state.seen = max(state.seen, last)
      let seen = state.seen
      state.own = state.own.filter { $0 > seen }
      return (hasOthers, state.members.values.map(\.handler))
    }
    guard hasOthers else { return }
    for handler in handlers { handler(last) }
  }
}
