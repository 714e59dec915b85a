import Foundation

/// What the commands write to the terminal.
enum Terminal {
  /// Whether the standard output is a terminal.
  static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Writes a message of trouble, made safe to print.
  ///
  /// - Parameter message: One line; it may hold text of the site.
  static func complain(_ message: String) {
    FileHandle.standardError.write(Data("awful: \(printable(message))\n".utf8))
  }

  /// Writes text as it is, without a line end.
  ///
  /// - Parameter text: The text.
  static func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  /// Hands on what was printed, also where the output is a pipe.
  static func flush() { fflush(nil) }

  /// Text from the site, safe to print: control characters could steer the terminal.
  ///
  /// - Parameter text: The text.
  /// - Returns: The text without control characters, line breaks excepted.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0 == "\n" || !isControl($0.properties.generalCategory) }))
  }

  /// JSON that is safe to print: control characters, which can only be in its texts, become escapes.
  ///
  /// - Parameter json: One line of JSON.
  static func escapingControls(inJSON json: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
      if isControl(scalar.properties.generalCategory) {
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

  private static func isControl(_ category: Unicode.GeneralCategory) -> Bool {
    category == .control || category == .format
  }
}
