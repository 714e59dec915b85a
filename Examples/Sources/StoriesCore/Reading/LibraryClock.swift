public import Foundation

/// What time it is, and where.
public struct LibraryClock: Sendable {
  /// The present instant.
  public let now: @Sendable () -> Date
  /// The calendar, with the time zone, that days are told by.
  public let calendar: @Sendable () -> Calendar
  /// What pauses between two tries are measured by.
  public let pauses: any Clock<Duration>

  /// Makes a clock; the system's by default.
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
