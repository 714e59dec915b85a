import Foundation
import StoriesCore
import Testing

@Suite("Reading streaks")
struct ReadingStreakTests {
  private func calendar(_ zone: String) throws -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    return calendar
  }

  private func streak(_ zone: String, _ instants: [Date]) throws -> ReadingStreak {
    var streak = ReadingStreak()
    for instant in instants { streak.noteReading(at: instant, in: try calendar(zone)) }
    return streak
  }

  @Test("stories of one day are one day; a minute around midnight is two")
  func midnight() throws {
    let (before, after) = (TrialClock.date(2026, 6, 1, 23, 59), TrialClock.date(2026, 6, 2, 0, 0))
    #expect(try streak("UTC", [before, before]).days == 1)
    #expect(try streak("UTC", [before, after]).days == 2)
    // It is one o'clock and two o'clock at night in Berlin then.
    #expect(try streak("Europe/Berlin", [before, after]).days == 1)
    #expect(try streak("UTC", [before, after]).storiesRead == 2)
  }

  @Test(
    "days of 23 and of 25 hours are days",
    arguments: [
      // The clocks of Berlin go forward on 29 March and back on 25 October 2026.
      (TrialClock.date(2026, 3, 28, 22, 30), 3), (TrialClock.date(2026, 10, 24, 21, 30), 3),
    ])
  func changedClocks(_ start: Date, _ days: Int) throws {
    // Half past eleven in the evening, as the clock on the wall says it, three times.
    let berlin = try calendar("Europe/Berlin")
    let evenings = try (0..<3).map {
      try #require(berlin.date(byAdding: .day, value: $0, to: start))
    }
    #expect(try streak("Europe/Berlin", evenings).days == days)
    // Twenty-four hours later is another evening, or the next but one.
    let fixed = (0..<3).map { start + Double($0) * 86_400 }
    #expect(
      try streak("Europe/Berlin", fixed).days == (start < TrialClock.date(2026, 6, 1, 0, 0) ? 2 : 3)
    )
  }

  @Test("a skipped day begins a new streak; the longest is kept")
  func gap() throws {
    let days = [1, 2, 3, 5, 6].map { TrialClock.date(2026, 2, $0, 12, 0) }
    let streak = try streak("UTC", days)
    #expect((streak.days, streak.longest, streak.storiesRead) == (2, 3, 5))
  }

  @Test("a leap day and the end of a year are ordinary days")
  func calendarEdges() throws {
    let leap = [(2028, 2, 28), (2028, 2, 29), (2028, 3, 1)]
    let year = [(2026, 12, 31), (2027, 1, 1)]
    for days in [leap, year] {
      let instants = days.map { TrialClock.date($0.0, $0.1, $0.2, 8, 0) }
      #expect(try streak("UTC", instants).days == days.count)
    }
    #expect(try ReadingStreak.day(of: TrialClock.date(1970, 1, 1, 0, 0), in: calendar("UTC")) == 0)
    #expect(
      try ReadingStreak.day(of: TrialClock.date(1969, 12, 31, 23, 0), in: calendar("UTC")) == -1)
    #expect(
      try ReadingStreak.day(of: TrialClock.date(2000, 3, 1, 0, 0), in: calendar("UTC")) == 11_017)
  }

  @Test("travelling to another time zone neither ends a streak nor counts a day twice")
  func travelling() throws {
    var streak = ReadingStreak()
    // Tuesday morning in Tokyo, then Monday evening in Los Angeles, six hours later.
    let instant = TrialClock.date(2026, 6, 1, 22, 0)
    streak.noteReading(at: instant, in: try calendar("Asia/Tokyo"))
    streak.noteReading(at: instant + 6 * 3600, in: try calendar("America/Los_Angeles"))
    #expect((streak.days, streak.storiesRead) == (1, 2))
    #expect(streak.currentDays(at: instant, in: try calendar("America/Los_Angeles")) == 1)
    // Wednesday in Los Angeles is the day after the Tuesday in Tokyo.
    streak.noteReading(
      at: TrialClock.date(2026, 6, 3, 20, 0), in: try calendar("America/Los_Angeles"))
    #expect(streak.days == 2)
  }

  @Test("a calendar of other years counts the same days")
  func otherCalendar() throws {
    var buddhist = Calendar(identifier: .buddhist)
    buddhist.timeZone = .gmt
    let instant = TrialClock.date(2026, 6, 1, 12, 0)
    #expect(
      try ReadingStreak.day(of: instant, in: buddhist)
        == ReadingStreak.day(of: instant, in: calendar("UTC")))
  }

  @Test("a streak is limited to the maximum number")
  func limit() throws {
    var streak = ReadingStreak(storiesRead: .max)
    streak.noteReading(at: TrialClock.date(2026, 6, 1, 12, 0), in: try calendar("UTC"))
    #expect(streak.storiesRead == .max)
    #expect(ReadingStreak(storiesRead: -5).storiesRead == 0)
    // 1 June 2026 is day 20,605.
    let longest =
      "{\"storiesRead\": 1, \"days\": \(Int.max), \"longest\": \(Int.max), \"lastDay\": 20604}"
    var endless = try JSONDecoder().decode(ReadingStreak.self, from: Data(longest.utf8))
    endless.noteReading(at: TrialClock.date(2026, 6, 1, 12, 0), in: try calendar("UTC"))
    #expect((endless.days, endless.longest) == (Int.max, Int.max))
    #expect(endless.lastDay == 20_605)
  }

  @Test("a last day that a wrong clock has set ends the streak; the next day of reading begins one")
  func wrongClock() throws {
    let (utc, noon) = (try calendar("UTC"), TrialClock.date(2026, 6, 1, 12, 0))
    let day = ReadingStreak.day(of: noon, in: utc)
    for lastDay in [day + 2, 40_000] {
      var streak = ReadingStreak(storiesRead: 1, lastDay: lastDay)
      #expect(streak.currentDays(at: noon, in: utc) == 0)
      streak.noteReading(at: noon, in: utc)
      #expect(streak.days == 1 && streak.lastDay == day)
      streak.noteReading(at: noon + 86_400, in: utc)
      #expect(streak.days == 2 && streak.lastDay == day + 1)
    }
    // The day after today may be a day of a place in the east.
    var streak = ReadingStreak(storiesRead: 1, lastDay: day + 1)
    #expect(streak.currentDays(at: noon, in: utc) == 1)
    streak.noteReading(at: noon, in: utc)
    #expect(streak.days == 1 && streak.lastDay == day + 1)
  }

  @Test("a last day beyond all calendars is a wrong one", arguments: [Int.min, Int.max])
  func distantDay(_ lastDay: Int) throws {
    let instant = TrialClock.date(2026, 6, 1, 12, 0)
    var streak = ReadingStreak(storiesRead: 1, lastDay: lastDay)
    #expect(try streak.currentDays(at: instant, in: calendar("UTC")) == 0)
    streak.noteReading(at: instant, in: try calendar("UTC"))
    #expect((streak.days, streak.storiesRead) == (1, 2))
  }
}
