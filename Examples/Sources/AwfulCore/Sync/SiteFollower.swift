import Foundation

/// Follows a site: syncs repeatedly, and immediately on request.
///
/// One sync runs at a time. After a failure the pause doubles, up to a limit; after a success it returns to its initial length.
public actor SiteFollower {
  /// An event in following the site.
  public enum Event: Sendable {
    /// A sync started.
    case began
    /// A sync succeeded.
    case finished(SyncReport)
    /// A sync ended early. Everything stored until then remains.
    case failed(any Error)
  }

  private let every: Duration
  private let longestPause: Duration
  private let clock: SyncClock
  private let sync: @Sendable (RefreshSpacing) async throws -> SyncReport
  private let report: @Sendable (Event) async -> Void
  private var pause: Task<Void, any Error>?
  private var isAsked = false

  /// Creates a follower of a site.
  ///
  /// - Parameters:
  ///   - every: The time after which lists are fetched again.
  ///   - longestPause: The longest pause after failures.
  ///   - clock: The clock.
  ///   - sync: A closure that runs one sync. It does not fetch lists that are younger than the spacing.
  ///   - report: A closure that is called when a sync starts and ends.
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

  /// Syncs until the task is canceled.
  ///
  /// - Throws: `CancellationError`.
  public func run() async throws {
    var next = every
    while true {
      // Data that another program fetched in the meantime counts as young, unless the reader asks for a sync.
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

  /// Starts the next sync immediately instead of after the pause. Does nothing while a sync runs.
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
      // The reader or the end of the task ended the pause.
      try Task.checkCancellation()
    }
  }
}
