package import Foundation

extension Data {
  /// Writes a file, whole or not at all, unless it has these bytes already; makes its folder.
  ///
  /// A build that finds the old date of a file does not build anew what depends on it.
  package func update(_ url: URL) throws {
    // A file that cannot be read is written.
    if let existing = try? Data(contentsOf: url), existing == self { return }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try write(to: url, options: .atomic)
  }
}
