import AwfulCore
import ForumHTML
import ForumSimulator
import Foundation
import Testing
import WebTestClient

/// The icons of a new thread: the first one, and in some forums a second one.
@Suite("Icons of a new thread", .serialized)
struct NewThreadIconTests {
  /// A forum with or without second icons.
  private func forum(_ trial: WebTrial, hasSecondIcons: Bool) throws -> SiteTruth.Forum {
    let truth = trial.site.truth()
    let withIcons = Set(truth.threads.filter { !$0.secondTag.isEmpty }.map(\.forumID))
    return try #require(
      truth.forums.first { !$0.isGroup && withIcons.contains($0.id) == hasSecondIcons })
  }

  private func options(_ form: HTMLElement, _ name: String) throws -> [String] {
    try form.select("#\(name) option").map(\.text)
  }

  private func value(_ form: HTMLElement, _ name: String, _ text: String) throws -> String {
    try #require(
      try form.select("#\(name) option").first { $0.text == text }?["value"])
  }

  private func chosen(_ form: HTMLElement, _ name: String) throws -> String? {
    try form.first("#\(name) option[selected]")?.text
  }

  @Test("both icons are chosen in the form, kept in the draft, and arrive on the site")
  func choosing() async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      _ = try await #require(trial.connection).sync()
      let forum = try forum(trial, hasSecondIcons: true)
      let path = "/write/thread/\(forum.id)"
      let empty = try await trial.form(path, ".writing")
      #expect(try options(empty, "second-icon") == ["wanted", "offered", "lent", "gone"])
      #expect(try chosen(empty, "second-icon") == "wanted")
      #expect(try chosen(empty, "icon") == "No icon")
      let name = try #require(try options(empty, "icon").last)
      let choice = [
        "icon": try value(empty, "icon", name),
        "second-icon": try value(empty, "second-icon", "lent"),
      ]
      let texts = ["subject": "With icons", "body": "Text"]
      _ = try await trial.submit(empty, "save", texts.merging(choice) { $1 })
      let kept = try await trial.form(path, ".writing")
      #expect(try chosen(kept, "icon") == name && chosen(kept, "second-icon") == "lent")
      _ = try await trial.submit(kept, "send", texts.merging(choice) { $1 })
      let thread = try #require(trial.site.truth().threads.first { $0.title == "With icons" })
      #expect(thread.tag == name && thread.secondTag == "lent")
      let facts = try #require(
        try await trial.page("/forums/\(forum.id)").first("#thread-\(thread.id) .meta")
      ).text
      #expect(facts.contains(" · lent"), "\(facts)")
    }
  }

  @Test("a choice that is not made is the site's; a forum without second icons offers none")
  func defaults() async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      _ = try await #require(trial.connection).sync()
      for hasSecond in [true, false] {
        let forum = try forum(trial, hasSecondIcons: hasSecond)
        let form = try await trial.form("/write/thread/\(forum.id)", ".writing")
        #expect(try options(form, "second-icon").isEmpty == !hasSecond)
        let title = "Without a choice \(hasSecond)"
        _ = try await trial.submit(form, "send", ["subject": title, "body": "Text", "icon": ""])
        let thread = try #require(trial.site.truth().threads.first { $0.title == title })
        #expect(thread.tag.isEmpty && thread.secondTag == (hasSecond ? "wanted" : ""))
      }
    }
  }

  @Test("without the site the form has no choice, and the draft keeps the icons that it has")
  func offline() async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      _ = try await #require(trial.connection).sync()
      let path = "/write/thread/\(try forum(trial, hasSecondIcons: true).id)"
      let form = try await trial.form(path, ".writing")
      let second = try value(form, "second-icon", "gone")
      _ = try await trial.submit(form, "save", ["body": "Begun", "second-icon": second])
      await trial.server.stop()
      let offline = try await trial.form(path, ".writing")
      #expect(try options(offline, "second-icon").isEmpty)
      _ = try await trial.submit(offline, "save", ["body": "Begun, and gone on"])
      let draft = try #require(
        try await DraftDesk(trial.personal).drafts().first { $0.target.kind == .thread })
      #expect(draft.text.body == "Begun, and gone on" && draft.text.secondIconID == second)
    }
  }
}
