package import Foundation
package import OpenStoreContract
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A lock in a store's lock file, held by a process that has the store open or that changes its
/// files.
///
/// Any thread may use the lock. Opening a store locks one byte of the lock file, the operation
/// byte, so that two processes do not create or complete a store at the same time. Each open store
/// keeps another byte locked until the store is closed. Operations that need exclusive access lock
/// all bytes. The last process deletes the lock file. A lock file left by a killed process has no
/// effect.
package final class StoreLock: Sendable {
  /// The operation that a process performs while it holds the operation byte.
  package enum Operation: String, Sendable {
    /// `open` opens or creates the store, `metadata` writes the metadata of a closed store, and
    /// `copy` copies the store's files. Messages about a locked store contain the name of the case.
    case open, destroy, replace, migrate, metadata, copy
  }

  /// The other processes that may have the store open during an operation.
  package enum Company: Sendable {
    /// `users`: Other processes may have the store open. `noUsers`: No other process may have the
    /// store open.
    case users, noUsers
  }

  private struct State {
    var file: LockFile?
    /// The byte that this store keeps locked while it is open.
    var byte: Int?
  }

  private let state: Mutex<State>
  private static let attemptLimit = 1000

  /// Waits until this process holds the lock for an operation.
  ///
  /// - Parameters:
  ///   - path: The path of the store's file, which does not have to exist.
  ///   - operation: The operation to perform.
  ///   - company: The other processes that may have the store open during the operation.
  ///   - timeout: The maximum time to wait, in seconds; 0 or less not to wait.
  /// - Throws: `StoreError` with code `.locked` after the timeout, with the holder in the message
  ///   and a `StoreInUse` as the underlying error. Throws `StoreError` with code `.missingFolder`,
  ///   `.permission` or `.inputOutput` if the lock file cannot be created.
  package init(
    of path: String, for operation: Operation, besides company: Company, timeout: TimeInterval
  ) throws(StoreError) {
    let deadline = Self.deadline(timeout)
    let file = try Self.take(.operation, of: path, for: operation, until: deadline)
    do throws(StoreError) {
      if company == .noUsers { try Self.wait(for: .users, in: file, path, until: deadline) }
    } catch {
      Self.leave(file)
      throw error
    }
    state = Mutex(State(file: file))
  }

  /// Waits until no other coordinator or process migrates the store in order to open it.
  ///
  /// The lock excludes only other locks of this kind. The migration also acquires the locks for its
  /// operations.
  ///
  /// - Parameters:
  ///   - path: The path of the store's file.
  ///   - timeout: The maximum time to wait, in seconds.
  /// - Throws: The same errors as `init(of:for:besides:timeout:)`.
  private init(forMigrationOf path: String, timeout: TimeInterval) throws(StoreError) {
    let deadline = Self.deadline(timeout)
    let file = try Self.take(.migration, of: path, for: .migrate, until: deadline)
    state = Mutex(State(file: file))
  }

  deinit { release() }

  /// Waits until no process changes the files of a store that will be opened as read-only.
  ///
  /// The method creates no file.
  ///
  /// - Parameters:
  ///   - path: The path of the store's file.
  ///   - timeout: The maximum time to wait, in seconds; 0 or less not to wait.
  /// - Throws: `StoreError` with code `.locked` after the timeout. The error names the holder.
  package static func waitForOperations(
    on path: String, timeout: TimeInterval
  ) throws(StoreError) {
    var holder: StoreInUse.Holder?
    _ = poll(until: deadline(timeout)) {
      holder = LockFile(lookingAtStore: path)?.holderOfAllUsers
      return holder == nil
    }
    if let holder { throw inUse([holder], path) }
  }

  /// Waits until no other process has the store open, and closes the store in all coordinators of
  /// this process. Then excludes all processes, including readers. Call for a migration only.
  ///
  /// If another process still has the store open at the deadline, no store is closed.
  ///
  /// - Throws: `StoreError` with code `.locked`, which names the holder.
  func takeUsers(of path: String, timeout: TimeInterval) throws(StoreError) {
    guard let file = state.withLock({ $0.file }) else { return }
    let deadline = Self.deadline(timeout)
    var user: StoreInUse.Holder?
    _ = Self.poll(until: deadline) {
      user = file.userInOtherProcess
      return user == nil
    }
    if let user { throw Self.inUse([user], path) }
    try OpenStores.retire(at: path, until: deadline)
    try Self.wait(for: .users, in: file, path, until: deadline)
  }

  /// Waits until no other process has the store open, and closes the store in all coordinators of
  /// this process. Other processes cannot open the store for writing during the operation.
  ///
  /// - Throws: `StoreError` with code `.locked`, which names the holder.
  func waitForUsers(of path: String, timeout: TimeInterval) throws(StoreError) {
    try takeUsers(of: path, timeout: timeout)
    state.withLock { $0.file?.unlock(.users) }
  }

  /// Whether no other program has the store open during the operation.
  var isAlone: Bool {
    state.withLock { state in
      guard let file = state.file, file.lock(.users) == .taken else { return false }
      file.unlock(.users)
      return true
    }
  }

  /// Ends the opening of a store. The store is then in use until `release()` is called.
  ///
  /// - Parameter path: The path of the store's file.
  /// - Throws: `StoreError` with code `.locked` if the store is already open 4,096 times.
  package func settle(at path: String) throws(StoreError) {
    try state.withLock { (state) throws(StoreError) in
      guard let file = state.file else { return }
      let free = (0..<LockFile.userLimit).first { file.lock(.user($0)) != .held }
      guard let free else {
        throw StoreError(.locked, "Too many programs have the store open.", path: path)
      }
      let byte = LockFile.Range.user(free).start
      file.write(Self.holder("open"), for: byte)
      state.byte = byte
      file.unlock(.operation)
    }
  }

  /// After a commit, notifies the processes that watch the store.
  func signal() {
    state.withLock { state in
      if let byte = state.byte { state.file?.touch(byte) }
    }
  }

  /// Releases all locks.
  package func release() {
    state.withLock { state in
      if let file = state.file { Self.leave(file) }
      state = State()
    }
  }

  private static func leave(_ file: LockFile) {
    file.unlock(.all)
    // A later process finds either the unlocked file or no file.
    if file.lock(.all) == .taken, file.isCurrent { file.delete() }
  }

  // MARK: Waiting

  /// Waits until this process has locked a range of the lock file, and records the identity of the
  /// process there.
  private static func take(
    _ range: LockFile.Range, of path: String, for operation: Operation,
    until deadline: ContinuousClock.Instant
  ) throws(StoreError) -> LockFile {
    for _ in 0..<attemptLimit {
      let file = try LockFile(ofStoreAt: path)
      try wait(for: range, in: file, path, until: deadline)
      // The previous holder may have deleted the file when it released its lock.
      guard file.isCurrent else { continue }
      file.write(holder(operation.rawValue), for: range.start)
      return file
    }
    throw StoreError(
      .inputOutput, "Another program repeatedly deletes the store's lock file. Stop that program.",
      path: LockFile.path(ofStoreAt: path))
  }

  private static func deadline(_ timeout: TimeInterval) -> ContinuousClock.Instant {
    let seconds = timeout.isNaN ? 0 : min(max(timeout, 0), 1e6)
    return .now + .seconds(seconds)
  }

  private static func wait(
    for range: LockFile.Range, in file: LockFile, _ path: String,
    until deadline: ContinuousClock.Instant
  ) throws(StoreError) {
    let isLocked = poll(until: deadline) { file.lock(range) != .held }
    if !isLocked { throw inUse(file.holder(of: range).map { [$0] } ?? [], path) }
  }

  /// Waits until a condition is true.
  ///
  /// - Returns: Whether the condition became true before the deadline.
  static func poll(
    until deadline: ContinuousClock.Instant, _ isMet: () -> Bool
  ) -> Bool {
    var pause: useconds_t = 1000
    while !isMet() {
      if ContinuousClock.now >= deadline { return false }
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
    return true
  }

  /// Returns the error for a store in use.
  ///
  /// - Parameters:
  ///   - holders: The known other users of the store.
  ///   - path: The path of the store's file.
  ///   - nativeCode: SQLite's result code, or 0 if there is none.
  static func inUse(
    _ holders: [StoreInUse.Holder], _ path: String?, nativeCode: Int32 = 0
  ) -> StoreError {
    let users = holders.isEmpty ? nil : StoreInUse(holders: holders)
    return StoreError(
      .locked,
      "The store is in use by \(users.map(\.description) ?? "another connection"). Close it there and try "
        + "again.", path: path, nativeCode: nativeCode, underlying: users)
  }

  /// Returns this process as the holder of a lock.
  static func holder(_ operation: String) -> StoreInUse.Holder {
    StoreInUse.Holder(
      processID: getpid(), programName: ProcessInfo.processInfo.processName, operation: operation)
  }
}

extension StoreLock {
  /// Waits until no other coordinator or process is migrating the store, and then prevents other
  /// migrations of the store until the caller calls the returned closure.
  ///
  /// For a configuration without a URL, the method returns immediately.
  ///
  /// - Parameter configuration: The store's file, and the timeout for the wait.
  /// - Returns: A closure that allows migrations again.
  /// - Throws: `StoreError` with code `.locked` if the timeout expires; the error names the process
  ///   that is migrating the store. Throws `StoreError` with code `.missingFolder`, `.permission`
  ///   or `.inputOutput` if the lock file cannot be created.
  package static func excludeMigrations(
    of configuration: StoreConfiguration
  ) throws(StoreError) -> @Sendable () -> Void {
    guard let url = configuration.url else { return {} }
    let lock = try StoreLock(
      forMigrationOf: StorePath.resolved(url.path), timeout: configuration.timeout)
    return { lock.release() }
  }
}
