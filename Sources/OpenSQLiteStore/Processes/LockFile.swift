import Foundation
import OpenStoreContract

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The lock file of a store. Processes lock its bytes and record their identities in it.
///
/// Shared between threads. The locks belong to the file descriptor, so two stores of one process
/// exclude each other too. The kernel releases the locks when a process ends for any reason. Each
/// byte has a text record with the name of its holder, which is valid only while the byte is
/// locked.
final class LockFile: Sendable {
  /// A range of bytes that are locked together.
  struct Range: Sendable {
    let start: Int
    /// The number of bytes; 0 for all bytes from the start.
    let length: Int

    /// Held by a process that prepares, changes or deletes the store's files.
    static let operation = Range(start: 0, length: 1)
    /// Held by a process that migrates the store in order to open it.
    static let migration = Range(start: 1, length: 1)
    /// The bytes of all processes that have the store open.
    static let users = Range(start: 2, length: 0)
    /// All bytes.
    static let all = Range(start: 0, length: 0)
    /// Held only together with the bytes of all users.
    static let beyondUsers = Range(start: 1 << 20, length: 1)

    /// Returns the byte of a user of the store.
    static func user(_ number: Int) -> Range { Range(start: 2 + number, length: 1) }
  }

  /// The result of an attempt to acquire a lock.
  enum Attempt: Sendable {
    case taken, held
    /// The file system does not support locks.
    case unsupported
  }

  let path: String
  private let descriptor: Int32
  /// The maximum number of users of a store.
  static let userLimit = 4096
  private static let recordLength = 128
  #if canImport(Darwin)
    private static let setCommand: Int32 = 90
    private static let findCommand: Int32 = 92
  #else
    // F_OFD_SETLK and F_OFD_GETLK, which need a feature macro.
    private static let setCommand: Int32 = 37
    private static let findCommand: Int32 = 36
  #endif

  /// Returns the path of a store's lock file, which does not depend on links in the store's path.
  static func path(ofStoreAt path: String) -> String {
    StorePath.resolved(path) + "-lock"
  }

  /// Opens the lock file of a store, or creates it with the store's permissions.
  ///
  /// - Throws: `StoreError` if the file cannot be opened or created.
  init(ofStoreAt store: String) throws(StoreError) {
    path = Self.path(ofStoreAt: store)
    var status = stat()
    let mode = stat(store, &status) == 0 ? status.st_mode & 0o666 : 0o644
    let created = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    // The store's permissions count, not the mask of the process; a failure leaves fewer.
    if created >= 0 { _ = fchmod(created, mode) }
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    descriptor = created >= 0 ? created : open(path, flags, mode)
    guard descriptor >= 0 else { throw Self.failure(path) }
  }

