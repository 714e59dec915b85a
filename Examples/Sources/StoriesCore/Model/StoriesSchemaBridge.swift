public import SwiftData

/// The version between the first and the second version. It has the attributes of both, so that migration code can copy values.
///
/// After an interruption, a stage finds the old values next to the new ones and starts again.
public enum StoriesSchemaBridge: VersionedSchema {
  public static var models: [any PersistentModel.Type] {
    [Story.self, Page.self, StoryCollection.self, Achievement.self, UserProfile.self]
  }
  public static var versionIdentifier: Schema.Version { Schema.Version(1, 1, 0) }

  /// A story of the intermediate version.
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
    @Relationship(deleteRule: .cascade, inverse: \Page.story)
    public var pages: [Page] = []

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

  /// A page of the intermediate version.
  @Model public final class Page {
    public var id: UUID
    public var pageNumber: Int
    public var text: String
    public var illustrationRelativePath: String?
    public var illustrationStatus: IllustrationStatus
    public var story: Story?

    /// Creates a page.
    public init(id: UUID = UUID(), pageNumber: Int, text: String) {
      self.id = id
      self.pageNumber = pageNumber
      self.text = text
      illustrationStatus = .none
    }
  }

  /// A collection of the intermediate version.
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

  /// An achievement of the intermediate version.
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

  /// The child's profile of the intermediate version.
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
    public var settings: ReadingSettings?
    public var streak: ReadingStreak?
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
