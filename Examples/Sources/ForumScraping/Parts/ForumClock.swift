import Foundation

/// Parses the dates that the site prints, in all of its date and time formats and in the site's time zone.
///
/// Stateless. The parser accepts only English month names, independent of the reader's locale, and is far faster than date
/// formatters.
enum ForumClock {
  /// The site's time zone.
  static let timeZone =
    TimeZone(identifier: "America/Chicago") ?? TimeZone(secondsFromGMT: -6 * 3600) ?? .gmt

  private static let monthNames = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// The components of a printed date.
  private struct Parts {
    var year: Int?
    var month: Int?
    var day: Int?
    var hour = 0
    var minute = 0
    var isAfternoon: Bool?
  }

  /// Returns the instant of a printed date.
  ///
  /// - Parameter printed: The printed date, such as `Sep 20, 2012 11:16` or `11/10/13 10:10am`.
  /// - Returns: The instant; nil if the text has none of the site's formats.
  static func instant(of printed: String) -> Date? {
    var parts = Parts()
    let words = printed.lowercased().split { $0.isWhitespace || $0 == "," }
    for word in words where word != "at" {
      guard take(word, into: &parts) else { return nil }
    }
    guard let year = parts.year, let month = parts.month, let day = parts.day,
      let hour = hourOfDay(parts), (0..<60).contains(parts.minute),
      let days = daysSinceEpoch(year: year, month: month, day: day)
    else { return nil }
    return instant(atLocal: Double(days * 86_400 + hour * 3_600 + parts.minute * 60))
  }

  private static func take(_ word: Substring, into parts: inout Parts) -> Bool {
    if word.contains(":") { return takeClock(word, into: &parts) }
    if word.contains("/") { return takeSlashedDay(word, into: &parts) }
    if word == "am" || word == "pm" {
      parts.isAfternoon = word == "pm"
      return true
    }
    if let number = Int(word) {
      if word.count == 4 { parts.year = number } else { parts.day = number }
      return number >= 0
    }
    guard word.count >= 3, let month = monthNames.firstIndex(of: String(word.prefix(3))) else {
      return false
    }
    parts.month = month + 1
    return true
  }

  private static func takeClock(_ word: Substring, into parts: inout Parts) -> Bool {
    var clock = word
    if clock.hasSuffix("am") || clock.hasSuffix("pm") {
      parts.isAfternoon = clock.hasSuffix("pm")
      clock = clock.dropLast(2)
    }
    let numbers = clock.split(separator: ":").map { Int($0) }
    guard numbers.count == 2 || numbers.count == 3, let hour = numbers[0], let minute = numbers[1]
    else { return false }
    parts.hour = hour
    parts.minute = minute
    return true
  }

  private static func takeSlashedDay(_ word: Substring, into parts: inout Parts) -> Bool {
    let numbers = word.split(separator: "/").compactMap { Int($0) }
    guard numbers.count == 3 else { return false }
    parts.month = numbers[0]
    parts.day = numbers[1]
    parts.year = numbers[2] < 100 ? 2000 + numbers[2] : numbers[2]
    return true
  }

  private static func hourOfDay(_ parts: Parts) -> Int? {
    guard let isAfternoon = parts.isAfternoon else {
      return (0..<24).contains(parts.hour) ? parts.hour : nil
    }
    // A 24-hour time with a redundant am or pm is used without change.
    if (13..<24).contains(parts.hour) { return parts.hour }
    guard (0...12).contains(parts.hour) else { return nil }
    return parts.hour % 12 + (isAfternoon ? 12 : 0)
  }

  /// Returns the number of days from 1 January 1970 in the Gregorian calendar.
  private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int? {
    guard (1970...9999).contains(year), (1...12).contains(month),
      (1...daysInMonth(month, of: year)).contains(day)
    else { return nil }
    let shiftedYear = month > 2 ? year : year - 1
    let shiftedMonth = (month + 9) % 12
    let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
    return 365 * shiftedYear + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400 + dayOfYear
      - 719_468
  }

  private static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the instant of a local time: in standard time if the hour occurs twice or if daylight saving time skips it.
  private static func instant(atLocal seconds: Double) -> Date {
    let standardOffset = -6.0 * 3_600
    let standard = Date(timeIntervalSince1970: seconds - standardOffset)
    let offset = Double(timeZone.secondsFromGMT(for: standard))
    if offset == standardOffset { return standard }
    let shifted = Date(timeIntervalSince1970: seconds - offset)
    return Double(timeZone.secondsFromGMT(for: shifted)) == offset ? shifted : standard
  }
}
