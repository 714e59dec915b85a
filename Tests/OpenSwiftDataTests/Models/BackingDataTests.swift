import Foundation
import OpenSwiftData
import Testing

@Suite("Backing data of models")
struct BackingDataTests {
  @Test("values are read and written by key path, through the backing data and through the model")
  func values() throws {
    let context = try Library.context()
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    #expect(book.persistentBackingData.getValue(forKey: \.title) == "a")
    book.persistentBackingData.setValue(forKey: \.title, to: "b")
    #expect(book.title == "b")
    book.setValue(forKey: \.pageCount, to: 7)
    #expect(book.getValue(forKey: \.pageCount) == 7)
    let author = Author(name: "x")
    book.setValue(forKey: \.author, to: author)
    let read: Author? = book.getValue(forKey: \.author)
    #expect(read === author && author.books?.first === book)
    book.setValue(forKey: \.chapters, to: [Chapter(title: "one", number: 1)])
    let chapters: [Chapter] = book.getValue(forKey: \.chapters)
    #expect(chapters.map(\.title) == ["one"])
    try context.save()
    #expect(book.persistentBackingData.persistentModelID == book.persistentModelID)
  }

  @Test("a model is made of backing data that a caller filled")
  func making() throws {
    var backing: any BackingData<Author> = Author.createBackingData()
    backing.setValue(forKey: \.name, to: "x")
    let author = Author(backingData: backing)
    #expect(author.name == "x")
    let context = try Library.context()
    context.insert(author)
    try context.save()
    #expect(
      try ModelContext(context.container).fetch(FetchDescriptor<Author>()).map(\.name) == ["x"])
  }

  @Test("a model has the values of the backing data that was assigned last")
  func replacing() throws {
    let author = Author(name: "a")
    let other = Author(name: "b")
    author.persistentBackingData = other.persistentBackingData
    #expect(author.name == "b")
    var backing: any BackingData<Author> = Author.createBackingData()
    backing.setValue(forKey: \.name, to: "c")
    author.persistentBackingData = backing
    #expect(author.name == "c" && other.name == "b")
    let context = try Library.context()
    context.insert(author)
    try context.save()
    let found = try context.fetch(FetchDescriptor<Author>())
    #expect(found.count == 1 && found.first === author)
    #expect(author.name == "c")
  }

  @Test("a model whose backing data is replaced is found by the context of the new data")
  func replacingBound() throws {
    let container = try Library.context().container
    let context = ModelContext(container)
    context.insert(Author(name: "a"))
    try context.save()
    let author = try #require(try context.fetch(FetchDescriptor<Author>()).first)
    let reading = ModelContext(container)
    let backing = try #require(try reading.fetch(FetchDescriptor<Author>()).first)
      .persistentBackingData
    author.persistentBackingData = backing
    #expect(author.name == "a")
    #expect(try reading.fetch(FetchDescriptor<Author>()).first === author)
    #expect(try context.fetch(FetchDescriptor<Author>()).first !== author)
  }

  @Test("a key path that is no property changes nothing, and the next save throws")
  func unknown() throws {
    let trip = GuidedTrip(number: 1)
    let container = try ModelContainer(
      for: GuidedTrip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(trip)
    try context.save()
    trip.setValue(forKey: \.place.city, to: "Oslo")
    #expect(trip.place.city == "Rom")
    #expect(throws: (any Error).self) { try context.save() }
  }
}
