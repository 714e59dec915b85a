import Foundation

/// Follows a site: syncs again and again, and at once when asked.
///
/// One sync runs at a time. After a failure the pause doubles, up to a limit; after a success it is as at first.
public actor SiteFollower {
  /// How the site is being followed.
  public enum Event: Sendable {
    /// A sync begins.
    case began
    /// A sync ended well.
    case finished(SyncReport)
    /// A sync ended early; what was stored until then stays.
    case failed(any Error)
  }

  private let every: Duration
  private let longestPause: Duration
  private let clock: SyncClock
  private let sync: @Sendable (RefreshSpacing) async throws -> SyncReport
  private let report: @Sendable (Event) async -> Void
  private var pause: Task<Void, any Error>?
  private var isAsked = false

  /// Prepares to follow a site.
  ///
  /// - Parameters:
  ///   - every: The time after which lists are fetched again.
  ///   - longestPause: The longest pause after failures.
  ///   - clock: The time.
  ///   - sync: Runs one sync; lists that are younger than the spacing are not asked for.
  ///   - report: Called when a sync begins and ends.
  public init(
    every: Duration, longestPause: Duration = .seconds(900), clock: SyncClock = .system,
    sync: @escaping @Sendable (RefreshSpacing) async throws -> SyncReport,
    report: @escaping @Sendable (Event) async -> Void
  ) {
    self.every = every
    self.longestPause = max(longestPause, every)
    self.clock = clock
    self.sync = sync
    self.report = report
  }

  /// Syncs until the task is cancelled.
  ///
  /// - Throws: `CancellationError`.
  public func run() async throws {
    var next = every
    while true {
      // What another program has fetched meanwhile is young enough, unless the reader asks.
      let young = every - .seconds(1)
      let spacing =
        isAsked
        ? .none
        : RefreshSpacing(index: every * 24, forum: young, bookmarks: young, messages: young)
      isAsked = false
      await report(.began)
      do {
        let result = try await sync(spacing)
        next = every
        await report(.finished(result))
      } catch {
        try Task.checkCancellation()
        next = min(next * 2, longestPause)
        await report(.failed(error))
      }
      try await wait(next)
    }
  }

  /// Syncs now instead of at the end of the pause; while a sync runs, nothing happens.
  public func refresh() {
    guard let pause else { return }
    isAsked = true
    pause.cancel()
  }

  private func wait(_ duration: Duration) async throws {
    let clock = clock
    let pause = Task { try await clock.sleep(duration) }
    self.pause = pause
    defer { self.pause = nil }
    do {
      try await withTaskCancellationHandler {
        try await pause.value
      } onCancel: {
        pause.cancel()
      }
    } catch {
      // The pause was ended by the reader, or by the end of the task.
      try Task.checkCancellation()
    }
  }
}
