import ArgumentParser
import Foundation
import TerminalView

/// The terminal output of commands.
public enum Terminal {
  /// The name under which the program was started.
  private static let program =
    CommandLine.arguments.first.map { URL(filePath: $0).lastPathComponent } ?? "program"

  /// Whether the standard output is a terminal.
  public static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether the standard error is a terminal.
  public static var isErrorInteractive: Bool { isatty(STDERR_FILENO) == 1 }

  /// Writes an error message, made safe to print.
  ///
  /// - Parameter message: One line, which may contain untrusted text.
  public static func complain(_ message: String) {
    writeError("\(program): \(printable(message))\n")
  }

  /// Writes text unchanged to standard error, without a line break.
  ///
  /// - Parameter text: The text.
  public static func writeError(_ text: String) {
    // A message that cannot be written has no other place.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Writes text unchanged, without a line break.
  ///
  /// - Parameter text: The text.
  public static func write(_ text: String) {
    print(text, terminator: "")
    flush()
  }

  /// Flushes the printed output, even if the output is a pipe.
  public static func flush() {
    if fflush(nil) != 0 { Output.noteLoss() }
  }

  /// Waits until the program ends or the task is canceled.
  ///
  /// - Throws: `CancellationError`.
  public static func waitUntilEnded() async throws {
    while true { try await Task.sleep(for: .seconds(3_600)) }
  }

  /// Returns untrusted text that is safe to print. Control characters could manipulate the terminal.
  ///
  /// - Parameter text: The text.
  /// - Returns: The text without control characters other than line breaks.
  public static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0 == "\n" || !CellText.isControl($0) }))
  }

  /// Returns untrusted text as one line that is safe to print. Spaces replace line breaks.
  ///
  /// - Parameter text: The text.
  public static func line(_ text: String) -> String { CellText.line(text) }

  /// Returns JSON that is safe to print. Control characters, which can occur only in its strings, are escaped.
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

  /// Runs the work of a command. Reports an error and ends the command.
  public static func reporting<Result>(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Result
  ) async throws -> Result {
    do { return try await work() } catch { throw failure(error) }
  }

  /// Runs the work of a command. Reports an error and ends the command.
  public static func reporting<Result>(_ work: () throws -> Result) throws -> Result {
    do { return try work() } catch { throw failure(error) }
  }

  /// Reports an error, unless it has been reported already.
  private static func failure(_ error: any Error) -> ExitCode {
    if let code = error as? ExitCode { return code }
    complain(ErrorText.sentence(of: error))
    return .failure
  }
}
