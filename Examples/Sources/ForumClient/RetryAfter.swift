package import Foundation

/// A parser for the `Retry-After` header, which holds a number of seconds or a date.
package enum RetryAfter {
  /// Returns the seconds to wait; nil if the header is missing or cannot be parsed.
  ///
  /// - Parameters:
  ///   - header: The header's value.
  ///   - answeredAt: The response's `Date` header, which follows the site's clock; that clock may differ from the local clock.
  ///   - now: The current date, for responses without a date.
  package static func seconds(_ header: String?, answeredAt: String?, now: Date = Date()) -> Int? {
    guard let text = header?.trimmingCharacters(in: .whitespaces) else { return nil }
    if let seconds = Int(text) { return max(0, seconds) }
    guard let date = date(text) else { return nil }
    let start = answeredAt.flatMap(Self.date) ?? now
    return max(0, Int(clamping: Int64(date.timeIntervalSince(start).rounded(.up))))
  }

  /// Parses a date in any of the three formats of HTTP.
  private static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    for format in [
      "EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy",
    ] {
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return date }
    }
    return nil
  }
}
