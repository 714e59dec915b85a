import AudioSamples
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Testing

/// The commands as a user runs them: their output, changes and exit status.
@Suite("Commands of the music library")
struct CommandTests: SampleLibraryTests {
  let folder: URL

  init() throws { folder = try Self.makeFolder() }

  private func rows(_ query: String) throws -> [TrackRow] {
    let filter = TrackFilter(query: try LibraryQuery(query))
    return try KanoraStore.openExisting(file).performBatchOperation {
      try LibraryLists.tracks(filter, window: 0..<100, in: $0)
    }
  }

  private func text(_ name: String, _ content: String) throws -> String {
    let url = folder.appendingPathComponent(name)
    try Data(content.utf8).write(to: url)
    return url.path
  }

  // MARK: Edits

  @Test("an edit shows its changes, and saves only with --apply")
  func edit() throws {
    let preview = try run("edit", "album:revolver", "--set", "genre=Pop", "--number-from", "7")
    #expect(preview.status == 0)
    #expect(preview.output.contains("Taxman\n  genre: “Rock” → “Pop”\n  trackNumber: “1” → “7”\n"))
    #expect(preview.output.hasSuffix("Would change 2 tracks. To save the changes, use --apply.\n"))
    #expect(try rows("genre:pop").isEmpty)
    let applied = try run(
      "edit", "album:revolver", "--set", "genre=Pop", "--number-from", "7", "--replace",
      "title/man/woman", "--clear", "year", "--apply")
    #expect(applied.output.hasSuffix("Changed 2 tracks.\n"))
    let edited = try rows("genre:pop")
    #expect(edited.map(\.title) == ["Taxwoman", "Eleanor Rigby"])
    #expect(edited.map(\.trackNumber) == [7, 8])
    #expect(edited.allSatisfy { $0.year == nil })
  }

  @Test("an edit by ids, as JSON")
  func editJSON() throws {
    struct Report: Decodable {
      let isApplied: Bool
      let changes: [TrackDifference]
    }
    let id = try #require(try rows("title:something").first).id
    let outcome = try run(
      "edit", "--id", id.uuidString, "--replace", "title,some,any/", "--json", "--apply")
    let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    #expect(report.isApplied && report.changes.isEmpty)
    let other = try run("edit", "--id", id.uuidString, "--replace", "title,Some,Any/", "--json")
    let shown = try JSONDecoder().decode(Report.self, from: Data(other.output.utf8))
    #expect(!shown.isApplied && shown.changes.map(\.new) == ["Any/thing"])
    #expect(shown.changes.map(\.trackID) == [id])
  }

  @Test(
    "arguments that mean nothing end with 64",
    arguments: [
      ["edit", "love"], ["edit", "--set", "genre=Pop"], ["edit", "x", "--set", "genre"],
      ["edit", "x", "--set", "size=1"], ["edit", "x", "--replace", "title/x"],
      ["edit", "x", "--id", "nonsense", "--set", "genre=x"], ["edit", "x", "--ste", "genre=x"],
      ["search"], ["search", "x", "--jsno"], ["playlist", "add", "Evening"],
      ["playlist", "move", "Evening", "1"], ["playlist", "smart", "New"],
      ["playlist", "smart", "New", "loved", "--limit", "0"], ["duplicates", "--by", "smell"],
      ["export", "--format", "m3u8"], ["export", "loved", "--format", "json"],
      ["import", "file.unknown"],
    ])
  func badArguments(_ arguments: [String]) throws {
    let before = try document()
    let outcome = try TestProgram.run("kanora", arguments + ["--store", file.path])
    #expect(outcome.status == 64, "\(outcome.complaints)")
    #expect(try document() == before)
  }

