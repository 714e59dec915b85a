public import Foundation
import SwiftData
import OpenPersistenceKit

extension StoryLibrary {
  // MARK: Reading

  /// Returns the stories that match a query.
  ///
  /// - Throws: `PersistenceError.fetchFailed`.
  public func rows(_ query: StoryQuery = StoryQuery()) async throws -> [StoryRow] {
    try await stories.fetch(query.descriptor).map(StoryRow.init)
  }

  /// Returns the number of stories that match a query, ignoring its limit and offset.
  ///
  /// - Throws: `PersistenceError.fetchFailed`.
  public func count(_ query: StoryQuery = StoryQuery()) async throws -> Int {
    var query = query
    (query.offset, query.limit) = (0, nil)
    return try await stories.count(query.descriptor)
  }

  /// Returns the themes of all stories, sorted by name, each with the number of its stories.
  ///
  /// - Throws: `PersistenceError.fetchFailed`.
  public func themes() async throws -> [(theme: String, count: Int)] {
    var descriptor = FetchDescriptor<Story>()
    descriptor.propertiesToFetch = [\.theme]
    let themes = try await stories.fetch(descriptor).map(\.theme)
    return Dictionary(grouping: themes) { $0 }.map { ($0.key, $0.value.count) }
      .sorted { $0.theme < $1.theme }
  }

  /// Returns a story with its pages, from a cache if possible.
  ///
  /// - Throws: `StoriesError` with code `.notFound` if the story does not exist.
  public func story(_ id: UUID) async throws -> StoryValue { try await cachedStory(id) }

  /// Returns the stored story. The memory cache, which this method bypasses, may not yet reflect the last change by another window or
  /// program.
  ///
  /// - Throws: The same errors as ``story(_:)``.
  public func storedStory(_ id: UUID) async throws -> StoryValue {
    await cache.remove(id)
    return try await cachedStory(id)
  }

  // MARK: Changing

  /// Adds a story.
  ///
  /// - Parameters:
  ///   - text: The title, the text, the age group, the theme and the main character.
  ///   - childName: The name of the child for whom the story is created.
  ///   - id: The story's id.
  /// - Throws: `StoriesError` with code `.invalidValue` if the title or the text is blank.
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
      throw StoriesError(.invalidValue, "The story has no title. Enter a title.")
    }
    if PageText.pages(of: text.content).isEmpty {
      throw StoriesError(.invalidValue, "The story has no text. Enter at least one sentence.")
    }
  }

  /// Replaces the text of a story, unless another window or program has changed it in the meantime.
  ///
  /// - Parameters:
  ///   - id: The story.
  ///   - former: The text before the edit.
  ///   - text: The new text.
  /// - Throws: `StoriesError` with code `.changedElsewhere`, which has the current story, `.invalidValue` or `.notFound`.
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

  /// Marks or unmarks a story as a favourite.
  ///
  /// - Throws: `StoriesError` with code `.notFound` if the story does not exist.
  public func setFavorite(_ isFavorite: Bool, _ id: UUID) async throws {
    try await change(isFavorite ? "add favorite" : "remove favorite", id.uuidString, touching: [id])
    {
      try stories.story(id).isFavorite = isFavorite
    }
  }

  /// Sets the note of a story; an empty text removes the note.
  ///
  /// - Throws: `StoriesError` with code `.notFound` if the story does not exist.
  public func setNotes(_ notes: String, _ id: UUID) async throws {
    try await change("note", id.uuidString, touching: [id]) {
      try stories.story(id).notes = notes.isEmpty ? nil : notes
    }
  }

  /// Sets the note of a story, unless another window or program has changed the note in the meantime.
  ///
  /// - Parameters:
  ///   - id: The story.
  ///   - former: The note before the edit; empty for none.
  ///   - notes: The new note; an empty text removes the note.
  /// - Throws: `StoriesError` with code `.changedElsewhere`, which has the current story, or `.notFound`.
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

  /// Deletes all of the stories with their pages, or none of them. Their achievements are kept.
  ///
  /// - Throws: `StoriesError` with code `.notFound` if a story does not exist.
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
