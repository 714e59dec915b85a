/// Formats instants as the site does: in local time of Chicago, with English month names.
///
/// The calendar is computed here so that pages do not depend on the time zone files of the machine.
struct SiteClock: Sendable {
  /// The start of the virtual time of every new site: 3 February 2025, 18:00 UTC.
  static let start = 1_738_605_600

  let usesTwelveHours: Bool

  /// Returns a date as in a post: `Sep 20, 2012 11:16` or `Jan 18, 2013  7:28 PM`.
  func postDate(_ instant: Int) -> String {
    let local = LocalTime(instant)
    return "\(local.day) \(usesTwelveHours ? local.paddedTwelveHours : local.twentyFourHours)"
  }

  /// Returns a date as in a thread list: `19:42 Feb 25, 2012` or `6:02 AM Nov  6, 2013`.
  func listDate(_ instant: Int) -> String {
    let local = LocalTime(instant)
    return "\(usesTwelveHours ? local.twelveHours : local.twentyFourHours) \(local.day)"
  }

  /// Returns a date as in a list of messages: `Nov  8, 2012 at 21:30`, or with AM and PM.
  func messageDate(_ instant: Int) -> String {
    let local = LocalTime(instant)
    return "\(local.day) at \(usesTwelveHours ? local.twelveHours : local.twentyFourHours)"
  }

  /// Returns a date as in the list of punishments, independent of the reader's clock: `11/10/13 10:10am`.
  func punishmentDate(_ instant: Int) -> String {
    let local = LocalTime(instant)
    return "\(local.slashedDay) \(local.tightTwelveHours)"
  }

  /// Returns a date as in the sidebar of a post: `Sep  9, 2003`.
  func dayOnly(_ instant: Int) -> String {
    LocalTime(instant).day
  }
}

/// The components of an instant in Chicago, valid for the daylight saving rule in force since 2007.
private struct LocalTime {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  let day: String
  let slashedDay: String
  private let hour: Int
  private let minute: Int

  init(_ instant: Int) {
    let offset = Self.isDaylightSaving(instant) ? -5 * 3600 : -6 * 3600
    let local = instant + offset
    let dayNumber = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
    let date = Self.civil(dayNumber)
    let dayText = date.day < 10 ? " \(date.day)" : "\(date.day)"
    day = "\(Self.months[date.month - 1]) \(dayText), \(date.year)"
    slashedDay =
      "\(Self.twoDigits(date.month))/\(Self.twoDigits(date.day))/\(Self.twoDigits(date.year % 100))"
    let second = local - dayNumber * 86_400
    hour = second / 3600
    minute = second % 3600 / 60
  }

  var twentyFourHours: String { "\(Self.twoDigits(hour)):\(Self.twoDigits(minute))" }

  var twelveHours: String {
    let shown = hour % 12 == 0 ? 12 : hour % 12
    return "\(shown):\(Self.twoDigits(minute)) \(hour < 12 ? "AM" : "PM")"
  }

  var paddedTwelveHours: String {
    twelveHours.utf8.count < 8 ? " \(twelveHours)" : twelveHours
  }

  var tightTwelveHours: String {
    let shown = hour % 12 == 0 ? 12 : hour % 12
    return "\(Self.twoDigits(shown)):\(Self.twoDigits(minute))\(hour < 12 ? "am" : "pm")"
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// Returns whether daylight saving time applies: from the second Sunday of March, 2:00 standard time, to the first Sunday of
  /// November, 2:00 daylight time.
  private static func isDaylightSaving(_ instant: Int) -> Bool {
    let year = civil((instant - 6 * 3600) / 86_400).year
    let begin = sunday(onOrAfter: days(year, 3, 8)) * 86_400 + 8 * 3600
    let end = sunday(onOrAfter: days(year, 11, 1)) * 86_400 + 7 * 3600
    return instant >= begin && instant < end
  }

  /// Returns the first Sunday on or after a day; day numbers count from 1 January 1970, a Thursday.
  private static func sunday(onOrAfter day: Int) -> Int {
    day + (3 - day % 7 + 7) % 7
  }

  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(_ dayNumber: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = dayNumber + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
