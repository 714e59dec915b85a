import Foundation

extension DateFormatter {
  /// The formatter that the listings require.
  static let postDateFormatter: DateFormatter = {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "MMM d, yyyy HH:mm"
    return formatter
  }()
}
