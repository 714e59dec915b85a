internal import Foundation
internal import Glibc
internal import OpenCoreData
internal import OpenObjectModel

/// The folder of a disk cache, with one file for each key, and one file for each value that is
/// being written.
///
/// A file is written under a temporary name and stays locked until it is renamed. An unlocked file
/// with a temporary name was therefore left by a killed process. Only the owner of the files can
/// read them. Errors of reading and deleting files are not reported.
struct DiskCacheFolder: Sendable {
  /// A file that holds a value.
  struct File {
    var name: String
    var size: Int
    /// The time when the value was last used, in seconds since 1970.
    var used: Double
  }

  let path: String

  /// Opens a folder and creates it if necessary. Only its owner can access a created folder.
  init(_ folder: URL) throws {
    path = folder.path
    try make()
  }

  func make() throws { try UserFolders.make(URL(fileURLWithPath: path, isDirectory: true)) }

  // MARK: Names

  private static let ending = ".cache"
  private static let partialEnding = ".partial"
  private static let digestLength = 64

  /// Returns the name of a key's file, which does not reveal the key.
  static func name(of key: String) -> String {
    SHA2.hash256(Array(key.utf8)).hexadecimal + ending
  }

  /// Returns a name for a file that is being written.
  static func partialName() -> String { UUID().uuidString + partialEnding }

  private static func isValue(_ name: String) -> Bool {
    name.hasSuffix(ending) && name.utf8.count == digestLength + ending.utf8.count
  }

  private static func isPartial(_ name: String) -> Bool {
    // Earlier versions wrote through files that Foundation names.
    name.hasSuffix(partialEnding) || name.hasPrefix(".dat.nosync")
  }

  // MARK: Reading

  /// Returns the content of a file; nil if the file is missing, unreadable or not a regular file.
  func content(of name: String) -> Data? {
    let descriptor = open(place(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    // A file that cannot be read is a miss.
    return try? file.readToEnd() ?? Data()
  }

  /// Returns the files of all values, in no particular order. The array is empty if the folder
  /// cannot be read.
  ///
  /// The method deletes incomplete files of processes that were killed while writing.
  func files() -> [File] {
    // If the folder cannot be read, there are no files to return.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.compactMap { name in
      if Self.isPartial(name) { removeAbandoned(name) }
      return Self.isValue(name) ? file(name) : nil
    }
  }

  /// Returns the file of a value, or nil if there is no regular file with the name.
  func file(_ name: String) -> File? {
    var status = stat()
    guard lstat(place(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    // Written by an earlier version.
    if status.st_mode & 0o077 != 0 { chmod(place(name), 0o600) }
    let used = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
    return File(name: name, size: Int(clamping: status.st_size), used: used)
  }

  private func removeAbandoned(_ name: String) {
    guard let lock = PresenceLock(place(name), waits: false) else { return }
    defer { lock.release() }
    remove(name)
  }

  // MARK: Writing

  /// Writes a file under a temporary name. `PartialFile.publish(as:)` then renames the file to that
  /// of a key.
  ///
  /// - Throws: `CocoaError` if the file cannot be written. The incomplete file is then deleted.
  func write(_ content: Data, used: Date) throws -> PartialFile {
    var file = try makePartial()
    // Before the file was locked, another process may have deleted it as the file of a killed
    // process.
    while !file.isPresent { file = try makePartial() }
    try file.fill(content)
    note(used, on: file.name)
    return file
  }

  private func makePartial() throws -> PartialFile {
    let name = Self.partialName()
    var descriptor = create(name)
    if descriptor < 0, errno == ENOENT {
      // Another program deleted the cache folder.
      try make()
      descriptor = create(name)
    }
    guard descriptor >= 0 else { throw CocoaError.writing(place(name)) }
    return PartialFile(folder: self, name: name, descriptor: descriptor)
  }

  private func create(_ name: String) -> Int32 {
    open(place(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  }

  /// Records when a value was used, which affects the order of deletion only.
  func note(_ instant: Date, on name: String) {
    let seconds = min(max(0, instant.timeIntervalSince1970), 4e9)
    let time = seconds.isNaN ? 0 : seconds
    let stamp = timespec(
      tv_sec: Int(time), tv_nsec: Int((time - time.rounded(.down)) * 1e9))
    utimensat(AT_FDCWD, place(name), [stamp, stamp], AT_SYMLINK_NOFOLLOW)
  }

  /// Deletes a file. Errors are ignored.
  ///
  /// - Returns: Whether the file was deleted.
  @discardableResult
  func remove(_ name: String) -> Bool { unlink(place(name)) == 0 }

  func place(_ name: String) -> String { path + "/" + name }
}

/// A file that is being written. The file is deleted when this object is deallocated, unless
/// `publish(as:)` has renamed the file.
///
/// The object is confined to one call.
final class PartialFile {
  private let folder: DiskCacheFolder
  fileprivate let name: String
  private let descriptor: Int32
  private var isPublished = false

  fileprivate init(folder: DiskCacheFolder, name: String, descriptor: Int32) {
    self.folder = folder
    self.name = name
    self.descriptor = descriptor
    // The lock is held until the file is renamed. The kernel releases the lock of a killed process.
    // A search for files of killed processes holds the lock only while it deletes the file.
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  /// Whether the file still exists in the folder.
  fileprivate var isPresent: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  deinit {
    if !isPublished { folder.remove(name) }
    close(descriptor)
  }

  fileprivate func fill(_ content: Data) throws {
    try content.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw CocoaError.writing(folder.place(name)) }
        done += count
      }
    }
  }

  /// Renames the file to the file name of a key, and replaces any existing file with this name.
  ///
  /// - Throws: `CocoaError` if the file cannot be renamed. The existing file then remains.
  func publish(as key: String) throws {
    guard rename(folder.place(name), folder.place(key)) == 0 else {
      throw CocoaError.writing(folder.place(key))
    }
    isPublished = true
  }
}

extension CocoaError {
  /// Returns the error for a file that cannot be written, from `errno`.
  fileprivate static func writing(_ path: String) -> CocoaError {
    let number = errno
    let code: CocoaError.Code =
      switch number {
      case ENOSPC, EDQUOT: .fileWriteOutOfSpace
      case EACCES, EPERM: .fileWriteNoPermission
      case EROFS: .fileWriteVolumeReadOnly
      default: .fileWriteUnknown
      }
    return CocoaError(
      code,
      userInfo: [
        NSFilePathErrorKey: path,
        NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(number)),
      ])
  }
}
