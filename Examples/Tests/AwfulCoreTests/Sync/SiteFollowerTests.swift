import AwfulCore
import Foundation
import Synchronization
import Testing

/// When the follower requests new contents from a site.
@Suite("Following a site")
struct SiteFollowerTests {
  /// A clock whose pauses the test ends, and a log of the calls. Shared.
  private final class Trial: Sendable {
    private let log = Mutex<[String]>([])
    private let failures: Mutex<Int>
    let (pauses, paused) = AsyncStream.makeStream(of: Duration.self)
    private let ends = Mutex<[AsyncStream<Void>.Continuation]>([])

    init(failures: Int = 0) { self.failures = Mutex(failures) }

    var lines: [String] { log.withLock { $0 } }

    func note(_ line: String) { log.withLock { $0.append(line) } }

    var fails: Bool {
      failures.withLock { left in
        left -= 1
        return left >= 0
      }
    }

    /// Sleeps until the test ends the pause, or the task is canceled.
    func sleep(_ duration: Duration) async throws {
      let (stream, end) = AsyncStream.makeStream(of: Void.self)
      ends.withLock { $0.append(end) }
      paused.yield(duration)
      for await _ in stream { return }
      throw CancellationError()
    }

    func endPause() { ends.withLock { $0.last }?.yield() }

    func makeFollower() -> SiteFollower {
      let clock = SyncClock(
        now: { Date(timeIntervalSince1970: 0) }, sleep: { try await self.sleep($0) })
      return SiteFollower(every: .seconds(100), longestPause: .seconds(500), clock: clock) {
        spacing in
        self.note("sync \(spacing.forum) \(spacing.index)")
        if self.fails { throw CocoaError(.fileReadUnknown) }
        return SyncReport()
      } report: { event in
        switch event {
        case .began: break
        case .finished: self.note("finished")
        case .failed: self.note("failed")
        }
      }
    }
  }

  private func run(
    _ trial: Trial,
    _ body: (SiteFollower, inout AsyncStream<Duration>.Iterator) async throws -> Void
  )
    async throws
  {
    let follower = trial.makeFollower()
    let task = Task { try await follower.run() }
    var pauses = trial.pauses.makeAsyncIterator()
    try await body(follower, &pauses)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("pauses double with each failure up to the longest, and are as at first after a success")
  func pauses() async throws {
    let trial = Trial(failures: 4)
    try await run(trial) { _, pauses in
      for expected in [200, 400, 500, 500, 100, 100] {
        #expect(await pauses.next() == .seconds(expected))
        trial.endPause()
      }
      _ = await pauses.next()
    }
    #expect(
      trial.lines.filter { !$0.hasPrefix("sync") }.prefix(5) == [
        "failed", "failed", "failed", "failed", "finished",
      ])
  }

  @Test(
    "a refresh by the reader ends the pause and requests all lists; during a sync, it does nothing"
  )
  func asking() async throws {
    let trial = Trial()
    try await run(trial) { follower, pauses in
      _ = await pauses.next()
      await follower.refresh()
      await follower.refresh()
      _ = await pauses.next()
      trial.endPause()
      _ = await pauses.next()
    }
    #expect(
      trial.lines.filter { $0.hasPrefix("sync") } == [
        "sync 99.0 seconds 2400.0 seconds", "sync 0.0 seconds 0.0 seconds",
        "sync 99.0 seconds 2400.0 seconds",
      ])
  }
}
