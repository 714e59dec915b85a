public import StoriesCore
import Foundation
public import WebPages
import OpenPersistenceKit

/// The pages of the reading application: the whole library, with live updates.
///
/// > Concurrency: A value type over shared state; usable on any thread.
public struct StoryPages: WebPageSource {
  private let parts: StoryParts
  private let reading: ReadingPages
  private let editing: EditingPage
  private let collections: CollectionPages
  private let achievements: AchievementsPage
  private let profile: ProfilePage
  private let generating: GeneratorPage

  /// Creates the pages of a library.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - lists: The lists that the pages show.
  ///   - seed: A closure that returns a seed when the reader enters none.
  public init(
    of library: StoryLibrary, lists: LiveLists,
    seed: @escaping @Sendable () -> UInt64 = { .random(in: 0...UInt64.max) }
  ) {
    parts = StoryParts(library: library, lists: lists)
    reading = ReadingPages(parts: parts)
    editing = EditingPage(parts: parts)
    collections = CollectionPages(parts: parts)
    achievements = AchievementsPage(parts: parts)
    profile = ProfilePage(parts: parts)
    generating = GeneratorPage(parts: parts, seed: seed)
  }

  /// Returns the response to a request.
  ///
  /// - Throws: An error of the library for which the pages have no response.
  public func answer(to request: WebRequest) async throws -> WebAnswer {
    do {
      switch (request.method, request.path.first, request.path.count) {
      case (.get, nil, _): return try await shelf(ShelfAddress(request))
      case (.get, "events", 1): return .events(request)
      case (.get, "site.css", 1):
        return try StyleSheet.answer(try await parts.library.readingSettings().darkMode)
      case (.get, "reader.js", 1): return try .file("reader.js", in: .module)
      default: break
      }
      if let answer = try await reading.answer(to: request) { return answer }
      if let answer = try await editing.answer(to: request) { return answer }
      if let answer = try await collections.answer(to: request) { return answer }
      if let answer = try await achievements.answer(to: request) { return answer }
      if let answer = try await profile.answer(to: request) { return answer }
      if let answer = try await generating.answer(to: request) { return answer }
    } catch let error as StoriesError where error.code == .notFound {
      return .page(page(title: "Not found", reason: StoryParts.sentence(error)), status: 404)
    } catch let error as StoriesError where error.code == .invalidValue {
      return .page(page(title: "Not saved", reason: StoryParts.sentence(error)), status: 422)
    } catch let error as PersistenceError {
      let reason = "\(error.localizedDescription) Nothing was changed. Try again."
      return .page(page(title: "Something went wrong", reason: reason), status: 500)
    }
    return .page(
      page(title: "No such page", reason: "There is nothing at this address."), status: 404)
  }

  /// Returns the page for an error.
  public func page(title: String, reason: String) -> Markup {
    StoryParts.problem(title: title, reason: reason)
  }

  private func shelf(_ address: ShelfAddress) async throws -> WebAnswer {
    let library = parts.library
    let stories = try await parts.show("shelf", key: address.key) {
      try await library.rows(address.query).map(Self.row)
    }
    let count = try await library.count(address.query)
    let themes = try await library.themes()
    return parts.live("Shelf", path: "/", stories) {
      address.form(themes: themes)
      stories.markup(empty: "There are no stories here. Create a story, or search for other words.")
      PageLinks.markup(
        path: "/", page: address.page, count: address.pageCount(count),
        parameters: address.parameters)
    }
  }

  /// Returns the row of a story on a shelf.
  static func row(_ story: StoryRow) -> LiveRow {
    let id = "story-\(story.id.uuidString)"
    let facts = [
      story.theme, story.mainCharacter, StoryParts.name(of: story.ageGroup),
      Wording.day(story.createdAt),
    ].filter { !$0.isEmpty }
    let markup = element(.li, .id(id)) {
      element(
        .a, .class(story.readCount == 0 ? "row unread" : "row"),
        .href("/stories/\(story.id.uuidString)")
      ) {
        element(.span, .class("title")) { (story.isFavorite ? "★ " : "") + story.title }
        element(.span, .class(story.readCount == 0 ? "count" : "count none")) {
          story.readCount == 0 ? "unread" : "read \(story.readCount)×"
        }
        element(.span, .class("meta")) { Wording.list(facts) }
      }
    }
    return LiveRow(id: id, markup: markup)
  }
}
