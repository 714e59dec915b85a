import ArgumentParser
public import Foundation
import Synchronization
import TerminalView

/// The output of commands for other programs.
public enum Output {
  /// Prints a value as one line of JSON without control characters.
  ///
  /// - Parameter value: The value. Dates are written in ISO 8601 format.
  public static func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    print(
      Terminal.escapingControls(inJSON: String(decoding: try encoder.encode(value), as: UTF8.self)))
  }

  /// Writes a document to a file, or to standard output.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - path: The file, or a symbolic link to it, which is replaced if it exists; a device or a pipe, which receives the document; nil for
  ///     standard output.
  /// - Throws: `CommandFailure` if the file belongs to a database or cannot be written; an existing file is then unchanged. If standard
  ///   output cannot be written, `ExitCode` with status 74, after reporting the reason.
  public static func write(_ document: Data, to path: String?) throws {
    guard let path else {
      do { return try FileHandle.standardOutput.write(contentsOf: document) } catch {
        Terminal.complain("The output cannot be written. \(ErrorText.sentence(of: error))")
        throw ExitCode(lossStatus)
      }
    }
    let file = URL(filePath: path)
    do {
      switch target(path) {
      case .absent: try document.write(to: file, options: .atomic)
      // Creates the file that the link names.
      case .danglingLink: try document.write(to: file)
      case .deviceOrPipe: try append(document, to: file)
      case .file:
        let target = file.resolvingSymlinksInPath()
        // The file of a store, including the store that the command reads.
        guard try !isDatabase(target) else {
          throw CommandFailure(
            "\(path) belongs to a database, which the output would destroy. Choose another file.")
        }
        try document.write(to: target, options: .atomic)
      }
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure("\(path) cannot be written. \(ErrorText.sentence(of: error))")
    }
  }

  /// The exit status of a program whose output is lost.
  private static let lossStatus: Int32 = 74

  /// Whether an earlier flush has failed. The next flush succeeds, because the C library discards the lost text.
  private static let isLost = Atomic(false)

  /// Notes that printed output is lost.
  static func noteLoss() { isLost.store(true, ordering: .relaxed) }

  /// Makes the process end with status 74 if printed output is lost, for example because the disk is full.
  static func checkAtExit() {
    atexit {
      guard fflush(nil) != 0 || Output.isLost.load(ordering: .relaxed) else { return }
      Terminal.complain("The output cannot be written.")
      _exit(Output.lossStatus)
    }
  }

  /// The kinds of places that a path can name.
  private enum Target {
    case absent, file, deviceOrPipe
    /// A symbolic link to a file that does not exist.
    case danglingLink
  }

  private static func target(_ path: String) -> Target {
    var status = stat()
    if stat(path, &status) == 0 {
      return status.st_mode & S_IFMT == S_IFREG ? .file : .deviceOrPipe
    }
    // Writing the file reports any other error.
    let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
    return isLink ? .danglingLink : .absent
  }

  /// Writes to a device or a pipe.
  private static func append(_ document: Data, to url: URL) throws {
    let file = try FileHandle(forWritingTo: url)
    do { try file.write(contentsOf: document) } catch {
      try? file.close()  // The first error is reported.
      throw error
    }
    try file.close()
  }

  /// The first bytes of SQLite's files: a database, both forms of a write-ahead log, both forms of its index, and a rollback journal.
  private static let databaseMarks = [
    Data("SQLite format 3\0".utf8), Data([0x37, 0x7F, 0x06, 0x82]), Data([0x37, 0x7F, 0x06, 0x83]),
    Data([0x18, 0xE2, 0x2D, 0x00]), Data([0x00, 0x2D, 0xE2, 0x18]),
    Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]),
  ]

  /// Returns whether a regular file belongs to a SQLite database.
  private static func isDatabase(_ url: URL) throws -> Bool {
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }  // Closing a file that was only read loses nothing.
    let start = try file.read(upToCount: 16) ?? Data()
    return databaseMarks.contains { start.starts(with: $0) }
  }
}
