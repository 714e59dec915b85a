import ArgumentParser
import Foundation
import TerminalView

/// What the commands write to the terminal.
public enum Terminal {
  /// The name by which the program was called.
  private static let program =
    CommandLine.arguments.first.map { URL(filePath: $0).lastPathComponent } ?? "program"

  /// Whether the standard output is a terminal.
  public static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Writes a message of trouble, made safe to print.
  ///
  /// - Parameter message: One line; it may hold text from elsewhere.
  public static func complain(_ message: String) {
    FileHandle.standardError.write(Data("\(program): \(printable(message))\n".utf8))
  }

  /// Writes text as it is, without a line end.
  ///
  /// - Parameter text: The text.
  public static func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  /// Hands on what was printed, also where the output is a pipe.
  public static func flush() { fflush(nil) }

  /// Waits until the program is ended, or the task cancelled.
  ///
  /// - Throws: `CancellationError`.
  public static func waitUntilEnded() async throws {
    while true { try await Task.sleep(for: .seconds(3_600)) }
  }

  /// Text from elsewhere, safe to print: control characters could steer the terminal.
  ///
  /// - Parameter text: The text.
  /// - Returns: The text without control characters, line breaks excepted.
  public static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0 == "\n" || !CellText.isControl($0) }))
  }

  /// JSON that is safe to print: control characters, which can only be in its texts, become escapes.
  ///
  /// - Parameter json: One line of JSON.
  public static func escapingControls(inJSON json: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
      if CellText.isControl(scalar) {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          result.append(
            contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
              .unicodeScalars)
        }
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Runs the work of a command; what it throws is said, and ends the command.
  public static func reporting<Result>(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Result
  ) async throws -> Result {
    do { return try await work() } catch { throw failure(error) }
  }

  /// Runs the work of a command; what it throws is said, and ends the command.
  public static func reporting<Result>(_ work: () throws -> Result) throws -> Result {
    do { return try work() } catch { throw failure(error) }
  }

  /// Says what went wrong, unless that was done.
  private static func failure(_ error: any Error) -> ExitCode {
    if let code = error as? ExitCode { return code }
    complain(ErrorText.sentence(of: error))
    return .failure
  }
}