  @Test(
    "an impossible request exits with status 1 and a message, and changes nothing",
    arguments: [
      (["edit", "title:nothing", "--set", "genre=Pop", "--apply"], "The query matches no tracks."),
      (["edit", "title:", "--set", "genre=Pop", "--apply"], "title"),
      (
        ["edit", "taxman", "--set", "title=", "--apply"], "The value of “title” must not be empty."
      ),
      (
        ["edit", "taxman", "--set", "year=soon", "--apply"], "The value of “year” must be a number"
      ),
      (
        ["edit", "--id", "00000000-0000-0000-0000-000000000000", "--clear", "genre", "--apply"],
        "There is no track with the id 00000000-0000-0000-0000-000000000000."
      ),
      (["playlist", "show", "Nothing"], "No playlist has the name or id “Nothing”."),
      (["playlist", "make", "  "], "The name of a playlist must have"),
      (["playlist", "remove", "Evening", "5"], "The playlist has no track at position 5."),
      (["playlist", "remove", "Evening", "0"], "The playlist has no track at position 0."),
      (["playlist", "move", "Evening", "1", "9"], "The playlist has no track at position 9."),
      (["playlist", "rules", "Evening", "loved"], "is not a smart playlist"),
      (["export", "--playlist", "Nothing"], "No playlist has the name or id"),
    ])
  func refusals(_ arguments: [String], _ sentence: String) throws {
    let before = try document()
    let outcome = try TestProgram.run("kanora", arguments + ["--store", file.path])
    #expect(outcome.status == 1)
    #expect(outcome.complaints.contains(sentence), "\(outcome.complaints)")
    #expect(try document() == before)
  }

  @Test("a query excludes with a hyphen, also in front of the letters of options")
  func exclusion() throws {
    let found = try run("search", "artist:beatles", "-something", "-here", "-taxman")
    #expect(found.status == 0)
    #expect(found.output.hasSuffix("2 tracks\n"), "\(found)")
    #expect(try run("search", "artist:beatles", "-house").output.hasSuffix("5 tracks\n"))
  }

  @Test(
    "scan --copy-into copies files into the library's folder, and none twice",
    .enabled(if: Tool.areInstalled, "the encoders are absent"))
  func copies() throws {
    let (source, target) = (
      folder.appendingPathComponent("source"), folder.appendingPathComponent("target")
    )
    for url in [source, target] {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    try FileManager.default.moveItem(
      at: AudioSamples.make(.flac, [("ARTIST", "Abba"), ("ALBUM", "Gold")]),
      to: source.appendingPathComponent("1.flac"))
    func scan(_ target: URL) throws -> TestProgram.Outcome {
      try run("scan", source.path, "--copy-into", target.path, "--quiet")
    }
    #expect(try scan(target).output == "1 copied, 0 already in the library, 0 bad\n")
    let copy = target.appendingPathComponent("Abba/Gold/1.flac")
    #expect(try rows("path:Abba/Gold").map(\.filePath) == [copy.path])
    #expect(try scan(target).output == "0 copied, 1 already in the library, 0 bad\n")
    // The new copy of a missing file does not become another track.
    try FileManager.default.removeItem(at: copy)
    #expect(try scan(target).output == "1 copied, 0 already in the library, 0 bad\n")
    #expect(try rows("path:Abba/Gold").map(\.filePath) == [copy.path])
    #expect(try scan(source.appendingPathComponent("inside")).status == 64)
    #expect(try scan(source).status == 64)
  }

  @Test(
    "write-tags shows what would change in the files, changes them with --apply, and restore-tags undoes it",
    .enabled(if: Tool.areInstalled, "the encoders are absent"))
  func tags() throws {
    let music = folder.appendingPathComponent("music")
    try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
    let song = music.appendingPathComponent("1.flac")
    try FileManager.default.moveItem(
      at: AudioSamples.make(.flac, [("TITLE", "Waterloo"), ("ARTIST", "Abba")]), to: song)
    func title() throws -> String? { try Probe(song).tags["title"] }
    #expect(try run("scan", music.path).status == 0)
    #expect(try run("edit", "waterloo", "--set", "title=Wasserloo", "--apply").status == 0)
    let preview = try run("write-tags", "edited")
    #expect(
      preview.output == """
        \(song.path)
          TITLE: “Waterloo” → “Wasserloo”
        Would change 1 file. To change the files, use --apply.

        """)
    #expect(try title() == "Waterloo")
    #expect(try run("write-tags", "edited", "--apply").output.hasSuffix("Changed 1 file.\n"))
    #expect(try title() == "Wasserloo")
    #expect(try run("restore-tags").output.hasSuffix("Restored 1 file.\n"))
    #expect(try title() == "Waterloo")
    let nothing = try run("restore-tags")
    #expect(nothing.status == 1 && nothing.complaints.contains("There are no tags to restore."))
    #expect(try run("write-tags").status == 64)
    // The files of the sample library do not exist.
    #expect(try run("edit", "taxman", "--set", "title=T", "--apply").status == 0)
    let missing = try run("write-tags", "title:=t", "--apply")
    #expect(missing.status == 1 && missing.complaints.contains("1 Taxman.flac"))
  }

  // MARK: Playlists

