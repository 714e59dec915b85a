public import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The log of important operations: what changed the library, when, and what went wrong.
///
/// Each operation is a line of a file beside the library, so that several programs write to one log. The file is begun anew when it is
/// too long; the one before is kept.
///
/// Shared.
public final class OperationLog: Sendable {
  /// A line of the log.
  public struct Entry: Codable, Hashable, Sendable {
    /// When.
    public let date: Date
    /// What was done, in one or a few words.
    public let operation: String
    /// What it was done to.
    public let subject: String
    /// Why it failed; nil if it did not.
    public let failure: String?
  }

  private let url: URL?
  private let recent = Mutex<[Entry]>([])
  private static let sizeLimit = 1 << 20
  private static let recentLimit = 1000

  /// Opens a log; one without file is kept in memory.
  init(at url: URL?) { self.url = url }

  /// Adds a line. An operation is not refused because it cannot be logged.
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
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    if let size = (attributes?[.size] as? NSNumber)?.intValue, size > sizeLimit {
      let former = formerURL(url)
      // Another program may have been faster.
      try? FileManager.default.removeItem(at: former)
      try? FileManager.default.moveItem(at: url, to: former)
    }
    // One write at the end of the file, which lines of other programs do not part.
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
  }

  private static func formerURL(_ url: URL) -> URL { url.appendingPathExtension("old") }

  /// The last lines, the newest first. Lines that cannot be read are left out.
  ///
  /// - Parameter limit: At most how many.
  public func entries(limit: Int = 100) -> [Entry] {
    guard let url else { return Array(recent.withLock { $0 }.reversed().prefix(limit)) }
    var entries: [Entry] = []
    for file in [url, Self.formerURL(url)] where entries.count < limit {
      // A log that is not there has no lines.
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
