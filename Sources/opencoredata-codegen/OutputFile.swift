import Foundation

/// A file that the command writes.
struct OutputFile {
  let path: String

  /// Writes a text, whole or not at all, unless the file has it already.
  func write(_ text: String) throws {
    let url = URL(fileURLWithPath: path)
    let data = Data(text.utf8)
    // A file that cannot be read is written.
    if let existing = try? Data(contentsOf: url), existing == data { return }
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url, options: .atomic)
    } catch {
      throw FileError(path: path, message: "cannot be written: \(error.localizedDescription)")
    }
  }
}

/// A file cannot be used.
struct FileError: Error, CustomStringConvertible {
  let path: String
  let message: String

  var description: String { "\(path): error: the file \(message)" }
}
