import CoreData
import ForumHTML
import Foundation
import KanoraCore
import Testing
import WebTestClient

/// Tracks are rated and loved by buttons of their rows; each is a step that can be undone.
@Suite("Ratings, love, and undo in pages", .serialized)
struct MarkTests {
  private func button(
    _ page: HTMLDocument, _ trial: LibraryTrial, _ title: String, _ selector: String
  ) throws -> HTMLElement {
    let id = try trial.track(title).id.uuidString
    return try #require(try page.first("#track-\(id) \(selector)"))
  }

  @Test("a row's stars rate the track, and the own star takes the rating away")
  func stars() async throws {
    try await LibraryTrial.run { trial in
      var page = try await trial.page("/")
      var answer = try await trial.press(
        page, try button(page, trial, "Come Together", "[data-key=4]"))
      #expect(
        answer.status == 303 && answer.headers["location"]?.hasPrefix("/?page=1#track-") == true)
      #expect(try trial.track("Come Together").rating == 4)
      page = try await trial.page(after: answer)
      #expect(try trial.steps(page) == ["Undo Rate Track"])
      answer = try await trial.press(
        page, try button(page, trial, "Come Together", "[data-key=4]"))
      #expect(try trial.track("Come Together").rating == 0)
    }
  }

  @Test("the heart of a row, or of a track's page, is pressed while the track is loved")
  func love() async throws {
    try await LibraryTrial.run { trial in
      let path = "/tracks/\(try trial.track("Taxman").id.uuidString)"
      for (path, isLoved) in [("/", true), (path, false), (path, true)] {
        let page = try await trial.page(path)
        let heart = try button(page, trial, "Taxman", "[name=love]")
        #expect(heart["aria-pressed"] == (isLoved ? "false" : "true"))
        _ = try await trial.press(page, heart)
        #expect(try trial.track("Taxman").isLoved == isLoved)
      }
    }
  }

  @Test("selected tracks are rated, loved and removed together, and restored by undo")
  func selection() async throws {
    try await LibraryTrial.run { trial in
      let titles = ["So What", "All Blues"]
      let boxes = try titles.map { "track-\(try trial.track($0).id.uuidString)" }
      let typed = Dictionary(uniqueKeysWithValues: boxes.map { ($0, "on") })
      func act(_ action: String, _ more: [String: String] = [:]) async throws {
        let page = try await trial.page("/?genre=Jazz")
        let answer = try await trial.submit(
          page, "#selection", ("do", action), typed.merging(more) { $1 })
        #expect(answer.status == 303 && answer.headers["location"]?.contains("genre=Jazz") == true)
      }
      try await act("rate", ["rating": "3"])
      #expect(try titles.map { try trial.track($0).rating } == [3, 3])
      try await act("love")
      #expect(try titles.map { try trial.track($0).isLoved } == [true, true])
      try await act("unlove")
      #expect(try titles.map { try trial.track($0).isLoved } == [false, false])
      try await act("delete")
      let page = try await trial.page("/?genre=Jazz")
      #expect(try trial.titles(page, "tracks") == ["Blue in Green"])
      #expect(try trial.steps(page) == ["Undo Delete 2 Tracks"])
      let undone = try await trial.post("/undo", [("back", "/?genre=Jazz")])
      #expect(undone.headers["location"] == "/?genre=Jazz")
      let after = try await trial.page("/?genre=Jazz")
      #expect(try trial.titles(after, "tracks").count == 3)
      #expect(try trial.steps(after) == ["Undo Unlove 2 Tracks", "Redo Delete 2 Tracks"])
    }
  }

  @Test("without a step, the buttons are disabled, and undo and redo report that there is none")
  func nothing() async throws {
    try await LibraryTrial.run { trial in
      let page = try await trial.page("/")
      #expect(try page.select("#steps button[disabled]").map(\.text) == ["Undo", "Redo"])
      for path in ["/undo", "/redo"] {
        let answer = try await trial.post(path)
        #expect(answer.status == 409)
        #expect(answer.text.contains("There is nothing to \(path.dropFirst())."))
      }
    }
  }

  @Test("the undo button appears automatically in an open page, and names the step")
  func liveSteps() async throws {
    try await LibraryTrial.run { trial in
      let page = try await trial.page("/playlists")
      let events = try WebTestStream(
        trial.port, try #require(page.body["data-events"]), trial.cookie)
      _ = try await trial.post("/playlists", [("name", "Later")])
      #expect(await events.text(until: "Undo New Playlist").contains("Undo New Playlist"))
    }
  }

  @Test(
    "invalid marks and selections are rejected and change nothing",
    arguments: [
      ("/marks", "rate=@ 6", 400), ("/marks", "rate=@ x", 400), ("/marks", "rate=@", 400),
      ("/marks", "", 400), ("/marks", "love=x 1", 400),
      ("/marks", "rate=00000000-0000-0000-0000-000000000000 3", 404),
      ("/selection", "do=delete", 400), ("/selection", "track-@=on&do=explode", 400),
      ("/selection", "track-@=on&do=rate&rating=9", 400),
      ("/selection", "track-@=on&do=rate&rating=many", 400),
      ("/selection", "track-@=on&do=add&playlist=x", 404),
      ("/selection", "track-00000000-0000-0000-0000-000000000000=on&do=love", 404),
    ])
  func refused(_ path: String, _ form: String, _ status: Int) async throws {
    try await LibraryTrial.run { trial in
      let before = try trial.track("Taxman")
      let fields = form.replacing("@", with: before.id.uuidString).split(separator: "&").map {
        let parts = $0.split(separator: "=", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
      }
      #expect(try await trial.post(path, fields).status == status)
      #expect(try trial.track("Taxman") == before)
      #expect(try trial.steps(try await trial.page("/")).isEmpty)
    }
  }

  @Test("a rejected change reports that nothing was saved, and can be repeated")
  func refusedSave() async throws {
    try await LibraryTrial.run { trial in
      let page = try await trial.page("/")
      let star = try button(page, trial, "Taxman", "[data-key=5]")
      try trial.execute(
        "CREATE TRIGGER refuse BEFORE UPDATE ON ZTRACK BEGIN SELECT RAISE(ABORT, 'refused'); END;")
      let answer = try await trial.press(page, star)
      #expect(answer.status == 500)
      #expect(try HTMLParser.parse(answer.text).first("h1")?.text == "Not saved")
      #expect(try trial.track("Taxman").rating == 1)
      try trial.execute("DROP TRIGGER refuse;")
      let after = try await trial.page("/")
      #expect(try trial.steps(after) == ["Redo Rate Track"])
      #expect(try await trial.post("/redo").status == 303)
      #expect(try trial.track("Taxman").rating == 5)

      try trial.execute(
        "CREATE TRIGGER refuse BEFORE UPDATE ON ZTRACK BEGIN SELECT RAISE(ABORT, 'refused'); END;")
      let undoing = try await trial.post("/undo")
      #expect(undoing.status == 500 && undoing.text.contains("use Undo again"))
      #expect(try trial.track("Taxman").rating == 5)
    }
  }

  @Test("forms of other sites and forms without the cookie are rejected")
  func forged() async throws {
    try await LibraryTrial.run { trial in
      let id = try trial.track("Taxman").id.uuidString
      let own = ["Origin": "http://127.0.0.1:\(trial.port)"]
      let foreign = trial.cookie.merging(["Origin": "http://elsewhere.test"]) { $1 }
      let wrong = own.merging(["Cookie": "site-token-\(trial.port)=forged"]) { $1 }
      for headers in [trial.cookie, own, foreign, wrong] {
        let answer = try await send(
          trial.port, "/marks", "POST", headers, body: "rate=\(id)%205&back=/")
        #expect(answer.status == 403)
      }
      #expect(try trial.track("Taxman").rating == 1)
    }
  }

  @Test("a play is counted for a track, and none for an unknown one")
  func plays() async throws {
    try await LibraryTrial.run { trial in
      let before = try trial.track("So What")
      #expect(try await trial.post("/tracks/\(before.id.uuidString)/played").status == 303)
      #expect(try trial.track("So What").playCount == before.playCount + 1)
      #expect(try await trial.post("/tracks/\(UUID().uuidString)/played").status == 404)
      #expect(try await trial.post("/tracks/x/played").status == 404)
      #expect(try trial.steps(try await trial.page("/")).isEmpty)
    }
  }
}