  @Test("playlists are created, filled, reordered, renamed and deleted")
  func playlists() throws {
    func titles(_ name: String) throws -> [String] {
      let rows = try run("playlist", "show", name, "--json").output
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      return try decoder.decode([TrackRow].self, from: Data(rows.utf8)).map(\.title)
    }
    let made = try run("playlist", "make", "Morning", "album:revolver")
    #expect(made.output.hasSuffix("  Morning (2 tracks)\n"))
    let id = String(made.output.prefix(36))
    let taxman = try #require(try rows("taxman").first).id.uuidString
    #expect(try run("playlist", "add", "morning", "--id", taxman).status == 0)
    #expect(try titles(id) == ["Taxman", "Eleanor Rigby", "Taxman"])
    #expect(try run("playlist", "move", id, "2", "1").status == 0)
    #expect(try run("playlist", "remove", id, "2").status == 0)
    #expect(try titles(id) == ["Eleanor Rigby", "Taxman"])
    #expect(try run("playlist", "rename", id, "Noon").status == 0)
    let list = try run("playlist", "list").output
    #expect(list.contains("\(id)  Noon (2 tracks)\n") && list.hasSuffix("2 playlists\n"))
    // Of two playlists of one name, a command takes none.
    #expect(try run("playlist", "make", "NOON").status == 0)
    let doubled = try run("playlist", "delete", "noon")
    #expect(doubled.status == 1 && doubled.complaints.contains(id))
    #expect(try run("playlist", "delete", id).status == 0)
    #expect(try run("playlist", "show", "noon").output == "0 tracks\n")
  }