  /// Opens the lock file of a store for reading only; nil if there is none.
  init?(lookingAtStore store: String) {
    path = Self.path(ofStoreAt: store)
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  private static func failure(_ path: String) -> StoreError {
    let number = errno
    let code: StoreError.Code =
      switch number {
      case ENOENT: .missingFolder
      case EACCES, EPERM, EROFS, ELOOP: .permission
      default: .inputOutput
      }
    return StoreError(
      code,
      "The store's lock file cannot be opened (\(String(cString: strerror(number)))). Check the lock file "
        + "and the store's folder.", path: path)
  }

  // MARK: Locks

  /// Locks bytes if no other process has locked one of them.
  func lock(_ range: Range) -> Attempt {
    var request = Self.request(Int16(F_WRLCK), range)
    if fcntl(descriptor, Self.setCommand, &request) == 0 { return .taken }
    return errno == EAGAIN || errno == EACCES || errno == EINTR ? .held : .unsupported
  }

  func unlock(_ range: Range) {
    var request = Self.request(Int16(F_UNLCK), range)
    _ = fcntl(descriptor, Self.setCommand, &request)
  }

  /// Returns the first byte of a range that another process has locked, or nil if all bytes are
  /// free.
  private func firstHeldByte(in range: Range) -> Int? {
    var request = Self.request(Int16(F_WRLCK), range)
    guard fcntl(descriptor, Self.findCommand, &request) == 0, request.l_type != Int16(F_UNLCK)
    else { return nil }
    return max(0, Int(request.l_start))
  }

  /// Returns the `fcntl` request for a range of bytes.
  static func request(_ type: Int16, _ range: Range) -> flock {
    var request = flock()
    request.l_type = type
    request.l_whence = Int16(SEEK_SET)
    request.l_start = off_t(range.start)
    request.l_len = off_t(range.length)
    return request
  }

  /// Whether the file still exists under its name. The last process deletes it.
  var isCurrent: Bool {
    var own = stat()
    var named = stat()
    return fstat(descriptor, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  /// Deletes the file. Call only while holding all bytes.
  func delete() { _ = unlink(path) }

  // MARK: Records

  /// Writes the record of a byte's holder. If the disk is full, the holder remains unnamed.
  func write(_ holder: StoreInUse.Holder, for byte: Int) {
    let name = holder.programName.utf8.prefix(80).map { $0 < 0x21 || $0 == 0x7F ? 0x5F : $0 }
    var record = Array("\(holder.processID) \(holder.operation) ".utf8.prefix(40)) + name
    record += Array(repeating: 0x20, count: max(0, Self.recordLength - 1 - record.count))
    record = record.prefix(Self.recordLength - 1) + [0x0A]
    _ = pwrite(descriptor, record, record.count, off_t(byte * Self.recordLength))
  }

  /// Writes the last character of a byte's record again, which notifies processes that watch the
  /// file.
  func touch(_ byte: Int) {
    var end: UInt8 = 0x0A
    _ = pwrite(descriptor, &end, 1, off_t((byte + 1) * Self.recordLength - 1))
  }

  /// Returns the holder of the first locked byte of a range, or nil if all bytes are free.
  func holder(of range: Range) -> StoreInUse.Holder? {
    firstHeldByte(in: range).map(holder(recordedFor:))
  }

  /// A user of the store in another process; nil if no such user has a record.
  var userInOtherProcess: StoreInUse.Holder? {
    let first = Range.users.start
    var ranges = [first..<(first + Self.userLimit)]
    // The system reports any lock in a range, not necessarily the lock of the first byte.
    while let range = ranges.popLast() {
      let bytes = Range(start: range.lowerBound, length: range.count)
      guard !range.isEmpty, let held = firstHeldByte(in: bytes) else { continue }
      // A lock of several bytes can begin before the range.
      let byte = max(range.lowerBound, held)
      let user = holder(recordedFor: byte)
      if user.processID != 0, user.processID != getpid() { return user }
      ranges += [range.lowerBound..<byte, (byte + 1)..<range.upperBound]
    }
    return nil
  }

  /// Returns the holder of the bytes of all users, or nil if no operation holds these bytes.
  var holderOfAllUsers: StoreInUse.Holder? {
    firstHeldByte(in: .beyondUsers).map { _ in holder(recordedFor: Range.operation.start) }
  }

  private func holder(recordedFor byte: Int) -> StoreInUse.Holder {
    var record = [UInt8](repeating: 0, count: Self.recordLength)
    let (offset, isTooFar) = byte.multipliedReportingOverflow(by: Self.recordLength)
    let count = isTooFar ? 0 : pread(descriptor, &record, record.count, off_t(offset))
    return Self.holder(in: record.prefix(max(0, count)))
  }

  /// Reads a record without validation.
  private static func holder(in record: ArraySlice<UInt8>) -> StoreInUse.Holder {
    let line = record.prefix { $0 != 0x0A }.filter { $0 >= 0x20 && $0 != 0x7F }
    let parts = String(decoding: line, as: UTF8.self)
      .split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard parts.count >= 2, let process = Int32(parts[0]) else {
      return StoreInUse.Holder(processID: 0, programName: "", operation: "unknown")
    }
    let name = parts.count > 2 ? parts[2].trimmingCharacters(in: .whitespaces) : ""
    return StoreInUse.Holder(
      processID: process, programName: name, operation: String(parts[1]))
  }
}
