import CoreData
import Foundation
import OpenPersistenceKit
import Testing

@Suite("Retries")
struct RetryPolicyTests {
  private static let locked = CocoaError(.persistentStoreTimeout)

  @Test("pauses grow up to the longest; the last failure is thrown")
  func growing() async {
    let clock = TestClock()
    let policy = RetryPolicy(attempts: 6, longestDelay: .seconds(5), jitter: 0)
    var tries: [Int] = []
    let error = await #expect(throws: CocoaError.self) {
      try await policy.run(clock: clock) { attempt in
        tries.append(attempt)
        throw Self.locked
      }
    }
    #expect(error?.code == .persistentStoreTimeout)
    #expect(tries == [1, 2, 3, 4, 5, 6])
    #expect(clock.pauses == [1, 2, 4, 5, 5].map { .seconds($0) })
  }

  @Test("work that succeeds at last returns its value; the random part shortens pauses")
  func success() async throws {
    let clock = TestClock()
    let result = try await RetryPolicy(attempts: 3, jitter: 0.5)
      .run(clock: clock, random: { 0.5 }) { attempt in
        if attempt < 3 { throw Self.locked }
        return "done at \(attempt)"
      }
    #expect(result == "done at 3")
    #expect(clock.pauses == [.milliseconds(750), .milliseconds(1500)])
  }

  @Test("failures that will not pass are thrown at once")
  func permanent() async {
    let clock = TestClock()
    var tries = 0
    await #expect(throws: CocoaError.self) {
      try await RetryPolicy(attempts: 5).run(clock: clock) { _ in
        tries += 1
        throw CocoaError(.validationMissingMandatoryProperty)
      }
    }
    #expect(tries == 1 && clock.pauses.isEmpty)
    await #expect(throws: CancellationError.self) {
      try await RetryPolicy(attempts: 5).run(clock: clock, isTransient: { _ in true }) { _ in
        tries += 1
        throw CancellationError()
      }
    }
    #expect(tries == 2)
  }

  @Test("a cancelled task does not retry")
  func cancellation() async throws {
    let task = Task {
      try await RetryPolicy(attempts: 5, firstDelay: .seconds(3600)).run { attempt in
        withUnsafeCurrentTask { $0?.cancel() }
        throw Self.locked
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("extreme parameters result in valid delays")
  func oddNumbers() {
    let odd = RetryPolicy(
      attempts: -1, firstDelay: .seconds(-5), factor: .nan, longestDelay: .seconds(10), jitter: 7)
    #expect(odd.delay(afterFailure: 3, random: 0.1) == .zero)
    let steep = RetryPolicy(factor: .greatestFiniteMagnitude, jitter: 0)
    #expect(steep.delay(afterFailure: .max, random: 2) == .seconds(60))
    #expect(steep.delay(afterFailure: 0, random: 0) == .seconds(1))
    #expect(steep.delay(afterFailure: .min, random: 0) == .seconds(1))
    let infinite = RetryPolicy(factor: .infinity, jitter: 0)
    #expect(infinite.delay(afterFailure: 9, random: 0) == .seconds(1))
    #expect(RetryPolicy(jitter: .nan).delay(afterFailure: 1, random: 1) == .seconds(1))
    #expect(RetryPolicy(jitter: 1).delay(afterFailure: 1, random: .nan) == .seconds(1))
  }

  @Test("a save blocked by another program's lock is retried until the lock is released")
  func saving() async throws {
    let folder = try Folder()
    var configuration = PersistenceController.Configuration.kanora(.file(folder.store))
    configuration.prepareStore = { $0.timeout = 0.05 }
    let persistence = PersistenceController(opening: configuration)
    let lock = try RawDatabase(folder.store)
    try lock.run("BEGIN IMMEDIATE")
    let clock = TestClock()
    try await RetryPolicy(attempts: 3, jitter: 0).run(clock: clock) { attempt in
      if attempt == 3 { try lock.run("COMMIT") }
      try await persistence.performBackgroundTask { _ = Track(title: "One", context: $0) }
    }
    #expect(clock.pauses == [.seconds(1), .seconds(2)])
    let count = try persistence.performBatchOperation { context in
      try BaseRepository<Track>(context: context).count()
    }
    #expect(count == 1)
  }
}
