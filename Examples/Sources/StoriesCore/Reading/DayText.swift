public import Foundation

/// Calendar days as text in the form of ISO 8601, such as "2019-05-06".
public enum DayText {
  /// Returns the day of an instant in the Gregorian calendar.
  ///
  /// - Parameters:
  ///   - instant: The instant.
  ///   - calendar: The calendar whose time zone determines the day.
  public static func day(of instant: Date, in calendar: Calendar) -> String {
    let parts = gregorian(calendar).dateComponents([.year, .month, .day], from: instant)
    func padded(_ number: Int?, to length: Int) -> String {
      let digits = String(number ?? 0)
      return String(repeating: "0", count: max(0, length - digits.count)) + digits
    }
    return [padded(parts.year, to: 4), padded(parts.month, to: 2), padded(parts.day, to: 2)]
      .joined(separator: "-")
  }

  /// Returns an instant of a day, or nil if the text is not a day.
  ///
  /// The instant is noon, so that the day stays the same if the child moves to another time zone, except for the most distant ones.
  ///
  /// - Parameters:
  ///   - text: The day.
  ///   - calendar: The calendar whose time zone determines the day.
  public static func instant(_ text: String, in calendar: Calendar) -> Date? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      let noon = gregorian(calendar).date(
        from: DateComponents(year: year, month: month, day: day, hour: 12)),
      // The calendar accepts February 30, and returns a day in March.
      self.day(of: noon, in: calendar) == text
    else { return nil }
    return noon
  }

  private static func gregorian(_ calendar: Calendar) -> Calendar {
    var gregorian = Calendar(identifier: .gregorian)
    gregorian.timeZone = calendar.timeZone
    return gregorian
  }
}
