public import Foundation

/// The number of days in a row on which a child has read.
///
/// A day is a calendar day at the child's location. The streak stores days rather than instants, so a day stays the same if the child later
/// moves to another time zone.
public struct ReadingStreak: Codable, Hashable, Sendable {
  /// The total number of stories read.
  public private(set) var storiesRead: Int
  /// The number of days in a row, up to the last day of reading.
  public private(set) var days: Int
  /// The longest streak so far, in days.
  public private(set) var longest: Int
  /// The last day of reading, as the number of days since 1 January 1970; nil before the first story.
  public private(set) var lastDay: Int?

  /// Creates the streak of a child who has not read yet, or of whom only the last day of reading is known.
  ///
  /// - Parameters:
  ///   - storiesRead: The total number of stories read.
  ///   - lastDay: The last day of reading, which counts as a streak of one day.
  public init(storiesRead: Int = 0, lastDay: Int? = nil) {
    self.storiesRead = max(0, storiesRead)
    self.lastDay = lastDay
    days = lastDay == nil ? 0 : 1
    longest = days
  }

  /// Records that a story was read.
  ///
  /// The day before the last day does not change the streak: the child has traveled west. If the last day is further ahead, the clock was
  /// wrong, and a new streak begins.
  ///
  /// - Parameters:
  ///   - instant: The time of reading.
  ///   - calendar: The calendar whose time zone is that of the child's location.
  public mutating func noteReading(at instant: Date, in calendar: Calendar) {
    let day = Self.day(of: instant, in: calendar)
    storiesRead = storiesRead == .max ? .max : storiesRead + 1
    guard let last = lastDay else { return begin(day) }
    if day == last || last == day + 1 { return }
    if last == day - 1 {
      days = days == .max ? .max : days + 1
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

  /// Returns the current streak in days: 0 if the child has read neither today nor yesterday.
  ///
  /// Tomorrow counts as today, because the child may have traveled west. A later last day is a wrong one.
  public func currentDays(at instant: Date, in calendar: Calendar) -> Int {
    let today = Self.day(of: instant, in: calendar)
    guard let lastDay, (today - 1...today + 1).contains(lastDay) else { return 0 }
    return days
  }

  /// Returns the number of a calendar day since 1 January 1970 in the Gregorian calendar.
  ///
  /// Hours are ignored, so days of 23 or 25 hours count as ordinary days.
  public static func day(of instant: Date, in calendar: Calendar) -> Int {
    var gregorian = Calendar(identifier: .gregorian)
    gregorian.timeZone = calendar.timeZone
    let parts = gregorian.dateComponents([.year, .month, .day], from: instant)
    let (month, day) = (parts.month ?? 1, parts.day ?? 1)
    // Years begin in March, so that a leap day is the last day of a year.
    let year = (parts.year ?? 1970) - (month <= 2 ? 1 : 0)
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
