public import Foundation
import SwiftData
import OpenPersistenceKit

/// What becomes of the stories of a collection that is deleted.
public enum CollectionDeletion: String, Codable, CaseIterable, Sendable {
  /// They stay in the library.
  case keepingStories
  /// They are deleted too, also from other collections.
  case withStories
}

/// What the reader is asked before a collection is deleted.
public struct CollectionDeletionQuestion: Hashable, Sendable {
  /// The collection.
  public let collection: CollectionValue
  /// The number of its stories that are in other collections too.
  public let sharedStories: Int
}

extension StoryLibrary {
  // MARK: Reading

  /// All collections, the newest first.
  ///
  /// - Throws: `PersistenceError.fetchFailed`.
  public func allCollections() async throws -> [CollectionValue] {
    var descriptor = CollectionRepository.all
    descriptor.relationshipKeyPathsForPrefetching = [\.stories]
    return try await collections.fetch(descriptor).map(CollectionValue.init)
  }

  /// A collection.
  ///
  /// - Throws: `StoriesError` with code `.notFound`.
  public func collection(_ id: UUID) throws -> CollectionValue {
    CollectionValue(try collections.collection(id))
  }

  /// The collections that a story is in, by name.
  ///
  /// - Throws: `StoriesError` with code `.notFound`.
  public func collections(of storyID: UUID) throws -> [CollectionValue] {
    try stories.story(storyID).collections.map(CollectionValue.init)
      .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  // MARK: Changing

  /// Adds a collection.
  ///
  /// - Throws: `StoriesError` with code `.invalidValue` without a name.
  public func addCollection(
    named name: String, descriptionText: String? = nil, growthCategory: GrowthCategory? = nil,
    targetAgeGroup: AgeGroup? = nil, id: UUID = UUID()
  ) async throws -> CollectionValue {
    try Self.requireName(name)
    return try await change("add collection", name) {
      let collection = StoryCollection(
        id: id, name: name, createdAt: now, descriptionText: descriptionText,
        growthCategory: growthCategory, targetAgeGroup: targetAgeGroup)
      modelContext.insert(collection)
      return CollectionValue(collection)
    }
  }

  private static func requireName(_ name: String) throws {
    if name.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
      throw StoriesError(.invalidValue, "The collection has no name. Give it one.")
    }
  }

  /// Gives a collection another name.
  ///
  /// - Throws: `StoriesError` with code `.invalidValue` or `.notFound`.
  public func renameCollection(_ id: UUID, to name: String) async throws {
    try Self.requireName(name)
    try await change("rename collection", name) {
      try collections.collection(id).name = name
    }
  }

  /// Puts stories into a collection; those that are in it already stay.
  ///
  /// - Throws: `StoriesError` with code `.notFound`; none of them is added then.
  public func add(_ storyIDs: [UUID], to collectionID: UUID) async throws {
    try await change("add to collection", "\(storyIDs.count)") {
      let collection = try collections.collection(collectionID)
      var members = Set(collection.stories.map(\.id))
      for id in storyIDs where members.insert(id).inserted {
        collection.stories.append(try stories.story(id))
      }
      collection.updateProgress()
    }
  }

  /// Takes stories out of a collection; they stay in the library.
  ///
  /// - Throws: `StoriesError` with code `.notFound` without the collection.
  public func remove(_ storyIDs: [UUID], from collectionID: UUID) async throws {
    try await change("remove from collection", "\(storyIDs.count)") {
      let collection = try collections.collection(collectionID)
      let gone = Set(storyIDs)
      collection.stories.removeAll { gone.contains($0.id) }
      collection.updateProgress()
    }
  }

  /// What the reader is asked before a collection is deleted.
  ///
  /// - Throws: `StoriesError` with code `.notFound`.
  public func question(beforeDeleting id: UUID) throws -> CollectionDeletionQuestion {
    let collection = try collections.collection(id)
    return CollectionDeletionQuestion(
      collection: CollectionValue(collection),
      sharedStories: collection.stories.count { $0.collections.count > 1 })
  }

  /// Deletes a collection. Achievements stay.
  ///
  /// - Parameters:
  ///   - id: The collection.
  ///   - deletion: What becomes of its stories.
  /// - Throws: `StoriesError` with code `.notFound`.
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
