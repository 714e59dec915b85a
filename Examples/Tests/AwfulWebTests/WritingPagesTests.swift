import AwfulCore
import CoreData
import ForumClient
import ForumHTML
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Testing
import WebTestClient

/// What the reader writes and chooses in pages, without any script.
@Suite("Pages on which the reader writes and chooses", .serialized)
struct WritingPagesTests {
  private func run(_ body: (WebTrial, SiteTruth.Thread) async throws -> Void) async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      _ = try await #require(trial.connection).sync()
      let threads = trial.site.truth().threads.filter { !$0.isClosed && $0.posts.count > 40 }
      try await body(trial, try #require(threads.first))
    }
  }

  private func posts(_ trial: WebTrial, _ text: String) -> [SiteTruth.Post] {
    trial.site.truth().typedPosts(by: ForumSite.defaultUserName, containing: text)
  }

  private func typed(_ trial: WebTrial, _ text: String) -> [String] {
    posts(trial, text).compactMap(\.typed)
  }

  /// Posts "First version", and returns the post's id, and the path and the form of the page that changes the post.
  private func postFirstVersion(
    _ trial: WebTrial, _ thread: SiteTruth.Thread
  ) async throws -> (id: String, path: String, form: HTMLElement) {
    let reply = try await trial.form("/write/reply/\(thread.id)", ".writing")
    _ = try await trial.submit(reply, "send", ["body": "First version"])
    let id = try #require(posts(trial, "First").first).id
    let path = "/write/edit/\(id)?thread=\(thread.id)"
    return (id, path, try await trial.form(path, ".writing"))
  }

  @Test(
    "a reply is written, kept as a draft, shown as a preview, and posted; the reader is led to it")
  func reply() async throws {
    try await run { trial, thread in
      let path = "/write/reply/\(thread.id)"
      let empty = try await trial.form(path, ".writing")
      #expect(
        try empty.select("button").map { $0["value"] } == ["send", "preview", "save", "discard"])
      let text = "\n  Two lines\n& <b> \"quotes\" ☃\u{301}"
      let saved = try await trial.submit(empty, "save", ["body": text])
      #expect(saved.headers["location"] == path)
      let form = try await trial.form(path, ".writing")
      #expect(try form.first("textarea")?.text == text)
      #expect(try await trial.page("/drafts").select("#drafts > li").count == 1)

      let preview = try await trial.submit(
        form, "preview", ["body": "[b]Bold[/b] <script>x</script>"])
      let page = try HTMLParser.parse(preview.text)
      try expectInert(page, scripts: ["/live.js"])
      #expect(try page.first(".preview b")?.text == "Bold")
      #expect(typed(trial, "Bold").isEmpty)

      let again = try #require(try page.first(".writing"))
      let sent = try await trial.submit(again, "send", ["body": "Posted\nfrom a page"])
      let post = try #require(posts(trial, "Posted").first)
      #expect(post.typed == "Posted\nfrom a page")
      #expect(sent.headers["location"] == "/posts/\(post.id)")
      let shown = try await send(trial.port, "/posts/\(post.id)", "GET", trial.cookie)
      #expect(shown.headers["location"]?.hasSuffix("#post\(post.id)") == true)
      #expect(try await trial.page("/drafts").select("#drafts > li").isEmpty)
    }
  }

  @Test("a quote, a change of an own post, and a new thread")
  func otherForms() async throws {
    try await run { trial, thread in
      let quoted = thread.posts[0]
      let quote = try await trial.form("/write/reply/\(thread.id)?quote=\(quoted.id)", ".writing")
      let text = try #require(try quote.first("textarea")?.text)
      #expect(text.contains("[quote=\"\(quoted.author)\" post=\"\(quoted.id)\"]"))
      _ = try await trial.submit(quote, "send", ["body": text + "Agreed"])
      let post = try #require(posts(trial, "Agreed").first)

      let last = (thread.posts.count + 40) / 40
      let page = try await trial.page("/threads/\(thread.id)?page=\(last)")
      let edit = try #require(try page.first("#post\(post.id) a[href^='/write/edit/']")?["href"])
      let form = try await trial.form(edit, ".writing")
      #expect(try form.first("textarea")?.text.hasSuffix("Agreed") == true)
      let changed = try await trial.submit(form, "send", ["body": "Changed my mind"])
      #expect(changed.headers["location"] == "/posts/\(post.id)")
      #expect(typed(trial, "Changed my mind").count == 1)

      let new = try await trial.form("/write/thread/\(thread.forumID)", ".writing")
      let nameless = try await trial.submit(new, "send", ["body": "Text without a title"])
      let back = try HTMLParser.parse(nameless.text)
      #expect(try back.first("[role=alert]")?.text.contains("title") == true)
      let titled = try #require(try back.first(".writing"))
      #expect(try titled.first("textarea")?.text == "Text without a title")
      let begun = try await trial.submit(
        titled, "send", ["subject": "A title", "body": "Text without a title"])
      let thread = try #require(trial.site.truth().threads.first { $0.title == "A title" })
      #expect(begun.headers["location"] == "/threads/\(thread.id)")
      #expect(
        try await trial.page("/threads/\(thread.id)").first("h1")?.text == "A title")
    }
  }

  @Test(
    "saving at pauses answers with the revision; a second window is notified, and nothing is lost")
  func twoWindows() async throws {
    try await run { trial, thread in
      let path = "/write/reply/\(thread.id)"
      let first = try await trial.form(path, ".writing")
      let second = try await trial.form(path, ".writing")
      let saved = try await trial.submit(first, "autosave", ["body": "From the first"])
      let answer = try #require(
        try JSONSerialization.jsonObject(with: Data(saved.text.utf8)) as? [String: Any])
      let id = try #require(answer["draft"] as? String)
      #expect(answer["revision"] as? Int == 1)
      let later = try await trial.submit(
        first, "autosave", ["body": "From the first, longer", "draft": id, "revision": "1"])
      #expect(later.text.contains("\"revision\":2"))

      let quiet = try await trial.submit(second, "autosave", ["body": "From the second"])
      #expect(quiet.text.contains("problem") && !quiet.text.contains("\"draft\""))
      let told = try HTMLParser.parse(
        try await trial.submit(second, "save", ["body": "From the second"]).text)
      #expect(try told.first(".conflict .typed")?.text == "From the first, longer")
      let form = try #require(try told.first(".writing"))
      #expect(try form.first("textarea")?.text == "From the second")
      _ = try await trial.submit(form, "save", ["body": "From both"])
      #expect(try await trial.form(path, ".writing").first("textarea")?.text == "From both")
      let undone = try HTMLParser.parse(
        try await trial.submit(try await trial.form(path, ".writing"), "undo", [:]).text)
      #expect(try undone.first("textarea")?.text == "From the first, longer")

      // A window that was left open while the draft was sent does not lose its text.
      _ = try await trial.submit(try await trial.form(path, ".writing"), "discard", [:])
      #expect(try await trial.page("/drafts").select("#drafts > li").isEmpty)
      _ = try await trial.submit(form, "save", ["body": "Typed meanwhile"])
      #expect(try await trial.form(path, ".writing").first("textarea")?.text == "Typed meanwhile")
    }
  }

  @Test(
    "a post that changed on the site is shown next to the reader's text, which is sent on request"
  )
  func conflict() async throws {
    try await run { trial, thread in
      let (id, _, form) = try await postFirstVersion(trial, thread)
      let outbox = try #require(trial.connection).outbox
      let other = try await DraftDesk(trial.personal).begin(
        .edit(ofPost: id, inThread: thread.id), DraftText(body: "<b>Other</b> version"),
        original: "First version")
      _ = try await outbox.send(try #require(other).id)
      let sent = try await trial.submit(form, "send", ["body": "My version"])
      let page = try await trial.page(try #require(sent.headers["location"]))
      #expect(try page.first(".conflict .typed")?.text == "<b>Other</b> version")
      #expect(try page.first(".writing textarea")?.text == "My version")
      #expect(typed(trial, "My version").isEmpty)
      let both = try #require(try page.first(".writing"))
      _ = try await trial.submit(both, "send", ["body": "My version and the other"])
      #expect(typed(trial, "My version and the other").count == 1)
    }
  }

  @Test("a form without a text and a discarded draft keep the text that the changed post had")
  func original() async throws {
    try await run { trial, thread in
      let (_, path, form) = try await postFirstVersion(trial, thread)
      let emptied = try HTMLParser.parse(try await trial.submit(form, "send", ["body": ""]).text)
      let again = try #require(try emptied.first(".writing"))
      func originals() async throws -> [String?] {
        try await DraftDesk(trial.personal).drafts().map(\.originalBody)
      }
      _ = try await trial.submit(again, "save", ["body": "Begun"])
      #expect(try await originals() == ["First version"])
      let open = try await trial.form(path, ".writing")
      _ = try await trial.submit(open, "discard", [:])
      #expect(try await originals().isEmpty)
      _ = try await trial.submit(open, "save", ["body": "Typed"])
      #expect(try await originals() == ["First version"])
    }
  }

  @Test("a form that is submitted twice posts its text once")
  func twice() async throws {
    try await run { trial, thread in
      let path = "/write/reply/\(thread.id)"
      let empty = try await trial.form(path, ".writing")
      _ = try await trial.submit(empty, "save", ["body": "Posted once"])
      let form = try await trial.form(path, ".writing")
      _ = try await trial.submit(form, "send", [:])
      let again = try HTMLParser.parse(try await trial.submit(form, "send", [:]).text)
      #expect(typed(trial, "Posted once").count == 1)
      #expect(try again.first("[role=alert]")?.text.contains("already been sent") == true)
      #expect(try again.first("textarea")?.text == "Posted once")

      await trial.server.stop()
      let new = try await trial.form("/write/thread/\(thread.forumID)", ".writing")
      let fields = ["subject": "Offline", "body": "Sent later"]
      _ = try await trial.submit(new, "send", fields)
      let refused = try HTMLParser.parse(try await trial.submit(new, "send", fields).text)
      #expect(try refused.first("[role=alert]")?.text.contains("same text") == true)
      let drafts = try await DraftDesk(trial.personal).drafts()
      #expect(drafts.filter { $0.text.subject == "Offline" }.count == 1)
    }
  }

  @Test("without the site a draft waits, is listed with its state, and can be withdrawn")
  func offline() async throws {
    try await run { trial, thread in
      await trial.server.stop()
      let form = try await trial.form("/write/reply/\(thread.id)", ".writing")
      let sent = try await trial.submit(form, "send", ["body": "Written on a train"])
      let path = try #require(sent.headers["location"])
      #expect(path.hasPrefix("/drafts/"))
      let page = try await trial.page(path)
      #expect(try page.first("main")?.text.contains("cannot be reached") == true)
      #expect(try page.first(".typed")?.text == "Written on a train")
      let row = try #require(try await trial.page("/drafts").first("#drafts .count"))
      #expect(row.text == "waiting to be sent")
      let back = try await trial.submit(try #require(try page.first("main form")), "write", [:])
      #expect(back.headers["location"] == "/write/reply/\(thread.id)")
      let quote = try await trial.form(
        "/write/reply/\(thread.id)?quote=\(thread.posts[0].id)", ".writing")
      #expect(try quote.first("textarea")?.text.contains("[quote=") == true)
    }
  }

  @Test(
    "forms set favourites, hidden threads, bookmarks and read marks, and pages show them immediately"
  )
  func choices() async throws {
    try await run { trial, thread in
      let forums = try ForumLists(trial.store).forums().prefix(3).map(\.forumID)
      for id in forums {
        let page = try await trial.page("/forums/\(id)")
        _ = try await trial.submit(
          try #require(try page.first("form[action='/forums/\(id)/favorite']")), "add", [:])
      }
      func favorites() async throws -> [String] {
        try await trial.page("/").select("#favorites > li").map { $0["id"] ?? "" }
      }
      #expect(try await favorites() == forums.map { "favorite-\($0)" })
      let arranging = try await trial.page("/favorites")
      let last = try #require(try arranging.select("#favorites form").last)
      _ = try await trial.submit(last, "up", [:])
      #expect(try await favorites() == [forums[0], forums[2], forums[1]].map { "favorite-\($0)" })
      _ = try await trial.post("/favorites/undo", ["back": "/favorites"])
      #expect(try await favorites() == forums.map { "favorite-\($0)" })

      let threadPath = "/threads/\(thread.id)"
      let list = "/forums/\(thread.forumID)"
      let open = try trial.events(of: try await trial.page(list))
      let hide = try #require(
        try await trial.page(threadPath).first("form[action='\(threadPath)/hide']"))
      _ = try await trial.submit(hide, "", [:])
      #expect(await open.text(until: "thread-\(thread.id)").contains("event: delete"))
      #expect(try await trial.page(list).select("#thread-\(thread.id)").isEmpty)
      #expect(try await trial.page("/hidden").select("#hidden > li").count == 1)
      _ = try await trial.post("\(threadPath)/hide", ["do": "show"])
      #expect(try await trial.page(list).select("#thread-\(thread.id)").count == 1)

      _ = try await trial.post("\(threadPath)/bookmark", ["color": "red"])
      #expect(trial.site.truth().threads.first { $0.id == thread.id }?.bookmark == 1)
      _ = try await trial.post("\(threadPath)/seen", ["place": "3"])
      #expect(
        try ForumLists(trial.store).thread(thread.id).unreadPostCount == thread.posts.count - 3)
      _ = try await trial.post("\(threadPath)/seen", ["do": "raise", "place": "2"])
      #expect(
        try ForumLists(trial.store).thread(thread.id).unreadPostCount == thread.posts.count - 3)
      for form in [["place": "x"], [:], ["place": "-99999999999999999999"]] {
        #expect(try await trial.post("\(threadPath)/seen", form).status == 303)
      }
      #expect(try await trial.post("/threads/0/hide", [:]).status == 404)
    }
  }

  @Test(
    "the reader logs out and in again; the site's refusal is shown, and the name stays in the form")
  func loggingIn() async throws {
    try await run { trial, _ in
      let client = try #require(trial.connection).client
      let out = try await trial.form("/settings", "form[action='/settings/logout']")
      _ = try await trial.submit(out, "", [:])
      #expect(!client.isLoggedIn)
      let form = try await trial.form("/settings", "form[action='/settings/login']")
      let empty = try await trial.submit(form, "", ["name": ForumSite.defaultUserName])
      #expect(empty.text.contains("Enter your name and your password."))
      let wrong = try await trial.submit(
        form, "", ["name": ForumSite.defaultUserName, "password": "<wrong>"])
      let page = try HTMLParser.parse(wrong.text)
      #expect(try page.first("[role=alert]")?.text.contains("wrong") == true)
      #expect(try page.first("#name")?["value"] == ForumSite.defaultUserName)
      #expect(try page.first("#password")?["value"] == nil)
      #expect(!wrong.text.contains("&lt;wrong"))
      #expect(!client.isLoggedIn)
      let again = try #require(try page.first("form[action='/settings/login']"))
      let done = try await trial.submit(again, "", ["password": ForumSite.password])
      #expect(done.headers["location"] == "/settings" && client.isLoggedIn)
      await trial.server.stop()
      _ = try await trial.post("/settings/logout", [:])
      let offline = try await trial.submit(form, "", ["name": "x", "password": "y"])
      #expect(offline.text.contains("cannot be reached"))
    }
  }

  @Test("the settings show the login and the store's size, and delete unlisted contents")
  func settings() async throws {
    try await run { trial, thread in
      let page = try await trial.page("/settings")
      let text = try #require(try page.first("main")?.text)
      let posts = trial.site.truth().threads.reduce(0) { $0 + $1.posts.count }
      #expect(text.contains("Logged in") && text.contains("MB") && text.contains("\(posts) posts"))
      try await trial.store.performBackgroundTask { context in
        for stored in try context.fetch(ForumThread.request(id: thread.id)) {
          stored.threadListPage = 0
          stored.bookmarked = false
          stored.lastRefresh = Date(timeIntervalSince1970: 0)
        }
      }
      _ = try await trial.post("/threads/\(thread.id)/save", ["do": "pause"])
      try await SavedThreads(trial.personal).add([(thread.id, "Kept")])
      _ = try await trial.post("/settings/prune", [:])
      #expect(try ForumLists(trial.store).thread(thread.id).postCount > 0)
      try await SavedThreads(trial.personal).remove(thread.id)
      let deleted = try await trial.post("/settings/prune", [:])
      #expect(deleted.headers["location"]?.hasPrefix("/settings?deleted=") == true)
      #expect(throws: ForumStoreError.self) { try ForumLists(trial.store).thread(thread.id) }
    }
  }

  @Test("a search finds and links stored posts, or reports that there are none")
  func search() async throws {
    try await run { trial, thread in
      let post = thread.posts[2]
      let words = post.text.split { !$0.isLetter }.prefix(5).joined(separator: " ")
      let query = words.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let page = try await trial.page("/search?q=\(query)&in=thread&id=\(thread.id)")
      #expect(try page.first("#words")?["value"] == words)
      #expect(try page.first("option[selected]")?["value"] == "thread")
      let found = try page.select("#found a").map { $0["href"] ?? "" }
      #expect(found.contains("/posts/\(post.id)"))
      let none = try await trial.page("/search?q=xyzzyx")
      #expect(try none.first(".empty")?.text == "No stored posts contain these words.")
      for path in ["/search", "/search?q=%22%2A&page=-1", "/search?q=a&in=forum&id=&page=99999999"]
      {
        try expectInert(try await trial.page(path), scripts: ["/live.js"])
      }
    }
  }

  @Test(
    "content that is not stored is fetched when it is opened, or the page says why it cannot be fetched"
  )
  func fetching() async throws {
    try await run { trial, thread in
      func forget() async throws {
        try await trial.store.performBackgroundTask { context in
          for stored in try context.fetch(ForumThread.request(id: thread.id)) {
            context.delete(stored)
          }
        }
      }
      try await forget()
      let first = try await trial.page("/threads/\(thread.id)")
      let shown = try first.select("#posts > li").map { $0["id"] ?? "" }
      #expect(shown == thread.posts.prefix(40).map { "post\($0.id)" })
      let second = try await trial.page("/threads/\(thread.id)?page=2")
      #expect(try second.select("#posts > li").count == min(40, thread.posts.count - 40))
      try await forget()
      let post = thread.posts[41]
      let answer = try await send(trial.port, "/posts/\(post.id)", "GET", trial.cookie)
      #expect(answer.headers["location"] == "/threads/\(thread.id)?page=2#post\(post.id)")
      #expect(trial.site.truth().threads.first { $0.id == thread.id }?.seen == thread.seen)
      await trial.server.stop()
      let empty = try await trial.page("/threads/\(thread.id)?page=1")
      #expect(try empty.first("main .warn-text")?.text.contains("cannot be reached") == true)
      try await forget()
      let gone = try await send(trial.port, "/threads/\(thread.id)", "GET", trial.cookie)
      #expect(gone.status == 404 && gone.text.contains("cannot be reached"))
    }
  }

  @Test("a thread that the site has deleted leaves its forum's list, and can be read from another")
  func unlisted() async throws {
    try await run { trial, thread in
      trial.site.deleteThread(thread.id)
      _ = try await #require(trial.connection).sync()
      let page = try await trial.page("/forums/\(thread.forumID)")
      #expect(try page.select("#thread-\(thread.id)").isEmpty)
      #expect(try page.first("a[href$='/unlisted']")?.text.contains("1 stored thread") == true)
      let others = try await trial.page("/forums/\(thread.forumID)/unlisted")
      #expect(try others.select("#threads > li").map { $0["id"] } == ["thread-\(thread.id)"])
      #expect(try await trial.page("/threads/\(thread.id)").select("#posts > li").count == 40)
    }
  }
}
