public import SwiftData
import OpenPersistenceKit

/// The stories of a context.
public final class StoryRepository: ModelRepository<Story> {
  /// Returns the story with an id.
  ///
  /// - Throws: `StoriesError` with code `.notFound` if the story does not exist.
  public func story(_ id: UUID) throws -> Story {
    try first(#Predicate { $0.id == id }, or: "story", id)
  }

  /// Counts that a story was read to the end, and updates the progress of its collections.
  ///
  /// The next save writes the changes.
  public func countReading(of story: Story, at instant: Date) {
    story.readCount = story.readCount == .max ? .max : story.readCount + 1
    story.lastReadAt = max(instant, story.lastReadAt ?? instant)
    for collection in story.collections { collection.updateProgress() }
  }

  /// Marks or unmarks a story as a favourite, and saves.
  public func toggleFavorite(_ story: Story) async throws {
    story.isFavorite.toggle()
    try await update(story)
  }
}

/// The collections of a context.
public final class CollectionRepository: ModelRepository<StoryCollection> {
  /// Returns the collection with an id.
  ///
  /// - Throws: `StoriesError` with code `.notFound` if the collection does not exist.
  public func collection(_ id: UUID) throws -> StoryCollection {
    try first(#Predicate { $0.id == id }, or: "collection", id)
  }

  /// A descriptor for all collections, newest first.
  public static var all: FetchDescriptor<StoryCollection> {
    FetchDescriptor(sortBy: [SortDescriptor(\.createdAt, order: .reverse), SortDescriptor(\.id)])
  }
}

/// The achievements of a context.
public final class AchievementRepository: ModelRepository<Achievement> {
  /// A descriptor for the earned achievements, latest first.
  public static var earned: FetchDescriptor<Achievement> {
    FetchDescriptor(
      predicate: #Predicate { $0.earnedAt != nil },
      sortBy: [SortDescriptor(\.earnedAt, order: .reverse), SortDescriptor(\.id)])
  }

  /// Returns a descriptor for the achievements that a story earned.
  public static func earned(by storyID: UUID) -> FetchDescriptor<Achievement> {
    FetchDescriptor(
      predicate: #Predicate { $0.story?.id == storyID }, sortBy: [SortDescriptor(\.id)])
  }

  /// Inserts an achievement unless it already exists. The next save writes it.
  ///
  /// - Returns: The new achievement; nil if it was earned before.
  func earn(
    _ achievement: Achievement, for profile: UserProfile, by story: Story?
  ) throws -> Achievement? {
    let id = achievement.id
    let known = try modelContext.fetchCount(
      FetchDescriptor<Achievement>(predicate: #Predicate { $0.id == id }))
    if known > 0 { return nil }
    modelContext.insert(achievement)
    achievement.profile = profile
    achievement.story = story
    return achievement
  }
}

/// The child's profile in a context: a single row.
public final class ProfileRepository: ModelRepository<UserProfile> {
  /// The id of a new profile, the same in all programs, so that two programs create one profile.
  private static let soleID = UUID(
    uuid: (0x5B, 1, 0x9D, 0xE0, 0x61, 0x1C, 0x4F, 0x0E, 0x9A, 0x11, 0x3C, 0x2D, 0x7E, 0x55, 0, 1))

  /// Returns the profile, and creates it if none exists. The next save writes a new profile.
  ///
  /// - Parameter instant: The creation date of a new profile.
  /// - Throws: `PersistenceError.fetchFailed`.
  public func profile(at instant: Date) async throws -> UserProfile {
    var descriptor = FetchDescriptor<UserProfile>(
      sortBy: [SortDescriptor(\.createdAt), SortDescriptor(\.id)])
    descriptor.fetchLimit = 1
    if let profile = try await fetch(descriptor).first { return profile }
    let profile = UserProfile(id: Self.soleID, createdAt: instant)
    modelContext.insert(profile)
    return profile
  }
}
