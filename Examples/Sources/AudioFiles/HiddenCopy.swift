package import Foundation

/// A hidden copy of a file, in the folder of the file that it replaces or becomes.
///
/// Scans skip hidden files, so an unfinished copy never becomes a track. A program locks its copies. If the program is killed, the system
/// releases the locks, and the next scan of the folder deletes the copies.
///
/// A value. Call ``discard()`` when the copy is no longer used.
package struct HiddenCopy {
  private static let prefix = ".kanora-"

  /// The location of the copy.
  package let url: URL
  private let descriptor: Int32

  /// Copies a file with its permissions.
  ///
  /// - Parameters:
  ///   - file: The file; symbolic links are followed.
  ///   - folder: The folder of the copy.
  /// - Throws: The error of the system; no copy is then left.
  package init(of file: URL, in folder: URL) throws {
    (url, descriptor) = try Self.make(in: folder)
    do { try copyContent(of: file) } catch {
      discard()
      throw error
    }
  }

  /// Creates and locks an empty file.
  private static func make(in folder: URL) throws -> (URL, Int32) {
    while true {
      let url = folder.appendingPathComponent("\(prefix)\(UUID().uuidString)")
      let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw lastError() }
      // Not every file system has locks. On those without, copies are never taken for abandoned ones.
      let isFree = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      var status = stat()
      if isFree, fstat(descriptor, &status) == 0, status.st_nlink > 0 { return (url, descriptor) }
      // Before the lock, a scan has taken the file for an abandoned copy.
      close(descriptor)
    }
  }

  private func copyContent(of file: URL) throws {
    let source = open(file.path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw Self.lastError() }
    let input = FileHandle(fileDescriptor: source, closeOnDealloc: true)
    let output = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    while let piece = try input.read(upToCount: 1 << 20), !piece.isEmpty {
      try output.write(contentsOf: piece)
    }
    var status = stat()
    guard fstat(source, &status) == 0 else { throw Self.lastError() }
    // Only a privileged program can give the copy another owner.
    _ = fchown(descriptor, status.st_uid, status.st_gid)
    guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else { throw Self.lastError() }
  }

  /// Deletes the copy, unless it has been renamed, and releases its lock.
  package func discard() {
    unlink(url.path)
    close(descriptor)
  }

  private static func lastError() -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }

  // MARK: Abandoned copies

  /// Returns whether a file name is that of a copy.
  static func isName(_ name: String) -> Bool {
    name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil
  }

  /// Deletes a copy that no program uses. A copy that cannot be deleted stays.
  ///
  /// - Parameter path: The path that a `FolderWalk` returned for the copy.
  package static func removeIfAbandoned(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return }
    unlink(path)
  }
}
