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
  ///
  /// Duplicates are merged as in a migration: equal stories and collections become one, and others get new ids.
  func upgraded() -> StoryArchive {
    var archive = StoryArchive()
    let values: [StoryValue] = stories.sorted { $0.createdAt < $1.createdAt }
      .map { Self.value($0) }
    archive.stories = Self.withUniqueIDs(
      values, id: \.id, isSame: { $0.title == $1.title && $0.content == $1.content },
      merge: { $0.merge($1) })
    for story in archive.stories.indices {
      let id = archive.stories[story].id
      for page in archive.stories[story].pages.indices {
        archive.stories[story].pages[page].id = id.derived(for: "page \(page + 1)")
      }
    }
    let groups: [CollectionValue] = (collections ?? []).sorted { $0.createdAt < $1.createdAt }
      .map { Self.value($0) }
    archive.collections = Self.withUniqueIDs(
      groups, id: \.id, isSame: { $0.name == $1.name }, merge: Self.merge)
    return archive
  }

  /// Merges equal values, which are sorted from oldest to newest, and gives other values with the same id new ids.
  ///
  /// The new ids are those of a migration, so that another import of the file replaces the values.
  private static func withUniqueIDs<Value>(
    _ values: [Value], id: WritableKeyPath<Value, UUID>,
    isSame: (Value, Value) -> Bool, merge: (inout Value, Value) -> Void
  ) -> [Value] {
    var unique: [Value] = []
    var places: [UUID: Int] = [:]
    let known = Set(values.map { $0[keyPath: id] })
    for var value in values {
      let candidate = value[keyPath: id].distinct(from: known) { candidate in
        places[candidate].map { isSame(unique[$0], value) } ?? true
      }
      if let place = places[candidate] {
        merge(&unique[place], value)
      } else {
        value[keyPath: id] = candidate
        places[candidate] = unique.count
        unique.append(value)
      }
    }
    return unique
  }

  private static func merge(_ kept: inout CollectionValue, _ other: CollectionValue) {
    kept.descriptionText = kept.descriptionText ?? other.descriptionText
    kept.growthCategory = kept.growthCategory ?? other.growthCategory
    kept.targetAgeGroup = kept.targetAgeGroup ?? other.targetAgeGroup
    kept.storyIDs += other.storyIDs
  }

  private static func value(_ former: Collection) -> CollectionValue {
    var value = CollectionValue(
      StoryCollection(
        id: former.id, name: former.name, createdAt: former.createdAt,
        descriptionText: former.description, growthCategory: former.growthCategory,
        targetAgeGroup: former.targetAgeGroup.map(ageGroup)))
    value.storyIDs = former.storyIDs ?? []
    return value
  }

  private static func ageGroup(_ former: StoriesSchemaV1.AgeGroup) -> AgeGroup {
    AgeGroup(rawValue: former.rawValue) ?? .allAges
  }

  private static func value(_ former: Story) -> StoryValue {
    let story = StoriesCore.Story(
      id: former.id, title: former.title, content: former.content, createdAt: former.createdAt,
      ageGroup: former.ageGroup.map(ageGroup) ?? .sixToEight, theme: former.theme ?? "",
      mainCharacter: former.mainCharacter ?? "")
    story.lastReadAt = former.lastReadAt
    story.childName = former.childName
    story.readCount = former.readCount ?? 0
    story.isFavorite = former.isFavorite ?? false
    story.notes = former.notes
    return StoryValue(story)
  }
}
