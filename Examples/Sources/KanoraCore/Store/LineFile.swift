import Foundation

/// A file beside the store that consists of lines of JSON.
///
/// Each line begins and ends with a line break. The one at its beginning ends a line that a killed program left incomplete.
///
/// A value. The caller holds a lock of the store.
struct LineFile: Sendable {
  private let url: URL
  /// The subject of the error messages.
  private let subject: String

  /// - Parameters:
  ///   - store: The store's file.
  ///   - suffix: The text after the name of the store's file and a period.
  ///   - subject: The subject of the error messages.
  init(besideStoreAt store: URL, suffix: String, _ subject: String) {
    url = URL(fileURLWithPath: "\(store.path).\(suffix)")
    self.subject = subject
  }

  /// The path of the file.
  var path: String { url.path }

  /// Whether the file exists.
  var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

  /// Adds a line.
  ///
  /// - Parameters:
  ///   - line: The line, without line breaks.
  ///   - finish: A closure that receives the file after the line is written.
  /// - Returns: The size of the file without the line.
  @discardableResult
  func append(
    _ line: Data, _ finish: (FileHandle) throws -> Void = { _ in }
  ) throws -> UInt64 {
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("created", String(cString: strerror(errno))) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      let size = try handle.seekToEnd()
      try handle.write(contentsOf: Self.enclosed(line))
      try finish(handle)
      return size
    } catch {
      throw failure("written", error.localizedDescription)
    }
  }

  /// Replaces all lines.
  func replace(with lines: [Data]) throws {
    do {
      try Data(lines.map(Self.enclosed).joined()).write(to: url, options: .atomic)
    } catch {
      throw failure("written", error.localizedDescription)
    }
  }

  /// Returns the content, or nil if the file does not exist.
  func content() throws -> Data? {
    guard exists else { return nil }
    do { return try Data(contentsOf: url) } catch {
      throw failure("read", error.localizedDescription)
    }
  }

  /// Returns the error for a file that cannot be created, read or written.
  func failure(_ verb: String, _ reason: String) -> KanoraError {
    KanoraError(.notOpened, "\(subject) cannot be \(verb): \(reason)", path: url.path)
  }

  private static func enclosed(_ line: Data) -> Data { Data("\n".utf8) + line + Data("\n".utf8) }
}
