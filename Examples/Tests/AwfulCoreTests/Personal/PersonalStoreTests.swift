import AwfulCore
import CoreData
import ForumClient
import ForumScraping
import ForumSimulator
import Foundation
import OpenPersistenceKit
import StoreSharing
import Synchronization
import Testing

/// The reader's choices are stored separately from the site's contents.
@Suite("The reader's own store", .serialized)
struct PersonalStoreTests {
  @Test("favourites keep the reader's order; an id twice is one favourite")
  func favorites() async throws {
    let choices = ReaderChoices(try PersonalStore(.inMemory))
    #expect(try await choices.favorites() == [])
    try await choices.setFavorites(["3", "1", "2", "1"])
    #expect(try await choices.favorites() == ["3", "1", "2"])
    try await choices.setFavorites(["2", "3"])
    #expect(try await choices.favorites() == ["2", "3"])
  }

  @Test("a change of the favourites gets the stored ones, and returns them; no change returns nil")
  func changedFavorites() async throws {
    let choices = ReaderChoices(try PersonalStore(.inMemory))
    #expect(try await choices.changeFavorites { $0 + ["1"] } == [])
    #expect(try await choices.changeFavorites { $0 + ["2"] } == ["1"])
    #expect(try await choices.changeFavorites { $0.filter { $0 != "3" } } == nil)
    #expect(try await choices.favorites() == ["1", "2"])
  }

  @Test("hidden threads are listed by when they were hidden, and shown again")
  func hidden() async throws {
    let choices = ReaderChoices(try PersonalStore(.inMemory))
    for (number, id) in ["7", "8", "7"].enumerated() {
      try await choices.setHidden(
        true, id, title: "T\(id)", at: Date(timeIntervalSince1970: Double(number)))
    }
    #expect(try await choices.hiddenThreads().map(\.threadID) == ["8", "7"])
    try await choices.setHidden(false, "8", title: "")
    try await choices.setHidden(false, "9", title: "")
    #expect(try await choices.hiddenThreads().map { [$0.threadID, $0.title] } == [["7", "T7"]])
  }

