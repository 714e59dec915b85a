import Foundation

/// A source that a command reads.
enum SourceFile {
  /// The text of a file.
  ///
  /// - Throws: `FileError` when it cannot be read, or is not UTF-8.
  static func text(of path: String) throws -> String {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw FileError(path: path, message: "cannot be read: \(error.localizedDescription)")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw FileError(path: path, message: "is not encoded in UTF-8; convert it to UTF-8")
    }
    return text
  }
}
