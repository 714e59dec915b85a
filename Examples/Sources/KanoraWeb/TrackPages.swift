import Foundation
import KanoraCore
import StoreSharing
import WebPages

/// The page of one track, and the request that records a play.
struct TrackPages: Sendable {
  let parts: PageParts

  /// Answers a request for one of these pages, and returns nil for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    let path = request.path
    guard path.first == "tracks", path.count > 1 else { return nil }
    guard let id = UUID(uuidString: path[1]) else { return PageParts.missing("track") }
    switch (request.method, path.count, path.last) {
    case (.get, 2, _): return try await page(id)
    case (.post, 3, "played"):
      try await parts.desk.recordPlay(of: id)
      return .redirect("/tracks/\(id.uuidString)")
    default: return nil
    }
  }

  private func page(_ id: UUID) async throws -> WebAnswer {
    let (details, playlists) = try await parts.feed.store.read {
      (try LibraryLists.details([id], in: $0).first, try LibraryLists.playlists(in: $0))
    }
    guard let details else { return PageParts.missing("track") }
    let path = "/tracks/\(id.uuidString)"
    let shown = try await parts.show(parts.feed.tracks([id]), "tracks", key: path) {
      $0.map { TrackRows.row($0) }
    }
    return try await parts.page(details.row.title, back: path, [shown]) {
      Markup.up(details.row.albumID.map { "/albums/\($0.uuidString)" } ?? "/", "Album")
      shown.markup(empty: "The track is no longer in the library.")
      element(.p) {
        element(.a, .href("/edit?track-\(id.uuidString)=on&back=\(path)")) { "Edit" }
      }
      element(.dl, .class("facts")) {
        for field in TrackField.allCases {
          if let value = details.values[field], !value.isEmpty {
            Self.fact(EditForm.label(of: field), value)
          }
        }
        for (name, value) in Self.facts(of: details) { Self.fact(name, value) }
      }
      if !details.playlists.isEmpty {
        element(.h2) { "In playlists" }
        element(.ul) {
          for playlist in details.playlists {
            element(.li) {
              element(.a, .href("/playlists/\(playlist.id.uuidString)")) { playlist.name }
            }
          }
        }
      }
      TrackListPages.forms(back: path, playlists: playlists)
    }
  }

  @MarkupBuilder
  private static func fact(_ name: String, _ value: String) -> Markup {
    element(.dt) { name }
    element(.dd, Attribute("dir", "auto")) { value }
  }

  private static func facts(of details: TrackDetails) -> [(String, String)] {
    let row = details.row
    var facts = [
      ("Length", TrackRows.time(row.duration)), ("Plays", "\(row.playCount)"),
      ("Added", Wording.day(row.addedAt)),
    ]
    if let date = row.lastPlayedAt { facts.append(("Last played", Wording.day(date))) }
    facts.append(
      ("Format", ([row.format] + [details.codec].compactMap { $0 }).joined(separator: ", ")))
    if let bitrate = details.bitrate { facts.append(("Bit rate", "\(bitrate) kbit/s")) }
    if let rate = details.sampleRate { facts.append(("Sample rate", "\(rate) Hz")) }
    if let count = details.channelCount { facts.append(("Channels", "\(count)")) }
    facts.append(("Size", String(format: "%.1f MB", Double(details.byteCount) / 1e6)))
    if !details.editedFields.isEmpty {
      let names = TrackField.allCases.filter { details.editedFields.contains($0.rawValue) }
      facts.append(
        ("Edited here", names.map { EditForm.label(of: $0) }.joined(separator: ", ")))
    }
    facts.append(("File", row.filePath + (row.isMissing ? " (missing)" : "")))
    return facts
  }
}
