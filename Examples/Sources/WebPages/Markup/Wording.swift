public import Foundation

/// The formatting of numbers, lists and dates as text.
public enum Wording {
  /// Returns a number with a noun in the singular or plural.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - noun: The noun in the singular.
  ///   - plural: The noun in the plural; nil for the singular with an "s" at its end.
  public static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? "\(noun)s")"
  }

  /// Returns facts joined in one line.
  public static func list(_ facts: [String]) -> String { facts.joined(separator: " · ") }

  /// Returns a date with its time, in this machine's time zone.
  public static func day(_ date: Date) -> String {
    date.formatted(
      Date.ISO8601FormatStyle(timeZone: .current).year().month().day().dateTimeSeparator(.space)
        .time(includingFractionalSeconds: false)
    ).prefix(16).description
  }

  /// Returns a machine-readable date.
  public static func machineDate(_ date: Date) -> String { date.formatted(.iso8601) }
}

/// The encoding of texts in paths.
public enum PagePath {
  /// Returns a text encoded as one component of a path.
  public static func part(_ text: String) -> String {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-_.~")
    allowed.formIntersection(CharacterSet(charactersIn: "\u{21}"..."\u{7E}"))
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }
}
