import Foundation
import OpenPersistenceKit
import StoriesCore
import SwiftData
import Synchronization

/// A temporary folder for the files of a test, which is deleted with the test.
final class TrialFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("StoriesTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }  // nothing to do about one that stays

  var file: URL { url.appendingPathComponent("stories.store") }
  var cacheFolder: URL { url.appendingPathComponent("cache") }
}

/// A stopped clock that a test sets, and whose pauses take no time.
final class TrialClock: Sendable {
  private struct State {
    var now: Date
    var zone: TimeZone
    var pauses: [Duration] = []
    var onPause: @Sendable (Int) -> Void = { _ in }
  }

  private let state: Mutex<State>

  init(_ now: Date = TrialClock.date(2026, 3, 1, 12, 0), zone: String = "UTC") {
    state = Mutex(State(now: now, zone: TimeZone(identifier: zone) ?? .gmt))
  }

  /// An instant, specified in UTC.
  static func date(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int) -> Date {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = DateComponents(year: year, month: month, day: day, hour: hour, minute: minute)
    return calendar.date(from: parts) ?? .distantPast
  }

  var now: Date {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  func setZone(_ name: String) { state.withLock { $0.zone = TimeZone(identifier: name) ?? .gmt } }

  func advance(_ seconds: TimeInterval) { state.withLock { $0.now += seconds } }

  /// The recorded pauses.
  var pauses: [Duration] { state.withLock { $0.pauses } }

  /// Sets the action during a pause, which receives the pause's number, from 1.
  func onPause(_ body: @escaping @Sendable (Int) -> Void) { state.withLock { $0.onPause = body } }

  fileprivate func pause(_ duration: Duration) {
    let (body, number) = state.withLock { state in
      state.pauses.append(duration)
      return (state.onPause, state.pauses.count)
    }
    body(number)
  }

  var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = state.withLock { $0.zone }
    return calendar
  }

  var library: LibraryClock {
    LibraryClock(now: { self.now }, calendar: { self.calendar }, pauses: TrialPauses(clock: self))
  }

  var pausing: any Clock<Duration> { TrialPauses(clock: self) }
}

/// Records pauses instead of waiting.
private struct TrialPauses: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  let clock: TrialClock
  var now: Instant { Instant() }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    clock.pause(deadline.offset)
  }
}

/// A library in memory or in a temporary folder, with a stopped clock.
struct TrialLibrary {
  let folder: TrialFolder
  let clock: TrialClock
  let store: StoriesStore
  let library: StoryLibrary

  init(onDisk: Bool = false, cached: Bool = false, clock: TrialClock = TrialClock()) throws {
    folder = try TrialFolder()
    self.clock = clock
    var options = StoriesStore.Options()
    options.clock = clock.library
    options.timeout = 10
    store = try StoriesStore(onDisk ? .file(folder.file) : .memory, options: options)
    library = try StoryLibrary(
      store, cache: StoryCache(pressure: nil), cacheFolder: cached ? folder.cacheFolder : nil)
  }

  /// Adds stories a minute apart, with their titles as texts.
  @discardableResult
  func add(_ titles: String...) async throws -> [UUID] {
    var ids: [UUID] = []
    for title in titles {
      clock.advance(60)
      ids.append(try await library.add(StoryText(title: title, content: "\(title).")).id)
    }
    return ids
  }
}

/// Waits until a condition is true, at most ten seconds.
///
/// - Returns: Whether it does.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(20)
  while ContinuousClock.now < end {
    if try await condition() { return true }
    await Task.yield()
  }
  return try await condition()
}
