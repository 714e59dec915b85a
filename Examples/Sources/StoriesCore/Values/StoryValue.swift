public import Foundation

/// A story as a value, with its pages, for views, caches and files.
public struct StoryValue: Codable, Hashable, Identifiable, Sendable {
  /// The story's id.
  public var id: UUID
  /// The title.
  public var title: String
  /// The creation date.
  public var createdAt: Date
  /// The date on which the story was last read to the end.
  public var lastReadAt: Date?
  /// The name of the child for whom the story was created.
  public var childName: String?
  /// The age group.
  public var ageGroup: AgeGroup
  /// The theme.
  public var theme: String
  /// The main character.
  public var mainCharacter: String
  /// The number of times that the story was read.
  public var readCount: Int
  /// Whether the story is a favourite.
  public var isFavorite: Bool
  /// The reader's notes.
  public var notes: String?
  /// The pages in order.
  public var pages: [PageValue]

  /// The text of all pages.
  public var content: String { PageText.content(of: pages.map(\.text)) }

  /// Creates a value from a model.
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
  /// The page's id.
  public var id: UUID
  /// The position in the story, from 1.
  public var number: Int
  /// The text, with the white space between this page and the next page.
  public var text: String
  /// The file of the picture.
  public var illustrationPath: String?
  /// The status of the picture.
  public var illustrationStatus: IllustrationStatus

  /// The text to show: without white space at its start and end.
  public var displayText: String { PageText.trimmed(text) }

  /// Creates a value from a model.
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
  /// The story's id.
  public let id: UUID
  /// The title.
  public let title: String
  /// The creation date.
  public let createdAt: Date
  /// The date on which the story was last read to the end.
  public let lastReadAt: Date?
  /// The name of the child for whom the story was created.
  public let childName: String?
  /// The age group.
  public let ageGroup: AgeGroup
  /// The theme.
  public let theme: String
  /// The main character.
  public let mainCharacter: String
  /// The number of times that the story was read.
  public let readCount: Int
  /// Whether the story is a favourite.
  public let isFavorite: Bool
  /// The reader's notes.
  public let notes: String?

  /// Creates a value from a model.
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
