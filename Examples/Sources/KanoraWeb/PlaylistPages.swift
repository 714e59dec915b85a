import Foundation
import KanoraCore
import StoreSharing
import WebPages

/// The pages of playlists: the list of playlists, one playlist with its tracks, and the forms that create and change them.
struct PlaylistPages: Sendable {
  let parts: PageParts

  private static let entriesPerPage = 100
  private static let mostPages = 5

  /// Predefined lists of the library.
  private static let ready = [
    ("/added", "Recently added"), ("/played", "Recently played"), ("/most-played", "Most played"),
    ("/?only=loved", "Loved"), ("/?only=missing", "File missing"),
  ]

  /// Answers a request for one of these pages, and returns nil for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    let path = request.path
    guard path.first == "playlists" else { return nil }
    if path.count == 1 {
      return request.method == .get ? try await list() : try await make(request)
    }
    guard let id = UUID(uuidString: path[1]) else { return PageParts.missing("playlist") }
    switch (request.method, path.count, path.last) {
    case (.get, 2, _): return try await playlist(id, request)
    case (.post, 3, "rename"): return try await rename(id, request)
    case (.post, 3, "delete"):
      try await parts.desk.deletePlaylist(id)
      return .redirect("/playlists")
    case (.post, 3, "items"): return try await change(id, request)
    default: return nil
    }
  }

  // MARK: All playlists

  private func list(
    name: String = "", problem: String? = nil, status: Int = 200
  ) async throws -> WebAnswer {
    let shown = try await parts.show(parts.feed.playlists, "playlists", key: "") {
      $0.map { Self.row($0) }
    }
    return try await parts.page(
      "Playlists", path: "/playlists", back: "/playlists", [shown], status: status
    ) {
      element(.nav, .class("offers"), .label("Lists")) {
        for (path, text) in Self.ready { element(.a, .href(path)) { text } }
      }
      shown.markup(empty: "There are no playlists yet.")
      element(
        .form, .class("search"), Attribute("method", "post"), Attribute("action", "/playlists")
      ) {
        Markup.checkedField("name", "New playlist", value: name, problem: problem)
        element(.button) { "Create" }
      }
      element(.p) { element(.a, .href("/playlists/smart")) { "New smart playlist" } }
    }
  }

  private static func row(_ playlist: PlaylistRow) -> LiveRow {
    let id = "playlist-\(playlist.id.uuidString)"
    let markup = element(.li, .id(id)) {
      element(.a, .class("row"), .href("/playlists/\(playlist.id.uuidString)")) {
        element(.span, .class("title"), Attribute("dir", "auto")) { playlist.name }
        element(.span, .class("count none")) {
          playlist.isSmart ? "smart" : "\(playlist.itemCount)"
        }
        if let summary = playlist.summary, !summary.isEmpty {
          element(.span, .class("meta"), Attribute("dir", "auto")) { summary }
        }
      }
    }
    return LiveRow(id: id, markup: markup)
  }

  private func make(_ request: WebRequest) async throws -> WebAnswer {
    let name = request.form["name"] ?? ""
    do {
      let id = try await parts.desk.makePlaylist(name)
      return .redirect("/playlists/\(id.uuidString)")
    } catch let error as KanoraError where error.code == .badValue {
      return try await list(name: name, problem: error.message, status: 400)
    }
  }

  // MARK: One playlist

  private func playlist(
    _ id: UUID, _ request: WebRequest, name: String? = nil, problem: String? = nil
  ) async throws -> WebAnswer {
    let path = "/playlists/\(id.uuidString)"
    let span = ListSpan(pageSize: Self.entriesPerPage, longest: Self.mostPages, request)
    let (details, playlists) = try await parts.feed.store.read {
      (try LibraryLists.playlist(id, in: $0), try LibraryLists.playlists(in: $0))
    }
    let playlist = details.row
    let back = span.address(path, "")
    let shown = details.problem == nil ? try await entries(playlist, span, back) : nil
    let counted = try await parts.show(
      parts.feed.trackCount(ofPlaylist: id), "count", key: path
    ) { $0.map { TrackListPages.countRow($0) } }
    let count = counted.state.rows.first.flatMap { Int($0.id.dropFirst(6)) } ?? 0
    return try await parts.page(
      playlist.name, path: "/playlists", back: back, [shown, counted].compactMap { $0 },
      status: problem == nil ? 200 : 400
    ) {
      Markup.up("/playlists", "Playlists")
      if playlist.isSmart { Self.rules(details, path) }
      element(.ul, .id(counted.list), .class("muted")) { counted.rows }
      if let shown {
        span.linksAbove(path, "", rowCount: count)
        shown.markup(
          empty: playlist.isSmart
            ? "No tracks match the rules."
            : "Select tracks in a list, and add them to this playlist.",
          Attribute(flag: "data-keys"))
        span.linkBelow(path, "", rowCount: count)
        if !playlist.isSmart { ItemOrder.forms(path, back: back) }
        TrackListPages.forms(back: back, playlists: playlists)
      }
      element(.section, .label("Playlist")) {
        element(
          .form, .class("search"), Attribute("method", "post"),
          Attribute("action", "\(path)/rename")
        ) {
          Markup.checkedField("name", "Name", value: name ?? playlist.name, problem: problem)
          element(.button, .class("quiet")) { "Rename" }
        }
        Markup.button("Delete the playlist", to: "\(path)/delete", back: "/playlists")
      }
    }
  }

  private func entries(
    _ playlist: PlaylistRow, _ span: ListSpan, _ back: String
  ) async throws -> ShownList {
    let isSmart = playlist.isSmart
    return try await parts.show(
      parts.feed.entries(ofPlaylist: playlist.id, window: span.window), "entries", key: back
    ) { entries in
      entries.map { entry in
        if isSmart { return TrackRows.row(entry.track) }
        return TrackRows.row(
          entry.track, id: "item-\(entry.id.uuidString)", lead: "\(entry.position + 1)"
        ) { Self.buttons(entry) }
      }
    }
  }

  private static func buttons(_ entry: PlaylistEntry) -> Markup {
    element(.span, .class("places")) {
      ItemOrder.grip
      for (action, key, sign, label) in [
        ("up", "[", "↑", "Move up"), ("down", "]", "↓", "Move down"),
        ("remove", "-", "✕", "Remove"),
      ] {
        element(
          .button, .class("mark"), Attribute("form", "items"), Attribute("name", action),
          Attribute("value", entry.id.uuidString), Attribute("data-key", key),
          .label("\(label): \(entry.track.title)")
        ) { sign }
      }
    }
  }

  private static func rules(_ details: PlaylistDetails, _ path: String) -> Markup {
    element(.p) {
      if let rules = details.rules {
        element(.strong) { SmartPlaylistPages.sentence(rules) }
        " · "
      }
      if let problem = details.problem {
        element(.span, .class("warn-text"), Attribute("role", "alert")) { problem }
        " · "
      }
      element(.a, .href("\(path)/rules")) { "Change the rules" }
    }
  }

  // MARK: Changes

  private func rename(_ id: UUID, _ request: WebRequest) async throws -> WebAnswer {
    let name = request.form["name"] ?? ""
    do {
      try await parts.desk.renamePlaylist(id, to: name)
      return .redirect("/playlists/\(id.uuidString)")
    } catch let error as KanoraError where error.code == .badValue {
      return try await playlist(id, request, name: name, problem: error.message)
    }
  }

  private func change(_ id: UUID, _ request: WebRequest) async throws -> WebAnswer {
    func item(_ action: String) -> UUID? { request.form[action].flatMap { UUID(uuidString: $0) } }
    if let item = item("remove") {
      try await parts.desk.remove(items: [item], fromPlaylist: id)
      return .redirect(request.back)
    }
    if let from = request.form["from"], let to = request.form["to"] {
      return try await move([from, to], inPlaylist: id, request)
    }
    var moved: UUID?
    if let item = item("up") {
      try await parts.desk.move(item: item, by: -1, inPlaylist: id)
      moved = item
    } else if let item = item("down") {
      try await parts.desk.move(item: item, by: 1, inPlaylist: id)
      moved = item
    } else if let (item, side, other) = ItemOrder.move(request.form["move"] ?? "") {
      try await parts.desk.move(item: item, side, item: other, inPlaylist: id)
      moved = item
    }
    guard let moved else {
      return .page(
        PageParts.problem(
          title: "Not possible", reason: "The form does not specify an action."), status: 400)
    }
    return .redirect("\(request.back)#item-\(moved.uuidString)")
  }

  /// Moves the track at one position to another position. The positions in the form start at 1.
  private func move(
    _ typed: [String], inPlaylist id: UUID, _ request: WebRequest
  ) async throws -> WebAnswer {
    let positions = typed.compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    let count = try await parts.feed.store.read {
      try LibraryLists.playlist(id, in: $0).row.itemCount
    }
    guard positions.count == 2, positions.allSatisfy({ (1...max(1, count)).contains($0) }) else {
      return .page(
        PageParts.problem(
          title: "Not possible",
          reason: "Enter two positions of the playlist. Its last position is \(count)."),
        status: 400)
    }
    try await parts.desk.move(from: positions[0] - 1, to: positions[1] - 1, inPlaylist: id)
    return .redirect(request.back)
  }
}
