public import Foundation
import StoreSharing
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A log of important operations: what changed the library, when, and what failed.
///
/// Each operation is one line of a file next to the library, so several programs can write to the same log. When the file becomes too long,
/// the log starts a new file and keeps the previous one.
///
/// > Concurrency: Shared; usable on any thread.
public final class OperationLog: Sendable {
  /// A line of the log.
  public struct Entry: Codable, Hashable, Sendable {
    /// The date of the operation.
    public let date: Date
    /// The operation, in one or a few words.
    public let operation: String
    /// The object of the operation.
    public let subject: String
    /// The reason for the failure; nil if the operation succeeded.
    public let failure: String?
  }

  private let url: URL?
  private let recent = Mutex<[Entry]>([])
  private static let sizeLimit = 1 << 20
  private static let recentLimit = 1000

  /// Opens a log; without a URL, the log stays in memory.
  init(at url: URL?) { self.url = url }

  /// Adds a line. A failure to write the log does not fail the operation.
  func note(_ operation: String, _ subject: String, failure: (any Error)? = nil, at date: Date) {
    let entry = Entry(
      date: date, operation: operation, subject: subject,
      failure: failure.map { $0.localizedDescription })
    guard let url else {
      return recent.withLock { entries in
        entries.append(entry)
        if entries.count > Self.recentLimit { entries.removeFirst() }
      }
    }
    guard var line = try? JSONEncoder().encode(entry) else { return }
    line.append(UInt8(ascii: "\n"))
    recent.withLock { _ in Self.append(line, to: url) }
  }

  private static func append(_ line: Data, to url: URL) {
    if size(of: url) > sizeLimit { replace(url) }
    // A single appending write, so lines from other programs cannot split the line.
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
  }

  /// Starts a new file, and keeps the previous one.
  private static func replace(_ url: URL) {
    // After the wait for the lock, another program may already have started a new file.
    guard let lock = try? FileLock.take(url.path), size(of: url) > sizeLimit else { return }
    withExtendedLifetime(lock) { _ = rename(url.path, formerURL(url).path) }
  }

  private static func size(of url: URL) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)  // often missing
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  private static func formerURL(_ url: URL) -> URL { url.appendingPathExtension("old") }

  /// Returns the last lines, newest first, without lines that cannot be read.
  ///
  /// - Parameter limit: The maximum number of lines; a negative number is treated as 0.
  public func entries(limit: Int = 100) -> [Entry] {
    guard let url else { return Array(recent.withLock { $0 }.reversed().prefix(max(0, limit))) }
    var entries: [Entry] = []
    for file in [url, Self.formerURL(url)] where entries.count < limit {
      // A missing file has no lines.
      let lines = (try? Data(contentsOf: file))?.split(separator: UInt8(ascii: "\n")) ?? []
      for line in lines.reversed() where entries.count < limit {
        if let entry = try? JSONDecoder().decode(Entry.self, from: Data(line)) {
          entries.append(entry)
        }
      }
    }
    return entries
  }
}
