import Foundation
import KanoraCore
import StoreSharing
import WebPages

/// The pages about the state of the library: problems, duplicates, files that could not be read, and statistics.
struct HealthPages: Sendable {
  let parts: PageParts

  /// Answers a request for one of these pages, and returns nil for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    switch (request.method, request.path) {
    case (.get, ["check"]): return try await check()
    case (.get, ["duplicates"]): return try await duplicates()
    case (.get, ["bad-files"]): return try await badFiles()
    case (.get, ["stats"]): return try await statistics()
    case (.post, ["repair"]): return try await repair(request)
    default: return nil
    }
  }

  // MARK: Check

  private func check() async throws -> WebAnswer {
    let (findings, badFiles) = try await parts.feed.store.read {
      (try LibraryCheck().findings(in: $0), try LibraryLists.badFiles(in: $0).count)
    }
    return try await parts.page("Check", path: "/check", back: "/check") {
      element(.ul) {
        element(.li) {
          element(.a, .href("/bad-files")) {
            "\(Wording.count(badFiles, "file")) that could not be read"
          }
        }
        element(.li) { element(.a, .href("/duplicates")) { "Duplicates and gaps" } }
      }
      if findings.isEmpty { element(.p) { "No problems were found." } }
      for kind in LibraryFinding.Kind.allCases {
        let found = findings.filter { $0.kind == kind }
        if !found.isEmpty { Self.section(kind, found) }
      }
    }
  }

  /// The maximum number of listed findings of one kind.
  private static let listed = 100

  private static func section(_ kind: LibraryFinding.Kind, _ found: [LibraryFinding]) -> Markup {
    element(.section) {
      element(.h2) { "\(title(of: kind)): \(found.count)" }
      element(.ul, .class("findings")) {
        for finding in found.prefix(listed) { element(.li) { "\(finding)" } }
        if found.count > listed { element(.li) { "and \(found.count - listed) more" } }
      }
      Markup.form(to: "/repair", back: "/check") {
        Markup.hidden("kind", kind.rawValue)
        element(.button, .class("quiet")) { "Repair: \(kind.repair)" }
      }
    }
  }

  private static func title(of kind: LibraryFinding.Kind) -> String {
    switch kind {
    case .trackWithoutAlbum: "Tracks without an album"
    case .albumWithoutArtist: "Albums without an artist"
    case .artistWithoutLibrary: "Artists without a library"
    case .doubledPath: "Tracks with the same file"
    case .positions: "Playlists with wrong positions"
    case .missingFile: "Missing files"
    case .wrongTotals: "Albums with wrong totals"
    case .emptyAlbum: "Albums without tracks"
    case .emptyArtist: "Artists without albums"
    case .duplicateAudio: "Tracks with the same audio"
    }
  }

  private func repair(_ request: WebRequest) async throws -> WebAnswer {
    guard let kind = request.form["kind"].flatMap({ LibraryFinding.Kind(rawValue: $0) }) else {
      return .page(
        PageParts.problem(title: "Not possible", reason: "This kind of repair does not exist."),
        status: 400)
    }
    try await parts.desk.repair([kind])
    return .redirect(request.back)
  }

  // MARK: Duplicates and bad files

  private func duplicates() async throws -> WebAnswer {
    let (audio, tags, gaps, playlists) = try await parts.feed.store.read {
      (
        try DuplicateFinder.duplicates(by: .audio, in: $0),
        try DuplicateFinder.duplicates(by: .tags, in: $0), try DuplicateFinder.gaps(in: $0),
        try LibraryLists.playlists(in: $0)
      )
    }
    return try await parts.page("Duplicates", path: "/check", back: "/duplicates") {
      Markup.up("/check", "Check")
      Self.groups("audio", "The same audio", audio)
      if !audio.isEmpty {
        Markup.form(to: "/repair", back: "/duplicates") {
          Markup.hidden("kind", LibraryFinding.Kind.duplicateAudio.rawValue)
          element(.button, .class("quiet")) {
            "Repair: \(LibraryFinding.Kind.duplicateAudio.repair)"
          }
        }
      }
      Self.groups("tags", "The same title, artist and album", tags)
      element(.h2) { "Missing track numbers" }
      if gaps.isEmpty { element(.p) { "No track numbers are missing." } }
      element(.ul) {
        for gap in gaps {
          element(.li) {
            element(.a, .href("/albums/\(gap.albumID.uuidString)")) { gap.album }
            " · disc \(gap.discNumber) · \(gap.missing.map(String.init).joined(separator: ", "))"
          }
        }
      }
      TrackListPages.forms(back: "/duplicates", playlists: playlists, isLive: false)
    }
  }

  /// Returns groups of tracks, with the best track of each group first.
  @MarkupBuilder
  private static func groups(
    _ name: String, _ title: String, _ groups: [[TrackRow]]
  ) -> Markup {
    element(.h2) { "\(title): \(groups.count)" }
    if groups.isEmpty { element(.p) { "There are none." } }
    for group in groups.prefix(listed) {
      element(.ol, .class("rows group")) {
        // A track can be in a group of each kind.
        for track in group { TrackRows.row(track, id: "\(name)-\(track.id.uuidString)").markup }
      }
    }
    if groups.count > listed { element(.p) { "and \(groups.count - listed) more groups" } }
  }

  private func badFiles() async throws -> WebAnswer {
    let shown = try await parts.show(parts.feed.badFiles, "bad-files", key: "") { files in
      files.map { file in
        let id = "file-\(PagePath.part(file.path))"
        let markup = element(.li, .id(id), .class("file")) {
          element(.p, .class("title")) { file.path }
          element(.p, .class("muted")) {
            "\(file.reason) · "
            element(.time, Attribute("datetime", Wording.machineDate(file.seenAt))) {
              Wording.day(file.seenAt)
            }
          }
        }
        return LiveRow(id: id, markup: markup)
      }
    }
    return try await parts.page(
      "Files that could not be read", path: "/check", back: "/bad-files", [shown]
    ) {
      Markup.up("/check", "Check")
      shown.markup(empty: "The last scan was able to read all files.")
    }
  }

  // MARK: Statistics

  private func statistics() async throws -> WebAnswer {
    let numbers = try await parts.feed.store.read { try LibraryStatistics(in: $0) }
    return try await parts.page("Statistics", path: "/stats", back: "/stats") {
      element(.p) {
        Wording.list([
          Wording.count(numbers.trackCount, "track"), Wording.count(numbers.albumCount, "album"),
          Wording.count(numbers.artistCount, "artist"),
          Wording.count(numbers.playlistCount, "playlist"),
          Wording.count(numbers.playCount, "play"), String(format: "%.1f hours", numbers.hours),
          String(format: "%.2f GB", numbers.gigabytes),
          "\(Wording.count(numbers.missingCount, "file")) missing",
        ])
      }
      Self.table("Format", numbers.formats)
      Self.table("Genre", numbers.genres)
      Self.table("Year", numbers.years)
      if !numbers.topPlayed.isEmpty {
        element(.h2) { element(.a, .href("/most-played")) { "Most played" } }
        element(.ol) {
          for track in numbers.topPlayed {
            element(.li) {
              element(.a, .href("/tracks/\(track.id.uuidString)")) { track.title }
              " · "
              element(.bdi) { track.artist }
              " · \(Wording.count(track.playCount, "play"))"
            }
          }
        }
      }
    }
  }

  private static func table(_ name: String, _ parts: [LibraryStatistics.Part]) -> Markup {
    element(.table, .class("numbers")) {
      element(.thead) {
        element(.tr) {
          for title in [name, "Tracks", "Time", "Size"] {
            element(.th, Attribute("scope", "col")) { title }
          }
        }
      }
      element(.tbody) {
        for part in parts {
          element(.tr) {
            element(.th, Attribute("scope", "row"), Attribute("dir", "auto")) {
              part.name ?? "none"
            }
            element(.td) { "\(part.trackCount)" }
            element(.td) { TrackRows.time(part.seconds) }
            element(.td) { String(format: "%.1f MB", Double(part.bytes) / 1e6) }
          }
        }
      }
    }
  }
}
