import ForumHTML
import Foundation
import KanoraCore
import Testing
import WebTestClient

/// Playlists are created, filled, reordered and deleted in pages, and follow other programs'
/// changes.
@Suite("Playlists in pages", .serialized)
struct PlaylistPagesTests {
  private func items(_ page: HTMLDocument) throws -> [String] {
    try page.select("#entries .title").map(\.text)
  }

  /// The button of the item at a place.
  private func button(_ page: HTMLDocument, _ place: Int, _ name: String) throws -> HTMLElement {
    let rows = try page.select("#entries > li")
    return try #require(try rows[place].first("[name=\(name)]"))
  }

  @Test("the list names the playlists with their numbers of tracks, and lists of the library")
  func list() async throws {
    try await LibraryTrial.run { trial in
      let page = try await trial.page("/playlists")
      #expect(try trial.titles(page, "playlists") == ["Evening"])
      #expect(try page.first("#playlists .count")?.text == "4")
      for link in try page.select(".offers a") {
        _ = try await trial.page(try #require(link["href"]))
      }
    }
  }

  @Test("a playlist is created and renamed; an empty name is rejected at the field")
  func making() async throws {
    try await LibraryTrial.run { trial in
      let page = try await trial.page("/playlists")
      let refused = try await trial.submit(page, "main form", nil, ["name": "  "])
      #expect(refused.status == 400)
      #expect(try HTMLParser.parse(refused.text).first("#name")?["aria-invalid"] == "true")
      let made = try await trial.page(
        after: try await trial.submit(page, "main form", nil, ["name": "Morning"]))
      #expect(try made.first("h1")?.text == "Morning")
      #expect(try items(made).isEmpty)
      let long = String(repeating: "x", count: 501)
      let tooLong = try await trial.submit(made, "form[action$=rename]", nil, ["name": long])
      #expect(tooLong.status == 400)
      #expect(try HTMLParser.parse(tooLong.text).first("#name")?["value"] == long)
      let renamed = try await trial.page(
        after: try await trial.submit(made, "form[action$=rename]", nil, ["name": "<b>שלום</b>"]))
      #expect(try renamed.first("h1")?.text == "<b>שלום</b>")
    }
  }

  @Test("selected tracks are added in the order of the list, to a playlist or a new one")
  func adding() async throws {
    try await LibraryTrial.run { trial in
      let evening = try trial.playlist("Evening").id.uuidString
      let list = try await trial.page("/?genre=Jazz")
      let boxes = try list.select("#tracks input").compactMap { $0["name"] }
      let typed = Dictionary(uniqueKeysWithValues: boxes.map { ($0, "on") })
      let added = try await trial.page(
        after: try await trial.submit(
          list, "#selection", ("do", "add"), typed.merging(["playlist": evening]) { $1 }))
      #expect(try items(added).suffix(3) == ["So What", "Blue in Green", "All Blues"])
      #expect(try items(added).count == 7)
      let made = try await trial.page(
        after: try await trial.submit(
          list, "#selection", ("do", "add"), typed.merging(["playlist": "new"]) { $1 }))
      #expect(try items(made) == ["So What", "Blue in Green", "All Blues"])
      let again = try await trial.page(
        after: try await trial.submit(
          list, "#selection", ("do", "add"), typed.merging(["playlist": evening]) { $1 }))
      #expect(try items(again).count == 10)
    }
  }

  @Test(
    "items are moved up and down, stay at the ends, and are removed one by one; undo brings them back"
  )
  func moving() async throws {
    try await LibraryTrial.run { trial in
      let path = "/playlists/\(try trial.playlist("Evening").id.uuidString)"
      var page = try await trial.page(path)
      let all = try items(page)
      func press(_ place: Int, _ name: String) async throws {
        let answer = try await trial.press(page, try button(page, place, name))
        #expect(answer.status == 303 && answer.headers["location"]?.hasPrefix(path) == true)
        page = try await trial.page(path)
      }
      try await press(0, "down")
      #expect(try items(page) == [all[1], all[0], all[2], all[3]])
      try await press(0, "up")
      #expect(try items(page) == [all[1], all[0], all[2], all[3]])
      try await press(3, "down")
      try await press(3, "up")
      #expect(try items(page) == [all[1], all[0], all[3], all[2]])
      try await press(1, "remove")
      #expect(try items(page) == [all[1], all[3], all[2]])
      #expect(try page.select("#entries .meta").map { $0.text.prefix(1) } == ["1", "2", "3"])
      #expect(try trial.steps(page) == ["Undo Remove from Playlist"])
      _ = try await trial.post("/undo")
      #expect(try items(try await trial.page(path)) == [all[1], all[0], all[3], all[2]])
    }
  }

  @Test("a dragged item moves next to the item on which it is dropped; a form moves it by position")
  func ordering() async throws {
    try await LibraryTrial.run { trial in
      let path = "/playlists/\(try trial.playlist("Evening").id.uuidString)"
      let page = try await trial.page(path)
      let all = try items(page)
      let ids = try page.select("#entries > li").compactMap { $0["id"]?.dropFirst(5) }
      #expect(try page.select("#entries .grip").count == 4)
      #expect(try page.select("script").map { $0["src"] ?? "" }.contains("/order.js"))
      func drop(_ item: Int, _ side: String, _ other: Int) async throws -> WebTestAnswer {
        let value = "\(ids[item]) \(side) \(ids[other])"
        return try await trial.submit(page, "#items", ("move", value))
      }
      let answer = try await drop(0, "after", 2)
      #expect(answer.headers["location"]?.hasSuffix("#item-\(ids[0])") == true)
      #expect(try items(try await trial.page(path)) == [all[1], all[2], all[0], all[3]])
      _ = try await drop(3, "before", 1)
      #expect(try items(try await trial.page(path)) == [all[3], all[1], all[2], all[0]])
      let form = "form[aria-label='Move a track']"
      #expect(try await trial.submit(page, form, nil, ["from": " 4", "to": "2"]).status == 303)
      let ordered = [all[3], all[0], all[1], all[2]]
      #expect(try items(try await trial.page(path)) == ordered)
      for (from, to) in [("0", "1"), ("1", "5"), ("x", "1"), ("", "")] {
        let refused = try await trial.submit(page, form, nil, ["from": from, "to": to])
        #expect(refused.status == 400 && refused.text.contains("Its last position is 4."))
      }
      for move in ["\(ids[0]) beside \(ids[1])", "\(ids[0]) after", "after \(ids[1])", "x y z"] {
        #expect(try await trial.submit(page, "#items", ("move", move)).status == 400)
      }
      let gone = "\(ids[0]) after \(UUID().uuidString)"
      #expect(try await trial.submit(page, "#items", ("move", gone)).status == 404)
      #expect(try items(try await trial.page(path)) == ordered)
      #expect(try await trial.post("/undo").status == 303)
      #expect(try items(try await trial.page(path)) == [all[3], all[1], all[2], all[0]])
    }
  }

  @Test("an item that another program has removed is not found, and no other item is removed")
  func race() async throws {
    try await LibraryTrial.run { trial in
      let id = try trial.playlist("Evening").id
      let page = try await trial.page("/playlists/\(id.uuidString)")
      try await LibraryDesk(try trial.openElsewhere()).remove(positions: [0], fromPlaylist: id)
      let answer = try await trial.press(page, try button(page, 0, "remove"))
      #expect(answer.status == 404)
      #expect(try trial.titles(ofPlaylist: id).count == 3)
    }
  }

  @Test("a track that another program adds appears in the open page")
  func live() async throws {
    try await LibraryTrial.run { trial in
      let id = try trial.playlist("Evening").id
      let page = try await trial.page("/playlists/\(id.uuidString)")
      let events = try WebTestStream(
        trial.port, try #require(page.body["data-events"]), trial.cookie)
      let track = try trial.track("All Blues").id
      try await LibraryDesk(try trial.openElsewhere()).add([track], toPlaylist: id)
      #expect(await events.text(until: "All Blues").contains("\"list\":\"entries\""))
    }
  }

  @Test("undo restores a deleted playlist")
  func deleting() async throws {
    try await LibraryTrial.run { trial in
      let id = try trial.playlist("Evening").id
      let page = try await trial.page("/playlists/\(id.uuidString)")
      let answer = try await trial.submit(page, "form[action$=delete]")
      #expect(answer.headers["location"] == "/playlists")
      _ = try await trial.page("/playlists/\(id.uuidString)", status: 404)
      for action in ["rename", "delete", "items", "rules"] {
        let fields = [("name", "x"), ("up", UUID().uuidString)]
        #expect(try await trial.post("/playlists/\(id.uuidString)/\(action)", fields).status == 404)
      }
      _ = try await trial.post("/undo")
      #expect(try items(try await trial.page("/playlists/\(id.uuidString)")).count == 4)
    }
  }

  @Test("items without a playlist and empty selections are rejected")
  func refused() async throws {
    try await LibraryTrial.run { trial in
      let path = "/playlists/\(try trial.playlist("Evening").id.uuidString)/items"
      #expect(try await trial.post(path, [("up", UUID().uuidString)]).status == 404)
      #expect(try await trial.post(path, [("up", "x")]).status == 400)
      #expect(try await trial.post(path).status == 400)
    }
  }
}
