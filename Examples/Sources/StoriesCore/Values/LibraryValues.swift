public import Foundation

/// A collection as a value.
public struct CollectionValue: Codable, Hashable, Identifiable, Sendable {
  /// The collection's id.
  public var id: UUID
  /// The name.
  public var name: String
  /// The creation date.
  public var createdAt: Date
  /// The subject.
  public var descriptionText: String?
  /// The area of growth that the stories support.
  public var growthCategory: GrowthCategory?
  /// The age group of the stories.
  public var targetAgeGroup: AgeGroup?
  /// The fraction of its stories that were read at least once, from 0 to 1.
  public var progress: Double
  /// The ids of its stories, oldest story first.
  public var storyIDs: [UUID]

  /// Creates a value from a model.
  public init(_ collection: StoryCollection) {
    id = collection.id
    name = collection.name
    createdAt = collection.createdAt
    descriptionText = collection.descriptionText
    growthCategory = collection.growthCategory
    targetAgeGroup = collection.targetAgeGroup
    progress = collection.completionProgress
    storyIDs = collection.stories
      .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map(\.id)
  }
}

/// An achievement as a value.
public struct AchievementValue: Codable, Hashable, Identifiable, Sendable {
  /// The achievement's id.
  public var id: UUID
  /// The name.
  public var name: String
  /// The description of the reason.
  public var descriptionText: String
  /// The date on which the achievement was earned; nil for an achievement in progress.
  public var earnedAt: Date?
  /// The reason for the achievement.
  public var type: AchievementType
  /// The name of the picture.
  public var iconName: String?
  /// The progress of an achievement that is not yet earned.
  public var progress: Double?
  /// The id of the story that earned the achievement.
  public var storyID: UUID?

  /// Creates a value from a model.
  public init(_ achievement: Achievement) {
    id = achievement.id
    name = achievement.name
    descriptionText = achievement.descriptionText
    earnedAt = achievement.earnedAt
    type = achievement.type
    iconName = achievement.iconName
    progress = achievement.progress
    storyID = achievement.story?.id
  }
}

/// The child's profile as a value.
public struct ProfileValue: Codable, Hashable, Identifiable, Sendable {
  /// The profile's id.
  public var id: UUID
  /// The creation date.
  public var createdAt: Date
  /// The child's name.
  public var childName: String
  /// The child's date of birth.
  public var dateOfBirth: Date?
  /// The child's interests.
  public var interests: [String]
  /// The themes that the child likes.
  public var preferredThemes: [String]
  /// The characters that the child likes.
  public var favoriteCharacters: [String]
  /// The child's reading settings.
  public var settings: ReadingSettings
  /// The child's streak of reading days.
  public var streak: ReadingStreak

  /// Creates a value from a model.
  public init(_ profile: UserProfile) {
    id = profile.id
    createdAt = profile.createdAt
    childName = profile.childName
    dateOfBirth = profile.dateOfBirth
    interests = profile.interests ?? []
    preferredThemes = profile.preferredThemes ?? []
    favoriteCharacters = profile.favoriteCharacters ?? []
    settings = profile.settings ?? ReadingSettings()
    streak = profile.streak ?? ReadingStreak()
  }

  /// Writes the child's data and settings to a model. The id, the creation date and the streak of the model do not change.
  func writeData(to profile: UserProfile) {
    profile.childName = childName
    profile.dateOfBirth = dateOfBirth
    profile.interests = interests
    profile.preferredThemes = preferredThemes
    profile.favoriteCharacters = favoriteCharacters
    profile.settings = settings
  }
}
