public import Foundation

/// A clock with a calendar.
public struct LibraryClock: Sendable {
  /// A closure that returns the current time.
  public let now: @Sendable () -> Date
  /// A closure that returns the calendar, with the time zone, that determines days.
  public let calendar: @Sendable () -> Calendar
  /// The clock for the delays between retries.
  public let pauses: any Clock<Duration>

  /// Creates a clock; by default, the system clock.
  public init(
    now: @escaping @Sendable () -> Date = { Date() },
    calendar: @escaping @Sendable () -> Calendar = { Calendar.current },
    pauses: any Clock<Duration> = ContinuousClock()
  ) {
    self.now = now
    self.calendar = calendar
    self.pauses = pauses
  }
}
