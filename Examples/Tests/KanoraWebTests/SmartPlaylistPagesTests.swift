import CoreData
import ForumHTML
import Foundation
import KanoraCore
import Testing
import WebTestClient

/// Smart playlists have rules, show the matching tracks, and report errors in the rules.
@Suite("Smart playlists in pages", .serialized)
struct SmartPlaylistPagesTests {
  private func make(_ trial: LibraryTrial, _ typed: [String: String]) async throws -> WebTestAnswer
  {
    try await trial.submit(try await trial.page("/playlists/smart"), "main form", nil, typed)
  }

  @Test("rules choose the tracks, their order and their number")
  func rules() async throws {
    try await LibraryTrial.run { trial in
      let answer = try await make(
        trial,
        ["name": "Long", "query": "genre:rock OR genre:jazz", "sort": "title", "limit": "3"])
      let page = try await trial.page(after: answer)
      #expect(try trial.titles(page, "entries") == ["All Blues", "Blue in Green", "Come Together"])
      #expect(try page.select("#entries [name=up]").isEmpty)
      let path = try #require(answer.headers["location"])
      let form = try await trial.page("\(path)/rules")
      #expect(try form.first("#limit")?["value"] == "3")
      let changed = try await trial.page(
        after: try await trial.submit(
          form, "main form", nil, ["limit": "", "query": "genre:jazz", "order": "descending"]))
      #expect(try trial.titles(changed, "entries") == ["So What", "Blue in Green", "All Blues"])
      #expect(try trial.steps(changed) == ["Undo Change Rules"])
    }
  }

  @Test("a track that starts to match the rules appears in the open page")
  func live() async throws {
    try await LibraryTrial.run { trial in
      let answer = try await make(trial, ["name": "Best", "query": "rating:5"])
      let page = try await trial.page(after: answer)
      #expect(try trial.titles(page, "entries") == ["All Blues"])
      #expect(try page.first("#count")?.text == "1 track")
      let events = try WebTestStream(
        trial.port, try #require(page.body["data-events"]), trial.cookie)
      let id = try trial.track("Taxman").id
      try await LibraryDesk(try trial.openElsewhere()).rate([id], 5)
      let text = await events.text(until: "Taxman")
      #expect(text.contains("event: insert"))
      // Its number of tracks follows, in front of the track or behind it.
      let rest = text.contains("count-2") ? text : await events.text(until: "count-2")
      #expect(rest.contains("2 tracks"))
    }
  }

  @Test(
    "an error is shown at the field, and the typed text stays",
    arguments: [
      ("query", "rock \"open"), ("query", "flavour:sour"), ("query", "year:x"),
      ("limit", "0"), ("limit", "many"), ("limit", "99999999"), ("name", ""),
      ("sort", "colour"),
    ])
  func wrong(_ field: String, _ text: String) async throws {
    try await LibraryTrial.run { trial in
      let typed = ["name": "Mine", "query": "genre:rock", "limit": "7"].merging([field: text]) {
        $1
      }
      let answer = try await make(trial, typed)
      #expect(answer.status == 400)
      let page = try HTMLParser.parse(answer.text)
      #expect(try page.select("main [role=alert]").map { $0["id"] } == ["\(field)-problem"])
      for name in ["name", "query", "limit"] {
        #expect(try page.first("#\(name)")?["value"] == typed[name])
      }
      #expect(try trial.read { try LibraryLists.playlists(in: $0) }.count == 1)
    }
  }

  @Test("a playlist with tracks has no rules to change")
  func ordinary() async throws {
    try await LibraryTrial.run { trial in
      let path = "/playlists/\(try trial.playlist("Evening").id.uuidString)/rules"
      _ = try await trial.page(path, status: 404)
      #expect(try await trial.post(path, [("query", "loved")]).status == 404)
    }
  }

  @Test("unreadable rules in the store are reported and can be replaced")
  func damaged() async throws {
    try await LibraryTrial.run { trial in
      let answer = try await make(trial, ["name": "Broken", "query": "loved"])
      let path = try #require(answer.headers["location"])
      try trial.change(in: trial.store) { context in
        let request = NSFetchRequest<Playlist>(entityName: "Playlist")
        for playlist in try context.fetch(request) where playlist.isSmart {
          playlist.smartCriteria = NSData(data: Data("{}".utf8))
        }
      }
      let page = try await trial.page(path)
      #expect(
        try page.first("main [role=alert]")?.text
          == "The rules do not contain the required field “rule”.")
      let form = try await trial.page("\(path)/rules")
      let mended = try await trial.page(
        after: try await trial.submit(form, "main form", nil, ["query": "genre:jazz"]))
      #expect(try trial.titles(mended, "entries").count == 3)
    }
  }
}
