public import Foundation

/// A collection as a value.
public struct CollectionValue: Codable, Hashable, Identifiable, Sendable {
  /// The collection's own id.
  public var id: UUID
  /// The name.
  public var name: String
  /// When it was made.
  public var createdAt: Date
  /// What it is about.
  public var descriptionText: String?
  /// What its stories are to help with.
  public var growthCategory: GrowthCategory?
  /// For whom its stories are.
  public var targetAgeGroup: AgeGroup?
  /// The share of its stories that were read at least once, from 0 to 1.
  public var progress: Double
  /// The ids of its stories, the oldest story first.
  public var storyIDs: [UUID]

  /// Takes the values of a model.
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
  /// The achievement's own id.
  public var id: UUID
  /// The name.
  public var name: String
  /// What it was earned for.
  public var descriptionText: String
  /// When it was earned; nil for one that is on its way.
  public var earnedAt: Date?
  /// What it is for.
  public var type: AchievementType
  /// The picture's name.
  public var iconName: String?
  /// How far one is that is on its way.
  public var progress: Double?
  /// The story that earned it.
  public var storyID: UUID?

  /// Takes the values of a model.
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
  /// The profile's own id.
  public var id: UUID
  /// When it was made.
  public var createdAt: Date
  /// The child's name.
  public var childName: String
  /// The child's date of birth.
  public var dateOfBirth: Date?
  /// What the child likes.
  public var interests: [String]
  /// The themes that the child likes.
  public var preferredThemes: [String]
  /// The characters that the child likes.
  public var favoriteCharacters: [String]
  /// How the child likes to read.
  public var settings: ReadingSettings
  /// On how many days in a row the child has read.
  public var streak: ReadingStreak

  /// Takes the values of a model.
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
}
