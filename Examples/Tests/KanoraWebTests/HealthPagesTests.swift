import CoreData
import ForumHTML
import Foundation
import KanoraCore
import Testing
import WebTestClient

/// What is wrong with the library is listed with repairs that can be undone.
@Suite("The state of the library in pages", .serialized)
struct HealthPagesTests {
  @Test("the check lists findings, a repair takes them away, and undo brings them back")
  func check() async throws {
    try await LibraryTrial.run { trial in
      try trial.change(in: trial.store) { context in
        let album = Album(context: context)
        album.retitle(to: "Nothing In It")
        album.artist = try context.fetch(NSFetchRequest<Artist>(entityName: "Artist")).first
      }
      func isFound() async throws -> Bool {
        try await trial.page("/check").select(".findings li").map(\.text)
          .contains { $0.hasPrefix("Nothing In It") }
      }
      let page = try await trial.page("/check")
      #expect(try await isFound())
      let repaired = try await trial.submit(page, "form[action='/repair']")
      #expect(repaired.status == 303 && repaired.headers["location"] == "/check")
      #expect(try await !isFound())
      #expect(try trial.steps(try await trial.page("/check")) == ["Undo Repair Library"])
      _ = try await trial.post("/undo", [("back", "/check")])
      #expect(try await isFound())
      #expect(try await trial.post("/repair", [("kind", "everything")]).status == 400)
      #expect(try await trial.post("/repair").status == 400)
    }
  }

  @Test("files that could not be read are listed with the reason, live")
  func badFiles() async throws {
    try await LibraryTrial.run { trial in
      let page = try await trial.page("/bad-files")
      #expect(try trial.titles(page, "bad-files") == ["/music/broken.mp3"])
      #expect(try page.first("#bad-files .muted")?.text.hasPrefix("The file has no audio.") == true)
      let events = try WebTestStream(
        trial.port, try #require(page.body["data-events"]), trial.cookie)
      try trial.change(in: try trial.openElsewhere()) { context in
        let bad = BadFile(context: context)
        (bad.path, bad.reason, bad.seenAt) = ("/music/<cut>.flac", "Cut.", SampleLibrary.date)
      }
      #expect(await events.text(until: "cut").contains("&lt;cut&gt;"))
      #expect(
        try await trial.page("/check").select("a[href='/bad-files']").map(\.text)
          == ["2 files that could not be read"])
    }
  }

  @Test("duplicates are grouped by audio and by tags, the best first, and merged by the repair")
  func duplicates() async throws {
    try await LibraryTrial.run { trial in
      try trial.change(in: trial.store) { context in
        let request = NSFetchRequest<Track>(entityName: "Track")
        request.predicate = NSPredicate(format: "title == 'Taxman'", argumentArray: [])
        guard let first = try context.fetch(request).first else { return }
        let copy = Track(context: context)
        (copy.title, copy.album, copy.fingerprint) = (first.title, first.album, first.fingerprint)
        (copy.filePath, copy.format, copy.trackNumber) = ("/music/copy.mp3", "mp3", 4)
        copy.bitrate = 128
        copy.updateKeys()
      }
      let page = try await trial.page("/duplicates")
      let groups = try page.select(".group")
      #expect(groups.count == 2)
      #expect(try groups.map { try $0.select(".track").count } == [2, 2])
      let ids = try page.select("[id]").compactMap { $0["id"] }
      #expect(Set(ids).count == ids.count)
      #expect(try page.select("main li").map(\.text).contains { $0.hasSuffix("disc 1 · 3") })
      let after = try await trial.page(
        after: try await trial.submit(page, "form[action='/repair']"))
      #expect(try after.select(".group").isEmpty)
      #expect(try trial.track("Taxman").format == "flac")
    }
  }

  @Test("statistics have numbers by format, genre and year, and the tracks played most")
  func statistics() async throws {
    try await LibraryTrial.run { trial in
      let page = try await trial.page("/stats")
      let tables = try page.select("table")
      #expect(try tables.map { try $0.first("th")?.text } == ["Format", "Genre", "Year"])
      #expect(
        try tables[0].select("tbody tr").map { try $0.select("th, td").prefix(2).map(\.text) }
          == [["flac", "10"]])
      #expect(try page.first("main ol li")?.text.hasPrefix("All Blues") == true)
      #expect(try page.first("main p")?.text.contains("1 playlist") == true)
    }
  }
}
