import Foundation
import KanoraCore
import StoreSharing
import WebPages

/// The pages that edit one track or a selection: the form, the preview of its changes, and the save.
struct EditPages: Sendable {
  let parts: PageParts

  /// The maximum number of differences in a preview.
  private static let listed = 500

  /// Answers a request for one of these pages, and returns nil for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    guard request.path == ["edit"] else { return nil }
    let ids = request.trackIDs
    if request.method == .get { return try await form(ids, request) }
    guard let tracks = try await tracks(ids) else { return PageParts.missing("track") }
    let form = EditForm(tracks: tracks, sent: request.form)
    do {
      let changes = try form.changes()
      guard request.form["do"] == "save" else {
        return try await page(
          form, request.back, differences: try await parts.desk.preview(ids, changes))
      }
      try await parts.desk.edit(ids, changes)
      return .redirect(request.back)
    } catch let problem as EditForm.Problem {
      return try await page(form, request.back, problem: problem)
    } catch let error as KanoraError where error.code == .badValue {
      let problem = EditForm.Problem(field: error.field?.rawValue ?? "", message: error.message)
      return try await page(form, request.back, problem: problem)
    }
  }

  /// Returns the form with the tracks' current values.
  func form(_ ids: [UUID], _ request: WebRequest) async throws -> WebAnswer {
    guard let tracks = try await tracks(ids) else { return PageParts.missing("track") }
    return try await page(EditForm(tracks: tracks, sent: [:]), request.back)
  }

  /// Returns the tracks with the given ids, or nil if one of them is unknown or there are none.
  private func tracks(_ ids: [UUID]) async throws -> [TrackDetails]? {
    let tracks = try await parts.feed.store.read { try LibraryLists.details(ids, in: $0) }
    return tracks.isEmpty || tracks.count < ids.count ? nil : tracks
  }

  private func page(
    _ form: EditForm, _ back: String, differences: [TrackDifference]? = nil,
    problem: EditForm.Problem? = nil
  ) async throws -> WebAnswer {
    let tracks = form.tracks
    let title = tracks.count == 1 ? "Edit Track" : "Edit \(tracks.count) Tracks"
    return try await parts.page(title, back: back, status: problem == nil ? 200 : 400) {
      Markup.up(back, "Cancel")
      // The message of a field is also shown beside the field.
      Markup.notice(problem?.message)
      Self.list(tracks)
      if let differences { Self.table(differences) }
      Markup.form(to: "/edit", back: back) {
        form.markup(problem: problem)
        element(.div, .class("buttons")) {
          element(.button, .class("quiet"), Attribute("name", "do"), Attribute("value", "preview"))
          {
            "Preview"
          }
          if tracks.count == 1 || differences?.isEmpty == false {
            element(.button, Attribute("name", "do"), Attribute("value", "save")) { "Save" }
          }
        }
      }
    }
  }

  private static func list(_ tracks: [TrackDetails]) -> Markup {
    element(.ul) {
      for track in tracks.prefix(20) {
        element(.li) {
          element(.bdi) { track.row.title }
          " · "
          element(.bdi) { track.row.artist }
        }
      }
      if tracks.count > 20 { element(.li) { "and \(tracks.count - 20) more" } }
    }
  }

  /// Returns the changed values, old and new side by side.
  private static func table(_ differences: [TrackDifference]) -> Markup {
    if differences.isEmpty {
      return element(.p, Attribute("role", "status")) { "Nothing would change." }
    }
    return element(.section, .class("wide"), .label("Preview"), Attribute("tabindex", "0")) {
      element(.table, .id("preview")) {
        element(.caption) { "\(Wording.count(differences.count, "value")) would change" }
        element(.thead) {
          element(.tr) {
            for title in ["Track", "Field", "Old", "New"] {
              element(.th, Attribute("scope", "col")) { title }
            }
          }
        }
        element(.tbody) {
          for difference in differences.prefix(listed) {
            element(.tr) {
              element(.td, Attribute("dir", "auto")) { difference.title }
              element(.td) { EditForm.label(of: difference.field) }
              element(.td, .class("old"), Attribute("dir", "auto")) { difference.old }
              element(.td, .class("new"), Attribute("dir", "auto")) { difference.new }
            }
          }
        }
      }
      if differences.count > listed {
        element(.p) { "and \(differences.count - listed) more" }
      }
    }
  }
}
