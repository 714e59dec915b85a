public import Foundation
import SwiftData
import OpenPersistenceKit

/// What came of reading a story to its end.
public struct ReadingOutcome: Hashable, Sendable {
  /// The story, with its new count.
  public let story: StoryValue
  /// The achievements that were earned by it.
  public let earned: [AchievementValue]
  /// The days in a row on which the child has read, this one included.
  public let streakDays: Int
}

extension StoryLibrary {
  /// Counts that a story was read to its end, and gives what that earns.
  ///
  /// Each achievement is earned once, whatever windows and programs finish stories at a time.
  ///
  /// - Throws: `StoriesError` with code `.notFound`.
  public func finishReading(_ id: UUID) async throws -> ReadingOutcome {
    try await change("read", id.uuidString, touching: [id]) {
      let story = try stories.story(id)
      let profile = try await profiles.profile(at: now)
      let (instant, calendar) = (now, store.clock.calendar())
      stories.countReading(of: story, at: instant)
      var streak = profile.streak ?? ReadingStreak()
      streak.noteReading(at: instant, in: calendar)
      profile.streak = streak
      let earned = try Self.deserved(by: story, streak, of: profile, at: instant)
        .compactMap { try achievements.earn($0, for: profile, by: story) }
      return ReadingOutcome(
        story: StoryValue(story), earned: earned.map(AchievementValue.init),
        streakDays: streak.days)
    }
  }

  private static let storyCounts = [10, 50, 100, 500]
  private static let streakLengths = [3, 7, 30, 100]

  /// What the child has deserved by now, earned before or not.
  private static func deserved(
    by story: Story, _ streak: ReadingStreak, of profile: UserProfile, at instant: Date
  ) -> [Achievement] {
    var list = [
      Achievement(
        id: profile.id.derived(for: "firstStory"), name: "First story",
        descriptionText: "You read your first story.", earnedAt: instant, type: .firstStory,
        iconName: "book")
    ]
    for count in storyCounts where streak.storiesRead >= count {
      list.append(
        Achievement(
          id: profile.id.derived(for: "storiesRead \(count)"), name: "\(count) stories",
          descriptionText: "You read \(count) stories.", earnedAt: instant, type: .storiesRead,
          iconName: "books"))
    }
    for length in streakLengths where streak.days >= length {
      list.append(
        Achievement(
          id: profile.id.derived(for: "readingStreak \(length)"), name: "\(length) days in a row",
          descriptionText: "You read on \(length) days in a row.", earnedAt: instant,
          type: .readingStreak, iconName: "flame"))
    }
    for collection in story.collections where collection.progress == 1 {
      list.append(
        Achievement(
          id: collection.id.derived(for: "collectionCompleted"), name: collection.name,
          descriptionText: "You read all stories of “\(collection.name)”.", earnedAt: instant,
          type: .collectionCompleted, iconName: "star"))
    }
    return list
  }

  // MARK: Achievements

  /// The achievements, the latest first.
  ///
  /// - Throws: `PersistenceError.fetchFailed`.
  public func earnedAchievements() async throws -> [AchievementValue] {
    try await achievements.fetch(AchievementRepository.earned).map(AchievementValue.init)
  }

  // MARK: The profile

  /// The child's profile, which is made when there is none.
  ///
  /// - Throws: `PersistenceError`.
  public func profile() async throws -> ProfileValue {
    let found = try await profiles.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.createdAt)]))
    if let profile = found.first { return ProfileValue(profile) }
    return try await change("make profile", "") {
      ProfileValue(try await profiles.profile(at: now))
    }
  }

  /// Changes what the profile says of the child; id, date and streak stay.
  ///
  /// - Throws: `PersistenceError.saveFailed`.
  @discardableResult
  public func updateProfile(_ edit: @Sendable (inout ProfileValue) -> Void) async throws
    -> ProfileValue
  {
    try await change("change profile", "") {
      let profile = try await profiles.profile(at: now)
      var value = ProfileValue(profile)
      edit(&value)
      profile.childName = value.childName
      profile.dateOfBirth = value.dateOfBirth
      profile.interests = value.interests
      profile.preferredThemes = value.preferredThemes
      profile.favoriteCharacters = value.favoriteCharacters
      profile.settings = value.settings
      return ProfileValue(profile)
    }
  }

  /// Changes what the profile says of the child, unless it was changed elsewhere meanwhile.
  ///
  /// - Parameters:
  ///   - former: The profile that the editing began with. Only name, interests and favourite characters are compared.
  ///   - new: The profile with its new name, interests and favourite characters.
  /// - Throws: `StoriesError` with code `.changedElsewhere`, or `PersistenceError.saveFailed`.
  public func editProfile(from former: ProfileValue, to new: ProfileValue) async throws {
    try await change("change profile", "") {
      let profile = try await profiles.profile(at: now)
      let current = ProfileValue(profile)
      guard current.saysTheSame(as: former) || current.saysTheSame(as: new) else {
        throw StoriesError(
          .changedElsewhere,
          "The profile was changed in another window. Compare both, and save the one to keep.")
      }
      profile.childName = new.childName
      profile.interests = new.interests
      profile.favoriteCharacters = new.favoriteCharacters
    }
  }

  /// On how many days in a row the child has read, up to today or yesterday.
  ///
  /// - Throws: `PersistenceError`.
  public func currentStreak() async throws -> Int {
    try await profile().streak.currentDays(at: now, in: store.clock.calendar())
  }
}

extension ProfileValue {
  /// Whether name, interests and favourite characters are the same.
  fileprivate func saysTheSame(as other: ProfileValue) -> Bool {
    childName == other.childName && interests == other.interests
      && favoriteCharacters == other.favoriteCharacters
  }
}
