import Foundation
import StoriesCore
import WebPages

/// The pages of a story, with the reader's notes and actions.
struct ReadingPages: Sendable {
  let parts: StoryParts

  /// Returns the response to a request for a story; nil for other requests.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    let path = request.path
    guard path.count >= 2, path[0] == "stories", let id = UUID(uuidString: path[1]) else {
      return nil
    }
    let back = request.form["back"] ?? "/stories/\(id.uuidString)"
    switch (request.method, path.count == 3 ? path[2] : "", path.count) {
    case (.get, _, 2): return try await read(id, page: request.pageNumber)
    case (.post, "favourite", 3):
      try await parts.library.setFavorite(request.form["do"] == "add", id)
      return .redirect(back)
    case (.post, "note", 3):
      return try await saveNote(request, id, back: back)
    case (.post, "read", 3):
      let outcome = try await parts.library.finishReading(id)
      return .redirect(outcome.earned.isEmpty ? "/" : "/achievements")
    case (.post, "delete", 3):
      try await parts.library.deleteStories([id])
      return .redirect("/")
    default: return nil
    }
  }

  private func read(_ id: UUID, page wanted: Int) async throws -> WebAnswer {
    let story = try await parts.library.storedStory(id)
    let path = "/stories/\(id.uuidString)"
    let page = min(wanted, max(1, story.pages.count))
    let parts = parts
    let shown = try await parts.show("page", key: "page/\(id.uuidString)/\(page)") {
      do {
        return [Self.leaf(try await parts.library.storedStory(id), page)]
      } catch let error as StoriesError where error.code == .notFound {
        return []
      }
    }
    let here = "\(path)?page=\(page)"
    let settings = try await parts.library.readingSettings()
    return parts.live(story.title, path: here, shown) {
      Markup.up("/", "Shelf")
      if settings.usesTextToSpeech {
        element(.div, .class("turns")) {
          ReaderScript.speechButton(voice: settings.preferredVoice)
        }
      }
      shown.markup(empty: "This story was deleted.")
      // A story from the first version may have no text, and therefore no pages.
      if page >= story.pages.count {
        element(.div, .class("turns")) {
          Markup.button("The end: mark as read", to: "\(path)/read", back: here)
        }
      }
      Self.about(story, path, back: here)
      ReaderScript.markup
    }
  }

  /// Returns a page of a story, with links to the previous and next page.
  private static func leaf(_ story: StoryValue, _ page: Int) -> LiveRow {
    let path = "/stories/\(story.id.uuidString)"
    let text = page <= story.pages.count ? story.pages[page - 1].displayText : ""
    let markup = element(.li, .id("leaf")) {
      element(.article, .class("leaf"), Attribute("tabindex", "-1"), .label(story.title)) { text }
      element(.nav, .class("turns"), .label("Pages")) {
        if page > 1 {
          element(.a, .href("\(path)?page=\(page - 1)"), Attribute("rel", "prev")) { "Previous" }
        }
        element(.span, .class("muted")) { "Page \(page) of \(max(1, story.pages.count))" }
        if page < story.pages.count {
          element(.a, .href("\(path)?page=\(page + 1)"), Attribute("rel", "next")) { "Next" }
        }
      }
    }
    return LiveRow(id: "leaf", markup: markup)
  }

  private static func about(_ story: StoryValue, _ path: String, back: String) -> Markup {
    element(.section, .class("about"), .label("About this story")) {
      element(.div, .class("actions")) {
        Markup.form(to: "\(path)/favourite", back: back) {
          element(
            .button, .class("quiet"), Attribute("name", "do"),
            Attribute("value", story.isFavorite ? "remove" : "add")
          ) { story.isFavorite ? "Remove from favorites" : "Add to favorites" }
        }
        element(.a, .href("\(path)/edit")) { "Edit" }
        element(.details) {
          element(.summary) { "Delete" }
          Markup.button("Delete this story", to: "\(path)/delete", back: "/")
        }
      }
      Markup.form(to: "\(path)/note", back: back) {
        note(story.notes ?? "", from: story.notes ?? "")
        element(.button, .class("quiet")) { "Save note" }
      }
    }
  }

  // MARK: Notes

  /// Saves a note, or asks the reader if another window has changed the note in the meantime.
  private func saveNote(_ request: WebRequest, _ id: UUID, back: String) async throws -> WebAnswer {
    let typed = request.typed("note")
    do {
      let current = try await parts.library.storedStory(id).notes ?? ""
      guard typed == current || request.form["revision"] == StoryParts.revision(of: [current])
      else { return Self.conflict(id, typed, current, back) }
      try await parts.library.editNotes(id, from: current, to: typed)
      return .redirect(back)
    } catch let error as StoriesError where error.code == .changedElsewhere {
      // Another window saved between the comparison and this save.
      guard let story = error.current else { throw error }
      return Self.conflict(id, typed, story.notes ?? "", back)
    } catch let error as StoriesError where error.code == .notFound {
      // The reader can still copy the submitted note.
      let page = StoryParts.plain("Not saved") {
        Markup.up("/", "Shelf")
        Markup.notice(StoryParts.sentence(error))
        element(.h2) { "Your note" }
        element(.pre, .class("typed")) { typed }
      }
      return .page(page, status: 409)
    }
  }

  private static func conflict(
    _ id: UUID, _ typed: String, _ current: String, _ back: String
  ) -> WebAnswer {
    let page = StoryParts.plain("Two notes") {
      Markup.up(back, "Back to the story")
      Markup.notice(
        "The note was changed in another window. Your changes have not been saved yet. "
          + "Compare both notes, and save the one to keep.")
      element(.section, .class("conflict"), .label("The stored note")) {
        element(.h2) { "Stored now" }
        element(.pre, .class("typed")) { current.isEmpty ? "No note." : current }
        element(.p) { element(.a, .href(back)) { "Keep the stored note" } }
        element(.h2) { "Yours" }
      }
      Markup.form(to: "/stories/\(id.uuidString)/note", back: back) {
        note(typed, from: current)
        element(.button) { "Save mine" }
      }
    }
    return .page(page, status: 409)
  }

  /// Returns the field of a note, with the revision of the stored note.
  @MarkupBuilder
  private static func note(_ text: String, from base: String) -> Markup {
    Markup.hidden("revision", StoryParts.revision(of: [base]))
    element(.label, Attribute("for", "note")) { "Note" }
    element(.textarea, .id("note"), Attribute("name", "note"), Attribute("rows", "3")) { text }
  }
}
