import AwfulCore
import AwfulTerminal
import AwfulWeb
import CoreData
import ForumHTML
import ForumSimulator
import Foundation
import OpenPersistenceKit
import TerminalView
import Testing
import WebTestClient

/// Announcements, bookmarks of posts, and the objects that pruning keeps.
@Suite("Announcements and bookmarked posts", .serialized)
struct AnnouncementPagesTests {
  @Test("announcements are shown with their texts, and are new until the reader marks them as read")
  func announcements() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let titles = trial.site.truth(for: nil).announcements
      #expect(titles.count > 1)
      let start = try await trial.page("/")
      let links = try start.select("#announcements a")
      #expect(links.map { $0["href"] ?? "" }.first == "/announcements#announcement-0")
      #expect(links.map(\.text) == titles.map { "\($0) new" })

      let page = try await trial.page("/announcements")
      #expect(try page.select("#announcements h2").map(\.text) == titles)
      #expect(try page.select("#announcements .body").allSatisfy { $0.text.count > 40 })
      let form = try await trial.form("/announcements", "form[action='/announcements/0/seen']")
      let events = try trial.events(of: page)
      let answer = try await trial.submit(form, "", [:])
      #expect(answer.status == 303 && answer.headers["location"] == "/announcements")
      #expect(await events.text(until: "announcement-0").contains("event: update"))
      let badges = try await trial.page("/").select("#announcements .badge").count
      #expect(badges == titles.count - 1)

      // The title shows that another announcement has replaced it.
      let other = ["title": "Another title", "back": "/announcements"]
      _ = try await trial.post("/announcements/1/seen", other)
      #expect(try await trial.page("/").select("#announcements .badge").count == badges)
    }
  }

  @Test("a terminal lists the announcements, and marks them as read")
  func terminal() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let titles = trial.site.truth(for: nil).announcements
      let places = ReaderPlaces(trial.store, personal: trial.personal)
      let rows = try await trial.terminalRows(.announcements, of: places)
      #expect(rows.filter { $0.style == .heading }.map(\.text) == titles.map { "\($0)  new" })
      let text = try #require(rows.first { $0.style != .heading })
      guard case .run(let work)? = places.action(of: "r", in: .announcements, row: text) else {
        Issue.record("The key has no action.")
        return
      }
      #expect(try await work() == "Marked as read.")
      let again = try await trial.terminalRows(.announcements, of: places)
      #expect(again.first?.text == titles.first)
    }
  }

  @Test("a post is bookmarked on its thread's page, listed with its text, and removed again")
  func bookmarkedPost() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let thread = try #require(trial.site.truth(for: nil).threads.first)
      let post = try #require(thread.posts.first)
      let action = "form[action='/posts/\(post.id)/bookmark']"
      let form = try await trial.form("/threads/\(thread.id)", action)
      #expect(try form.first("button")?["value"] == "add")
      let answer = try await trial.submit(form, "add", [:])
      #expect(answer.headers["location"] == "/posts/\(post.id)")
      #expect(
        try await trial.form("/threads/\(thread.id)", "\(action) button")["value"] == "remove")

      let listed = try await trial.page("/bookmarks/posts")
      let row = try #require(try listed.first("#bookmarked-\(post.id)"))
      #expect(row.text.contains(thread.title) && row.text.contains(post.author))
      #expect(try row.first("a")?["href"] == "/posts/\(post.id)")
      _ = try await trial.submit(
        try await trial.form("/bookmarks/posts", action), "remove", [:])
      #expect(try await trial.page("/bookmarks/posts").select("#bookmarked > li").isEmpty)
      #expect(try await trial.post("/posts/0/bookmark", ["do": "add"]).status >= 400)
    }
  }

  @Test("the button that deletes old threads keeps threads on open pages")
  func pruningOnScreen() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let ids = trial.site.truth(for: nil).threads.prefix(2).map(\.id)
      try await trial.store.performBackgroundTask { context in
        for id in ids {
          for thread in try context.fetch(ForumThread.request(id: id)) {
            thread.threadListPage = 0
            thread.bookmarked = false
            thread.lastRefresh = Date(timeIntervalSince1970: 0)
          }
        }
      }
      let events = try trial.events(of: try await trial.page("/threads/\(ids[0])"))
      // After the event, the program knows that the page is open.
      try await trial.store.performBackgroundTask { context in
        for thread in try context.fetch(ForumThread.request(id: ids[0])) {
          thread.lastPostAuthorName = "Harbourmaster"
        }
      }
      #expect(await events.text(until: "Harbourmaster").contains("event: update"))
      let answer = try await trial.post("/settings/prune", ["back": "/settings"])
      #expect(answer.status == 303)
      let left = try ForumLists(trial.store).threads().map(\.threadID)
      #expect(left.contains(ids[0]) && !left.contains(ids[1]))
      withExtendedLifetime(events) {}
    }
  }

  @Test("a sync with failed requests shows the first one")
  func incompleteSync() async throws {
    try await WebTrial.run { trial in
      await trial.status.set(.incomplete(Date(), failures: ["posts, thread 1: No <page>.", "x"]))
      let text = try await trial.page("/").first("#status")?.text ?? ""
      #expect(text.contains("except for 2 failed requests (posts, thread 1: No <page>.)."))
    }
  }
}
