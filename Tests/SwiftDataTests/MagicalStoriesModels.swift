import SwiftData

// The models that the document of the Magical Stories app names, in the shape of that app's own.

@Model
final class Story: Identifiable, Codable {
  @Attribute(.unique) var id: UUID
  var title: String
  var content: String
  var createdAt: Date
  var isFavorite: Bool = false
  var theme: StoryTheme
  var parameters: StoryParameters?
  @Relationship(deleteRule: .nullify, inverse: \StoryCollection.stories)
  var collections: [StoryCollection] = []

  init(
    id: UUID = UUID(), title: String, content: String, createdAt: Date = Date(),
    theme: StoryTheme = StoryTheme.adventure, parameters: StoryParameters? = nil
  ) {
    self.id = id
    self.title = title
    self.content = content
    self.createdAt = createdAt
    self.theme = theme
    self.parameters = parameters
  }

  enum CodingKeys: String, CodingKey { case id, title, content, createdAt, theme, parameters }

  required init(from decoder: Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(UUID.self, forKey: .id)
    title = try container.decode(String.self, forKey: .title)
    content = try container.decode(String.self, forKey: .content)
    createdAt = try container.decode(Date.self, forKey: .createdAt)
    theme = try container.decode(StoryTheme.self, forKey: .theme)
    parameters = try container.decodeIfPresent(StoryParameters.self, forKey: .parameters)
  }

  func encode(to encoder: Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(title, forKey: .title)
    try container.encode(content, forKey: .content)
    try container.encode(createdAt, forKey: .createdAt)
    try container.encode(theme, forKey: .theme)
    try container.encodeIfPresent(parameters, forKey: .parameters)
  }
}

extension Story {
  static func recentStories(limit: Int = 10) -> FetchDescriptor<Story> {
    var descriptor = FetchDescriptor<Story>(
      sortBy: [SortDescriptor(\.createdAt, order: .reverse)])
    descriptor.fetchLimit = limit
    return descriptor
  }
}

enum StoryTheme: String, Codable, CaseIterable {
  case adventure, friendship, courage
}

struct StoryParameters: Codable, Hashable {
  var childName: String
  var childAge: Int?
  var languageCode: String?
}

@Model
final class StoryCollection {
  @Attribute(.unique) var id: UUID
  var title: String
  var stories: [Story]? = []

  init(id: UUID = UUID(), title: String) {
    self.id = id
    self.title = title
  }
}

@Model
final class Achievement {
  var id: UUID = UUID()
  var name: String
  var typeRawValue: String
  var earnedAt: Date?
  var story: Story?

  init(name: String, typeRawValue: String, earnedAt: Date? = nil, story: Story? = nil) {
    self.name = name
    self.typeRawValue = typeRawValue
    self.earnedAt = earnedAt
    self.story = story
  }
}

@Model
final class UserProfile {
  var name: String
  var settings: [String] = []

  init(name: String) { self.name = name }
}
