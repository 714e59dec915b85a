import Foundation
import OpenSwiftData

// Models that several suites share.

@Model
final class Book {
  @Attribute(.unique) var isbn: String
  var title: String
  var pageCount: Int = 100
  var published: Date?
  var author: Author?
  @Relationship(deleteRule: .cascade) var chapters: [Chapter] = []
  var tags: [Tag] = []
  @Transient var note = "none"

  init(isbn: String, title: String, author: Author? = nil) {
    self.isbn = isbn
    self.title = title
    self.author = author
  }
}

@Model
final class Author {
  var name: String
  @Relationship(inverse: \Book.author) var books: [Book]? = []

  init(name: String) { self.name = name }
}

@Model
final class Chapter {
  var title: String
  var number: Int
  var book: Book?

  init(title: String, number: Int) {
    self.title = title
    self.number = number
  }
}

@Model
final class Tag {
  var name: String
  @Relationship(inverse: \Book.tags) var books: [Book] = []

  init(name: String) { self.name = name }
}

/// Containers of books in memory and in files.
enum Library {
  static let schema = Schema([Book.self, Author.self, Chapter.self, Tag.self])

  static func container() throws -> ModelContainer {
    try ModelContainer(
      for: schema, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  static func context() throws -> ModelContext { ModelContext(try container()) }

  /// A context of a new store with models of any schema, in memory or in a file.
  static func context(_ schema: Schema, inMemory: Bool) throws -> ModelContext {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).store")
    let configuration =
      inMemory ? ModelConfiguration(isStoredInMemoryOnly: true) : ModelConfiguration(url: url)
    return ModelContext(try ModelContainer(for: schema, configurations: configuration))
  }
}
