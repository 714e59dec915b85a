import Foundation
import OpenModelCodegen

/// A file that the command writes.
struct OutputFile {
  let path: String

  /// Writes a text, whole or not at all, unless the file has it already.
  func write(_ text: String) throws {
    do {
      try Data(text.utf8).update(URL(fileURLWithPath: path))
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
