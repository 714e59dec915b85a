import Foundation

/// Which version of a file an answer has, as the headers of RFC 9110 name it: its entity tag and its date.
struct FileVersion: Equatable {
  /// The entity tag, which differs whenever size or time of the file do.
  let tag: String
  /// When the file was written, as headers print it.
  let date: String
  private let written: Date

  /// Names the version of a file.
  ///
  /// - Parameters:
  ///   - size: How many bytes the file has.
  ///   - written: When it was written.
  init(size: Int, written: Date) {
    self.written = written
    let instant = UInt64(bitPattern: Int64(written.timeIntervalSince1970 * 1_000_000))
    tag = "\"\(String(size, radix: 16))-\(String(instant, radix: 16))\""
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    date = formatter.string(from: written)
  }

  /// Whether a request for a range means this version, so that its pieces fit together.
  ///
  /// - Parameters:
  ///   - header: The value of `If-Range`; nil for none, which asks for nothing.
  ///   - now: The time of the answer. A file can change twice in the second that it was written in, so its date says nothing yet.
  func isMeant(byRange header: String?, now: Date = Date()) -> Bool {
    guard let header = header?.trimmingCharacters(in: .whitespaces) else { return true }
    if header.hasPrefix("\"") { return header == tag }
    return header == date && now.timeIntervalSince(written) > 1
  }

  /// Whether a browser has this version already.
  ///
  /// - Parameter header: The value of `If-None-Match`; nil for none.
  func isKnown(by header: String?) -> Bool {
    let tags = (header ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    return tags.contains { $0 == "*" || $0 == tag || $0 == "W/" + tag }
  }
}
