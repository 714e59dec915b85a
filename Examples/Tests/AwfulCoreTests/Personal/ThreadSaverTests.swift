import AwfulCore
import CoreData
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Testing

/// Threads are fetched completely for later, page by page, and continue where they stopped.
@Suite("Threads saved for later", .serialized)
struct ThreadSaverTests {
  private func storedPosts(_ trial: SyncTrial, _ id: String) throws -> [String] {
    guard try ForumLists(trial.store).threads().contains(where: { $0.threadID == id }) else {
      return []
    }
    return try ForumLists(trial.store).posts(threadID: id).map(\.postID)
  }

  @Test("a thread is fetched completely, even after an interruption, and no page twice")
  func resuming() async throws {
    try await SyncTrial.run { trial in
      let thread = try #require(
        trial.site.truth().threads.max { $0.posts.count < $1.posts.count })
      let pages = (thread.posts.count + 39) / 40
      #expect(pages >= 2)
      let saved = SavedThreads(trial.personal)
      try await saved.add([(thread.id, thread.title)])
      trial.server.addFault(Fault(.status, path: "showthread.php", after: 1, times: 1, amount: 503))
      try await trial.connection().saver.run()
      let row = try #require(try await saved.rows().first)
      #expect(row.donePages == 1 && row.state == .waiting && row.problem != nil)
      #expect(try storedPosts(trial, thread.id) == thread.posts.prefix(40).map(\.id))

      trial.server.resetCounters()
      // Another saver over the same store, as after a kill.
      try await trial.connection().saver.run()
      #expect(trial.server.counters.requestsByPath["showthread.php"] == pages - 1)
      let whole = try #require(try await saved.rows().first)
      #expect(whole.state == .done && whole.problem == nil && whole.donePages == pages)
      #expect(try storedPosts(trial, thread.id) == thread.posts.map(\.id))

      trial.site.post(inThread: thread.id)
      try await saved.add([(thread.id, thread.title)])
      try await trial.connection().saver.run()
      let now = try #require(trial.site.truth().threads.first { $0.id == thread.id })
      #expect(try storedPosts(trial, thread.id) == now.posts.map(\.id))
      #expect(try await saved.rows().count == 1)
    }
  }

  @Test("only the chosen pages of a thread are fetched, until the reader saves the whole thread")
  func somePages() async throws {
    try await SyncTrial.run { trial in
      let thread = try #require(
        trial.site.truth().threads.max { $0.posts.count < $1.posts.count })
      try #require(thread.posts.count > 40)
      let saved = SavedThreads(trial.personal)
      try await saved.add(2...2, ofThread: thread.id, title: thread.title)
      let saver = trial.connection().saver
      try await saver.run()
      #expect(trial.server.counters.requestsByPath["showthread.php"] == 1)
      #expect(
        try storedPosts(trial, thread.id) == thread.posts.dropFirst(40).prefix(40).map(\.id))
      let row = try #require(try await saved.rows().first)
      #expect(row.state == .done && row.lastPage == 2)
      try await saved.add([(thread.id, thread.title)])
      try await saver.run()
      #expect(try storedPosts(trial, thread.id) == thread.posts.map(\.id))
      // Choosing pages does not shorten a complete thread.
      try await saved.add(1...1, ofThread: thread.id, title: thread.title)
      try await saver.run()
      #expect(try await saved.rows().map(\.lastPage) == [0])
    }
  }

  @Test("pages that are chosen in addition to waiting ones are fetched together with them")
  func morePages() async throws {
    let saved = SavedThreads(try PersonalStore(.inMemory))
    try await saved.add(4...5, ofThread: "7", title: "T")
    try await saved.add(2...3, ofThread: "7", title: "T")
    let row = try #require(try await saved.rows().first)
    #expect(row.donePages == 1 && row.lastPage == 5 && row.state == .waiting)
  }

  @Test("a paused thread is not fetched; a rejected thread does not delay the others")
  func pausing() async throws {
    try await SyncTrial.run { trial in
      let threads = trial.site.truth().threads.prefix(2).map(\.id)
      let saved = SavedThreads(trial.personal)
      try await saved.add([("999999", "Gone")], at: Date(timeIntervalSince1970: 1))
      try await saved.add(threads.map { ($0, "T") }, at: Date(timeIntervalSince1970: 2))
      try await saved.setPaused(true, threads[0])
      let saver = trial.connection().saver
      try await saver.run()
      func states() async throws -> [String: SavedThreadState] {
        Dictionary(uniqueKeysWithValues: try await saved.rows().map { ($0.threadID, $0.state) })
      }
      #expect(try await states() == ["999999": .refused, threads[0]: .paused, threads[1]: .done])
      #expect(try storedPosts(trial, threads[0]).isEmpty)
      try await saved.setPaused(false, threads[0])
      try await saver.run()
      #expect(try await states()[threads[0]] == .done)
      try await saved.remove("999999")
      #expect(try await states()["999999"] == nil)
    }
  }

  @Test("threads wait while the site demands a login, and are then fetched")
  func logOut() async throws {
    try await SyncTrial.run { trial in
      let ids = trial.site.truth().threads.prefix(2).map(\.id)
      let saved = SavedThreads(trial.personal)
      try await saved.add(ids.map { ($0, "T") })
      trial.site.demandLogIn(true)
      let saver = trial.connection().saver
      try await saver.run()
      #expect(try await saved.rows().map(\.state) == [.waiting, .waiting])
      #expect(try await saved.rows().allSatisfy { $0.problem?.contains("Log in") == true })
      trial.site.demandLogIn(false)
      try await saver.run()
      #expect(try await saved.rows().map(\.state) == [.done, .done])
      #expect(try await saved.rows().allSatisfy { $0.problem == nil })
    }
  }

  @Test("a thread with a page that cannot be read waits, and the threads after it are fetched")
  func unreadable() async throws {
    try await SyncTrial.run { trial in
      let ids = trial.site.truth().threads.prefix(2).map(\.id).sorted()
      let saved = SavedThreads(trial.personal)
      try await saved.add(ids.map { ($0, "T") }, at: Date(timeIntervalSince1970: 1))
      trial.server.addFault(Fault(.captivePortal, path: "showthread.php", times: 1))
      let saver = trial.connection().saver
      try await saver.run()
      let rows = try await saved.rows()
      #expect(rows.map(\.state) == [.waiting, .done])
      #expect(rows.first?.problem != nil)
      try await saver.run()
      #expect(try await saved.rows().map(\.state) == [.done, .done])
    }
  }

  @Test("after three threads with pages that cannot be read, the other threads wait")
  func unreadableSite() async throws {
    try await SyncTrial.run { trial in
      let ids = trial.site.truth().threads.prefix(4).map(\.id)
      try #require(ids.count == 4)
      let saved = SavedThreads(trial.personal)
      try await saved.add(ids.map { ($0, "T") })
      trial.server.addFault(Fault(.captivePortal, path: "showthread.php"))
      try await trial.connection().saver.run()
      #expect(trial.server.counters.requestsByPath["showthread.php"] == 3)
      #expect(try await saved.rows().map(\.state) == [.waiting, .waiting, .waiting, .waiting])
    }
  }

  @Test("pruning by age and by size keeps saved threads")
  func pruning() async throws {
    let temporary = try TemporaryStore()
    try await temporary.store.performBackgroundTask { context in
      for number in 1...40 {
        let thread = ForumThread(context: context)
        (thread.threadID, thread.title) = ("\(number)", String(repeating: "x", count: 20_000))
        thread.lastRefresh = Date(timeIntervalSince1970: Double(number))
      }
    }
    // Older than a day, for which everything stays, and younger than the thirty days of the first call.
    let now = Date(timeIntervalSince1970: 1_000_000)
    func left() throws -> [String] {
      try ForumLists(temporary.store).threads().map(\.threadID).sorted { Int($0)! < Int($1)! }
    }
    // By size: the oldest go first, but for the one that is saved.
    let report = try temporary.store.prune(
      olderThanDays: 30, keeping: ["1"], sizeLimit: 400_000, now: { now })
    #expect(report.deletedCounts["Thread"] ?? 0 > 0)
    #expect(try #require(report.bytesAfter) < #require(report.bytesBefore))
    let afterSize = try left()
    #expect(afterSize.first == "1" && afterSize.last == "40" && !afterSize.contains("2"))
    // All other threads are deleted by age.
    _ = try temporary.store.prune(olderThanDays: 0, keeping: ["1"], now: { now })
    #expect(try left() == ["1"])
    _ = try temporary.store.prune(olderThanDays: 0, now: { now })
    #expect(try left() == [])
  }
}
