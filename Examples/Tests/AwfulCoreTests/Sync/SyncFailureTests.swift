import AwfulCore
import CoreData
import ForumHTML
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Synchronization
import Testing

/// Failures of single pages or marks do not end a sync, and contents added during a sync stay.
@Suite("Failures within a sync", .serialized)
struct SyncFailureTests {
  /// Runs a test with a synced store and the connection of a reader who is logged in.
  private func withReader(
    _ body: (SyncTrial, SiteConnection) async throws -> Void
  ) async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync()
      try await body(trial, trial.connection())
    }
  }

  @Test("pages that cannot be read are recorded, and the other pages are fetched")
  func unreadablePage() async throws {
    try await SyncTrial.run { trial in
      trial.server.addFault(Fault(.captivePortal, path: "showthread.php", after: 2, times: 2))
      let report = try await trial.sync()
      #expect(report.failures.map(\.phase) == [.posts, .posts])
      #expect(report.failures.allSatisfy { $0.reason is PageError })
      let posts = trial.site.truth(for: nil).threads.reduce(0) { $0 + $1.posts.count }
      #expect(report.newPostCount < posts && report.newPostCount >= posts - 80)
      trial.server.clearFaults()
      #expect(try await trial.sync().failures.isEmpty)
      #expect(try StoredSite(trial.store) == StoredSite(trial.site.truth(for: nil)))
    }
  }

  @Test("the description of an error of the store contains its sentence, not its details")
  func storeError() {
    let full = CocoaError(
      .fileWriteOutOfSpace, userInfo: [NSLocalizedDescriptionKey: "The disk is full."])
    let error = SyncError(full, .posts, "thread 7, page 1")
    #expect(error.description == "posts, thread 7, page 1: The disk is full. [store]")
  }

  @Test("a rejected read mark is recorded and stays; the other marks are sent")
  func refusedMark() async throws {
    try await withReader { trial, site in
      let threads = trial.site.truth().threads.filter { $0.posts.count > 2 && $0.seen != 2 }
        .prefix(2)
      try #require(threads.count == 2)
      for thread in threads { try await site.actions.setSeen(thread.id, count: 2) }
      func seen() -> [Int?] {
        let truth = trial.site.truth().threads
        return threads.map { thread in truth.first { $0.id == thread.id }?.seen }
      }
      trial.server.addFault(Fault(.status, path: "showthread.php", times: 1, amount: 403))
      let report = try await site.sync()
      #expect(report.failures.map(\.phase) == [.marks])
      #expect(seen().count { $0 == 2 } == 1)
      for thread in threads {
        let stored = try ForumLists(trial.store).thread(thread.id)
        #expect(stored.unreadPostCount == thread.posts.count - 2)
      }
      trial.server.clearFaults()
      #expect(try await site.sync().failures.isEmpty)
      #expect(seen() == [2, 2])
    }
  }

  @Test("a read mark that is sent after the site has ended the login stays until the next login")
  func markAfterLogOut() async throws {
    try await withReader { trial, site in
      let thread = try #require(
        trial.site.truth().threads.first { $0.posts.count > 2 && $0.seen != 2 })
      try await site.actions.setSeen(thread.id, count: 2)
      trial.site.endSession()
      let error = await #expect(throws: SyncError.self) { try await site.actions.sendMarks() }
      #expect(error?.code == .loggedOut)
      try await trial.logIn()
      _ = try await site.sync()
      #expect(trial.site.truth().threads.first { $0.id == thread.id }?.seen == 2)
    }
  }

  @Test("read marks stay if the answers come from another network; the third one is an error")
  func markInOtherNetwork() async throws {
    try await withReader { trial, site in
      let actions = site.actions
      let threads = trial.site.truth().threads.filter { $0.posts.count > 2 && $0.seen != 2 }
        .prefix(3)
      try #require(threads.count == 3)
      func sentMarks() -> Int {
        let truth = trial.site.truth().threads
        return threads.count { thread in truth.first { $0.id == thread.id }?.seen == 2 }
      }
      for thread in threads { try await actions.setSeen(thread.id, count: 2) }
      trial.server.addFault(Fault(.captivePortal, path: "showthread.php", times: 2))
      #expect(try await actions.sendMarks().map(\.phase) == [.marks, .marks])
      #expect(sentMarks() == 1)
      trial.server.clearFaults()
      for thread in threads {
        try await actions.setSeen(thread.id, count: 1)
        try await actions.setSeen(thread.id, count: 2)
      }
      trial.server.addFault(Fault(.captivePortal, path: "showthread.php"))
      trial.server.resetCounters()
      await #expect(throws: PageError.self) { try await actions.sendMarks() }
      #expect(trial.server.counters.requestsByPath["showthread.php"] == 3)
      trial.server.clearFaults()
      #expect(try await actions.sendMarks().isEmpty)
      #expect(sentMarks() == 3)
    }
  }

  @Test("a read mark that was not sent stays in the store if the sync fails")
  func markInFailedSync() async throws {
    try await withReader { trial, site in
      let thread = try #require(
        trial.site.truth().threads.first { $0.posts.count > 2 && $0.seen != 2 })
      func unread() throws -> Int { try ForumLists(trial.store).thread(thread.id).unreadPostCount }
      try await site.actions.setSeen(thread.id, count: 2)
      trial.server.addFault(Fault(.status, path: "showthread.php", times: 1, amount: 403))
      trial.server.addFault(Fault(.status, path: "bookmarkthreads.php", amount: 503))
      await #expect(throws: SyncError.self) { try await site.sync() }
      #expect(try unread() == thread.posts.count - 2)
    }
  }

  @Test("a read mark that was not sent stays in the store after a saved thread is fetched")
  func markOfSavedThread() async throws {
    try await withReader { trial, site in
      // The site's mark is at the end of the thread, and the import of a page stores it.
      let thread = try #require(trial.site.truth().threads.first { $0.posts.count > 2 })
      try await site.actions.setSeen(thread.id, count: thread.posts.count)
      try await site.actions.sendMarks()
      try await site.actions.setSeen(thread.id, count: 2)
      try await SavedThreads(trial.personal).add([(thread.id, thread.title)])
      trial.server.addFault(Fault(.status, path: "showthread.php", times: 1, amount: 403))
      let report = try await site.sync()
      #expect(report.failures.map(\.phase) == [.marks])
      #expect(try await SavedThreads(trial.personal).rows().map(\.state) == [.done])
      let stored = try ForumLists(trial.store).thread(thread.id)
      #expect(stored.unreadPostCount == thread.posts.count - 2)
    }
  }

  @Test("a read mark that is set while a sync restores the marks stays in the store")
  func markDuringRestoring() async throws {
    try await withReader { trial, site in
      let thread = try #require(
        trial.site.truth().threads.first { $0.posts.count > 3 && $0.seen != 2 })
      try await site.actions.setSeen(thread.id, count: 2)
      trial.server.addFault(Fault(.status, path: "showthread.php", times: 1, amount: 403))
      let (id, store, personal) = (thread.id, trial.store, trial.personal)
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextWillSave, object: nil, queue: nil
      ) { notification in
        guard let context = notification.object as? NSManagedObjectContext,
          context.persistentStoreCoordinator === store.container.persistentStoreCoordinator,
          context.updatedObjects.contains(where: { object in
            (object as? ForumThread).map { $0.threadID == id && $0.seenPosts == 2 } ?? false
          })
        else { return }
        // The sync has read the pending marks. The expectation below fails if the save does.
        try? personal.performBatchOperation { context in
          let request = NSFetchRequest<PendingMark>(entityName: "PendingMark")
          for mark in try context.fetch(request) { mark.seenPosts = 3 }
        }
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      _ = try await site.sync()
      let stored = try ForumLists(trial.store).thread(thread.id)
      #expect(stored.unreadPostCount == thread.posts.count - 3)
    }
  }

  @Test("a read mark that the site accepts during a sync stays in the store after an older import")
  func markSentDuringSync() async throws {
    try await withReader { trial, _ in
      let thread = try #require(
        trial.site.truth().threads.first { $0.posts.count > 2 && $0.seen != 2 })
      try await trial.sync(sendingMark: 2, ofThread: thread.id)
      #expect(trial.site.truth().threads.first { $0.id == thread.id }?.seen == nil)
      let stored = try ForumLists(trial.store).thread(thread.id)
      #expect(stored.unreadPostCount == thread.posts.count - 2)
    }
  }

  @Test("a read mark is pending before the store shows it, so that the end of the program keeps it")
  func markBeforeStore() async throws {
    try await withReader { trial, site in
      let thread = try #require(
        trial.site.truth().threads.first { $0.posts.count > 2 && $0.seen != 2 })
      let (id, store, personal) = (thread.id, trial.store, trial.personal)
      let pending = Mutex<[Int32]>([])
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextWillSave, object: nil, queue: nil
      ) { notification in
        guard let context = notification.object as? NSManagedObjectContext,
          context.persistentStoreCoordinator === store.container.persistentStoreCoordinator,
          context.updatedObjects.contains(where: { ($0 as? ForumThread)?.threadID == id })
        else { return }
        // The expectation below fails if the fetch does.
        let marks = try? personal.performBatchOperation { context in
          try context.fetch(NSFetchRequest<PendingMark>(entityName: "PendingMark"))
            .map(\.seenPosts)
        }
        pending.withLock { $0 = marks ?? [] }
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      try await site.actions.setSeen(id, count: 2)
      #expect(pending.withLock { $0 } == [2])
    }
  }

  @Test("a read mark that was not sent stays in the store after a page of the thread is fetched")
  func markOfFetchedPage() async throws {
    try await withReader { trial, site in
      // The site's mark is at the end of the thread, and the import of a page stores it.
      let thread = try #require(trial.site.truth().threads.first { $0.posts.count > 2 })
      try await site.actions.setSeen(thread.id, count: thread.posts.count)
      try await site.actions.sendMarks()
      try await site.actions.setSeen(thread.id, count: 2)
      try await site.fetchPosts(ofThread: thread.id, page: 1)
      let stored = try ForumLists(trial.store).thread(thread.id)
      #expect(stored.unreadPostCount == thread.posts.count - 2)
    }
  }

  @Test("a read mark replaces a pending one also if the store has the same count")
  func markOverPendingMark() async throws {
    try await withReader { trial, site in
      let thread = try #require(
        trial.site.truth().threads.first { $0.posts.count > 2 && $0.seen != 2 })
      try await site.actions.setSeen(thread.id, count: 1)
      try await site.actions.sendMarks()
      try await site.actions.setSeen(thread.id, count: 2)
      // A sync without the reader's own store imports the site's mark.
      try await trial.sync()
      try await site.actions.setSeen(thread.id, count: 1)
      _ = try await site.sync()
      #expect(trial.site.truth().threads.first { $0.id == thread.id }?.seen == 1)
    }
  }

  @Test("a bookmark that is set while the bookmarks are read stays in the store")
  func bookmarkDuringSync() async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync()
      let id = try #require(trial.site.truth().threads.first { $0.bookmark == nil }?.id)
      let store = trial.store
      let site = trial.site
      trial.meanwhile { step in
        guard step.phase == .bookmarks, step.done == step.total else { return }
        site.bookmark(id)
        // The expectation below fails if the save does.
        try? store.performBatchOperation { context in
          for thread in try context.fetch(ForumThread.request(id: id)) { thread.bookmarked = true }
        }
      }
      try await trial.sync()
      trial.meanwhile(nil)
      #expect(try ForumLists(trial.store).thread(id).isBookmarked)
    }
  }

  @Test("the texts of announcements are fetched once, and again for a new announcement")
  func announcements() async throws {
    try await SyncTrial.run { trial in
      try await trial.sync(spacing: .standard)
      func texts() throws -> [String] {
        try trial.store.performBatchOperation { context in
          let request = NSFetchRequest<Announcement>(entityName: "Announcement")
          request.sortDescriptors = [NSSortDescriptor(key: "listIndex", ascending: true)]
          return try context.fetch(request).map(\.bodyHTML)
        }
      }
      func requests() -> Int { trial.server.counters.requestsByPath["announcement.php"] ?? 0 }
      let count = trial.site.truth().announcements.count
      #expect(try texts().count { !$0.isEmpty } == count)
      #expect(requests() == 1)
      try await trial.sync(spacing: .standard, later: 901)
      #expect(requests() == 1)
      while trial.site.truth().announcements.count <= count {
        try #require(trial.site.happen(.changeAnnouncement))
      }
      try await trial.sync(spacing: .standard, later: 1_802)
      #expect(requests() == 2)
      #expect(try texts().count { !$0.isEmpty } == count + 1)
      try await trial.sync(spacing: .standard, later: 80_000)
      #expect(requests() == 3)
    }
  }
}
