import Foundation
import KanoraCore
import StoreSharing
import WebPages

/// The pages that edit one track or a selection: a form, what it would change, and saving.
struct EditPages: Sendable {
  let desk: LibraryDesk
  let feed: LibraryFeed

  /// The fields that the form has.
  private static let fields: [TrackField] = [
    .title, .artist, .album, .albumArtist, .genre, .year, .trackNumber, .discNumber, .composer,
  ]

  /// Answers a request for one of these pages; nil for any other.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    guard request.path == ["edit"] else { return nil }
    let sent = request.method == .get ? request.query : request.form
    let ids = Self.ids(in: sent)
    let rows = try await feed.store.read { try LibraryLists.tracks(ids, in: $0) }
    guard !rows.isEmpty, rows.count == ids.count else { return LibraryPages.missing("track") }
    if request.method == .get { return .page(page(rows, sent)) }
    let changes = Self.changes(in: sent)
    do {
      guard sent["do"] == "save" else {
        return .page(page(rows, sent, try await desk.preview(ids, changes)))
      }
      try await desk.edit(ids, changes)
      return .redirect("/")
    } catch let error as KanoraError {
      return .page(page(rows, sent, problem: error.message), status: 400)
    }
  }

  /// The tracks that a form or an address names, as fields `track-ID`.
  private static func ids(in sent: [String: String]) -> [UUID] {
    sent.keys.filter { $0.hasPrefix("track-") }.sorted().compactMap {
      UUID(uuidString: String($0.dropFirst(6)))
    }
  }

  /// The changes of fields that the user has filled; an empty field changes nothing.
  private static func changes(in sent: [String: String]) -> [TrackChange] {
    fields.compactMap { field in
      sent[field.rawValue].flatMap { $0.isEmpty ? nil : .set(field, $0) }
    }
  }

  private func page(
    _ rows: [TrackRow], _ sent: [String: String], _ differences: [TrackDifference]? = nil,
    problem: String? = nil
  ) -> Markup {
    LibraryPages.page(rows.count == 1 ? "Edit Track" : "Edit \(rows.count) Tracks") {
      Markup.up("/", "Cancel")
      Markup.notice(problem)
      element(.ul) { for row in rows { element(.li) { "\(row.title) · \(row.artist)" } } }
      if let differences { Self.table(differences) }
      Markup.form(to: "/edit", back: "/") {
        for row in rows {
          Markup.hidden("track-\(row.id.uuidString)", "on")
        }
        element(.p, .class("muted")) { "Fields that are left empty stay as they are." }
        element(.div, .class("writing")) {
          for field in Self.fields {
            Markup.field(field.rawValue, field.rawValue, value: sent[field.rawValue] ?? "")
          }
        }
        Self.button("preview", "Preview")
        if differences?.isEmpty == false { Self.button("save", "Save") }
      }
    }
  }

  private static func button(_ value: String, _ text: String) -> Markup {
    element(.button, Attribute("name", "do"), Attribute("value", value)) { text }
  }

  /// What would change, old and new side by side.
  private static func table(_ differences: [TrackDifference]) -> Markup {
    if differences.isEmpty { return element(.p) { "Nothing would change." } }
    return element(.table, .id("preview")) {
      element(.thead) {
        element(.tr) { for title in ["Track", "Field", "Old", "New"] { element(.th) { title } } }
      }
      element(.tbody) {
        for difference in differences {
          element(.tr) {
            element(.td) { difference.title }
            element(.td) { difference.field.rawValue }
            element(.td) { difference.old }
            element(.td) { difference.new }
          }
        }
      }
    }
  }
}
