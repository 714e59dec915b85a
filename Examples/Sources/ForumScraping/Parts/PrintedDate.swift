public import Foundation

/// A date as the site prints it, and the instant it stands for.
///
/// A value. The site prints in its own time zone, America/Chicago, in English, with either clock;
/// the date is nil when the print is none of its forms.
public struct PrintedDate: Sendable, Equatable {
  /// The print, without white space at both ends.
  public let printed: String
  /// The instant; where an hour occurs twice, the one in standard time.
  public let date: Date?

  /// Reads a printed date.
  ///
  /// - Parameter text: The text as found.
  /// - Returns: The date, or nil when the text is blank.
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
