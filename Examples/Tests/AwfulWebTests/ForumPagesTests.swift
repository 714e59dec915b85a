import AwfulCore
import AwfulWeb
import CoreData
import ForumHTML
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Testing
import WebTestClient

/// Pages show the store's contents live, including changes by other programs.
@Suite("Pages of the forum reader", .serialized)
struct ForumPagesTests {
  @Test("forums, threads and posts equal the site's, in its order, even if it is unreachable")
  func content() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let truth = trial.site.truth(for: nil)
      let forums = truth.forums.filter { !$0.isGroup }
      let index = try await trial.page("/")
      #expect(Set(try index.select("#forums .title").map(\.text)) == Set(forums.map(\.title)))
      for forum in forums.prefix(3) {
        let page = try await trial.page("/forums/\(forum.id)")
        #expect(try page.select("h1").map(\.text) == [forum.title])
        let shown = try page.select("#threads > li").map { $0["id"] ?? "" }
        let listed = try ForumLists(trial.store).threads(forumID: forum.id)
        #expect(shown == listed.prefix(40).map { "thread-\($0.threadID)" })
        #expect(listed.count == truth.threads.filter { $0.forumID == forum.id }.count)
      }
      let thread = try #require(truth.threads.max { $0.posts.count < $1.posts.count })
      #expect(thread.posts.count > 40)
      let first = try await trial.page("/threads/\(thread.id)")
      #expect(
        try first.select("#posts > li").map { $0["id"] ?? "" }
          == thread.posts.prefix(40).map { "post\($0.id)" })
      let second = try await trial.page("/threads/\(thread.id)?page=2")
      #expect(
        try second.select("#posts > li").map { $0["id"] ?? "" }
          == thread.posts.dropFirst(40).prefix(40).map { "post\($0.id)" })
      #expect(try second.select("a[rel=prev]").first?["href"] == "/threads/\(thread.id)?page=1")
    }
  }

  @Test("changes by this program and by another program reach an open page")
  func liveChanges() async throws {
    try await WebTrial.run { trial in
      let empty = try await trial.page("/")
      let forums = try trial.events(of: empty)
      try await trial.sync()
      let forum = try #require(trial.site.truth(for: nil).forums.first { !$0.isGroup })
      #expect(await forums.text(until: forum.title).contains("event: insert"))

      let page = try await trial.page("/forums/\(forum.id)")
      let threads = try trial.events(of: page)
      trial.site.advance(seconds: 50_000)
      let other = try trial.openElsewhere()
      try await trial.sync(into: other)
      let before = Set(try page.select("#threads > li").map { $0["id"] ?? "" })
      let listed = trial.site.truth(for: nil).threads.filter { $0.forumID == forum.id }
      let new = try #require(listed.first { !before.contains("thread-\($0.id)") })
      let told = await threads.text(until: "\"id\":\"thread-\(new.id)\"")
      #expect(told.contains("\"list\":\"threads\""))
      let again = try await trial.page("/forums/\(forum.id)")
      let lists = ForumLists(other)
      #expect(
        try again.select("#threads > li").map { $0["id"] ?? "" }
          == lists.threads(forumID: forum.id).prefix(40).map { "thread-\($0.threadID)" })
    }
  }

  @Test("a page shows the state of the sync, and updates the state while it is open")
  func status() async throws {
    try await WebTrial.run { trial in
      let page = try await trial.page("/")
      #expect(try page.select("#status").first?.text == "Showing stored content.")
      let events = try trial.events(of: page)
      await trial.status.set(.offline(reason: "No <answer>.", since: Date(), synced: nil))
      #expect(
        await events.text(until: "answer").contains(
          "No &lt;answer&gt;. You can still read stored content"))
    }
  }

  @Test("a button requests new content and returns to the page")
  func refresh() async throws {
    try await WebTrial.run { trial in
      let page = try await trial.page("/")
      let form = try #require(try page.select("form[action='/refresh']").first)
      #expect(form["method"] == "post")
      #expect(try form.select("input[name=back]").first?["value"] == "/")
      let origin = ["Origin": "http://127.0.0.1:\(trial.port)"]
      let headers = trial.cookie.merging(origin) { $1 }
      let answer = try await send(
        trial.port, "/refresh", "POST", headers, body: "back=%2Fbookmarks")
      #expect(answer.status == 303 && answer.headers["location"] == "/bookmarks")
      #expect(trial.refreshes.value == 1)
      #expect(try await send(trial.port, "/refresh", "POST", trial.cookie, body: "").status == 403)
      #expect(trial.refreshes.value == 1)
    }
  }

  @Test("links between threads and posts of the site lead to the reader's own pages")
  func links() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let thread = try #require(
        trial.site.truth(for: nil).threads.max { $0.posts.count < $1.posts.count })
      let post = thread.posts[40]
      let markup = """
        <a href="showthread.php?goto=post&amp;postid=\(post.id)#post\(post.id)">a</a>
        <a href="/showthread.php?threadid=\(thread.id)&amp;pagenumber=2#post\(post.id)">b</a>
        <a href="http://forum.test/forumdisplay.php?forumid=3">c</a>
        <a href="http://other.test/showthread.php?threadid=1">d</a><a href="/member.php?userid=1">e</a>
        """
      try await trial.store.performBackgroundTask { context in
        let posts = try context.fetch(Post.request(id: thread.posts[0].id))
        posts.first?.innerHTML = markup
      }
      let page = try await trial.page("/threads/\(thread.id)")
      let links = try page.select("#post\(thread.posts[0].id) .body a").map { $0["href"] ?? "" }
      #expect(
        links == [
          "/posts/\(post.id)", "/threads/\(thread.id)?page=2#post\(post.id)", "/forums/3",
          "http://other.test/showthread.php?threadid=1", "http://forum.test/member.php?userid=1",
        ])
      let answer = try await send(trial.port, "/posts/\(post.id)", "GET", trial.cookie)
      #expect(answer.headers["location"] == "/threads/\(thread.id)?page=2#post\(post.id)")
      for path in ["/posts/99999999", "/threads/0", "/forums/x", "/forums/1%2F..", "/nothing"] {
        #expect(try await send(trial.port, path, "GET", trial.cookie).status == 404)
      }
    }
  }

  @Test("a reader of a thread is led to the first post that was not seen")
  func unread() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let thread = try #require(
        trial.site.truth(for: nil).threads.max { $0.posts.count < $1.posts.count })
      for (seen, page, place) in [(0, 1, nil), (41, 2, 41), (9_999, 0, thread.posts.count - 1)]
        as [(Int32, Int, Int?)]
      {
        try await trial.store.performBackgroundTask { context in
          for stored in try context.fetch(ForumThread.request(id: thread.id)) {
            stored.seenPosts = seen
          }
        }
        let answer = try await send(
          trial.port, "/threads/\(thread.id)?page=unread", "GET", trial.cookie)
        let shown = page > 0 ? page : (thread.posts.count + 39) / 40
        let anchor = place.map { "#post\(thread.posts[$0].id)" } ?? ""
        let first = max(1, min(Int(seen) + 1, thread.posts.count))
        let from = first > (shown - 1) * 40 + 1 ? "&from=\(first)" : ""
        #expect(
          answer.headers["location"] == "/threads/\(thread.id)?page=\(shown)\(from)\(anchor)")
      }
    }
  }
}
