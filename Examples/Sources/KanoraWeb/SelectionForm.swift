import Foundation
import KanoraCore
import WebPages

/// What can be done with the tracks that are selected in a list, and doing it.
struct SelectionForm: Sendable {
  /// The id of the form to which the boxes of the rows belong.
  static let id = "selection"
  /// What is sent instead of a playlist's id for a new playlist.
  private static let newPlaylist = "new"

  let parts: PageParts
  let editing: EditPages

  /// Answers a request that a form of a list sends; nil for any other.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    switch (request.method, request.path) {
    case (.post, ["marks"]): return try await mark(request)
    case (.post, ["selection"]): return try await act(request)
    default: return nil
    }
  }

  /// The form below a list.
  ///
  /// - Parameters:
  ///   - back: The page's own address.
  ///   - playlists: The playlists to which tracks can be added.
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
        button("unlove", "Do not love")
        button("delete", "Take out of the library")
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
          title: "No track is selected", reason: "Go back, and select tracks by their boxes."),
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
      title: "Not possible", reason: "The form does not say what is to be done."), status: 400)
}
