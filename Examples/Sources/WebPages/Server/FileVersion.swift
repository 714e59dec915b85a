import Foundation

/// The version of a file in a response, as the headers of RFC 9110 identify it: the entity tag and the date.
struct FileVersion: Equatable {
  /// The entity tag, which differs whenever the size or the modification date of the file differs.
  let tag: String
  /// The modification date of the file, in the format of headers.
  let date: String
  private let written: Date

  /// Creates the version of a file.
  ///
  /// - Parameters:
  ///   - size: The size of the file, in bytes.
  ///   - written: The modification date of the file.
  init(size: Int, written: Date) {
    self.written = written
    let instant = written.timeIntervalSince1970.bitPattern
    tag = "\"\(String(size, radix: 16))-\(String(instant, radix: 16))\""
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    date = formatter.string(from: written)
  }

  /// Returns whether a range request refers to this version, so that the ranges belong together.
  ///
  /// - Parameters:
  ///   - header: The value of `If-Range`; nil for none, which sets no condition.
  ///   - now: The time of the response. A file can change again within the second of its modification date, so a date from the last second
  ///     does not identify a version.
  func isMeant(byRange header: String?, now: Date = Date()) -> Bool {
    guard let header = header?.trimmingCharacters(in: .whitespaces) else { return true }
    if header.hasPrefix("\"") { return header == tag }
    return header == date && now.timeIntervalSince(written) > 1
  }

  /// Returns whether the browser already has this version.
  ///
  /// - Parameter header: The value of `If-None-Match`; nil for none.
  func isKnown(by header: String?) -> Bool {
    let tags = (header ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    return tags.contains { $0 == "*" || $0 == tag || $0 == "W/" + tag }
  }
}
