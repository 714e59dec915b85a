import CoreData
import Foundation
import StoriesCore
import SwiftData
import Testing
import OpenPersistenceKit

@Suite("Saving with retries")
@MainActor
struct RetryTests {
  private let clock = TrialClock()
  private let locked = CocoaError(CocoaError.Code(rawValue: NSPersistentStoreTimeoutError))

  @Test("a save that finds the store locked twice pauses for one and two seconds, and succeeds")
  func passing() async throws {
    let repository = MockStoryRepository()
    repository.failures = [locked, PersistenceError.saveFailed(locked)]
    try await repository.saveWithRetry(Story(title: "a", content: ""), clock: clock.pausing)
    #expect(clock.pauses == [.seconds(1), .seconds(2)])
    #expect(repository.saves == 3)
    #expect(try await repository.fetch(FetchDescriptor()).map(\.title) == ["a"])
  }

  @Test("the error of the last attempt is wrapped and thrown")
  func givingUp() async throws {
    let repository = MockStoryRepository()
    let last = CocoaError(CocoaError.Code(rawValue: NSManagedObjectMergeError))
    repository.failures = [locked, locked, last]
    let error = await #expect(throws: PersistenceError.self) {
      try await repository.saveWithRetry(Story(title: "a", content: ""), clock: clock.pausing)
    }
    guard case .saveFailed(let cause) = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect((cause as? CocoaError)?.code == last.code)
    #expect(clock.pauses == [.seconds(1), .seconds(2)])
  }

  @Test("a permanent error is thrown at once")
  func lasting() async throws {
    let repository = MockStoryRepository()
    repository.failures = [PersistenceError.invalidData]
    await #expect(throws: PersistenceError.self) {
      try await repository.saveWithRetry(Story(title: "a", content: ""), clock: clock.pausing)
    }
    #expect(clock.pauses.isEmpty)
    #expect(repository.saves == 1)
  }

  @Test("a cancelled task tries nothing")
  func cancellation() async throws {
    let repository = MockStoryRepository()
    repository.failures = [locked, locked]
    let (clock, pausing) = (clock, clock.pausing)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await repository.saveWithRetry(Story(title: "a", content: ""), clock: pausing)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.pauses.isEmpty)
    #expect(repository.saves == 0)
  }

  @Test(
    "a save to a store that another program locks is retried until the lock is released",
    .enabled(if: LockHolder.hasTool, "The command line tool of SQLite is missing."))
  func otherProgram() async throws {
    let folder = try TrialFolder()
    var options = StoriesStore.Options()
    options.timeout = 0.1
    let store = try StoriesStore(.file(folder.file), options: options)
    let repository = StoryRepository(modelContext: ModelContext(store.container))
    let holder = try LockHolder(folder.file)
    clock.onPause { if $0 == 2 { holder.letGo() } }
    try await repository.saveWithRetry(Story(title: "a", content: "A."), clock: clock.pausing)
    #expect(clock.pauses == [.seconds(1), .seconds(2)])
    #expect(try ModelContext(store.container).fetch(FetchDescriptor<Story>()).map(\.title) == ["a"])
  }

  @Test(
    "a change of the library also waits, and saves nothing if it times out",
    .enabled(if: LockHolder.hasTool, "The command line tool of SQLite is missing."))
  func library() async throws {
    let folder = try TrialFolder()
    var options = StoriesStore.Options()
    options.timeout = 0.1
    options.clock = clock.library
    let store = try StoriesStore(.file(folder.file), options: options)
    let library = try StoryLibrary(store)
    let holder = try LockHolder(folder.file)
    await #expect(throws: PersistenceError.self) {
      try await library.add(StoryText(title: "a", content: "A."))
    }
    #expect(clock.pauses == [.seconds(1), .seconds(2)])
    holder.letGo()
    #expect(try await library.count() == 0)
    _ = try await library.add(StoryText(title: "b", content: "B."))
    #expect(try await library.rows().map(\.title) == ["b"])
    let entries = store.log.entries()
    #expect(entries.map(\.operation) == ["add story", "add story"])
    #expect(entries.last?.failure?.hasPrefix("Failed to save data: ") == true)
  }

  @Test("each error has a message")
  func sentences() {
    let cause = CocoaError(
      .fileReadNoSuchFile, userInfo: [NSLocalizedDescriptionKey: "No such file."])
    let sentences = [
      PersistenceError.saveFailed(cause), .fetchFailed(cause), .deleteFailed(cause),
      .cacheFailed(cause), .invalidData,
    ].map(\.localizedDescription)
    let reason = cause.localizedDescription
    #expect(!reason.isEmpty)
    #expect(
      sentences == [
        "Failed to save data: \(reason)", "Failed to fetch data: \(reason)",
        "Failed to delete data: \(reason)", "Cache operation failed: \(reason)",
        "The data is invalid or corrupted",
      ])
  }
}
