import Foundation
import KanoraCore
import StoreSharing
import WebPages

/// The form of smart playlists: which tracks they contain, in which order, and how many.
struct SmartPlaylistPages: Sendable {
  let parts: PageParts

  /// The content of the form, as text.
  private struct Form {
    var name = ""
    var query = ""
    var order = TrackOrder.album.rawValue
    var direction = "ascending"
    var limit = ""
    /// The problems, by field name.
    var problems: [String: String] = [:]

    init() {}

    init(_ fields: [String: String]) {
      name = fields["name"] ?? ""
      query = fields["query"] ?? ""
      order = fields["sort"] ?? order
      direction = fields["order"] ?? direction
      limit = fields["limit"] ?? ""
    }

    init(_ rules: SmartRules) {
      query = "\(rules.query)"
      order = rules.sort.rawValue
      direction = rules.isAscending ? "ascending" : "descending"
      limit = rules.limit.map(String.init) ?? ""
    }

    /// Returns the rules, or nil if a field is not valid; the problem is then recorded.
    mutating func rules() -> SmartRules? {
      var chosen: LibraryQuery?
      do { chosen = try LibraryQuery(query) } catch { problems["query"] = "\(error)" }
      let order = TrackOrder(rawValue: order)
      if order == nil { problems["sort"] = "This sort order does not exist." }
      let text = limit.trimmingCharacters(in: .whitespaces)
      let number = Int(text).flatMap { (1...1_000_000).contains($0) ? $0 : nil }
      if !text.isEmpty, number == nil {
        problems["limit"] =
          "The limit must be a whole number from 1 to 1000000. For no limit, leave the field empty."
      }
      guard problems.isEmpty, let chosen, let order else { return nil }
      return SmartRules(
        chosen, sort: order, isAscending: direction != "descending", limit: number)
    }
  }

  /// Answers a request for one of these pages, and returns nil for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    let path = request.path
    guard path.first == "playlists" else { return nil }
    switch (request.method, path.count, path.last) {
    case (.get, 2, "smart"): return try await page(Form(), of: nil)
    case (.post, 2, "smart"): return try await make(request)
    case (.get, 3, "rules"), (.post, 3, "rules"):
      guard let id = UUID(uuidString: path[1]) else { return PageParts.missing("playlist") }
      return try await change(id, request)
    default: return nil
    }
  }

  /// Returns a description of rules.
  static func sentence(_ rules: SmartRules) -> String {
    let query = "\(rules.query)"
    let order = TrackListPages.orders.first { $0.value == rules.sort.rawValue }?.text ?? ""
    return Wording.list(
      [
        query.isEmpty ? "All tracks" : query,
        "by \(order.lowercased()), \(rules.isAscending ? "ascending" : "descending")",
      ] + (rules.limit.map { ["at most \($0)"] } ?? []))
  }

  private func make(_ request: WebRequest) async throws -> WebAnswer {
    var form = Form(request.form)
    guard let rules = form.rules() else { return try await page(form, of: nil) }
    do {
      let id = try await parts.desk.makeSmartPlaylist(form.name, rules)
      return .redirect("/playlists/\(id.uuidString)")
    } catch let error as KanoraError where error.code == .badValue {
      form.problems["name"] = error.message
    } catch let error as KanoraError where error.code == .badRules {
      form.problems["query"] = error.message
    }
    return try await page(form, of: nil)
  }

  private func change(_ id: UUID, _ request: WebRequest) async throws -> WebAnswer {
    let details = try await parts.feed.store.read { try LibraryLists.playlist(id, in: $0) }
    guard details.row.isSmart else { return PageParts.missing("smart playlist") }
    if request.method == .get {
      return try await page(details.rules.map { Form($0) } ?? Form(), of: details.row)
    }
    var form = Form(request.form)
    guard let rules = form.rules() else { return try await page(form, of: details.row) }
    do {
      try await parts.desk.setRules(rules, of: id)
      return .redirect("/playlists/\(id.uuidString)")
    } catch let error as KanoraError where error.code == .badRules {
      form.problems["query"] = error.message
      return try await page(form, of: details.row)
    }
  }

  private func page(_ form: Form, of playlist: PlaylistRow?) async throws -> WebAnswer {
    let path = playlist.map { "/playlists/\($0.id.uuidString)" }
    let action = path.map { "\($0)/rules" } ?? "/playlists/smart"
    return try await parts.page(
      playlist.map { "Rules of \($0.name)" } ?? "New smart playlist", path: "/playlists",
      back: action, status: form.problems.isEmpty ? 200 : 400
    ) {
      Markup.up(path ?? "/playlists", "Cancel")
      element(.form, .class("writing"), Attribute("method", "post"), Attribute("action", action)) {
        if playlist == nil {
          Markup.checkedField("name", "Name", value: form.name, problem: form.problems["name"])
        }
        Markup.checkedField(
          "query", "Query", value: form.query,
          problem: form.problems["query"],
          Attribute("placeholder", "genre:rock year:1990..1999 (loved OR rating:>=4) -title:live"))
        element(.p, .class("muted")) {
          "Fields: title, artist, album, albumartist, genre, composer, format, path, lyrics, year, rating, plays, track, disc, length, "
            + "bitrate, added, played, notplayed. Flags: loved, unplayed, unrated, missing, edited, compilation. An empty query matches all tracks."
        }
        Markup.choice("sort", "Order", TrackListPages.orders, chosen: form.order)
        Markup.fieldProblem("sort", form.problems["sort"])
        Markup.choice(
          "order", "Direction", [("ascending", "Ascending"), ("descending", "Descending")],
          chosen: form.direction)
        Markup.checkedField(
          "limit", "Maximum number of tracks", value: form.limit, problem: form.problems["limit"],
          Attribute("inputmode", "numeric"), Attribute("placeholder", "No limit"))
        element(.div, .class("buttons")) {
          element(.button) { playlist == nil ? "Create" : "Save" }
        }
      }
    }
  }
}