  @Test("the store is next to the pages' store, and outlives it")
  func place() async throws {
    let temporary = try TemporaryStore()
    let own = temporary.folder.appendingPathComponent("forums-personal.sqlite")
    try await ReaderChoices(PersonalStore.openOrMake(beside: temporary.file)).setFavorites(["1"])
    #expect(FileManager.default.fileExists(atPath: own.path))
    for file in try FileManager.default.contentsOfDirectory(atPath: temporary.folder.path)
    where file.hasPrefix("forums.sqlite") {
      try FileManager.default.removeItem(at: temporary.folder.appendingPathComponent(file))
    }
    let again = ReaderChoices(try PersonalStore.openOrMake(beside: temporary.file))
    #expect(try await again.favorites() == ["1"])
    let damaged = temporary.folder.appendingPathComponent("damaged-personal.sqlite")
    try Data("no store".utf8).write(to: damaged)
    let error = #expect(throws: ForumStoreError.self) {
      try PersonalStore.openOrMake(
        beside: temporary.folder.appendingPathComponent("damaged.sqlite"))
    }
    #expect(error?.code == .notOpened && error?.path == damaged.path)
  }

  @Test("a bookmark is set on the site and in the store, or in neither if the site is unreachable")
  func bookmarks() async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync()
      let actions = trial.connection().actions
      let thread = try #require(trial.site.truth().threads.first { $0.bookmark == nil })
      func stored() throws -> Bool { try ForumLists(trial.store).thread(thread.id).isBookmarked }
      try await actions.setBookmark(thread.id, color: .yellow)
      #expect(trial.site.truth().threads.first { $0.id == thread.id }?.bookmark == 2)
      #expect(try stored())
      try await trial.sync()
      #expect(try stored())
      trial.server.addFault(Fault(.status, path: "bookmarkthreads.php", times: 1, amount: 500))
      await #expect(throws: (any Error).self) {
        try await actions.setBookmark(thread.id, color: nil)
      }
      #expect(try stored())
      try await actions.setBookmark(thread.id, color: nil)
      #expect(trial.site.truth().threads.first { $0.id == thread.id }?.bookmark == nil)
      #expect(try !stored())
      trial.site.endSession()
      let error = await #expect(throws: (any Error).self) {
        try await actions.setBookmark(thread.id, color: .red)
      }
      #expect(error != nil)
      #expect(try !stored())
    }
  }

  @Test(
    "read marks set offline are sent to the site before the next sync, which returns the same marks"
  )
  func marks() async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync()
      let site = trial.connection()
      let thread = try #require(trial.site.truth().threads.first { $0.posts.count > 2 })
      func seen() -> Int? { trial.site.truth().threads.first { $0.id == thread.id }?.seen }
      func unread() throws -> Int { try ForumLists(trial.store).thread(thread.id).unreadPostCount }
      try await site.actions.setSeen(thread.id, count: 1)
      let before = seen()
      #expect(try unread() == thread.posts.count - 1)
      try await site.actions.setSeen(thread.id, count: 2, onlyRaising: true)
      try await site.actions.setSeen(thread.id, count: 1, onlyRaising: true)
      #expect(try unread() == thread.posts.count - 2)
      #expect(seen() == before)
      trial.server.addFault(Fault(.status, path: "showthread.php", times: 1, amount: 503))
      await #expect(throws: (any Error).self) { try await site.actions.sendMarks() }
      _ = try await site.sync()
      #expect(seen() == 2)
      #expect(try unread() == thread.posts.count - 2)
      try await site.actions.setSeen(thread.id, count: 0)
      _ = try await site.sync()
      #expect(seen() == nil)
      try await site.actions.setSeen(thread.id, count: 9_999_999)
      #expect(try unread() == 0)
      let error = await #expect(throws: ForumStoreError.self) {
        try await site.actions.setSeen("0", count: 1)
      }
      #expect(error?.code == .notFound)
      // A thread that the site has deleted does not block the marks of other threads.
      trial.site.deleteThread(thread.id)
      try await site.actions.sendMarks()
      #expect(try await pendingCount(trial.personal) == 0)
    }
  }

  private func pendingCount(_ personal: PersonalStore) async throws -> Int {
    try await personal.performBackgroundTask { context in
      try context.count(for: NSFetchRequest<PendingMark>(entityName: "PendingMark"))
    }
  }

  @Test("marks that are sent at the same time reach the site one by one, the newest last")
  func newestMark() async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync()
      let site = trial.connection()
      let guest = try await trial.guest()
      let thread = try #require(
        trial.site.truth().threads.first { $0.posts.count > 2 && $0.seen != 1 })
      func requests() -> Int { trial.server.counters.requestsByPath["showthread.php"] ?? 0 }
      func askForIndex() async throws {
        _ = try await guest.page("index.php", query: [("json", "1")])
      }
      trial.server.resetCounters()
      trial.server.addFault(Fault(.stall, path: "showthread.php", times: 1))
      try await site.actions.setSeen(thread.id, count: 1)
      async let first = site.actions.sendMarks()
      for _ in 0..<1_000 where requests() == 0 { try await askForIndex() }
      try await site.actions.setSeen(thread.id, count: 2)
      async let second = site.actions.sendMarks()
      // While twenty other requests are answered, a second mark would arrive.
      for _ in 0..<20 { try await askForIndex() }
      #expect(requests() == 1)
      trial.server.clearFaults()
      #expect(try await first.isEmpty)
      #expect(try await second.isEmpty)
      #expect(requests() == 2)
      #expect(trial.site.truth().threads.first { $0.id == thread.id }?.seen == 2)
      #expect(try await pendingCount(trial.personal) == 0)
      _ = try await site.sync()
      let stored = try ForumLists(trial.store).thread(thread.id)
      #expect(stored.unreadPostCount == thread.posts.count - 2)
    }
  }

  @Test("marks wait while another program sends marks of the same store")
  func otherProgram() async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync()
      let temporary = try TemporaryStore()
      defer { withExtendedLifetime(temporary) {} }
      let personal = try PersonalStore.openOrMake(beside: temporary.file)
      let stores = personal.container.persistentStoreCoordinator.persistentStores
      let file = try #require(stores.first?.url)
      let lock = Mutex<FileLock?>(try FileLock.take("\(file.path).marks"))
      let pauses = Mutex(0)
      let clock = SyncClock(now: { Date(timeIntervalSince1970: 1_700_000_000) }) { _ in
        // The other program has sent its marks after the second pause.
        let count = pauses.withLock { count in
          count += 1
          return count
        }
        if count == 2 { lock.withLock { $0 = nil } }
      }
      let site = SiteConnection(
        store: trial.store, personal: personal, client: trial.client, clock: clock)
      let thread = try #require(
        trial.site.truth().threads.first { $0.posts.count > 2 && $0.seen != 1 })
      try await site.actions.setSeen(thread.id, count: 1)
      try await site.actions.sendMarks()
      #expect(pauses.withLock { $0 } == 2)
      #expect(trial.site.truth().threads.first { $0.id == thread.id }?.seen == 1)
      #expect(try await pendingCount(personal) == 0)
    }
  }
}
