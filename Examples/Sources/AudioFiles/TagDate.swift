/// A date in a tag, which may consist of a year only.
///
/// A value.
public struct TagDate: Sendable, Hashable {
  /// The year, from 1 to 9999.
  public let year: Int
  /// The month, starting at 1; nil if only the year is known.
  public let month: Int?
  /// The day, starting at 1; nil if it is not known.
  public let day: Int?

  /// Parses a date: "1999", "1999-12", "1999-12-31" or "19991231", followed by any text.
  ///
  /// - Parameter text: The text of a tag.
  /// - Returns: The date, or nil if the text does not start with a year.
  public init?(_ text: String) {
    let parts = text.prefix { $0.isASCII && ($0.isNumber || $0 == "-" || $0 == "." || $0 == "/") }
      .split { !$0.isNumber }.map(String.init)
    guard let first = parts.first else { return nil }
    let isCompact = first.count == 8
    guard isCompact || first.count == 4, let year = Int(first.prefix(4)), year > 0 else {
      return nil
    }
    let rest =
      isCompact
      ? [String(first.dropFirst(4).prefix(2)), String(first.dropFirst(6))]
      : Array(parts.dropFirst())
    self.year = year
    let month = rest.first.flatMap { Int($0) }.flatMap { (1...12).contains($0) ? $0 : nil }
    let day = rest.dropFirst().first.flatMap { Int($0) }.flatMap {
      (1...31).contains($0) ? $0 : nil
    }
    self.month = month
    self.day = month == nil ? nil : day
  }
}
