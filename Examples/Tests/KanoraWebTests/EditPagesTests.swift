import CoreData
import ForumHTML
import Foundation
import KanoraCore
import Testing
import WebPages
import WebTestClient

/// Tracks are edited in a form: one track with its values, several tracks with their common values.
@Suite("Editing tracks in pages", .serialized)
struct EditPagesTests {
  private let back = "/?page=1&genre=Jazz"

  private func form(
    _ trial: LibraryTrial, _ titles: [String]
  ) async throws -> HTMLDocument {
    let boxes = try titles.map { "track-\(try trial.track($0).id.uuidString)" }
    let list = try await trial.page("/?genre=Jazz")
    return try await trial.page(
      after: try await trial.submit(
        list, "#selection", ("do", "edit"),
        Dictionary(uniqueKeysWithValues: boxes.map { ($0, "on") })))
  }

  @Test("the form of a track has its values, and saving returns to the previous page")
  func one() async throws {
    try await LibraryTrial.run { trial in
      let page = try await form(trial, ["So What"])
      #expect(try page.first("#title")?["value"] == "So What")
      #expect(try page.first("#genre")?["value"] == "Jazz")
      #expect(try page.first("[data-key=up]")?["href"] == back)
      let answer = try await trial.submit(
        page, "main form", ("do", "save"), ["genre": "Cool Jazz", "lyrics": "One\nTwo"])
      #expect(answer.status == 303 && answer.headers["location"] == back)
      let details = try trial.details("So What")
      #expect(details.row.genre == "Cool Jazz" && details.values[.lyrics] == "One\nTwo")
      #expect(details.editedFields == ["genre", "lyrics"])
    }
  }

  @Test("an emptied field removes the value, and an unchanged field changes nothing")
  func clearing() async throws {
    try await LibraryTrial.run { trial in
      let page = try await form(trial, ["So What"])
      // Another program writes while the form is open.
      try await LibraryDesk(try trial.openElsewhere())
        .edit([try trial.track("So What").id], [.set(.composer, "Miles")])
      let answer = try await trial.submit(
        page, "main form", ("do", "save"), ["genre": "", "year": "", "trackNumber": ""])
      #expect(answer.status == 303)
      let details = try trial.details("So What")
      #expect(details.row.genre == nil && details.row.year == nil && details.row.trackNumber == nil)
      #expect(details.values[.composer] == "Miles")
      #expect(details.row.title == "So What" && details.row.album == "Kind of Blue")
    }
  }

  @Test("a title with a line break stays when another field is saved")
  func lineBreak() async throws {
    try await LibraryTrial.run { trial in
      let id = try trial.track("So What").id
      try trial.change(in: trial.store) { context in
        let request = NSFetchRequest<Track>(entityName: "Track")
        request.predicate = NSPredicate(format: "id == %@", argumentArray: [id])
        for track in try context.fetch(request) { track.title = "So\nWhat" }
      }
      let boxes = ["track-\(id.uuidString)": "on"]
      let list = try await trial.page("/?genre=Jazz")
      let page = try await trial.page(
        after: try await trial.submit(list, "#selection", ("do", "edit"), boxes))
      // Browsers remove line breaks from a field with one line, and send those of a hidden field as CR LF.
      let answer = try await trial.submit(
        page, "main form", ("do", "save"),
        ["title": "SoWhat", "was-title": "So\r\nWhat", "genre": "Cool Jazz"])
      #expect(answer.status == 303)
      let details = try trial.details("So\nWhat")
      #expect(details.row.genre == "Cool Jazz" && details.editedFields == ["genre"])
    }
  }

  @Test("an undo that would discard the change of another program is refused")
  func refusedUndo() async throws {
    try await LibraryTrial.run { trial in
      let id = try trial.track("So What").id
      let page = try await form(trial, ["So What"])
      let saved = try await trial.submit(
        page, "main form", ("do", "save"), ["genre": "Cool Jazz"])
      #expect(saved.status == 303)
      try await LibraryDesk(try trial.openElsewhere()).edit([id], [.set(.genre, "Modal")])
      let answer = try await trial.post("/undo")
      #expect(answer.status == 409 && answer.text.contains("Edit Track"))
      #expect(try trial.details("So What").row.genre == "Modal")
    }
  }

  @Test("a required value of a track cannot be cleared; the page shows the reason beside the field")
  func required() async throws {
    try await LibraryTrial.run { trial in
      let page = try await form(trial, ["So What"])
      for (field, value) in [
        ("title", ""), ("discNumber", ""), ("year", "never"), ("trackNumber", "99999"),
        ("genre", String(repeating: "x", count: 1_001)),
      ] {
        let answer = try await trial.submit(
          page, "main form", ("do", "save"), [field: value, "composer": "Kept as typed"])
        #expect(answer.status == 400)
        let refused = try HTMLParser.parse(answer.text)
        let input = try #require(try refused.first("#\(field)"))
        #expect(input["value"] == value && input["aria-invalid"] == "true", "\(field)")
        #expect(try refused.first("#\(input["aria-describedby"] ?? "")")?.text.isEmpty == false)
        #expect(try refused.first("#composer")?["value"] == "Kept as typed")
      }
      #expect(try trial.details("So What").values[.composer] == "")
    }
  }

