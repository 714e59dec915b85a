package import Foundation

extension URL {
  /// Whether a store at the URL is in memory.
  ///
  /// The URL of an in-memory store is `/dev/null`, or `/dev/null/NAME` for a store that all
  /// coordinators of the process share.
  package var isInMemory: Bool { path == "/dev/null" || memoryName != nil }

  /// The name of an in-memory store that coordinators share; nil for any other store.
  package var memoryName: String? {
    let prefix = "/dev/null/"
    guard isFileURL, path.hasPrefix(prefix), path.count > prefix.count else { return nil }
    return String(path.dropFirst(prefix.count))
  }
}
