import Foundation
import KanoraCore
import WebPages

/// The form for actions on the selected tracks of a list, and its handling.
struct SelectionForm: Sendable {
  /// The id of the form that the rows' checkboxes belong to.
  static let id = "selection"
  /// The value sent in place of a playlist id to create a new playlist.
  private static let newPlaylist = "new"

  let parts: PageParts
  let editing: EditPages

  /// Answers a request sent by a list's form, and returns nil for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    switch (request.method, request.path) {
    case (.post, ["marks"]): return try await mark(request)
    case (.post, ["selection"]): return try await act(request)
    default: return nil
    }
  }

  /// Returns the form below a list.
  ///
  /// - Parameters:
  ///   - back: The page's address.
  ///   - playlists: The playlists that tracks can be added to.
  static func markup(back: String, playlists: [PlaylistRow]) -> Markup {
    element(
      .form, .id(id), Attribute("method", "post"), Attribute("action", "/selection"),
      .label("Selected tracks")
    ) {
      Markup.hidden("back", back)
      element(.fieldset, .class("selection")) {
        element(.legend) { "Selected tracks" }
        button("edit", "Edit")
        element(.span, .class("pair")) {
          Markup.choice(
            "playlist", "Playlist",
            playlists.filter { !$0.isSmart }.map { ($0.id.uuidString, $0.name) }
              + [(newPlaylist, "New playlist")], chosen: "")
          button("add", "Add")
        }
        element(.span, .class("pair")) {
          Markup.choice(
            "rating", "Rating", (0...5).reversed().map { ("\($0)", $0 == 0 ? "none" : "\($0)") },
            chosen: "5")
          button("rate", "Rate")
        }
        button("love", "Love")
        button("unlove", "Unlove")
        button("delete", "Remove from the library")
      }
    }
  }

  private static func button(_ value: String, _ text: String) -> Markup {
    element(.button, .class("quiet"), Attribute("name", "do"), Attribute("value", value)) { text }
  }

  // MARK: Actions

  private func mark(_ request: WebRequest) async throws -> WebAnswer {
    guard let (name, value) = request.form.first(where: { ["love", "rate"].contains($0.key) }),
      case let texts = value.split(separator: " "), texts.count == 2,
      let id = UUID(uuidString: String(texts[0])), let number = Int(texts[1])
    else { return Self.unclear }
    if name == "love" {
      try await parts.desk.love([id], number != 0)
    } else {
      try await parts.desk.rate([id], number)
    }
    return .redirect("\(request.back)#track-\(id.uuidString)")
  }

  private func act(_ request: WebRequest) async throws -> WebAnswer {
    let (ids, desk) = (request.trackIDs, parts.desk)
    guard !ids.isEmpty else {
      return .page(
        PageParts.problem(
          title: "No tracks selected", reason: "Go back, and select tracks with the checkboxes."),
        status: 400)
    }
    switch request.form["do"] {
    case "edit": return try await editing.form(ids, request)
    case "add": return try await add(ids, request)
    case "love": try await desk.love(ids, true)
    case "unlove": try await desk.love(ids, false)
    case "rate":
      guard let rating = request.form["rating"].flatMap({ Int($0) }) else { return Self.unclear }
      try await desk.rate(ids, rating)
    case "delete": try await desk.deleteTracks(ids)
    default: return Self.unclear
    }
    return .redirect(request.back)
  }

  private func add(_ ids: [UUID], _ request: WebRequest) async throws -> WebAnswer {
    let chosen = request.form["playlist"] ?? ""
    if chosen == Self.newPlaylist {
      let id = try await parts.desk.makePlaylist("New Playlist", tracks: ids)
      return .redirect("/playlists/\(id.uuidString)")
    }
    guard let id = UUID(uuidString: chosen) else { return PageParts.missing("playlist") }
    try await parts.desk.add(ids, toPlaylist: id)
    return .redirect("/playlists/\(id.uuidString)")
  }

  private static let unclear = WebAnswer.page(
    PageParts.problem(
      title: "Not possible", reason: "The form does not specify an action."), status: 400)
}
