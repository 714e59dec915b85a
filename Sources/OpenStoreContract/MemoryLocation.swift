package import Foundation

extension URL {
  /// Whether a store at the URL is in memory: at `/dev/null`, or at `/dev/null/NAME`, which all coordinators of the
  /// process share.
  package var isInMemory: Bool { path == "/dev/null" || memoryName != nil }

  /// The name of an in-memory store that coordinators share; nil for any other.
  package var memoryName: String? {
    let prefix = "/dev/null/"
    guard isFileURL, path.hasPrefix(prefix), path.count > prefix.count else { return nil }
    return String(path.dropFirst(prefix.count))
  }
}
