import AwfulCore
import CoreData
import ForumClient
import ForumSimulator
import Foundation
import Synchronization
import OpenPersistenceKit
import Testing

/// Syncs with a simulated site over a real port.
@Suite("Forum sync", .serialized)
struct ForumSyncTests {
  /// A forum whose list has several pages, with sticky threads.
  private static let wide = SiteSize(
    name: "wide", groups: 1, forums: 1, threads: 90, posts: 120, users: 5,
    secondsBetweenPosts: 9_000)

  @Test(
    "the first sync loads everything, the second one nothing, and the third one only new content")
  func incremental() async throws {
    try await withSite { trial in
      let first = try await trial.sync()
      let truth = trial.site.truth()
      #expect(first.newPostCount == truth.threads.reduce(0) { $0 + $1.posts.count })
      #expect(first.newThreadCount == truth.threads.count)
      #expect(first.failures.isEmpty)
      #expect(try StoredSite(trial.store) == StoredSite(trial.site.truth(for: nil)))

      trial.server.resetCounters()
      let second = try await trial.sync()
      #expect(second.imported.insertedCount == 0)
      #expect(trial.server.counters.requestsByPath["showthread.php"] == nil)

      trial.site.advance(seconds: 1_800)
      let later = trial.site.truth(for: nil)
      let grown = zip(truth.threads, later.threads).filter { $0.posts.count < $1.posts.count }
      trial.server.resetCounters()
      let third = try await trial.sync()
      let posts = later.threads.reduce(0) { $0 + $1.posts.count }
      #expect(third.newPostCount == posts - first.newPostCount)
      #expect(third.newPostCount > 0)
      #expect(third.newThreadCount == later.threads.count - truth.threads.count)
      let newPages = grown.reduce(0) { sum, pair in
        // The page of the last post is read again.
        sum + (pair.1.posts.count + 39) / 40 - (pair.0.posts.count - 1) / 40
      }
      #expect(
        trial.server.counters.requestsByPath["showthread.php"] == newPages + third.newThreadCount)
      #expect(try StoredSite(trial.store) == StoredSite(later))
    }
  }

  @Test("a logged-in sync brings bookmarks and unread numbers and moves no read marker")
  func loggedIn() async throws {
    try await withSite { trial in
      let before = trial.site.truth()
      try await trial.logIn()
      _ = try await trial.sync()
      #expect(trial.site.truth() == before)
      #expect(try StoredSite(trial.store) == StoredSite(before))
      #expect(!before.bookmarkedThreadIDs.isEmpty)
    }
  }

  @Test("a bookmark that was removed on the site is one no more after the next sync")
  func removedBookmark() async throws {
    try await withSite { trial in
      try await trial.logIn()
      _ = try await trial.sync()
      let removed = try #require(trial.site.truth().bookmarkedThreadIDs.first)
      _ = try await trial.client.send(
        "bookmarkthreads.php",
        body: FormBody(urlEncoding: [("action", "remove"), ("threadid", removed)]))
      let truth = trial.site.truth()
      #expect(!truth.bookmarkedThreadIDs.contains(removed))
      _ = try await trial.sync()
      #expect(try StoredSite(trial.store) == StoredSite(truth))
    }
  }

  @Test("a lost login ends the sync, and a guest's sync keeps the reader's read states")
  func guestAfterReader() async throws {
    try await withSite { trial in
      try await trial.logIn()
      _ = try await trial.sync()
      let before = try StoredSite(trial.store)
      trial.site.endSession()
      let error = await #expect(throws: SyncError.self) { try await trial.sync() }
      #expect(error?.code == .loggedOut)
      _ = try await trial.sync()
      #expect(try StoredSite(trial.store) == before)
      #expect(before.threads.contains { $0.bookmark != nil && $0.seen > 0 })
    }
  }

  @Test(
    "posts that the site has removed are deleted, and the remaining posts move up",
    arguments: [(0, 0), (0, 1), (39, 1), (40, 30), (41, 0), (60, 90), (-2, 1), (-1, 0), (-1, 1)])
  func deletedPosts(place: Int, newPosts: Int) async throws {
    try await withSite { trial in
      _ = try await trial.sync()
      let thread = try #require(
        trial.site.truth(for: nil).threads.max { $0.posts.count < $1.posts.count })
      let position = place < 0 ? thread.posts.count + place : min(place, thread.posts.count - 1)
      trial.site.deletePost(thread.posts[position].id)
      while newPosts > 0, count(of: thread.id, on: trial.site) < thread.posts.count - 1 + newPosts {
        trial.site.advance(seconds: 90)
      }
      _ = try await trial.sync()
      #expect(try StoredSite(trial.store) == StoredSite(trial.site.truth(for: nil)))
      trial.server.resetCounters()
      _ = try await trial.sync()
      #expect(trial.server.counters.requestsByPath["showthread.php"] == nil)
    }
  }

  @Test(
    "a thread that moves to the first page while later ones are read stays bookmarked and listed")
  func movingThread() async throws {
    try await withSite(size: Self.wide) { trial in
      try await trial.logIn()
      for thread in trial.site.truth().threads { trial.site.bookmark(thread.id) }
      _ = try await trial.sync()
      let before = trial.site.truth()
      #expect(before.bookmarkedThreadIDs.count == 90)
      let last = try #require(before.bookmarkedThreadIDs.last)
      trial.meanwhile { step in
        if step.phase == .bookmarks, step.done == 2 { trial.site.post(inThread: last) }
      }
      _ = try await trial.sync()
      trial.meanwhile(nil)
      let truth = trial.site.truth()
      #expect(truth.bookmarkedThreadIDs.first == last)
      let stored = try StoredSite(trial.store).threads
      #expect(stored.filter { $0.bookmark == nil }.isEmpty)
      _ = try await trial.sync()
      #expect(try StoredSite(trial.store) == StoredSite(truth))
    }
  }

  @Test("a thread that the site removes disappears from the lists but stays readable")
  func deletedThread() async throws {
    try await withSite(size: Self.wide) { trial in
      _ = try await trial.sync()
      let thread = try #require(trial.site.truth(for: nil).threads.first { $0.isSticky })
      let before = try StoredSite(trial.store).threads
      trial.site.deleteThread(thread.id)
      _ = try await trial.sync()
      let stored = try StoredSite(trial.store).threads
      #expect(stored.map(\.id) == before.map(\.id))
      let kept = try #require(stored.first { $0.id == thread.id })
      #expect(!kept.isSticky && kept.posts.map(\.id) == thread.posts.map(\.id))
      let rest = StoredSite(trial.site.truth(for: nil)).threads
      #expect(stored.filter { $0.id != thread.id } == rest)
    }
  }

  @Test(
    "lists of several pages are complete after each sync, also while threads move to the first page"
  )
  func longLists() async throws {
    let trial = try await SyncTrial(size: Self.wide)
    defer { trial.meanwhile(nil) }
    func expectListed() throws {
      let truth = trial.site.truth()
      let forum = try #require(truth.forums.max { $0.threadIDs.count < $1.threadIDs.count })
      #expect(forum.threadIDs.count > 80)
      let listed = try trial.store.performBatchOperation { context in
        let request = NSFetchRequest<ForumThread>(entityName: "Thread")
        request.predicate = ForumFeed.Threads.forum(forum.id).predicate
        return try context.fetch(request).map(\.threadID)
      }
      #expect(Set(listed) == Set(forum.threadIDs))
      let bookmarks = try trial.store.performBatchOperation { context in
        try ThreadArrangement().count(of: .bookmarks, in: context)
      }
      #expect(bookmarks == truth.threads.count { $0.bookmark != nil })
    }
    try await trial.logIn()
    try await trial.sync()
    try expectListed()
    trial.meanwhile { step in
      if step.phase == .threadLists, step.done > 0 { trial.site.advance(seconds: 30_000) }
    }
    try await trial.sync()
    trial.meanwhile(nil)
    try await trial.sync()
    try expectListed()
    await trial.server.stop()
  }

  @Test("threads that the site renames and moves have their new title and forum")
  func movedThread() async throws {
    try await withSite { trial in
      _ = try await trial.sync()
      let truth = trial.site.truth(for: nil)
      let thread = try #require(truth.threads.first)
      let forum = try #require(truth.forums.last { !$0.isGroup && $0.id != thread.forumID })
      trial.site.renameThread(thread.id, to: "Another title")
      trial.site.moveThread(thread.id, toForum: forum.id)
      _ = try await trial.sync()
      #expect(try StoredSite(trial.store) == StoredSite(trial.site.truth(for: nil)))
    }
  }

  @Test("a rejected login throws the site's error and leaves no cookies")
  func refusedLogIn() async throws {
    try await withSite { trial in
      await #expect(throws: (any Error).self) {
        try await ForumLogIn.logIn(ForumSite.defaultUserName, password: "wrong", trial.client)
      }
      #expect(!trial.client.isLoggedIn)
    }
  }

  @Test("progress rises to its total in every phase")
  func progress() async throws {
    try await withSite { trial in
      _ = try await trial.sync()
      let steps = trial.progress
      for phase in [SyncPhase.index, .threadLists, .posts] {
        let ofPhase = steps.filter { $0.phase == phase }
        #expect(zip(ofPhase, ofPhase.dropFirst()).allSatisfy { $0.done <= $1.done })
        #expect(ofPhase.last.map { $0.done == $0.total } == true)
      }
      let order = steps.map { SyncPhase.allCases.firstIndex(of: $0.phase) ?? -1 }
      #expect(order == order.sorted())
    }
  }

  @Test(
    "temporary failures are retried after growing pauses, at least as long as the site requires",
    arguments: [(500, [1, 2, 4]), (503, [2, 2, 4])])
  func retry(status: Int, pauses: [Int]) async throws {
    try await withSite { trial in
      trial.server.addFault(Fault(.status, path: "forumdisplay.php", times: 3, amount: status))
      let report = try await trial.sync()
      #expect(trial.pauses == pauses.map { .seconds($0) })
      #expect(report.newPostCount > 0)
    }
  }

  @Test("the pauses during an outage that the site explains are at least as long as it requires")
  func outage() async throws {
    try await withSite { trial in
      trial.server.addFault(Fault(.databaseUnavailable, path: "forumdisplay.php", times: 3))
      let report = try await trial.sync()
      #expect(trial.pauses == [.seconds(2), .seconds(2), .seconds(4)])
      #expect(report.newPostCount > 0)
    }
  }

  @Test("requests that time out are repeated after growing pauses")
  func retryAfterTimeOut() async throws {
    // The timeout must end only the stalls, even on a busy machine.
    try await withSite(idleTimeout: .seconds(5)) { trial in
      trial.server.addFault(Fault(.stall, path: "forumdisplay.php", times: 2))
      let report = try await trial.sync()
      #expect(trial.pauses == [.seconds(1), .seconds(2)])
      #expect(report.newPostCount > 0)
    }
  }

  @Test("a site that requests a longer pause than a sync waits receives no further request")
  func longPause() async throws {
    try await withSite { trial in
      trial.server.addFault(Fault(.status, path: "forumdisplay.php", times: 3, amount: 503))
      let error = await #expect(throws: SyncError.self) {
        try await trial.sync(
          retry: PageRetryPolicy(
            attemptLimit: 4, firstPause: .seconds(1), longestPause: .seconds(1)))
      }
      #expect(error?.code == .network)
      #expect(trial.pauses.isEmpty)
    }
  }

  @Test(
    "a lasting failure throws a typed error, only complete pages are stored, and the next sync continues",
    arguments: [
      (Fault.Kind.status, SyncError.Code.network), (.stall, .network), (.redirectLoop, .network),
      (.cutBody, .network), (.wrongContentType, .network), (.captivePortal, .page),
      (.emptyBody, .page), (.shortBody, .page), (.deepNesting, .page), (.jsonInstead, .page),
      (.databaseUnavailable, .site),
    ])
  func faults(kind: Fault.Kind, code: SyncError.Code) async throws {
    // The timeout must end only a stall, because all other work may be slow on a busy machine.
    try await withSite(idleTimeout: kind == .stall ? .seconds(5) : .seconds(600)) { trial in
      trial.server.addFault(Fault(kind, path: "showthread.php", after: 4))
      let error = await #expect(throws: SyncError.self) {
        try await trial.sync(
          retry: PageRetryPolicy(
            attemptLimit: 2, firstPause: .seconds(1), longestPause: .seconds(1)))
      }
      #expect(error?.code == code, "\(error.map { "\($0)" } ?? "")")
      #expect(error?.phase == .posts)
      try trial.expectWholePages(count: 4)
      trial.server.clearFaults()
      trial.server.resetCounters()
      _ = try await trial.sync()
      #expect(try StoredSite(trial.store) == StoredSite(trial.site.truth(for: nil)))
    }
  }

  @Test("a page over the limit is a typed error")
  func hugePage() async throws {
    try await withSite { trial in
      trial.server.addFault(Fault(.hugePage, path: "forumdisplay.php", after: 1))
      let error = await #expect(throws: SyncError.self) { try await trial.sync() }
      #expect(error?.code == .network || error?.code == .page)
      #expect(error?.phase == .threadLists)
    }
  }

  @Test("a forum that the site rejects is recorded, and the other forums are synced")
  func refusal() async throws {
    try await withSite { trial in
      trial.server.addFault(Fault(.status, path: "forumdisplay.php", times: 1, amount: 403))
      let report = try await trial.sync()
      #expect(report.failures.count == 1)
      #expect(report.failures.first?.phase == .threadLists)
      #expect(report.newThreadCount > 0)
      #expect(report.newThreadCount < trial.site.truth().threads.count)
    }
  }

  @Test("a site for members only ends the sync of a guest with the site's error")
  func membersOnly() async throws {
    try await withSite { trial in
      trial.site.demandLogIn(true)
      let error = await #expect(throws: SyncError.self) { try await trial.sync() }
      #expect(error?.code == .site)
      #expect(error?.phase == .index)
    }
  }

  @Test("a login that the site ends is detected")
  func loggedOut() async throws {
    try await withSite { trial in
      try await trial.logIn()
      trial.site.endSession()
      let error = await #expect(throws: SyncError.self) { try await trial.sync() }
      #expect(error?.code == .loggedOut)
    }
  }

  private func count(of thread: String, on site: ForumSite) -> Int {
    site.truth(for: nil).threads.first { $0.id == thread }?.posts.count ?? 0
  }

  private func withSite(
    idleTimeout: Duration = .seconds(600), size: SiteSize = TestSite.size,
    _ body: (SyncTrial) async throws -> Void
  ) async throws {
    let trial = try await SyncTrial(idleTimeout: idleTimeout, size: size)
    do {
      try await body(trial)
    } catch {
      await trial.server.stop()
      throw error
    }
    await trial.server.stop()
  }
}