  @Test("an edit of several tracks is shown before it is saved, and can be undone and redone")
  func bulk() async throws {
    try await LibraryTrial.run { trial in
      let page = try await form(trial, ["So What", "All Blues"])
      #expect(try page.first("#title")?["placeholder"] == "Multiple values")
      #expect(try page.first("#genre")?["value"] == "Jazz")
      #expect(try page.select("button[value=save]").isEmpty)
      let answer = try await trial.submit(page, "main form", ("do", "preview"), ["genre": "Cool"])
      let preview = try HTMLParser.parse(answer.text)
      #expect(try preview.select("#preview .old").map(\.text) == ["Jazz", "Jazz"])
      #expect(try preview.select("#preview .new").map(\.text) == ["Cool", "Cool"])
      #expect(try trial.track("So What").genre == "Jazz")
      let saved = try await trial.submit(preview, "main form", ("do", "save"))
      #expect(saved.status == 303 && saved.headers["location"] == back)
      #expect(try trial.track("So What").genre == "Cool")
      #expect(try trial.track("So What").title == "So What")
      #expect(try trial.steps(try await trial.page("/")) == ["Undo Edit 2 Tracks"])
      #expect(try await trial.post("/undo").status == 303)
      #expect(try trial.track("All Blues").genre == "Jazz")
      #expect(try await trial.post("/redo").status == 303)
      #expect(try trial.track("All Blues").genre == "Cool")
    }
  }

  @Test(
    "a checkbox removes values that differ between tracks, and an empty field removes a common one"
  )
  func bulkClearing() async throws {
    try await LibraryTrial.run { trial in
      let page = try await form(trial, ["So What", "All Blues"])
      #expect(try page.select("[name=clear-title]").isEmpty)
      let typed = ["clear-trackNumber": "on", "year": ""]
      let preview = try HTMLParser.parse(
        try await trial.submit(page, "main form", ("do", "preview"), typed).text)
      #expect(try preview.first("#clear-trackNumber")?["checked"] != nil)
      _ = try await trial.submit(preview, "main form", ("do", "save"), ["clear-trackNumber": "on"])
      for title in ["So What", "All Blues"] {
        let track = try trial.track(title)
        #expect(track.trackNumber == nil && track.year == nil && track.genre == "Jazz")
      }
    }
  }

  @Test("texts are replaced and tracks numbered in the order of the list")
  func replacing() async throws {
    try await LibraryTrial.run { trial in
      let page = try await form(trial, ["So What", "Blue in Green", "All Blues"])
      let typed = ["find-in": "title", "find": "Blue", "replace": "Red", "number": "7"]
      let preview = try HTMLParser.parse(
        try await trial.submit(page, "main form", ("do", "preview"), typed).text)
      _ = try await trial.submit(preview, "main form", ("do", "save"))
      #expect(try trial.track("So What").trackNumber == 7)
      #expect(try trial.track("Red in Green").trackNumber == 8)
      #expect(try trial.track("All Reds").trackNumber == 9)
      for typed in [["number": "many"], ["number": "32767"], ["find": "x", "find-in": "nothing"]] {
        let refused = try await trial.submit(page, "main form", ("do", "preview"), typed)
        #expect(refused.status == 400, "\(typed)")
      }
    }
  }

  @Test(
    "a form leads back to pages of the site only",
    arguments: [
      "javascript:alert(1)", "//elsewhere.test/", "/\\elsewhere.test", "http://elsewhere.test/", "",
    ])
  func foreignBack(_ back: String) async throws {
    try await LibraryTrial.run { trial in
      let id = try trial.track("So What").id.uuidString
      let page = try await trial.page("/edit?track-\(id)=on&back=\(PagePath.part(back))")
      #expect(try page.first("[data-key=up]")?["href"] == "/")
      let answer = try await trial.post("/marks", [("love", "\(id) 1"), ("back", back)])
      #expect(answer.headers["location"] == "/#track-\(id)")
    }
  }

  @Test("editing a deleted track returns status 404")
  func gone() async throws {
    try await LibraryTrial.run { trial in
      let page = try await form(trial, ["So What"])
      try await LibraryDesk(trial.store).deleteTracks([try trial.track("So What").id])
      let answer = try await trial.submit(page, "main form", ("do", "save"), ["genre": "Cool"])
      #expect(answer.status == 404)
      #expect(try await trial.post("/edit", [("do", "save")]).status == 404)
    }
  }
}
