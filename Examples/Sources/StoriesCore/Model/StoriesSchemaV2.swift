public import SwiftData

/// The second version of the models: ids are unique, and a story stores its text in pages.
public enum StoriesSchemaV2: VersionedSchema {
  public static var models: [any PersistentModel.Type] {
    [Story.self, Page.self, StoryCollection.self, Achievement.self, UserProfile.self]
  }
  public static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

  /// A story with its text in pages.
  ///
  /// > Concurrency: Confined to the actor of its context; pass a `StoryValue` elsewhere.
  @Model public final class Story {
    /// The story's id, the same in each copy of the library.
    @Attribute(.unique) public var id: UUID
    /// The title.
    public var title: String
    /// The creation date.
    public var createdAt: Date
    /// The date on which the story was last read to the end; nil before the first time.
    public var lastReadAt: Date?
    /// The name of the child for whom the story was created.
    public var childName: String?
    /// The age group.
    public var ageGroup: AgeGroup
    /// The theme, in one word.
    public var theme: String
    /// The main character.
    public var mainCharacter: String
    /// The number of times that the story was read.
    public var readCount: Int
    /// Whether the story is a favourite.
    public var isFavorite: Bool
    /// The reader's notes.
    public var notes: String?
    /// The pages, in no order; see ``orderedPages``.
    @Relationship(deleteRule: .cascade, inverse: \Page.story)
    public var pages: [Page] = []
    /// The achievements earned by reading the story.
    @Relationship(deleteRule: .nullify, inverse: \Achievement.story)
    public var achievements: [Achievement] = []
    /// The collections that contain the story.
    @Relationship(deleteRule: .nullify, inverse: \StoryCollection.stories)
    public var collections: [StoryCollection] = []

    /// Creates a story, and creates its pages from the text.
    ///
    /// - Parameters:
    ///   - id: The story's id.
    ///   - title: The title.
    ///   - content: The text, which is split into pages at the ends of sentences.
    ///   - createdAt: The creation date.
    ///   - ageGroup: The age group.
    ///   - theme: The theme.
    ///   - mainCharacter: The main character.
    public init(
      id: UUID = UUID(), title: String, content: String, createdAt: Date = Date(),
      ageGroup: AgeGroup = AgeGroup.sixToEight, theme: String = "", mainCharacter: String = ""
    ) {
      self.id = id
      self.title = title
      self.createdAt = createdAt
      self.ageGroup = ageGroup
      self.theme = theme
      self.mainCharacter = mainCharacter
      readCount = 0
      isFavorite = false
      pages = PageText.pages(of: content).enumerated().map { Page(number: $0 + 1, text: $1) }
    }
  }

  /// A page of a story.
  @Model public final class Page {
    /// The page's id.
    @Attribute(.unique) public var id: UUID
    /// The position in the story, from 1.
    public var pageNumber: Int
    /// The text, with the white space between this page and the next page.
    public var text: String
    /// The file of the picture, relative to the picture folder.
    public var illustrationRelativePath: String?
    /// The status of the picture.
    public var illustrationStatus: IllustrationStatus
    /// The story.
    public var story: Story?

    /// Creates a page.
    public init(id: UUID = UUID(), number: Int, text: String) {
      self.id = id
      pageNumber = number
      self.text = text
      illustrationStatus = IllustrationStatus.none
    }
  }

  /// Stories that belong together.
  @Model public final class StoryCollection {
    /// The collection's id.
    @Attribute(.unique) public var id: UUID
    /// The name.
    public var name: String
    /// The creation date.
    public var createdAt: Date
    /// The subject.
    @Attribute(originalName: "details") public var descriptionText: String?
    /// The area of growth that the stories support.
    public var growthCategory: GrowthCategory?
    /// The age group of the stories.
    public var targetAgeGroup: AgeGroup?
    /// The fraction of the stories that were read at least once, from 0 to 1; updated when a story is read, added or removed.
    public var completionProgress: Double
    /// The stories. Deleting the collection keeps its stories.
    public var stories: [Story] = []

    /// Creates a collection without stories.
    public init(
      id: UUID = UUID(), name: String, createdAt: Date = Date(), descriptionText: String? = nil,
      growthCategory: GrowthCategory? = nil, targetAgeGroup: AgeGroup? = nil
    ) {
      self.id = id
      self.name = name
      self.createdAt = createdAt
      self.descriptionText = descriptionText
      self.growthCategory = growthCategory
      self.targetAgeGroup = targetAgeGroup
      completionProgress = 0
    }
  }

  /// An achievement of the child.
  @Model public final class Achievement {
    /// The achievement's id, which is derived from the reason, so that the achievement is earned once.
    @Attribute(.unique) public var id: UUID
    /// The name.
    public var name: String
    /// The description of the reason.
    @Attribute(originalName: "details") public var descriptionText: String
    /// The date on which the achievement was earned; nil for an achievement in progress.
    public var earnedAt: Date?
    /// The reason for the achievement.
    public var type: AchievementType
    /// The name of the picture.
    public var iconName: String?
    /// The progress of an achievement that is not yet earned, from 0 to 1.
    public var progress: Double?
    /// The story that earned the achievement.
    public var story: Story?
    /// The profile of the child who earned the achievement.
    public var profile: UserProfile?

    /// Creates an achievement.
    public init(
      id: UUID = UUID(), name: String, descriptionText: String = "", earnedAt: Date? = nil,
      type: AchievementType, iconName: String? = nil
    ) {
      self.id = id
      self.name = name
      self.descriptionText = descriptionText
      self.earnedAt = earnedAt
      self.type = type
      self.iconName = iconName
    }
  }

  /// The child who reads. A library has one profile.
  @Model public final class UserProfile {
    /// The profile's id.
    @Attribute(.unique) public var id: UUID
    /// The creation date.
    public var createdAt: Date
    /// The child's name.
    public var childName: String
    /// The child's date of birth.
    public var dateOfBirth: Date?
    /// The child's interests; nil if they were never set.
    public var interests: [String]?
    /// The themes that the child likes.
    public var preferredThemes: [String]?
    /// The characters that the child likes.
    public var favoriteCharacters: [String]?
    /// The child's reading settings.
    public var settings: ReadingSettings?
    /// The child's streak of reading days.
    public var streak: ReadingStreak?
    /// The achievements.
    @Relationship(deleteRule: .cascade, inverse: \Achievement.profile)
    public var achievements: [Achievement] = []

    /// Creates a profile.
    public init(id: UUID = UUID(), createdAt: Date = Date(), childName: String = "") {
      self.id = id
      self.createdAt = createdAt
      self.childName = childName
    }
  }
}

/// A story of the current version.
public typealias Story = StoriesSchemaV2.Story
/// A page of the current version.
public typealias Page = StoriesSchemaV2.Page
/// A collection of the current version.
public typealias StoryCollection = StoriesSchemaV2.StoryCollection
/// An achievement of the current version.
public typealias Achievement = StoriesSchemaV2.Achievement
/// The profile of the current version.
public typealias UserProfile = StoriesSchemaV2.UserProfile
