public import Foundation
import SwiftData
import OpenPersistenceKit

/// What happens to the stories of a deleted collection.
public enum CollectionDeletion: String, Codable, CaseIterable, Sendable {
  /// The stories stay in the library.
  case keepingStories
  /// The stories are deleted too, including from other collections.
  case withStories
}

/// The confirmation to show before a collection is deleted.
public struct CollectionDeletionQuestion: Hashable, Sendable {
  /// The collection.
  public let collection: CollectionValue
  /// The number of its stories that are also in other collections.
  public let sharedStories: Int
}

extension StoryLibrary {
  // MARK: Reading

  /// Returns all collections, newest first.
  ///
  /// - Throws: `PersistenceError.fetchFailed`.
  public func allCollections() async throws -> [CollectionValue] {
    var descriptor = CollectionRepository.all
    descriptor.relationshipKeyPathsForPrefetching = [\.stories]
    return try await collections.fetch(descriptor).map(CollectionValue.init)
  }

  /// Returns a collection.
  ///
  /// - Throws: `StoriesError` with code `.notFound` if the collection does not exist.
  public func collection(_ id: UUID) throws -> CollectionValue {
    CollectionValue(try collections.collection(id))
  }

  /// Returns the collections that contain a story, sorted by name.
  ///
  /// - Throws: `StoriesError` with code `.notFound` if the story does not exist.
  public func collections(of storyID: UUID) throws -> [CollectionValue] {
    try stories.story(storyID).collections.map(CollectionValue.init)
      .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  // MARK: Changing

  /// Adds a collection with its stories, in one save.
  ///
  /// - Throws: `StoriesError` with code `.invalidValue` if the name is blank, or `.notFound` if a story does not exist; no collection is
  ///   added.
  public func addCollection(
    named name: String, descriptionText: String? = nil, growthCategory: GrowthCategory? = nil,
    targetAgeGroup: AgeGroup? = nil, stories storyIDs: [UUID] = [], id: UUID = UUID()
  ) async throws -> CollectionValue {
    try Self.requireName(name)
    return try await change("add collection", name) {
      let collection = StoryCollection(
        id: id, name: name, createdAt: now, descriptionText: descriptionText,
        growthCategory: growthCategory, targetAgeGroup: targetAgeGroup)
      modelContext.insert(collection)
      try append(storyIDs, to: collection)
      return CollectionValue(collection)
    }
  }

  private static func requireName(_ name: String) throws {
    if name.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
      throw StoriesError(.invalidValue, "The collection has no name. Enter a name.")
    }
  }

  /// Renames a collection.
  ///
  /// - Throws: `StoriesError` with code `.invalidValue` if the name is blank, or `.notFound` if the collection does not exist.
  public func renameCollection(_ id: UUID, to name: String) async throws {
    try Self.requireName(name)
    try await change("rename collection", name) {
      try collections.collection(id).name = name
    }
  }

  /// Adds stories to a collection. Stories that the collection already contains stay in it.
  ///
  /// - Throws: `StoriesError` with code `.notFound` if the collection or a story does not exist; no story is added.
  public func add(_ storyIDs: [UUID], to collectionID: UUID) async throws {
    try await change("add to collection", "\(storyIDs.count)") {
      try append(storyIDs, to: try collections.collection(collectionID))
    }
  }

  private func append(_ storyIDs: [UUID], to collection: StoryCollection) throws {
    var members = Set(collection.stories.map(\.id))
    for id in storyIDs where members.insert(id).inserted {
      collection.stories.append(try stories.story(id))
    }
    collection.updateProgress()
  }

  /// Removes stories from a collection; the stories stay in the library.
  ///
  /// - Throws: `StoriesError` with code `.notFound` if the collection does not exist.
  public func remove(_ storyIDs: [UUID], from collectionID: UUID) async throws {
    try await change("remove from collection", "\(storyIDs.count)") {
      let collection = try collections.collection(collectionID)
      let gone = Set(storyIDs)
      collection.stories.removeAll { gone.contains($0.id) }
      collection.updateProgress()
    }
  }

  /// Returns the confirmation to show before a collection is deleted.
  ///
  /// - Throws: `StoriesError` with code `.notFound` if the collection does not exist.
  public func question(beforeDeleting id: UUID) throws -> CollectionDeletionQuestion {
    let collection = try collections.collection(id)
    return CollectionDeletionQuestion(
      collection: CollectionValue(collection),
      sharedStories: collection.stories.count { $0.collections.count > 1 })
  }

  /// Deletes a collection, and keeps achievements.
  ///
  /// - Parameters:
  ///   - id: The collection.
  ///   - deletion: Whether its stories are kept or deleted.
  /// - Throws: `StoriesError` with code `.notFound` if the collection does not exist.
  public func deleteCollection(_ id: UUID, _ deletion: CollectionDeletion) async throws {
    let members = deletion == .withStories ? try collection(id).storyIDs : []
    try await change("delete collection", deletion.rawValue, touching: members) {
      let collection = try collections.collection(id)
      let gone = deletion == .withStories ? collection.stories : []
      let others = Set(gone.flatMap(\.collections)).subtracting([collection])
      modelContext.delete(collection)
      for story in gone { modelContext.delete(story) }
      modelContext.processPendingChanges()
      for other in others { other.updateProgress() }
    }
  }
}
