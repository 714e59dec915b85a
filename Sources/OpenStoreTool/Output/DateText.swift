/// Conversions between dates and text in ISO 8601 format, in UTC.
///
/// The text has as many fractional digits as are required to read the same date again.
enum DateText {
  private static let secondsToReference: Double = 978_307_200
  /// A number of seconds that is outside the years that the format supports.
  private static let limit: Double = 2.5e11

  /// Returns the text of a date, given in seconds since 2001; nil if the format does not support
  /// the year.
  static func text(ofSecondsSinceReference seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < limit else { return nil }
    let whole = seconds.rounded(.down)
    let unix = Int64(whole) + Int64(secondsToReference)
    let days = unix >= 0 ? unix / 86_400 : -((-unix + 86_399) / 86_400)
    let inDay = unix - days * 86_400
    let (year, month, day) = civil(days)
    guard (0...9999).contains(year) else { return nil }
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    let time =
      "\(padded(inDay / 3600, 2)):\(padded(inDay / 60 % 60, 2)):\(padded(inDay % 60, 2))"
    return fraction(seconds, whole).map { date + "T" + time + $0 + "Z" }
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Returns the year, month and day of a number of days since 1970.
  private static func civil(_ days: Int64) -> (Int64, Int64, Int64) {
    // Counted from a 1 March, so that leap days end a year; 146,097 days are 400 years.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let inEra = shifted - era * 146_097
    let yearInEra = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
    let inYear = inEra - (365 * yearInEra + yearInEra / 4 - yearInEra / 100)
    let shiftedMonth = (5 * inYear + 2) / 153
    let day = inYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearInEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// Returns the shortest fraction of a second that results in the same date; nil if there is no
  /// such fraction.
  private static func fraction(_ seconds: Double, _ whole: Double) -> String? {
    let rest = seconds - whole
    guard rest > 0 else { return "" }
    var scale: Double = 1
    for width in 1...17 {
      scale *= 10
      let digits = (rest * scale).rounded()
      guard digits < scale, let number = Int64(exactly: digits) else { continue }
      let text = padded(number, width)
      if moment(Int64(whole), fraction: text) == seconds { return "." + text }
    }
    return nil
  }

  /// Returns the date for a number of whole seconds and the digits of a fraction.
  ///
  /// For a date before 2001, the method adds the decimal digits and converts the sum once, because
  /// adding two floating-point numbers would round differently: -1 and 0.9 result in -0.1.
  static func moment(_ whole: Int64, fraction digits: String) -> Double? {
    guard let fraction = Double("0." + digits) else { return nil }
    guard whole < 0, fraction > 0 else { return Double(whole) + fraction }
    var complement = digits.utf8.map { UInt8(ascii: "9") - $0 + UInt8(ascii: "0") }
    for index in complement.indices.reversed() {
      if complement[index] < UInt8(ascii: "9") {
        complement[index] += 1
        break
      }
      complement[index] = UInt8(ascii: "0")
    }
    return Double("-\(-whole - 1)." + String(decoding: complement, as: UTF8.self))
  }
}
