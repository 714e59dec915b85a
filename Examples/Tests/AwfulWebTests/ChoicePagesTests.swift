import AwfulCore
import CoreData
import ForumHTML
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Testing
import WebTestClient

/// Forms that the program refuses, and choices that are made at the same time.
@Suite("Pages of the reader's choices", .serialized)
struct ChoicePagesTests {
  @Test(
    "a form for a forum, thread or post that is not stored has status 404, and changes nothing",
    arguments: [
      "/forums/nope/favorite", "/threads/nope/hide", "/threads/nope/seen", "/threads/nope/save",
      "/posts/nope/bookmark",
    ])
  func missing(_ path: String) async throws {
    try await WebTrial.run { trial in
      let answer = try await trial.post(path, ["place": "1"])
      #expect(answer.status == 404)
      let page = try HTMLParser.parse(answer.text)
      #expect(try page.first("main")?.text.contains("with the id nope") == true)
      let choices = ReaderChoices(trial.personal)
      #expect(try await choices.favorites().isEmpty)
      #expect(try await choices.hiddenThreads().isEmpty)
      #expect(try await SavedThreads(trial.personal).rows().isEmpty)
    }
  }

  @Test("a bookmark of a thread that is not stored has status 404, and the site is not told")
  func missingBookmark() async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      let thread = try #require(trial.site.truth().threads.first { $0.bookmark == nil })
      let answer = try await trial.post("/threads/\(thread.id)/bookmark", ["color": "red"])
      #expect(answer.status == 404)
      #expect(!trial.site.truth().bookmarkedThreadIDs.contains(thread.id))
    }
  }

  @Test("a bookmark without a log-in has status 403, and says that a log-in is needed")
  func loggedOut() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let thread = try #require(trial.site.truth(for: nil).threads.first)
      let answer = try await trial.post("/threads/\(thread.id)/bookmark", ["color": "red"])
      #expect(answer.status == 403)
      #expect(answer.text.contains("log in first"))
      #expect(try !ForumLists(trial.store).thread(thread.id).isBookmarked)
    }
  }

  @Test("what the site cannot be asked for has status 502, with the reason")
  func unreachable() async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      _ = try await #require(trial.connection).sync()
      let thread = try #require(trial.site.truth().threads.first)
      await trial.server.stop()
      let edit = "/write/edit/\(thread.posts[0].id)?thread=\(thread.id)"
      for answer in [
        try await send(trial.port, edit, "GET", trial.cookie),
        try await trial.post("/threads/\(thread.id)/bookmark", ["color": "red"]),
      ] {
        #expect(answer.status == 502)
        #expect(answer.text.contains("cannot be reached"))
      }
    }
  }

  @Test("a thread's page saves the whole thread, or pages from the shown one on")
  func savedPages() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let thread = try #require(
        trial.site.truth(for: nil).threads.first { $0.posts.count > 40 })
      let path = "/threads/\(thread.id)"
      let saved = SavedThreads(trial.personal)
      let form = try await trial.form("\(path)?page=2", "form[action='\(path)/save']")
      let options = try form.select("option").compactMap { $0["value"] }
      #expect(options.starts(with: ["all", "1"]))
      _ = try await trial.submit(form, "", ["pages": "1"])
      let part = try #require(try await saved.rows().first)
      #expect(part.donePages == 1 && part.lastPage == 2)
      let row = try #require(
        try await trial.page("/saved").first("#saved-\(thread.id)"))
      #expect(row.text.contains("page 2 not stored yet"))
      _ = try await trial.submit(form, "", ["pages": "all"])
      let whole = try #require(try await saved.rows().first)
      #expect(whole.donePages == 0 && whole.lastPage == 0)
      for pages in ["0", "-1", "99999999999999999999", "1001"] {
        _ = try await trial.post("\(path)/save", ["pages": pages])
        #expect(try await saved.rows().map(\.lastPage) == [0], "\(pages)")
      }
    }
  }

  @Test("a thread's page sets, changes and removes the color of a bookmark")
  func bookmarkColors() async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      _ = try await #require(trial.connection).sync()
      let id = try #require(trial.site.truth().threads.first { $0.bookmark == nil }?.id)
      let path = "/threads/\(id)"
      func forms() async throws -> [HTMLElement] {
        try await trial.page(path).select("form[action='\(path)/bookmark']")
      }
      func bookmark() -> Int? { trial.site.truth().threads.first { $0.id == id }?.bookmark }
      let new = try await forms()
      #expect(new.count == 1)
      let colors = try #require(new.first).select("option").compactMap { $0["value"] }
      #expect(colors == ["orange", "red", "yellow", "cyan", "green", "purple"])
      for (number, color) in colors.enumerated() {
        let form = try #require(try await forms().first)
        _ = try await trial.submit(form, "", ["color": color])
        #expect(bookmark() == number)
        let chosen = try #require(try await forms().first).first("option[selected]")
        #expect(chosen?["value"] == color)
      }
      let refused = try await trial.post("\(path)/bookmark", ["color": "plaid"])
      #expect(refused.status == 400 && bookmark() == colors.count - 1)
      _ = try await trial.submit(try #require(try await forms().last), "", [:])
      #expect(bookmark() == nil)
      #expect(try await forms().count == 1)
    }
  }

  @Test("the settings change the policy for deleting old threads, and show the latest deletion")
  func deletion() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let form = try await trial.form("/settings", "form[action='/settings/deletion']")
      #expect(try form.select("option[selected]").map { $0["value"] } == ["30", "100"])
      _ = try await trial.submit(form, "", ["days": "7", "megabytes": ""])
      #expect(
        trial.store.deletionPolicy == AutomaticDeletion.Policy(days: 7, megabytes: nil))
      let id = try #require(trial.site.truth(for: nil).threads.first?.id)
      try await trial.store.performBackgroundTask { context in
        for thread in try context.fetch(ForumThread.request(id: id)) {
          thread.threadListPage = 0
          thread.lastRefresh = Date(timeIntervalSince1970: 0)
        }
      }
      let report = try await AutomaticDeletion(
        store: trial.store, personal: trial.personal, pictures: MemberPictures(of: trial.store),
        viewers: StoreViewers(of: trial.store)
      ).runIfDue()
      #expect(report?.deletedCounts["Thread"] == 1)
      let text = try #require(try await trial.page("/settings").first("#last-deletion")).text
      #expect(text.contains("1 thread and ") && text.hasSuffix(" were deleted automatically."))
      let refused = try await trial.submit(form, "", ["days": "8", "megabytes": "x"])
      #expect(refused.status == 400)
      #expect(
        trial.store.deletionPolicy == AutomaticDeletion.Policy(days: 7, megabytes: nil))
      // Another version of the program can have stored a value that this version does not offer.
      try trial.store.note(AutomaticDeletion.Policy(days: 14, megabytes: 100))
      let other = try await trial.form("/settings", "form[action='/settings/deletion']")
      #expect(try other.select("option[selected]").map { $0["value"] } == ["14", "100"])
      _ = try await trial.submit(other, "", ["days": "14", "megabytes": "500"])
      #expect(
        trial.store.deletionPolicy == AutomaticDeletion.Policy(days: 14, megabytes: 500))
    }
  }

  @Test("the settings delete no old threads while another program shows the store")
  func pruningElsewhere() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let id = try #require(trial.site.truth(for: nil).threads.first?.id)
      try await trial.store.performBackgroundTask { context in
        for thread in try context.fetch(ForumThread.request(id: id)) {
          thread.threadListPage = 0
          thread.bookmarked = false
          thread.lastRefresh = Date(timeIntervalSince1970: 0)
        }
      }
      func isStored() throws -> Bool {
        try ForumLists(trial.store).threads().map(\.threadID).contains(id)
      }
      var other: StoreViewers? = StoreViewers(of: trial.store)
      try other?.join()
      let refused = try await trial.post("/settings/prune", [:])
      #expect(refused.status == 409 && refused.text.contains("Another program shows the store"))
      #expect(try isStored())
      other = nil
      #expect(try await trial.post("/settings/prune", [:]).status == 303)
      #expect(try !isStored())
    }
  }

  @Test("forums that are made favourites at the same time are all favourites")
  func parallelFavorites() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let forums = try ForumLists(trial.store).forums().map(\.forumID)
      #expect(forums.count > 2)
      let choices = ReaderChoices(trial.personal)
      for _ in 1...5 {
        try await choices.setFavorites([])
        let adding = forums.map { forum in
          Task { try await choices.changeFavorites { $0 + [forum] } }
        }
        for task in adding { _ = try await task.value }
        #expect(try await Set(choices.favorites()) == Set(forums))
      }
    }
  }
}
