public import Foundation
import SwiftData
import OpenPersistenceKit

/// The result of reading a story to the end.
public struct ReadingOutcome: Hashable, Sendable {
  /// The story with its updated count.
  public let story: StoryValue
  /// The newly earned achievements.
  public let earned: [AchievementValue]
  /// The number of days in a row on which the child has read, including this day.
  public let streakDays: Int
}

extension StoryLibrary {
  /// Records that a story was read to the end, and awards achievements.
  ///
  /// Each achievement is earned once, even if several windows and programs finish stories at the same time.
  ///
  /// - Throws: `StoriesError` with code `.notFound` if the story does not exist.
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

  /// Returns the achievements whose conditions are met, including those earned before.
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
          descriptionText: "You read \(length) days in a row.", earnedAt: instant,
          type: .readingStreak, iconName: "flame"))
    }
    for collection in story.collections where collection.progress == 1 {
      list.append(
        Achievement(
          id: collection.id.derived(for: "collectionCompleted"), name: collection.name,
          descriptionText: "You read all stories in “\(collection.name)”.", earnedAt: instant,
          type: .collectionCompleted, iconName: "star"))
    }
    return list
  }

  // MARK: Achievements

  /// Returns the earned achievements, latest first.
  ///
  /// - Throws: `PersistenceError.fetchFailed`.
  public func earnedAchievements() async throws -> [AchievementValue] {
    try await achievements.fetch(AchievementRepository.earned).map(AchievementValue.init)
  }

  // MARK: The profile

  /// Returns the child's profile, and creates it if none exists.
  ///
  /// - Throws: `PersistenceError`.
  public func profile() async throws -> ProfileValue {
    if let profile = try await storedProfile() { return profile }
    return try await change("create profile", "") {
      ProfileValue(try await profiles.profile(at: now))
    }
  }

  /// Returns the child's reading settings; the default settings if there is no profile.
  ///
  /// - Throws: `PersistenceError.fetchFailed`.
  public func readingSettings() async throws -> ReadingSettings {
    try await storedProfile()?.settings ?? ReadingSettings()
  }

  private func storedProfile() async throws -> ProfileValue? {
    let found = try await profiles.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.createdAt)]))
    return found.first.map { ProfileValue($0) }
  }

  /// Changes the child's data and settings in the profile. The id, the creation date and the streak do not change.
  ///
  /// - Parameter edit: A closure that changes the data. If it throws, the profile stays the same.
  /// - Throws: Any error that the closure throws; `StoriesError` with code `.invalidValue` if the new date of birth is in the future;
  ///   `PersistenceError.saveFailed`.
  @discardableResult
  public func updateProfile(
    _ edit: @Sendable (inout ProfileValue) throws -> Void
  ) async throws -> ProfileValue {
    try await change("change profile", "") {
      let profile = try await profiles.profile(at: now)
      var value = ProfileValue(profile)
      try edit(&value)
      try write(value, to: profile)
      return ProfileValue(profile)
    }
  }

  /// Changes the child's data and settings in the profile, unless another window or program has changed them in the meantime.
  ///
  /// - Parameters:
  ///   - former: The profile before the edit.
  ///   - new: The profile with the new data and settings. Its id, its creation date and its streak are ignored.
  /// - Throws: `StoriesError` with code `.changedElsewhere`, or `.invalidValue` if the new date of birth is in the future;
  ///   `PersistenceError.saveFailed`.
  public func editProfile(from former: ProfileValue, to new: ProfileValue) async throws {
    try await change("change profile", "") {
      let profile = try await profiles.profile(at: now)
      let current = ProfileValue(profile)
      guard current.saysTheSame(as: former) || current.saysTheSame(as: new) else {
        throw StoriesError(
          .changedElsewhere,
          "The profile was changed in another window. Compare both, and save the one to keep.")
      }
      try write(new, to: profile)
    }
  }

  private func write(_ value: ProfileValue, to profile: UserProfile) throws {
    // A date of birth is a day, of which any instant can be stored.
    if let birth = value.dateOfBirth, birth != profile.dateOfBirth,
      store.clock.calendar().startOfDay(for: birth) > now
    {
      throw StoriesError(
        .invalidValue, "The date of birth is in the future. Enter an earlier date.")
    }
    value.writeData(to: profile)
  }

  /// Returns the number of days in a row on which the child has read, up to today or yesterday.
  ///
  /// - Throws: `PersistenceError`.
  public func currentStreak() async throws -> Int {
    try await profile().streak.currentDays(at: now, in: store.clock.calendar())
  }
}

extension ProfileValue {
  /// Returns whether the child's data and settings are the same.
  fileprivate func saysTheSame(as other: ProfileValue) -> Bool {
    var other = other
    (other.id, other.createdAt, other.streak) = (id, createdAt, streak)
    return self == other
  }
}
