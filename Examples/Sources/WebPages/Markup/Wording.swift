public import Foundation

/// Numbers and dates in words.
public enum Wording {
  /// A number with what it counts.
  public static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Facts in one line.
  public static func list(_ facts: [String]) -> String { facts.joined(separator: " · ") }

  /// A date with its time, in this machine's time zone.
  public static func day(_ date: Date) -> String {
    date.formatted(
      Date.ISO8601FormatStyle(timeZone: .current).year().month().day().dateTimeSeparator(.space)
        .time(includingFractionalSeconds: false)
    ).prefix(16).description
  }

  /// A date as programs read it.
  public static func machineDate(_ date: Date) -> String { date.formatted(.iso8601) }
}

/// Texts as parts of paths.
public enum PagePath {
  /// A text as one part of a path.
  public static func part(_ text: String) -> String {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-_.~")
    allowed.formIntersection(CharacterSet(charactersIn: "\u{21}"..."\u{7E}"))
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }
}
