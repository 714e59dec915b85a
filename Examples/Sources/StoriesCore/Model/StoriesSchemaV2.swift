public import SwiftData

/// The second version of the models: ids are unique, and a story's text is on pages.
public enum StoriesSchemaV2: VersionedSchema {
  public static var models: [any PersistentModel.Type] {
    [Story.self, Page.self, StoryCollection.self, Achievement.self, UserProfile.self]
  }
  public static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

  /// A story, with its text on pages.
  ///
  /// > Concurrency: Confined to the actor of its context; pass a `StoryValue` elsewhere.
  @Model public final class Story {
    /// The story's own id, the same in each copy of the library.
    @Attribute(.unique) public var id: UUID
    /// The title.
    public var title: String
    /// When it was made.
    public var createdAt: Date
    /// When it was last read to its end; nil before the first time.
    public var lastReadAt: Date?
    /// The child for whom it was made.
    public var childName: String?
    /// For whom it is.
    public var ageGroup: AgeGroup
    /// What it is about, in a word.
    public var theme: String
    /// Who it is about.
    public var mainCharacter: String
    /// How often it was read.
    public var readCount: Int
    /// Whether it is among the favourites.
    public var isFavorite: Bool
    /// What the reader noted.
    public var notes: String?
    /// The pages, in no order; see ``orderedPages``.
    @Relationship(deleteRule: .cascade, inverse: \Page.story)
    public var pages: [Page] = []
    /// The achievements that reading it earned.
    @Relationship(deleteRule: .nullify, inverse: \Achievement.story)
    public var achievements: [Achievement] = []
    /// The collections that it is in.
    @Relationship(deleteRule: .nullify, inverse: \StoryCollection.stories)
    public var collections: [StoryCollection] = []

    /// Makes a story, and its pages of the text.
    ///
    /// - Parameters:
    ///   - id: The story's own id.
    ///   - title: The title.
    ///   - content: The text, which is split into pages at the ends of sentences.
    ///   - createdAt: When it was made.
    ///   - ageGroup: For whom it is.
    ///   - theme: What it is about.
    ///   - mainCharacter: Who it is about.
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
    /// The page's own id.
    @Attribute(.unique) public var id: UUID
    /// The place in the story, from 1.
    public var pageNumber: Int
    /// The text.
    public var text: String
    /// The file of the picture, below the folder of pictures.
    public var illustrationRelativePath: String?
    /// How far the picture is.
    public var illustrationStatus: IllustrationStatus
    /// The story.
    public var story: Story?

    /// Makes a page.
    public init(id: UUID = UUID(), number: Int, text: String) {
      self.id = id
      pageNumber = number
      self.text = text
      illustrationStatus = IllustrationStatus.none
    }
  }

  /// Stories that belong together.
  @Model public final class StoryCollection {
    /// The collection's own id.
    @Attribute(.unique) public var id: UUID
    /// The name.
    public var name: String
    /// When it was made.
    public var createdAt: Date
    /// What it is about.
    @Attribute(originalName: "details") public var descriptionText: String?
    /// What its stories are to help with.
    public var growthCategory: GrowthCategory?
    /// For whom its stories are.
    public var targetAgeGroup: AgeGroup?
    /// The stories read at least once, as a share of all, from 0 to 1; brought up to date when a story is read, added or removed.
    public var completionProgress: Double
    /// The stories. Deleting the collection leaves them.
    public var stories: [Story] = []

    /// Makes a collection without stories.
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

  /// Something that the child has earned.
  @Model public final class Achievement {
    /// The achievement's own id, which follows from what it is for, so that it is earned once.
    @Attribute(.unique) public var id: UUID
    /// The name.
    public var name: String
    /// What it was earned for.
    @Attribute(originalName: "details") public var descriptionText: String
    /// When it was earned; nil for one that is on its way.
    public var earnedAt: Date?
    /// What it is for.
    public var type: AchievementType
    /// The picture's name.
    public var iconName: String?
    /// How far one is that is on its way, from 0 to 1.
    public var progress: Double?
    /// The story that earned it.
    public var story: Story?
    /// Who earned it.
    public var profile: UserProfile?

    /// Makes an achievement.
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

  /// The child who reads. There is one in a library.
  @Model public final class UserProfile {
    /// The profile's own id.
    @Attribute(.unique) public var id: UUID
    /// When it was made.
    public var createdAt: Date
    /// The child's name.
    public var childName: String
    /// The child's date of birth.
    public var dateOfBirth: Date?
    /// What the child likes; nil if nobody was asked.
    public var interests: [String]?
    /// The themes that the child likes.
    public var preferredThemes: [String]?
    /// The characters that the child likes.
    public var favoriteCharacters: [String]?
    /// How the child likes to read.
    public var settings: ReadingSettings?
    /// On how many days in a row the child has read.
    public var streak: ReadingStreak?
    /// The achievements.
    @Relationship(deleteRule: .cascade, inverse: \Achievement.profile)
    public var achievements: [Achievement] = []

    /// Makes a profile.
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
