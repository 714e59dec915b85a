package import Foundation

/// How long a site asks to wait: the `Retry-After` header, which holds seconds or a date.
package enum RetryAfter {
  /// The seconds to wait; nil without a header that can be read.
  ///
  /// - Parameters:
  ///   - header: The header's value.
  ///   - answeredAt: The answer's `Date` header: by the site's clock, which may differ from the one here.
  ///   - now: The present, for answers without a date.
  package static func seconds(_ header: String?, answeredAt: String?, now: Date = Date()) -> Int? {
    guard let text = header?.trimmingCharacters(in: .whitespaces) else { return nil }
    if let seconds = Int(text) { return max(0, seconds) }
    guard let date = date(text) else { return nil }
    let start = answeredAt.flatMap(Self.date) ?? now
    return max(0, Int(clamping: Int64(date.timeIntervalSince(start).rounded(.up))))
  }

  /// A date as HTTP writes it, in any of its three forms.
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
