public import Foundation

/// On how many days in a row a child has read.
///
/// A day is a calendar day where the child reads. It is kept as a day, so that it stays the same when the child is in another time
/// zone later.
public struct ReadingStreak: Codable, Hashable, Sendable {
  /// How many stories were read in all.
  public private(set) var storiesRead: Int
  /// The days in a row up to the last day of reading.
  public private(set) var days: Int
  /// The most days in a row so far.
  public private(set) var longest: Int
  /// The last day of reading, as the number of days since 1 January 1970; nil before the first story.
  public private(set) var lastDay: Int?

  /// Makes the streak of a child who has not read yet, or whose last day is known only.
  ///
  /// - Parameters:
  ///   - storiesRead: How many stories were read in all.
  ///   - lastDay: The last day of reading; it counts as a streak of one day.
  public init(storiesRead: Int = 0, lastDay: Int? = nil) {
    self.storiesRead = max(0, storiesRead)
    self.lastDay = lastDay
    days = lastDay == nil ? 0 : 1
    longest = days
  }

  /// Notes that a story was read.
  ///
  /// A day before the last one changes no days: the child has travelled west, or the clock was set back.
  ///
  /// - Parameters:
  ///   - instant: When.
  ///   - calendar: The calendar where the child is; its time zone counts.
  public mutating func noteReading(at instant: Date, in calendar: Calendar) {
    let day = Self.day(of: instant, in: calendar)
    storiesRead = storiesRead == .max ? .max : storiesRead + 1
    guard let last = lastDay else { return begin(day) }
    if day <= last { return }
    if day == last + 1 {
      days += 1
      longest = max(longest, days)
      lastDay = day
    } else {
      begin(day)
    }
  }

  private mutating func begin(_ day: Int) {
    days = 1
    longest = max(longest, 1)
    lastDay = day
  }

  /// The days in a row that count now: none when the child has read neither today nor yesterday.
  public func currentDays(at instant: Date, in calendar: Calendar) -> Int {
    guard let lastDay, Self.day(of: instant, in: calendar) <= lastDay + 1 else { return 0 }
    return days
  }

  /// The number of a calendar day since 1 January 1970 in the Gregorian calendar.
  ///
  /// Hours do not count, so that days of 23 and 25 hours are days as all others.
  public static func day(of instant: Date, in calendar: Calendar) -> Int {
    var gregorian = Calendar(identifier: .gregorian)
    gregorian.timeZone = calendar.timeZone
    let parts = gregorian.dateComponents([.year, .month, .day], from: instant)
    let (month, day) = (parts.month ?? 1, parts.day ?? 1)
    // Years begin in March, so that a leap day is a year's last one.
    let year = (parts.year ?? 1970) - (month <= 2 ? 1 : 0)
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
