import SwiftData

extension StoriesSchemaV2.Story {
  /// The pages in the order of their numbers.
  public var orderedPages: [Page] { pages.sorted { $0.pageNumber < $1.pageNumber } }

  /// The text of all pages.
  public var content: String { PageText.content(of: orderedPages.map(\.text)) }

  /// Replaces the text of the story. White space at the start and end of the text is not stored.
  ///
  /// Pages whose numbers remain keep their ids and pictures; other pages are deleted or created.
  func setContent(_ content: String) {
    let texts = PageText.pages(of: content)
    let old = orderedPages
    for (page, text) in zip(old, texts) where page.text != text { page.text = text }
    for page in old.dropFirst(texts.count) {
      if let modelContext { modelContext.delete(page) }
      pages.removeAll { $0 === page }
    }
    for (index, text) in texts.enumerated().dropFirst(old.count) {
      pages.append(Page(number: index + 1, text: text))
    }
  }
}

extension StoriesSchemaV2.Story: Encodable {
  /// Encodes the story as a `StoryValue`, the format of caches and files.
  public func encode(to encoder: any Encoder) throws { try StoryValue(self).encode(to: encoder) }
}

extension StoriesSchemaV2.StoryCollection {
  /// The fraction of the stories that were read at least once, from 0 to 1; 0 for a collection without stories.
  public var progress: Double {
    let stories = stories
    if stories.isEmpty { return 0 }
    return Double(stories.count { $0.readCount > 0 }) / Double(stories.count)
  }

  /// Updates the stored progress.
  func updateProgress() {
    let progress = progress
    if completionProgress != progress { completionProgress = progress }
  }
}

extension StoriesSchemaV2.Story: Decodable {
  /// Decodes a story from a `StoryValue`.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try StoryValue(from: decoder))
  }

  /// Creates a story from a value, without a context.
  public convenience init(_ value: StoryValue) {
    self.init(id: value.id, title: value.title, content: "", createdAt: value.createdAt)
    take(value)
    pages = value.pages.map { Page($0) }
  }

  /// Copies the properties of a value, except for the id and the pages.
  func take(_ value: StoryValue) {
    title = value.title
    createdAt = value.createdAt
    lastReadAt = value.lastReadAt
    childName = value.childName
    ageGroup = value.ageGroup
    theme = value.theme
    mainCharacter = value.mainCharacter
    readCount = value.readCount
    isFavorite = value.isFavorite
    notes = value.notes
  }
}

extension StoriesSchemaV2.Page {
  convenience init(_ value: PageValue) {
    self.init(id: value.id, number: value.number, text: value.text)
    illustrationRelativePath = value.illustrationPath
    illustrationStatus = value.illustrationStatus
  }
}
