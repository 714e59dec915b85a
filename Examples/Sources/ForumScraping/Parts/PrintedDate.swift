public import Foundation

/// A date as printed by the site, and the instant that it represents.
///
/// A value. The site prints dates in its own time zone, America/Chicago, in English, with a 12-hour or 24-hour clock; `date` is
/// nil if the text has none of the site's formats.
public struct PrintedDate: Sendable, Equatable {
  /// The printed text, without surrounding white space.
  public let printed: String
  /// The instant, in standard time if the hour occurs twice; nil if the text cannot be parsed.
  public let date: Date?

  /// Parses a printed date.
  ///
  /// - Parameter text: The text as found on the page.
  /// - Returns: The date; nil if the text is blank.
  public init?(_ text: String?) {
    guard let printed = text?.trimmingDateText, !printed.isEmpty else { return nil }
    self.printed = printed
    date = ForumClock.instant(of: printed)
  }
}

extension String {
  fileprivate var trimmingDateText: String {
    trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
