public import Foundation
import SwiftData
import OpenPersistenceKit

extension StoryLibrary {
  // MARK: Reading

  /// The stories that a query finds.
  ///
  /// - Throws: `PersistenceError.fetchFailed`.
  public func rows(_ query: StoryQuery = StoryQuery()) async throws -> [StoryRow] {
    try await stories.fetch(query.descriptor).map(StoryRow.init)
  }

  /// The number of stories that a query finds, whatever its limit and offset.
  ///
  /// - Throws: `PersistenceError.fetchFailed`.
  public func count(_ query: StoryQuery = StoryQuery()) async throws -> Int {
    var query = query
    (query.offset, query.limit) = (0, nil)
    return try await stories.count(query.descriptor)
  }

  /// The themes of all stories, by name, each with the number of its stories.
  ///
  /// - Throws: `PersistenceError.fetchFailed`.
  public func themes() async throws -> [(theme: String, count: Int)] {
    var descriptor = FetchDescriptor<Story>()
    descriptor.propertiesToFetch = [\.theme]
    let themes = try await stories.fetch(descriptor).map(\.theme)
    return Dictionary(grouping: themes) { $0 }.map { ($0.key, $0.value.count) }
      .sorted { $0.theme < $1.theme }
  }

  /// A story with its pages, from a cache if it is in one.
  ///
  /// - Throws: `StoriesError` with code `.notFound`.
  public func story(_ id: UUID) async throws -> StoryValue { try await cachedStory(id) }

  /// A story as it is stored now; the cache may not have been told of the last change by another window or program yet.
  ///
  /// - Throws: As ``story(_:)``.
  public func storedStory(_ id: UUID) async throws -> StoryValue {
    await cache.remove(id)
    return try await cachedStory(id)
  }

  // MARK: Changing

  /// Adds a story.
  ///
  /// - Parameters:
  ///   - text: The title, the text and what it is about.
  ///   - childName: The child for whom it was made.
  ///   - id: The story's own id.
  /// - Throws: `StoriesError` with code `.invalidValue` without a title or a text.
  public func add(
    _ text: StoryText, childName: String? = nil, id: UUID = UUID()
  ) async throws -> StoryValue {
    try Self.require(text)
    return try await change("add story", text.title) {
      let story = Story(
        id: id, title: text.title, content: text.content, createdAt: now, ageGroup: text.ageGroup,
        theme: text.theme, mainCharacter: text.mainCharacter)
      story.childName = childName
      modelContext.insert(story)
      return StoryValue(story)
    }
  }

  private static func require(_ text: StoryText) throws {
    if text.title.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
      throw StoriesError(.invalidValue, "The story has no title. Give it one.")
    }
    if PageText.pages(of: text.content).isEmpty {
      throw StoriesError(.invalidValue, "The story has no text. Write at least a sentence.")
    }
  }

  /// Gives a story another text, unless it was changed elsewhere meanwhile.
  ///
  /// - Parameters:
  ///   - id: The story.
  ///   - former: The text that the editing began with.
  ///   - text: The new text.
  /// - Throws: `StoriesError` with code `.changedElsewhere`, which has the story as it is now, `.invalidValue` or `.notFound`.
  public func edit(
    _ id: UUID, from former: StoryText, to text: StoryText
  ) async throws -> StoryValue {
    try Self.require(text)
    return try await change("edit story", text.title, touching: [id]) {
      let story = try stories.story(id)
      let current = StoryText(StoryValue(story))
      guard current == former || current == text else {
        throw StoriesError(
          .changedElsewhere,
          "The story was changed in another window. Compare both texts, and save the one to keep.",
          current: StoryValue(story))
      }
      story.title = text.title
      story.ageGroup = text.ageGroup
      story.theme = text.theme
      story.mainCharacter = text.mainCharacter
      if story.content != text.content { story.setContent(text.content) }
      return StoryValue(story)
    }
  }

  /// Makes a story a favourite, or no longer one.
  ///
  /// - Throws: `StoriesError` with code `.notFound`.
  public func setFavorite(_ isFavorite: Bool, _ id: UUID) async throws {
    try await change(isFavorite ? "favourite" : "no favourite", id.uuidString, touching: [id]) {
      try stories.story(id).isFavorite = isFavorite
    }
  }

  /// Notes something on a story; an empty text removes the note.
  ///
  /// - Throws: `StoriesError` with code `.notFound`.
  public func setNotes(_ notes: String, _ id: UUID) async throws {
    try await change("note", id.uuidString, touching: [id]) {
      try stories.story(id).notes = notes.isEmpty ? nil : notes
    }
  }

  /// Notes something on a story, unless another note was written elsewhere meanwhile.
  ///
  /// - Parameters:
  ///   - id: The story.
  ///   - former: The note that the editing began with; empty for none.
  ///   - notes: The new note; an empty one removes the note.
  /// - Throws: `StoriesError` with code `.changedElsewhere`, which has the story as it is now, or `.notFound`.
  public func editNotes(_ id: UUID, from former: String, to notes: String) async throws {
    try await change("note", id.uuidString, touching: [id]) {
      let story = try stories.story(id)
      let current = story.notes ?? ""
      guard current == former || current == notes else {
        throw StoriesError(
          .changedElsewhere,
          "The note was changed in another window. Compare both notes, and save the one to keep.",
          current: StoryValue(story))
      }
      story.notes = notes.isEmpty ? nil : notes
    }
  }

  /// Deletes stories with their pages, all or none of them. Their achievements stay.
  ///
  /// - Throws: `StoriesError` with code `.notFound` if there is no such story.
  public func deleteStories(_ ids: [UUID]) async throws {
    try await change("delete stories", "\(ids.count)", touching: ids) {
      let gone = try ids.map { try stories.story($0) }
      let affected = Set(gone.flatMap(\.collections))
      for story in gone { modelContext.delete(story) }
      modelContext.processPendingChanges()
      for collection in affected { collection.updateProgress() }
    }
  }
}
