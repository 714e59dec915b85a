public import Foundation

/// A story as a value, with its pages, for views, caches and files.
public struct StoryValue: Codable, Hashable, Identifiable, Sendable {
  /// The story's own id.
  public var id: UUID
  /// The title.
  public var title: String
  /// When it was made.
  public var createdAt: Date
  /// When it was last read to its end.
  public var lastReadAt: Date?
  /// The child for whom it was made.
  public var childName: String?
  /// For whom it is.
  public var ageGroup: AgeGroup
  /// What it is about.
  public var theme: String
  /// Who it is about.
  public var mainCharacter: String
  /// How often it was read.
  public var readCount: Int
  /// Whether it is among the favourites.
  public var isFavorite: Bool
  /// What the reader noted.
  public var notes: String?
  /// The pages in order.
  public var pages: [PageValue]

  /// The text of all pages.
  public var content: String { pages.map(\.text).joined(separator: " ") }

  /// Takes the values of a model.
  public init(_ story: Story) {
    let row = StoryRow(story)
    id = row.id
    title = row.title
    createdAt = row.createdAt
    lastReadAt = row.lastReadAt
    childName = row.childName
    ageGroup = row.ageGroup
    theme = row.theme
    mainCharacter = row.mainCharacter
    readCount = row.readCount
    isFavorite = row.isFavorite
    notes = row.notes
    pages = story.orderedPages.map(PageValue.init)
  }
}

/// A page as a value.
public struct PageValue: Codable, Hashable, Identifiable, Sendable {
  /// The page's own id.
  public var id: UUID
  /// The place in the story, from 1.
  public var number: Int
  /// The text.
  public var text: String
  /// The file of the picture.
  public var illustrationPath: String?
  /// How far the picture is.
  public var illustrationStatus: IllustrationStatus

  /// Takes the values of a model.
  public init(_ page: Page) {
    id = page.id
    number = page.pageNumber
    text = page.text
    illustrationPath = page.illustrationRelativePath
    illustrationStatus = page.illustrationStatus
  }
}

/// A story as a row of a list, without its pages.
public struct StoryRow: Codable, Hashable, Identifiable, Sendable {
  /// The story's own id.
  public let id: UUID
  /// The title.
  public let title: String
  /// When it was made.
  public let createdAt: Date
  /// When it was last read to its end.
  public let lastReadAt: Date?
  /// The child for whom it was made.
  public let childName: String?
  /// For whom it is.
  public let ageGroup: AgeGroup
  /// What it is about.
  public let theme: String
  /// Who it is about.
  public let mainCharacter: String
  /// How often it was read.
  public let readCount: Int
  /// Whether it is among the favourites.
  public let isFavorite: Bool
  /// What the reader noted.
  public let notes: String?

  /// Takes the values of a model.
  public init(_ story: Story) {
    id = story.id
    title = story.title
    createdAt = story.createdAt
    lastReadAt = story.lastReadAt
    childName = story.childName
    ageGroup = story.ageGroup
    theme = story.theme
    mainCharacter = story.mainCharacter
    readCount = story.readCount
    isFavorite = story.isFavorite
    notes = story.notes
  }
}
