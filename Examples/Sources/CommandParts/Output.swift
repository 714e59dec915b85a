import Foundation

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
}
