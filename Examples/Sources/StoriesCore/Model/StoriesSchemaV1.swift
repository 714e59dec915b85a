public import SwiftData

/// The first version of the models: a story stores its text in one attribute, and ids may occur twice.
public enum StoriesSchemaV1: VersionedSchema {
  public static var models: [any PersistentModel.Type] {
    [Story.self, StoryCollection.self, Achievement.self, UserProfile.self]
  }
  public static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

  /// The age group of a story.
  public enum AgeGroup: Int, Codable, CaseIterable, Sendable {
    /// Three to five years.
    case threeToFive = 0
    /// Six to eight years.
    case sixToEight
    /// Nine to twelve years.
    case nineToTwelve
  }

  /// The reason for an achievement.
  public enum AchievementType: String, Codable, CaseIterable, Sendable {
    case firstStory, storiesRead, collectionCompleted
  }

  /// A story of the first version.
  @Model public final class Story {
    public var id: UUID
    public var title: String
    public var content: String
    public var createdAt: Date
    public var lastReadAt: Date?
    public var childName: String?
    public var ageGroup: AgeGroup
    public var theme: String
    public var mainCharacter: String
    public var isGrowthPathStory: Bool
    public var audioURL: URL?
    public var readCount: Int
    public var isFavorite: Bool
    public var notes: String?
    @Relationship(deleteRule: .cascade, inverse: \Achievement.story)
    public var achievements: [Achievement] = []
    @Relationship(deleteRule: .nullify, inverse: \StoryCollection.stories)
    public var collections: [StoryCollection] = []

    /// Creates a story.
    public init(
      id: UUID = UUID(), title: String, content: String, createdAt: Date,
      ageGroup: AgeGroup = .sixToEight, theme: String = "", mainCharacter: String = ""
    ) {
      self.id = id
      self.title = title
      self.content = content
      self.createdAt = createdAt
      self.ageGroup = ageGroup
      self.theme = theme
      self.mainCharacter = mainCharacter
      isGrowthPathStory = false
      readCount = 0
      isFavorite = false
    }
  }

  /// A collection of the first version.
  @Model public final class StoryCollection {
    public var id: UUID
    public var name: String
    public var createdAt: Date
    /// The subject of the collection; "description" is reserved on Apple platforms.
    public var details: String?
    public var growthCategory: GrowthCategory?
    public var targetAgeGroup: AgeGroup?
    public var completionProgress: Double
    public var stories: [Story] = []

    /// Creates a collection.
    public init(id: UUID = UUID(), name: String, createdAt: Date) {
      self.id = id
      self.name = name
      self.createdAt = createdAt
      completionProgress = 0
    }
  }

  /// An achievement of the first version.
  @Model public final class Achievement {
    public var id: UUID
    public var name: String
    public var details: String
    public var earnedAt: Date
    public var type: AchievementType
    public var iconName: String?
    public var progress: Double?
    public var story: Story?
    public var profile: UserProfile?

    /// Creates an achievement.
    public init(
      id: UUID = UUID(), name: String, details: String = "", earnedAt: Date, type: AchievementType
    ) {
      self.id = id
      self.name = name
      self.details = details
      self.earnedAt = earnedAt
      self.type = type
    }
  }

  /// The child's profile of the first version.
  @Model public final class UserProfile {
    public var id: UUID
    public var createdAt: Date
    public var childName: String
    public var dateOfBirth: Date
    public var interests: [String]
    public var preferredThemes: [String]
    public var favoriteCharacters: [String]
    public var useTextToSpeech: Bool
    public var preferredVoiceIdentifier: String?
    public var darkModePreference: DarkModePreference
    public var totalStoriesRead: Int
    public var lastReadDate: Date?
    @Relationship(deleteRule: .cascade, inverse: \Achievement.profile)
    public var achievements: [Achievement] = []

    /// Creates a profile.
    public init(id: UUID = UUID(), createdAt: Date, childName: String, dateOfBirth: Date) {
      self.id = id
      self.createdAt = createdAt
      self.childName = childName
      self.dateOfBirth = dateOfBirth
      interests = []
      preferredThemes = []
      favoriteCharacters = []
      useTextToSpeech = false
      darkModePreference = .system
      totalStoriesRead = 0
    }
  }
}
