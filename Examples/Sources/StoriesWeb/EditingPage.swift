import Foundation
import StoriesCore
import WebPages

/// The form for editing a story's text.
///
/// The form contains a revision, which is a hash of the original text. If the story has a different text when the form is submitted, the
/// server saves nothing. The page then shows both texts, and the reader decides.
struct EditingPage: Sendable {
  let parts: StoryParts

  /// Returns the response to a request for the form; nil for other requests.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    let path = request.path
    if request.method == .post, path == ["stories"] { return try await add(request) }
    guard path.count == 3, path[0] == "stories", path[2] == "edit",
      let id = UUID(uuidString: path[1])
    else { return nil }
    do {
      let current = StoryText(try await parts.library.storedStory(id))
      if request.method == .get { return .page(Self.form(id, current, from: current)) }
      return try await save(id, current, request)
    } catch let error as StoriesError where error.code == .notFound && request.method == .post {
      // The submitted text is not lost with the deleted story.
      return Self.newStory(Self.text(request), StoryParts.sentence(error), status: 409)
    }
  }

  /// Adds a new story with the text of a story that was deleted during the edit.
  private func add(_ request: WebRequest) async throws -> WebAnswer {
    let typed = Self.text(request)
    do {
      return .redirect(Self.path(try await parts.library.add(typed).id))
    } catch let error as StoriesError where error.code == .invalidValue {
      return Self.newStory(typed, StoryParts.sentence(error), status: 422)
    }
  }

  private static func newStory(_ text: StoryText, _ problem: String, status: Int) -> WebAnswer {
    .page(
      StoryParts.plain("Not saved") {
        Markup.up("/", "Shelf")
        Markup.notice(problem)
        fields(text, to: "/stories", button: "Save as a new story") { Markup("") }
      }, status: status)
  }

  private func save(
    _ id: UUID, _ current: StoryText, _ request: WebRequest
  ) async throws -> WebAnswer {
    let typed = Self.text(request, from: current)
    guard request.form["revision"] == current.revision else {
      return typed == current ? .redirect(Self.path(id)) : Self.conflict(id, typed, current)
    }
    do {
      _ = try await parts.library.edit(id, from: current, to: typed)
      return .redirect(Self.path(id))
    } catch let error as StoriesError where error.code == .changedElsewhere {
      // Another window saved between the comparison and this save.
      guard let story = error.current else { throw error }
      return Self.conflict(id, typed, StoryText(story))
    } catch let error as StoriesError where error.code == .invalidValue {
      return .page(
        Self.form(id, typed, from: current, problem: StoryParts.sentence(error)), status: 422)
    }
  }

  private static func path(_ id: UUID) -> String { "/stories/\(id.uuidString)" }

  /// Returns the submitted text. If the form has no valid age group, the text has that of the stored text.
  private static func text(_ request: WebRequest, from current: StoryText? = nil) -> StoryText {
    StoryText(
      title: request.typed("title", from: current?.title), content: request.typed("content"),
      ageGroup: request.form["age"].flatMap { Int($0) }.flatMap(AgeGroup.init)
        ?? current?.ageGroup ?? .sixToEight,
      theme: request.typed("theme", from: current?.theme),
      mainCharacter: request.typed("character", from: current?.mainCharacter))
  }

  private static func conflict(
    _ id: UUID, _ typed: StoryText, _ current: StoryText
  ) -> WebAnswer {
    .page(
      form(
        id, typed, from: current,
        problem:
          "The story was changed in another window. Your changes have not been saved yet. "
          + "Compare both texts, and save the one to keep.", other: current), status: 409)
  }

  /// Returns the form.
  ///
  /// - Parameters:
  ///   - id: The story.
  ///   - text: The values of the fields.
  ///   - base: The stored text, which the form replaces.
  ///   - problem: The reason why the text was not saved.
  ///   - other: The text of another window, for comparison.
  private static func form(
    _ id: UUID, _ text: StoryText, from base: StoryText, problem: String? = nil,
    other: StoryText? = nil
  ) -> Markup {
    StoryParts.plain("Edit: \(base.title)") {
      Markup.up(path(id), "Back to the story")
      Markup.notice(problem)
      if let other {
        element(.section, .class("conflict"), .label("The stored text")) {
          element(.h2) { "Stored now: \(other.title)" }
          element(.p, .class("muted")) { facts(other) }
          element(.pre, .class("typed")) { other.content }
          element(.p) { element(.a, .href(path(id))) { "Keep the stored text" } }
          element(.h2) { "Yours" }
        }
      }
      fields(text, to: "\(path(id))/edit", button: other == nil ? "Save" : "Save mine") {
        Markup.hidden("revision", base.revision)
      }
    }
  }

  private static func fields(
    _ text: StoryText, to action: String, button: String, @MarkupBuilder first: () -> Markup
  ) -> Markup {
    element(.form, .class("writing"), Attribute("method", "post"), Attribute("action", action)) {
      first()
      Markup.field("title", "Title", value: text.title)
      element(.label, Attribute("for", "content")) { "Text" }
      element(.textarea, .id("content"), Attribute("name", "content"), Attribute("rows", "16")) {
        text.content
      }
      Markup.field("theme", "Category", value: text.theme)
      Markup.field("character", "Main character", value: text.mainCharacter)
      Markup.choice("age", "Age", StoryParts.ages, chosen: "\(text.ageGroup.rawValue)")
      element(.button) { button }
    }
  }

  private static func facts(_ text: StoryText) -> String {
    Wording.list(
      [text.theme, text.mainCharacter, StoryParts.name(of: text.ageGroup)].filter { !$0.isEmpty })
  }
}

extension StoryText {
  /// A hash of the text, as a string.
  fileprivate var revision: String {
    StoryParts.revision(of: [title, content, "\(ageGroup.rawValue)", theme, mainCharacter])
  }
}
