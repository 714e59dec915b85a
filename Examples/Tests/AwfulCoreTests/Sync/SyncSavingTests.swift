import AwfulCore
import CoreData
import ForumClient
import ForumSimulator
import Foundation
import OpenPersistenceKit
import OpenTestSupport
import Testing

/// Requests that a sync omits, and contents that it does not mix.
@Suite("What a sync spares", .serialized)
struct SyncSavingTests {
  @Test("recently fetched lists are not fetched again, but older lists are")
  func spacing() async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync(spacing: .standard)
      let forumCount = trial.site.truth().forums.count { !$0.isGroup }
      let paths = ["index.php", "forumdisplay.php", "bookmarkthreads.php"]
      func requests(after seconds: Double) async throws -> [Int] {
        trial.server.resetCounters()
        try await trial.sync(spacing: .standard, later: seconds)
        return paths.map { trial.server.counters.requestsByPath[$0] ?? 0 }
      }
      #expect(try await requests(after: 599) == [0, 0, 0])
      #expect(try await requests(after: 601) == [0, 0, 1])
      #expect(try await requests(after: 901) == [0, forumCount, 0])
      #expect(try await requests(after: 21_601) == [1, forumCount, 1])
      // A fetch time in the future does not delay the next fetch.
      #expect(try await requests(after: 0) == [1, forumCount, 1])
    }
  }

  @Test("posting a thread, which reads one page of a list, does not mark the whole list as recent")
  func pageOfList() async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync(spacing: .standard)
      let start = 1_700_000_000.0
      let site = trial.connection(now: { Date(timeIntervalSince1970: start + 890) })
      let forum = try #require(trial.site.truth().threads.first { !$0.isClosed }).forumID
      let draft = try await DraftDesk(trial.personal).begin(
        .thread(inForum: forum), DraftText(subject: "A new thread", body: "Hello"))
      _ = try await site.outbox.send(try #require(draft).id)
      trial.server.resetCounters()
      try await trial.sync(spacing: .standard, later: 901)
      let forumCount = trial.site.truth().forums.count { !$0.isGroup }
      #expect(trial.server.counters.requestsByPath["forumdisplay.php"] == forumCount)
    }
  }

  @Test("the next sync fetches a list with a rejected page again")
  func refusedList() async throws {
    try await SyncTrial.run { trial in
      trial.server.addFault(Fault(.status, path: "forumdisplay.php", times: 1, amount: 403))
      try await trial.sync(spacing: .standard)
      trial.server.resetCounters()
      try await trial.sync(spacing: .standard, later: 1)
      let requests = trial.server.counters.requestsByPath["forumdisplay.php"] ?? 0
      #expect(requests > 0)
      let forumCount = trial.site.truth().forums.count { !$0.isGroup }
      #expect(requests < forumCount)
    }
  }

  @Test("the login of another reader is rejected before any contents are stored")
  func otherReader() async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync()
      let before = try StoredSite(trial.store)
      let other = try await trial.guest()
      let name = try #require(
        trial.site.truth().users.first { $0.name != ForumSite.defaultUserName }?.name)
      try await ForumLogIn.logIn(name, password: ForumSite.password, other)
      let error = await #expect(throws: SyncError.self) { try await trial.sync(client: other) }
      #expect(error?.code == .otherReader)
      #expect(try StoredSite(trial.store) == before)
      try await trial.sync()
    }
  }

  @Test("a sync merges icons that two programs created at the same time")
  func duplicateIcons() async throws {
    try await SyncTrial.run { trial in
      try await trial.sync()
      let before = try StoredSite(trial.store)
      let count = try await trial.store.performBackgroundTask { context in
        let tags = try context.fetch(ThreadTag.fetchRequest() as NSFetchRequest<ThreadTag>)
        for tag in tags {
          let copy = ThreadTag(context: context)
          (copy.threadTagID, copy.imageName) = (tag.threadTagID, tag.imageName)
          if let thread = tag.threads.first { thread.threadTag = copy }
        }
        return tags.count
      }
      #expect(count > 0)
      try await trial.sync()
      let after = try await trial.store.performBackgroundTask { context in
        let tags = try context.fetch(ThreadTag.fetchRequest() as NSFetchRequest<ThreadTag>)
        return tags.map { "\($0.threadTagID ?? "") \($0.imageName ?? "")" }
      }
      #expect(after.count == count && Set(after).count == count)
      #expect(try StoredSite(trial.store) == before)
    }
  }

  @Test("a sync without new posts reads no post body, and counts all forums at once")
  func statements() async throws {
    let recorder = StatementRecorder()
    let temporary = try TemporaryStore(recording: recorder)
    let store = temporary.store
    try await SyncTrial.run(store: store) { trial in
      try await trial.sync()
      let start = recorder.all.count
      try await trial.sync()
      let later = recorder.all.dropFirst(start)
      #expect(later.contains { $0.contains("ZPOST") })
      #expect(!later.contains { $0.contains("SELECT") && $0.contains("ZINNERHTML") })
      let counting = recorder.all.count
      #expect(try ForumLists(store).forums().count > 2)
      let counted = recorder.all.dropFirst(counting).filter { $0.contains("SELECT") }
      #expect(counted.count { $0.contains("COUNT") } == 2, "\(counted)")
    }
  }
}
