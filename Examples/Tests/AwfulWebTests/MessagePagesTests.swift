import AwfulCore
import AwfulWeb
import CoreData
import ForumHTML
import ForumSimulator
import Foundation
import HostileMarkup
import OpenPersistenceKit
import Testing
import WebTestClient

/// The pages of private messages.
@Suite("Pages of private messages", .serialized)
struct MessagePagesTests {
  private func run(_ body: (WebTrial) async throws -> Void) async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      _ = try await #require(trial.connection).sync()
      try await body(trial)
    }
  }

  private func post(
    _ trial: WebTrial, _ path: String, _ fields: [(String, String)]
  ) async throws -> WebTestAnswer {
    let headers = trial.cookie.merging(["Origin": "http://127.0.0.1:\(trial.port)"]) { $1 }
    let body = fields.map { "\($0)=\(encoded($1))" }.joined(separator: "&")
    return try await send(trial.port, path, "POST", headers, body: body)
  }

  private func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  @Test(
    "folders and messages equal the site's; opening a message fetches it, and it stays")
  func reading() async throws {
    try await run { trial in
      let truth = trial.site.truth()
      let inbox = truth.messages.filter { $0.folderID == "0" }
      let page = try await trial.page("/messages")
      #expect(
        try page.select("#messages > li").map { $0["id"] ?? "" } == inbox.map { "message-\($0.id)" }
      )
      #expect(try page.select("#folders a").count == truth.folders.count)
      let unread = inbox.filter { !$0.isSeen }
      #expect(try page.select("#unread-count").map(\.text) == ["\(unread.count) unread"])
      let sent = try await trial.page("/messages/folder/-1")
      let copies = truth.messages.filter { $0.folderID == "-1" }
      #expect(try sent.select("#messages > li").count == copies.count)
      let recipient = try #require(copies.first?.recipient)
      #expect(try sent.select(".meta").first?.text.contains("to \(recipient)") == true)

      let message = try #require(unread.first)
      let opened = try await trial.page("/messages/\(message.id)")
      #expect(try opened.select("h1").map(\.text) == [message.title])
      let word = try #require(message.text.split(separator: " ").first)
      #expect(try opened.select(".body").first?.text.contains(word) == true)
      #expect(
        try opened.select("article header a").first?["href"] == "/members/\(message.senderID)")
      await trial.server.stop()
      let offline = try await trial.page("/messages/\(message.id)")
      #expect(try offline.select(".body").first?.text == opened.select(".body").first?.text)
      #expect(try offline.select(".warn-text[role=alert]").isEmpty)
      let other = try #require(inbox.first { $0.isSeen })
      let missing = try await trial.page("/messages/\(other.id)")
      #expect(try missing.select("[role=alert]").first?.text.contains("cannot be reached") == true)
    }
  }

  @Test("a message that arrives reaches an open folder, and the number in the navigation")
  func live() async throws {
    try await run { trial in
      let folder = try trial.events(of: try await trial.page("/messages"))
      let forums = try trial.events(of: try await trial.page("/"))
      trial.site.sendMessage(title: "Arrives <now>", text: "x")
      _ = try await #require(trial.connection).sync()
      let told = await folder.text(until: "Arrives &lt;now&gt;")
      #expect(told.contains("event: insert"))
      let unread = trial.site.truth().messages.count { $0.folderID == "0" && !$0.isSeen }
      #expect(await forums.text(until: "unread-count").contains("\\\"badge\\\">\(unread)<"))
    }
  }

  @Test(
    "a reply is prefilled, sent, and in the sent items; a rejected reply stays in the form")
  func reply() async throws {
    try await run { trial in
      let message = try #require(answerable(trial.site.truth()))
      let form = try await trial.page("/messages/new?reply=\(message.id)")
      #expect(try form.select("#to").first?["value"] == message.sender)
      #expect(try form.select("#body").first?.text.contains("[quote=") == true)
      #expect(
        try form.select("form.writing").first?["action"] == "/messages/new?reply=\(message.id)")
      let path = "/messages/new?reply=\(message.id)"
      let refused = try await post(
        trial, path,
        [("to", "No One At All"), ("subject", "S <x>"), ("body", "typed & kept"), ("copy", "1")])
      let page = try HTMLParser.parse(refused.text)
      #expect(refused.status == 502)
      #expect(try page.select("[role=alert]").first?.text.contains("Unknown recipient") == true)
      #expect(try page.select("#body").first?.text == "typed & kept")
      #expect(try page.select("#subject").first?["value"] == "S <x>")
      #expect(try await trial.page("/drafts").select("#message-drafts a").count == 1)
      let kept = try await trial.form(path, ".writing")
      #expect(try kept.first("textarea")?.text == "typed & kept")
      let sent = try await trial.submit(
        kept, "send",
        ["to": message.sender, "subject": "S <x>", "body": "typed\n& kept", "copy": "1"])
      #expect(sent.status == 303 && sent.headers["location"] == "/messages/folder/-1")
      let copy = try #require(trial.site.truth().messages.first { $0.title == "S <x>" })
      #expect(copy.text == "typed\n& kept" && copy.recipient == message.sender)
      #expect(try await trial.page("/drafts").select("#message-drafts a").isEmpty)
      let items = try await trial.page("/messages/folder/-1")
      #expect(try items.select("#messages .title").first?.text == "S <x>")
    }
  }

  @Test("a message whose form is submitted twice is sent once")
  func twice() async throws {
    try await run { trial in
      let message = try #require(answerable(trial.site.truth()))
      func sentCount() -> Int { trial.site.truth().messages.count { $0.title == "Sent once" } }
      let path = "/messages/new?reply=\(message.id)"
      let empty = try await trial.form(path, ".writing")
      _ = try await trial.submit(
        empty, "save", ["to": message.sender, "subject": "Sent once", "body": "Text"])
      let form = try await trial.form(path, ".writing")
      _ = try await trial.submit(form, "send", [:])
      let count = sentCount()
      #expect(count > 0)
      let again = try HTMLParser.parse(try await trial.submit(form, "send", [:]).text)
      #expect(sentCount() == count)
      #expect(try again.first("[role=alert]")?.text.contains("already been sent") == true)
      #expect(try again.first("textarea")?.text == "Text")
    }
  }

  @Test("a message is saved at pauses and found again, and sending it leaves no draft")
  func drafts() async throws {
    try await run { trial in
      let path = "/messages/new"
      let first = try await trial.form("\(path)?to=A%20Member", ".writing")
      let second = try await trial.form(path, ".writing")
      #expect(
        try await trial.submit(first, "autosave", ["subject": "", "body": ""]).text == "{}")
      let typed = ["subject": "Lamps", "body": "Two lines\n& <b> \u{2603}"]
      let saved = try await trial.submit(first, "autosave", typed)
      #expect(saved.text.contains("\"revision\":1") && saved.text.contains("\"draft\":\"1\""))
      let again = try await trial.form(path, ".writing")
      #expect(try again.first("#to")?["value"] == "A Member")
      #expect(try again.first("textarea")?.text == typed["body"])
      let row = try #require(try await trial.page("/drafts").first("#message-drafts a"))
      #expect(row["href"] == path && row.text.contains("Lamps") && row.text.contains("A Member"))

      let quiet = try await trial.submit(second, "autosave", ["body": "From another window"])
      #expect(quiet.text.contains("another window"))
      let shown = try HTMLParser.parse(
        try await trial.submit(second, "send", ["body": "From another window"]).text)
      #expect(try shown.first(".conflict .typed")?.text.contains("Two lines\n& <b>") == true)
      #expect(try shown.first("textarea")?.text == "From another window")
      #expect(!trial.site.truth().messages.contains { $0.text.contains("another window") })

      let discarded = try await trial.submit(again, "discard", [:])
      #expect(discarded.headers["location"] == "/messages")
      #expect(try await trial.page("/drafts").select("#message-drafts a").isEmpty)
    }
  }

  /// A message in the inbox whose sender takes an answer.
  private func answerable(_ truth: SiteTruth) -> SiteTruth.Message? {
    truth.messages.first { message in
      message.folderID == "0"
        && truth.users.contains { $0.id == message.senderID && $0.acceptsMessages }
    }
  }

  @Test("a message is moved and deleted, and folders are edited, by forms")
  func order() async throws {
    try await run { trial in
      let message = try #require(trial.site.truth().messages.first { $0.folderID == "0" })
      let page = try await trial.page("/messages/\(message.id)")
      #expect(try page.select("#folder option").map { $0["value"] ?? "" }.contains("0") == false)
      let moved = try await post(trial, "/messages/\(message.id)/move", [("folder", "1")])
      #expect(moved.headers["location"] == "/messages/folder/1")
      #expect(trial.site.truth().messages.first { $0.id == message.id }?.folderID == "1")
      let folders = try await trial.page("/messages/folders")
      let box = try #require(try folders.select("input[type=text]").last?["name"])
      let edited = try await post(trial, "/messages/folders", [(encoded(box), "Other")])
      #expect(edited.headers["location"] == "/messages")
      #expect(trial.site.truth().folders.contains { $0.name == "Other" })
      let deleted = try await post(trial, "/messages/\(message.id)/delete", [])
      #expect(deleted.headers["location"] == "/messages/folder/1")
      #expect(!trial.site.truth().messages.contains { $0.id == message.id })
      for path in ["/messages/folder/77", "/messages/x/y", "/messages/\(message.id)/delete"] {
        #expect(try await send(trial.port, path, "GET", trial.cookie).status == 404)
      }
    }
  }

  @Test("the contents of a message are inert in a page")
  func hostileText() async throws {
    try await WebTrial.run { trial in
      for text in HostileMarkup.vectors {
        try await trial.store.performBackgroundTask { context in
          for message in try context.fetch(PrivateMessage.request(id: "1")) {
            context.delete(message)
          }
          let folders = PrivateMessageFolder.fetchRequest() as NSFetchRequest<PrivateMessageFolder>
          for folder in try context.fetch(folders) { context.delete(folder) }
          let folder = PrivateMessageFolder(context: context)
          (folder.folderID, folder.name) = ("0", text)
          let other = PrivateMessageFolder(context: context)
          (other.folderID, other.name) = ("\(text)", text)
          let message = PrivateMessage(context: context)
          (message.messageID, message.subject, message.innerHTML) = ("1", text, text)
          (message.rawFromUsername, message.sentDateRaw, message.folder) = (text, text, folder)
        }
        let query = encoded(text)
        for path in [
          "/messages", "/messages/1", "/messages/folder/\(query)", "/messages/new?to=\(query)",
          "/messages/new?reply=\(query)",
        ] {
          let answer = try await send(trial.port, path, "GET", trial.cookie)
          try expectInert(try HTMLParser.parse(answer.text), scripts: ["/live.js"])
        }
      }
    }
  }
}
