import Foundation

/// The JSON format of a library. Dates are seconds since 1 January 2001, as `JSONEncoder` writes them.
struct StoryArchive: Codable {
  static let format = "magical-stories"
  /// The format version of written files.
  static let currentVersion = 2

  /// The properties that files of all versions have.
  struct Head: Decodable {
    var format: String
    var version: Int
  }

  var format = StoryArchive.format
  var version = StoryArchive.currentVersion
  var stories: [StoryValue] = []
  var collections: [CollectionValue] = []
  var achievements: [AchievementValue] = []
  var profile: ProfileValue?
}

/// The format of the first version: a story has its text in one property, and ids may occur twice.
struct FormerArchive: Decodable {
  struct Story: Decodable {
    var id: UUID
    var title: String
    var content: String
    var createdAt: Date
    var lastReadAt: Date?
    var childName: String?
    var ageGroup: StoriesSchemaV1.AgeGroup?
    var theme: String?
    var mainCharacter: String?
    var readCount: Int?
    var isFavorite: Bool?
    var notes: String?
  }

  struct Collection: Decodable {
    var id: UUID
    var name: String
    var createdAt: Date
    var description: String?
    var growthCategory: GrowthCategory?
    var targetAgeGroup: StoriesSchemaV1.AgeGroup?
    var storyIDs: [UUID]?
  }

  var stories: [Story]
  var collections: [Collection]?

  /// Returns the archive in the current format.
  func upgraded() throws -> StoryArchive {
    var archive = StoryArchive()
    var known: [UUID: StoryValue] = [:]
    for story in stories.sorted(by: { $0.createdAt < $1.createdAt }) {
      let value = Self.value(story)
      guard let other = known[story.id] else {
        known[story.id] = value
        archive.stories.append(value)
        continue
      }
      // Duplicates with the same title and text become one story; other duplicates become stories with new ids.
      if other.title == value.title, other.content == value.content { continue }
      var copy = value
      copy.id = story.id.derived(for: "\(value.title)\n\(value.content)")
      for index in copy.pages.indices {
        copy.pages[index].id = copy.id.derived(for: "page \(index + 1)")
      }
      if known.updateValue(copy, forKey: copy.id) == nil { archive.stories.append(copy) }
    }
    archive.collections = (collections ?? []).map { collection in
      let value = StoryCollection(
        id: collection.id, name: collection.name, createdAt: collection.createdAt,
        descriptionText: collection.description, growthCategory: collection.growthCategory,
        targetAgeGroup: collection.targetAgeGroup.map(Self.ageGroup))
      var members = CollectionValue(value)
      members.storyIDs = collection.storyIDs ?? []
      return members
    }
    return archive
  }

  private static func ageGroup(_ former: StoriesSchemaV1.AgeGroup) -> AgeGroup {
    AgeGroup(rawValue: former.rawValue) ?? .allAges
  }

  private static func value(_ former: Story) -> StoryValue {
    let story = StoriesCore.Story(
      id: former.id, title: former.title, content: former.content, createdAt: former.createdAt,
      ageGroup: former.ageGroup.map(ageGroup) ?? .sixToEight, theme: former.theme ?? "",
      mainCharacter: former.mainCharacter ?? "")
    for page in story.pages { page.id = former.id.derived(for: "page \(page.pageNumber)") }
    story.lastReadAt = former.lastReadAt
    story.childName = former.childName
    story.readCount = former.readCount ?? 0
    story.isFavorite = former.isFavorite ?? false
    story.notes = former.notes
    return StoryValue(story)
  }
}