  @Test("a smart playlist follows its query, order and limit, which can be changed")
  func smart() throws {
    #expect(
      try run(
        "playlist", "smart", "Played", "plays:>0", "--sort", "plays", "--descending", "--limit", "1"
      ).status == 0)
    #expect(try run("playlist", "show", "played").output.hasPrefix("1  All Blues · Miles Davis"))
    #expect(try run("playlist", "rules", "played", "-plays:>0", "-artist:miles").status == 0)
    #expect(try run("playlist", "show", "played").output.hasSuffix("5 tracks\n"))
    #expect(try run("playlist", "add", "played", "taxman").status == 1)
    #expect(try run("playlist", "remove", "played", "1").status == 1)
  }

  // MARK: Health

  @Test("duplicates by audio and tags, and numbers that albums lack")
  func duplicates() throws {
    #expect(try run("duplicates").output == "0 groups, 0 tracks\n")
    #expect(try run("gaps").output == "0 discs with gaps\n")
    let change = "UPDATE ZTRACK SET ZFINGERPRINT = 'sample-1-0', ZTRACKNUMBER = 4"
    try execute("\(change) WHERE ZTITLE = 'Eleanor Rigby'")
    let text = try run("duplicates").output
    #expect(
      text.hasSuffix("1 group, 2 tracks\n") && text.contains("  /music/The Beatles/Revolver"),
      "\(text)")
    #expect(try run("duplicates", "--by", "tags").output == "0 groups, 0 tracks\n")
    let json = try run("duplicates", "--json").output
    #expect(json.contains("\"title\":\"Eleanor Rigby\"") && json.contains("\"title\":\"Taxman\""))
    #expect(try run("gaps").output == "Revolver, disc 1: 2, 3\n1 disc with gaps\n")
    #expect(try run("gaps", "--json").output.contains("\"missing\":[2,3]"))
  }

  // MARK: Files

  @Test("a library that is written as JSON is the same when another library reads it")
  func json() throws {
    let path = folder.appendingPathComponent("library.json").path
    #expect(try run("export", "--output", path).status == 0)
    #expect(
      try run("export").output
        == String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self))
    let other = folder.appendingPathComponent("other.sqlite")
    #expect(try run("import", path, in: other).status == 0)
    #expect(try run("export", in: other).output == run("export").output)
    #expect(try run("import", path, "--json", in: other).output.hasPrefix("{\"changed\":"))
  }

  @Test("an export does not replace the library's own file")
  func exportOverStore() throws {
    let before = try document()
    for format in ["json", "csv"] {
      let outcome = try run("export", "--format", format, "--output", file.path)
      #expect(outcome.status == 1)
      #expect(outcome.complaints.contains("Choose another file"), "\(outcome.complaints)")
    }
    #expect(try document() == before)
  }

  @Test("a table of tracks is edited in another program and read back")
  func csv() throws {
    let path = folder.appendingPathComponent("tracks.csv").path
    #expect(try run("export", "album:revolver", "--output", path, "--format", "csv").status == 0)
    let table = try String(contentsOfFile: path, encoding: .utf8)
    #expect(table.split(separator: "\r\n").count == 3)
    let edited = try text("edited.csv", table.replacing("Taxman,", with: "\"Tax, man\","))
    #expect(try run("import", edited).output == "Changed 1 track.\n")
    #expect(try rows("tax").map(\.title) == ["Tax, man"])
  }

  @Test("a playlist is written and read as M3U8")
  func m3u8() throws {
    let path = folder.appendingPathComponent("evening.m3u8").path
    #expect(try run("export", "--playlist", "evening", "--output", path).status == 0)
    let made = try run("import", path, "--name", "Copy")
    #expect(made.output.hasSuffix("a playlist with 4 tracks\n"))
    let shown = try run("playlist", "show", "copy").output
    #expect(try shown == run("playlist", "show", "evening").output)
  }

  @Test(
    "an invalid file is rejected with a message, and no part of it is imported",
    arguments: [
      ("a.json", "{", "The file is not valid JSON."),
      ("a.json", "[]", "The file is not an exported Kanora library."),
      (
        "a.json",
        "{\"format\": \"kanora\", \"version\": 3, \"objects\": {\"Artist\": [{\"name\": \"A\"}]}}",
        "Artist"
      ),
      ("a.csv", "title\r\nx\r\n", "no column named “path”"),
      ("a.csv", "path,title\r\n\"/a", "is not closed"),
      (
        "a.csv",
        "path,title,year\r\n/music/The Beatles/Revolver/1 Taxman.flac,New,1\r\n/gone.mp3,b,2\r\n",
        "/gone.mp3"
      ),
      (
        "a.csv",
        "path,title,rating\r\n/music/The Beatles/Revolver/1 Taxman.flac,New,1\r\n"
          + "/music/The Beatles/Revolver/2 Eleanor Rigby.flac,New,6\r\n",
        "The value of “rating” must be a number"
      ),
      (
        "a.m3u8", "/music/The Beatles/Revolver/1 Taxman.flac\n/gone.mp3\n/gone too.mp3\n",
        "/gone.mp3 (and 1 more in the file)"
      ),
    ])
  func badFiles(_ name: String, _ content: String, _ sentence: String) throws {
    let before = try document()
    let outcome = try run("import", try text(name, content))
    #expect(outcome.status == 1)
    #expect(outcome.complaints.contains(sentence), "\(outcome.complaints)")
    #expect(try document() == before)
  }

  @Test("unknown tracks are omitted on request")
  func unknownTracks() throws {
    let path = try text(
      "mix.m3u8", "/music/The Beatles/Revolver/1 Taxman.flac\n/gone.mp3\n")
    let outcome = try run("import", path, "--skip-unknown")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("Skipped: /gone.mp3\n"))
    #expect(try run("playlist", "show", "mix").output.hasSuffix("1 track\n"))
    let bytes = folder.appendingPathComponent("bytes.csv")
    try Data([0xFF, 0xFE, 0x00]).write(to: bytes)
    #expect(try run("import", bytes.path).complaints.contains("not UTF-8 text"))
    #expect(try run("import", folder.appendingPathComponent("none.csv").path).status == 1)
  }

  @Test("an import rejects options that have no effect on the format of the file")
  func uselessOptions() throws {
    let table = try text("a.csv", "path,title\r\n")
    let outcomes = [
      try run("import", table, "--name", "A"), try run("import", "a.json", "--skip-unknown"),
    ]
    for outcome in outcomes {
      #expect(outcome.status == 64)
      #expect(outcome.complaints.contains("can be used only with the format"))
    }
  }

  @Test("with --verbose-sql, a command prints its statements to standard error")
  func statements() throws {
    let (plain, verbose) = (try run("list"), try run("list", "--verbose-sql"))
    #expect(verbose.status == 0 && verbose.output == plain.output)
    #expect(plain.complaints.isEmpty)
    #expect(verbose.complaints.contains("SELECT"), "\(verbose.complaints)")
  }

  // MARK: Browsing

  @Test("without a terminal, browse prints the tracks")
  func browse() throws {
    #expect(try run("browse").output == run("list").output)
    let none = folder.appendingPathComponent("none.sqlite")
    #expect(try run("browse", in: none).status == 1)
    #expect(try run("edit", "x", "--clear", "genre", in: none).status == 1)
    #expect(!FileManager.default.fileExists(atPath: none.path))
  }
}
