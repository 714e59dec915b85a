extension DateText {
  /// Returns the date of a text in ISO 8601 format, in seconds since 2001; nil for any other text.
  /// Text without a time represents the beginning of the day. A time without an offset is in UTC.
  static func seconds(of text: String) -> Double? {
    var reader = Reader(text)
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
      reader.skip("-"), let day = reader.number(2), (1...12).contains(month),
      (1...daysInMonth(year, month)).contains(day)
    else { return nil }
    var seconds = days(year, month, day) * 86_400
    var fraction = "0"
    if !reader.isAtEnd {
      guard reader.skip("T") || reader.skip("t") || reader.skip(" "),
        let time = reader.time(), let offset = reader.offset()
      else { return nil }
      seconds += time.seconds - offset
      fraction = time.fraction
    }
    return reader.isAtEnd ? moment(seconds - 978_307_200, fraction: fraction) : nil
  }

  private static func daysInMonth(_ year: Int64, _ month: Int64) -> Int64 {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Returns the number of days since 1970.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    // Counted from a 1 March, so that leap days end a year; 146,097 days are 400 years.
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let inEra = shifted - era * 400
    let inYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + inEra * 365 + inEra / 4 - inEra / 100 + inYear - 719_468
  }

  /// A reader for the remaining characters of a text.
  private struct Reader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func number(_ digits: Int) -> Int64? {
      let text = rest.prefix(digits)
      guard text.count == digits, text.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      rest.removeFirst(digits)
      return text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    mutating func time() -> (seconds: Int64, fraction: String)? {
      guard let hour = number(2), skip(":"), let minute = number(2), hour < 24, minute < 60 else {
        return nil
      }
      guard skip(":") else { return (hour * 3600 + minute * 60, "0") }
      guard let second = number(2), second < 60 else { return nil }
      let seconds = hour * 3600 + minute * 60 + second
      guard skip(".") else { return (seconds, "0") }
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      rest.removeFirst(digits.count)
      return (seconds, String(decoding: digits, as: UTF8.self))
    }

    /// Reads a time zone offset, and returns the offset in seconds; 0 for UTC, and nil if the text
    /// is invalid.
    mutating func offset() -> Int64? {
      if isAtEnd || skip("Z") || skip("z") { return 0 }
      let sign: Int64 = skip("-") ? -1 : 1
      guard sign < 0 || skip("+"), let hours = number(2), hours < 24 else { return nil }
      _ = skip(":")
      if isAtEnd { return sign * hours * 3600 }
      guard let minutes = number(2), minutes < 60 else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}
