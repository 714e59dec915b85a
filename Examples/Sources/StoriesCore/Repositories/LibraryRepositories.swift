public import SwiftData
import OpenPersistenceKit

/// The stories of a context.
public final class StoryRepository: ModelRepository<Story> {
  /// The story of an id.
  ///
  /// - Throws: `StoriesError` with code `.notFound`.
  public func story(_ id: UUID) throws -> Story {
    try first(#Predicate { $0.id == id }, or: "story", id)
  }

  /// Counts that a story was read to its end; saved with the next save.
  ///
  /// The progress of its collections follows.
  public func countReading(of story: Story, at instant: Date) {
    story.readCount = story.readCount == .max ? .max : story.readCount + 1
    story.lastReadAt = max(instant, story.lastReadAt ?? instant)
    for collection in story.collections { collection.updateProgress() }
  }

  /// Makes a story a favourite, or no longer one, and saves.
  public func toggleFavorite(_ story: Story) async throws {
    story.isFavorite.toggle()
    try await update(story)
  }
}

/// The collections of a context.
public final class CollectionRepository: ModelRepository<StoryCollection> {
  /// The collection of an id.
  ///
  /// - Throws: `StoriesError` with code `.notFound`.
  public func collection(_ id: UUID) throws -> StoryCollection {
    try first(#Predicate { $0.id == id }, or: "collection", id)
  }

  /// All collections, the newest first.
  public static var all: FetchDescriptor<StoryCollection> {
    FetchDescriptor(sortBy: [SortDescriptor(\.createdAt, order: .reverse), SortDescriptor(\.id)])
  }
}

/// The achievements of a context.
public final class AchievementRepository: ModelRepository<Achievement> {
  /// Those that were earned, the latest first.
  public static var earned: FetchDescriptor<Achievement> {
    FetchDescriptor(
      predicate: #Predicate { $0.earnedAt != nil },
      sortBy: [SortDescriptor(\.earnedAt, order: .reverse), SortDescriptor(\.id)])
  }

  /// Those that a story earned.
  public static func earned(by storyID: UUID) -> FetchDescriptor<Achievement> {
    FetchDescriptor(
      predicate: #Predicate { $0.story?.id == storyID }, sortBy: [SortDescriptor(\.id)])
  }

  /// Adds an achievement unless it is there already; saved with the next save.
  ///
  /// - Returns: The new achievement; nil for one that was earned before.
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
  /// The id of a new profile, the same in all programs, so that two of them make one.
  private static let soleID = UUID(
    uuid: (0x5B, 1, 0x9D, 0xE0, 0x61, 0x1C, 0x4F, 0x0E, 0x9A, 0x11, 0x3C, 0x2D, 0x7E, 0x55, 0, 1))

  /// The profile, which is made when there is none; saved with the next save.
  ///
  /// - Parameter instant: When a new one is made.
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
