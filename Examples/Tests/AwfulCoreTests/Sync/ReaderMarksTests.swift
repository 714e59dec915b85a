import AwfulCore
import CoreData
import ForumScraping
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Testing

/// Imports of pages keep the reader's newest read marks.
@Suite("Read marks and imports", .serialized)
struct ReaderMarksTests {
  /// Runs a test with a thread of which the reader has seen two posts. The site has a later mark, and does not know the reader's.
  private func withMark(
    _ body: (SyncTrial, SiteConnection, SiteTruth.Thread) async throws -> Void
  ) async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync()
      let site = trial.connection()
      let thread = try #require(
        trial.site.truth().threads.first { !$0.isClosed && $0.posts.count > 2 })
      try await site.actions.setSeen(thread.id, count: thread.posts.count)
      try await site.actions.sendMarks()
      try await site.actions.setSeen(thread.id, count: 2)
      try await body(trial, site, thread)
    }
  }

  private func seenPosts(_ trial: SyncTrial, _ id: String) throws -> Int32? {
    try trial.store.performBatchOperation { context in
      try context.fetch(ForumThread.request(id: id)).first?.seenPosts
    }
  }

  @Test("fetching a saved thread without a sync keeps a mark that was not sent")
  func savedThread() async throws {
    try await withMark { trial, site, thread in
      try await SavedThreads(trial.personal).add([(thread.id, thread.title)])
      try await site.saver.run()
      #expect(try await SavedThreads(trial.personal).rows().map(\.state) == [.done])
      #expect(try seenPosts(trial, thread.id) == 2)
    }
  }

  @Test("sending a reply keeps a mark that was not sent")
  func reply() async throws {
    try await withMark { trial, site, thread in
      let draft = try #require(
        try await DraftDesk(trial.personal)
          .begin(.reply(toThread: thread.id), DraftText(body: "Hello")))
      let delivery = try await site.outbox.send(draft.id)
      guard case .arrived = delivery else {
        Issue.record("\(delivery)")
        return
      }
      #expect(try seenPosts(trial, thread.id) == 2)
    }
  }

  @Test("importing a saved page keeps a mark that was not sent")
  func savedPage() async throws {
    try await withMark { trial, _, thread in
      let answer = trial.site.page(
        path: "forumdisplay.php", query: ["forumid": thread.forumID, "perpage": "40"])
      let page = try PageScraper.scrape(
        [UInt8](answer.body), contentType: answer.header("content-type"))
      try await trial.store.importPage(page)
      #expect(try seenPosts(trial, thread.id) != 2)
      try await ReaderMarks(store: trial.store, personal: trial.personal).importPage(page)
      #expect(try seenPosts(trial, thread.id) == 2)
    }
  }

  @Test(
    "a mark that another connection sends during a sync stays after the import of an older page")
  func sentElsewhere() async throws {
    try await withMark { trial, _, thread in
      try await trial.sync(sendingMark: 1, ofThread: thread.id, by: trial.connection().actions)
      #expect(try seenPosts(trial, thread.id) == 1)
    }
  }

  @Test("a sync stores a mark that a program has recorded without changing the thread")
  func unfinished() async throws {
    try await withMark { trial, site, thread in
      let id = thread.id
      try await trial.personal.performBackgroundTask { context in
        for mark in try context.fetch(NSFetchRequest<PendingMark>(entityName: "PendingMark")) {
          mark.seenPosts = 1
        }
      }
      trial.server.addFault(Fault(.status, path: "showthread.php", amount: 503))
      await #expect(throws: (any Error).self) { try await site.sync() }
      #expect(try seenPosts(trial, id) == 1)
    }
  }
}
