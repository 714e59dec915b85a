import Foundation
import OpenSwiftData
import Testing

@Model
private final class Album {
  @Relationship(inverse: \Photo.album) var photos: [Photo]
  @Transient var note = "none"
  init(_ photos: [Photo]) { self.photos = photos }
}

@Model
private final class Photo {
  var name = ""
  var album: Album?
  init() {}
}

/// A model retains the destinations of relationships that were read, like a managed object.
///
/// Documented behavior: Apple, Transient(): a property that is not persisted. A context has one instance for each row.
@Suite("Destinations of relationships")
struct RelatedModelTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try Library.container()
    self.context = ModelContext(container)
    let context = ModelContext(container)
    let book = Book(isbn: "1", title: "a", author: Author(name: "x"))
    book.chapters = [Chapter(title: "one", number: 1), Chapter(title: "two", number: 2)]
    context.insert(book)
    context.insert(Book(isbn: "2", title: "b", author: Author(name: "y")))
    try context.save()
  }

  private func author(_ name: String, in context: ModelContext) throws -> Author {
    let descriptor = FetchDescriptor<Author>(predicate: #Predicate { $0.name == name })
    return try #require(try context.fetch(descriptor).first)
  }

  private func chapter(in context: ModelContext) throws -> Chapter {
    let descriptor = FetchDescriptor<Chapter>(predicate: #Predicate { $0.number == 1 })
    return try #require(try context.fetch(descriptor).first)
  }

  @Test("a member keeps its transient values between reads")
  func member() throws {
    let author = try author("x", in: context)
    author.books?.first?.note = "seen"
    #expect(author.books?.first?.note == "seen")
  }

  @Test("a destination keeps its transient values between reads")
  func destination() throws {
    let chapter = try chapter(in: context)
    chapter.book?.note = "seen"
    #expect(chapter.book?.note == "seen")
  }

  @Test("a new destination that was only set keeps its transient values after the save")
  func newDestination() throws {
    let chapter = try chapter(in: context)
    do {
      let book = Book(isbn: "3", title: "c", author: Author(name: "z"))
      book.note = "seen"
      chapter.book = book
    }
    #expect(chapter.book?.note == "seen")
    try context.save()
    #expect(chapter.book?.isbn == "3")
    #expect(chapter.book?.note == "seen")
  }

  @Test("a stored destination that was only set keeps its transient values, also after the save")
  func storedDestination() throws {
    let chapter = try chapter(in: context)
    do {
      let other = try #require(
        try context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.isbn == "2" })).first)
      other.note = "seen"
      chapter.book = other
    }
    #expect(chapter.book?.note == "seen")
    try context.save()
    #expect(chapter.book?.isbn == "2")
    #expect(chapter.book?.note == "seen")
  }

  @Test("a destination keeps its transient values when its owner is saved")
  func savedOwner() throws {
    let chapter = try chapter(in: context)
    chapter.book?.note = "seen"
    chapter.title = "changed"
    try context.save()
    #expect(chapter.book?.note == "seen")
    #expect(chapter.book?.author?.name == "x")
    chapter.book?.author?.name = "changed"
    try context.save()
    #expect(chapter.book?.note == "seen")
  }

  @Test("members keep their transient values when other members are added and removed")
  func changedMembers() throws {
    let author = try author("x", in: context)
    author.books?.first?.note = "seen"
    let added = Book(isbn: "3", title: "c")
    author.books?.append(added)
    #expect(author.books?.map(\.note) == ["seen", "none"])
    added.author = nil
    try context.save()
    #expect(author.books?.map(\.note) == ["seen"])
  }

  @Test("a different destination is a different model")
  func replaced() throws {
    let book = try #require(
      try context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.isbn == "1" })).first)
    #expect(book.author?.name == "x")
    let other = try author("y", in: context)
    book.author = other
    #expect(book.author === other)
    context.rollback()
    #expect(book.author?.name == "x")
    book.author = nil
    #expect(book.author == nil)
  }

  @Test("a relationship that another context changed has its new destination")
  func merged() throws {
    let chapter = try chapter(in: context)
    #expect(chapter.book?.isbn == "1")
    let other = ModelContext(container)
    let changed = try self.chapter(in: other)
    changed.book = try other.fetch(
      FetchDescriptor<Book>(predicate: #Predicate { $0.isbn == "2" })
    ).first
    try other.save()
    _ = try context.fetchCount(FetchDescriptor<Chapter>())
    #expect(chapter.book?.isbn == "2")
  }

  @Test("an inserted model is the destination of its inverses, regardless of earlier reads")
  func insertedInitialized() throws {
    let container = try ModelContainer(
      for: Album.self, Photo.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let photo = Photo()
    context.insert(photo)
    try context.save()
    let album = Album([photo])
    album.note = "seen"
    #expect(photo.album?.photos.first === photo)
    context.insert(album)
    #expect(photo.album === album && photo.album?.note == "seen")
    try context.save()
    #expect(photo.album === album)
  }

  @Test("related models are released with the last model that refers to them")
  func released() throws {
    weak var member: Book?
    weak var destination: Book?
    do {
      let author = try author("x", in: context)
      member = author.books?.first
      #expect(member != nil)
    }
    do {
      let chapter = try chapter(in: context)
      destination = chapter.book
      #expect(destination != nil)
    }
    #expect(member == nil)
    #expect(destination == nil)
  }

  @Test("models that refer to each other are released with their context")
  func releasedCycle() throws {
    weak var author: Author?
    weak var book: Book?
    do {
      let context = ModelContext(container)
      let found = try self.author("x", in: context)
      author = found
      book = found.books?.first
      #expect(book != nil)
      #expect(book?.author === found)
      withExtendedLifetime(context) {}
    }
    #expect(author == nil)
    #expect(book == nil)
  }

  @Test("a model without related models that is never inserted is deallocated")
  func neverInserted() {
    weak var book: Book?
    do {
      let made = Book(isbn: "9", title: "z")
      made.author = nil
      made.chapters = []
      book = made
    }
    #expect(book == nil)
  }
}
