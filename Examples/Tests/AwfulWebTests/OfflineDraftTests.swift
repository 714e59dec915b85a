import AwfulCore
import CoreData
import ForumHTML
import OpenPersistenceKit
import Testing
import WebTestClient

/// Drafts on pages of a program that does not connect to the site.
@Suite("Drafts without a site", .serialized)
struct OfflineDraftTests {
  /// Stores a reply that another program has submitted, and returns the path of its page.
  private func submitted(_ trial: WebTrial, _ state: String) async throws -> String {
    let begun = try await DraftDesk(trial.personal).begin(
      .reply(toThread: "7"), DraftText(body: "Written elsewhere"))
    let id = try #require(begun).id
    try trial.personal.performBatchOperation { context in
      for draft in try context.fetch(NSFetchRequest<Draft>(entityName: "Draft")) {
        if draft.draftID == id { draft.state = state }
      }
    }
    return "/drafts/\(id)"
  }

  private func buttons(_ form: HTMLElement) throws -> [String?] {
    try form.select("button").map { $0["value"] }
  }

  @Test("a draft that waits to be sent can be withdrawn or discarded without the site")
  func waiting() async throws {
    try await WebTrial.run { trial in
      let path = try await submitted(trial, "waiting")
      let form = try await trial.form(path, "main form")
      #expect(try buttons(form) == ["write", "discard"])
      let answer = try await trial.submit(form, "write", [:])
      #expect(answer.headers["location"] == "/write/reply/7")
      let other = try await submitted(trial, "waiting")
      _ = try await trial.submit(try await trial.form(other, "main form"), "discard", [:])
      let drafts = try await DraftDesk(trial.personal).drafts()
      #expect(drafts.map(\.state) == [.writing])
    }
  }

  @Test("undo keeps text that was typed since the last pause, and redo restores the text")
  func typedText() async throws {
    try await WebTrial.run { trial in
      let path = "/write/reply/7"
      _ = try await trial.submit(try await trial.form(path, ".writing"), "save", ["body": "One"])
      let form = try await trial.form(path, ".writing")
      let undone = try HTMLParser.parse(
        try await trial.submit(form, "undo", ["body": "One and two"]).text)
      let shown = try #require(try undone.first(".writing"))
      #expect(try shown.first("textarea")?.text == "One")
      let redone = try HTMLParser.parse(try await trial.submit(shown, "redo", [:]).text)
      #expect(try redone.first(".writing textarea")?.text == "One and two")
    }
  }

  @Test("if there is nothing to undo, the page says so, and still shows the draft")
  func nothingToUndo() async throws {
    try await WebTrial.run { trial in
      let path = "/write/reply/7"
      _ = try await trial.submit(try await trial.form(path, ".writing"), "save", ["body": "One"])
      let page = try HTMLParser.parse(
        try await trial.submit(try await trial.form(path, ".writing"), "undo", [:]).text)
      #expect(try page.first("[role='alert']")?.text.contains("nothing to undo") == true)
      let shown = try #require(try page.first(".writing"))
      #expect(try buttons(shown).contains("undo"))
      let saved = try await trial.submit(shown, "save", ["body": "One, longer"])
      #expect(saved.status == 303)
      #expect(try await trial.form(path, ".writing").first("textarea")?.text == "One, longer")
    }
  }

  @Test("a draft that another program is sending cannot be discarded, and the page says why")
  func sending() async throws {
    try await WebTrial.run { trial in
      let path = try await submitted(trial, "sending")
      let answer = try await trial.submit(try await trial.form(path, "main form"), "discard", [:])
      #expect(answer.status == 409)
      #expect(answer.text.contains("cannot be discarded while it is being sent"))
    }
  }
}
