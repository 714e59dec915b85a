package import Foundation

extension Data {
  /// Writes the data to a file, unless the file already contains the same bytes.
  ///
  /// The write is atomic and creates the folder of the file. An unchanged file keeps its
  /// modification date, so that a build does not rebuild the targets that depend on the file.
  ///
  /// - Parameter url: The URL of the file.
  /// - Throws: Foundation's error if the folder cannot be created or the file cannot be written.
  package func update(_ url: URL) throws {
    // A file that cannot be read is written.
    if let existing = try? Data(contentsOf: url), existing == self { return }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try write(to: url, options: .atomic)
  }
}
