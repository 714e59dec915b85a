import ArgumentParser
public import Foundation
import TerminalView

/// The arguments and files that commands read.
public enum Input {
  /// Reads a file.
  ///
  /// - Parameter path: The file.
  /// - Throws: `CommandFailure` with the path and the reason.
  public static func read(_ path: String) throws -> Data {
    do { return try Data(contentsOf: URL(filePath: path)) } catch {
      throw CommandFailure("\(path) cannot be read. \(ErrorText.sentence(of: error))")
    }
  }

  /// Returns the path in an argument; use as the `transform` of an option or argument.
  ///
  /// An empty path would mean the current folder.
  ///
  /// - Parameter argument: The argument.
  /// - Throws: `ValidationError` if the argument is empty.
  @Sendable
  public static func path(_ argument: String) throws -> String {
    guard !argument.isEmpty else { throw ValidationError("The path is empty.") }
    return argument
  }
}
