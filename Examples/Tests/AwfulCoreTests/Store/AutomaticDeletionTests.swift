import AwfulCore
import CoreData
import Foundation
import OpenPersistenceKit
import Synchronization
import Testing

/// Old content is deleted automatically, but nothing that the reader has chosen or sees.
@Suite("Automatic deletion")
struct AutomaticDeletionTests {
  private static let start = Date(timeIntervalSince1970: 1_700_000_000)

  private let temporary: TemporaryStore
  private let personal: PersonalStore
  private var store: ForumStore { temporary.store }

  init() throws {
    temporary = try TemporaryStore()
    personal = try PersonalStore(.inMemory)
  }

  /// Creates the automatic deletion of a program that runs some days after the start.
  private func deletion(
    after days: Double = 0, _ viewers: StoreViewers? = nil,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
  ) -> AutomaticDeletion {
    AutomaticDeletion(
      store: store, personal: personal, pictures: MemberPictures(of: store),
      viewers: viewers ?? StoreViewers(of: store),
      clock: SyncClock(now: { Self.start.addingTimeInterval(days * 86_400) }, sleep: sleep))
  }

  /// Stores threads with one post each, fetched some days before the start.
  private func make(
    _ ids: [String], daysAgo: Double, title: String = ""
  ) async throws {
    try await store.performBackgroundTask { context in
      for id in ids {
        let thread = ForumThread(context: context)
        (thread.threadID, thread.title) = (id, title)
        thread.lastRefresh = Self.start.addingTimeInterval(-daysAgo * 86_400)
        let post = Post(context: context)
        (post.postID, post.threadIndex, post.thread) = ("\(id)-1", 1, thread)
      }
    }
  }

  private func left() throws -> Set<String> {
    Set(try ForumLists(store).threads().map(\.threadID))
  }

  @Test("threads that are not fetched for 30 days are deleted at most once a day, and reported")
  func age() async throws {
    try await make(["old"], daysAgo: 31)
    try await make(["young"], daysAgo: 29.5)
    let report = try #require(try await deletion().runIfDue())
    #expect(report.deletedCounts == ["Thread": 1, "Post": 1])
    #expect(try left() == ["young"])
    let record = try #require(store.deletionRecord)
    #expect(record.deletedAt == Self.start && record.threadCount == 1 && record.postCount == 1)
    #expect(try await deletion(after: 0.8).runIfDue() == nil)
    #expect(try left() == ["young"])
    #expect(try await deletion(after: 1).runIfDue()?.deletedCount == 2)
    #expect(try await deletion(after: 2).runIfDue()?.deletedCount == 0)
    let last = try #require(store.deletionRecord)
    #expect(last.deletedAt == Self.start.addingTimeInterval(86_400))
    #expect(last.checkedAt == Self.start.addingTimeInterval(2 * 86_400))
  }

  @Test("threads on screen, saved threads, and threads with bookmarked posts are kept")
  func kept() async throws {
    try await make(["shown", "saved", "marked", "other"], daysAgo: 100)
    try await SavedThreads(personal).add([("saved", "T")])
    try await PostBookmarks(store: store, personal: personal).add("marked-1")
    _ = try await deletion().runIfDue { ["shown"] }
    #expect(try left() == ["shown", "saved", "marked"])
  }

  @Test("the reader's policy is stored, and determines what is deleted")
  func policy() async throws {
    #expect(store.deletionPolicy == .standard)
    try await make(["old"], daysAgo: 8)
    try store.note(AutomaticDeletion.Policy(days: nil, megabytes: nil))
    #expect(try await deletion(after: 100).runIfDue() == nil)
    try store.note(AutomaticDeletion.Policy(days: 7, megabytes: nil))
    let reopened = try ForumStore.openExisting(temporary.file)
    #expect(reopened.deletionPolicy == AutomaticDeletion.Policy(days: 7, megabytes: nil))
    #expect(try await deletion().runIfDue()?.deletedCounts["Thread"] == 1)
  }

  @Test(
    "a stored policy with numbers that no page offers deletes nothing, or has the largest limit",
    arguments: [-1, 0, Int.min, Int.max])
  func unusualPolicy(_ number: Int) async throws {
    try await make(["old"], daysAgo: 10_000)
    try store.note(AutomaticDeletion.Policy(days: number, megabytes: number))
    #expect(try await deletion().runIfDue()?.deletedCount == 0)
    #expect(try await deletion(after: 0.05).runIfDue() == nil)
    #expect(try left() == ["old"])
  }

  @Test("nothing is deleted if the stored policy cannot be read")
  func unreadablePolicy() async throws {
    try await make(["old"], daysAgo: 100)
    let coordinator = store.container.persistentStoreCoordinator
    let persistentStore = try #require(coordinator.persistentStores.first)
    var metadata = coordinator.metadata(for: persistentStore)
    metadata["AwfulDeletionPolicy"] = "[\"never\"]"
    coordinator.setMetadata(metadata, for: persistentStore)
    try store.performBatchOperation { context in
      User(context: context).userID = "1"
    }
    #expect(try await deletion().runIfDue() == nil)
    #expect(try left() == ["old"])
  }

  @Test(
    "while the store is larger than the limit, the oldest threads are deleted, at most every hour")
  func size() async throws {
    try store.note(AutomaticDeletion.Policy(days: nil, megabytes: 1))
    _ = try await deletion().runIfDue()
    let text = String(repeating: "x", count: 30_000)
    for number in 1...60 {
      try await make(["\(number)"], daysAgo: 100 - Double(number), title: text)
    }
    #expect(try await deletion(after: 0.02).runIfDue() == nil)
    let report = try #require(try await deletion(after: 0.05).runIfDue())
    #expect(report.deletedCounts["Thread"] ?? 0 > 0)
    #expect(report.bytesAfter ?? .max <= 1_000_000)
    let kept = try left()
    #expect(kept.contains("60") && !kept.contains("1"))
  }

  @Test("nothing is deleted while another program shows the store")
  func viewers() async throws {
    try await make(["old"], daysAgo: 100)
    var other: StoreViewers? = StoreViewers(of: store)
    try other?.join()
    let own = StoreViewers(of: store)
    try own.join()
    #expect(try await deletion(own).runIfDue() == nil)
    #expect(try left() == ["old"] && store.deletionRecord == nil)
    other = nil
    #expect(try await deletion(own).runIfDue()?.deletedCounts["Thread"] == 1)
    // The program still shows the store after its own deletion.
    #expect(try await deletion(after: 2).runIfDue() == nil)
    withExtendedLifetime(own) {}
  }

  @Test("a program deletes soon after its start, and then checks every hour")
  func following() async throws {
    try await make(["old"], daysAgo: 100)
    let pauses = Mutex<[Duration]>([])
    let running = deletion { pause in
      let count = pauses.withLock { pauses in
        pauses.append(pause)
        return pauses.count
      }
      if count == 3 { throw CancellationError() }
    }
    await #expect(throws: CancellationError.self) {
      try await running.follow {
        []
      } report: { error in
        Issue.record("\(error)")
      }
    }
    #expect(pauses.withLock { $0 } == [.seconds(30), .seconds(3_600), .seconds(3_600)])
    #expect(try left().isEmpty)
  }
}
