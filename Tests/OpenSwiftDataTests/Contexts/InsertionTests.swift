import Foundation
import OpenObjectGraph
import OpenSwiftData
import Testing

@Suite("Inserting, saving and deleting models")
struct InsertionTests {
  @Test("a model is inserted, saved, found, changed and deleted")
  func life() throws {
    let context = try Library.context()
    let book = Book(isbn: "1", title: "a")
    #expect(book.modelContext == nil)
    #expect(book.pageCount == 100)
    context.insert(book)
    #expect(book.modelContext == context)
    #expect(context.insertedModelsArray.count == 1)
    #expect(book.persistentModelID.isTemporary)
    try context.save()
    #expect(!book.persistentModelID.isTemporary)
    #expect(!context.hasChanges)
    #expect(try context.fetch(FetchDescriptor<Book>()).first === book)
    let other = ModelContext(context.container)
    let found = try other.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.title == "a" }))
    #expect(found.map(\.pageCount) == [100])
    found[0].pageCount = 5
    #expect(other.changedModelsArray.count == 1)
    try other.save()
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 1)
    #expect(book.pageCount == 5)
    context.delete(book)
    #expect(book.isDeleted)
    #expect(context.deletedModelsArray.count == 1)
    try context.save()
    #expect(try other.fetch(FetchDescriptor<Book>()).isEmpty)
  }

  @Test("inserting a model inserts all related models, and keeps their instances")
  func graph() throws {
    let context = try Library.context()
    do {
      let book = Book(isbn: "1", title: "a", author: Author(name: "x"))
      book.chapters = [Chapter(title: "one", number: 1), Chapter(title: "two", number: 2)]
      book.note = "kept"
      context.insert(book)
    }
    #expect(context.insertedModelsArray.count == 4)
    try context.save()
    let author = try #require(try context.fetch(FetchDescriptor<Author>()).first)
    let books = try #require(author.books)
    #expect(books.map(\.title) == ["a"])
    #expect(books.first?.chapters.map(\.number) == [1, 2])
    #expect(books.first?.chapters.allSatisfy { $0.book === books.first } == true)
  }

  @Test("a context keeps inserted models until they are saved")
  func kept() throws {
    let context = try Library.context()
    context.insert(
      {
        let book = Book(isbn: "1", title: "a")
        book.note = "kept"
        return book
      }())
    let found = try context.fetch(FetchDescriptor<Book>())
    #expect(found.map(\.note) == ["kept"])
  }

  @Test("relating a model to an inserted model inserts it")
  func relating() throws {
    let context = try Library.context()
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    let author = Author(name: "x")
    book.author = author
    book.tags.append(Tag(name: "t"))
    #expect(author.modelContext == context)
    #expect(author.books?.first === book)
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Tag>()).first?.books.first === book)
  }

  @Test("deleting a model applies delete rules")
  func rules() throws {
    let context = try Library.context()
    let book = Book(isbn: "1", title: "a", author: Author(name: "x"))
    book.chapters = [Chapter(title: "one", number: 1)]
    context.insert(book)
    try context.save()
    context.delete(book)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Chapter>()) == 0)
    #expect(try context.fetch(FetchDescriptor<Author>()).first?.books == [])
  }

  @Test("inserting twice changes nothing, and inserting a deleted model undoes the deletion")
  func twice() throws {
    let context = try Library.context()
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    context.insert(book)
    try context.save()
    context.delete(book)
    context.insert(book)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 1)
  }

  @Test("a model whose deletion is undone has only the changes from before the deletion")
  func deletionTakenBack() throws {
    let context = try Library.context()
    let (same, changed) = (Book(isbn: "1", title: "a"), Book(isbn: "2", title: "b"))
    for book in [same, changed] { context.insert(book) }
    try context.save()
    changed.title = "c"
    for book in [same, changed] { context.delete(book) }
    context.processPendingChanges()
    context.insert(same)
    context.processPendingChanges()
    #expect(context.changedModelsArray.isEmpty)
    context.insert(changed)
    context.processPendingChanges()
    #expect(context.changedModelsArray.map(\.persistentModelID) == [changed.persistentModelID])
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Book>()).map(\.title).sorted() == ["a", "c"])
  }

  @Test("the next save rejects a model of another context")
  func foreign() throws {
    let context = try Library.context()
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    try context.save()
    let other = ModelContext(context.container)
    other.insert(book)
    #expect(throws: (any Error).self) { try other.save() }
    try other.save()
    #expect(book.modelContext == context)
  }

  @Test("the next save rejects a relationship between contexts")
  func crossing() throws {
    let context = try Library.context()
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    try context.save()
    let other = ModelContext(context.container)
    let author = Author(name: "x")
    other.insert(author)
    book.author = author
    #expect(book.author == nil)
    #expect(throws: (any Error).self) { try context.save() }
  }

  @Test("the next save rejects a model that is not in the schema")
  func unknown() throws {
    let container = try ModelContainer(
      for: Chapter.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Lonely(name: "a"))
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.explanation?.contains("Lonely") == true)
  }

  @Test("models created before their container adopt its schema, with their relationships")
  func early() throws {
    let book = Book(isbn: "1", title: "early", author: Author(name: "x"))
    book.pageCount = 7
    for _ in 0..<2 {
      // Each container has a different kind of schema.
      let container = try ModelContainer(
        for: Schema([Book.self, Author.self, Chapter.self, Tag.self, Lonely.self]),
        configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      _ = container
    }
    let context = try Library.context()
    context.insert(book)
    try context.save()
    let other = ModelContext(context.container)
    let found = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    #expect(found.pageCount == 7)
    #expect(found.author?.name == "x")
    #expect(book.author?.books?.first === book)
  }

  /// Builds another schema, which models created afterward use.
  private func anotherSchema() throws {
    _ = try ModelContainer(
      for: Schema([Book.self, Author.self, Chapter.self, Tag.self, Lonely.self]),
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  @Test("a model that was related in its initializer is inserted with the related model")
  func neighbor() throws {
    try anotherSchema()
    let author = Author(name: "x")
    let book = Book(isbn: "1", title: "early", author: author)
    let context = try Library.context()
    context.insert(author)
    #expect(book.modelContext == context)
    try context.save()
    book.title = "late"
    try context.save()
    let other = ModelContext(context.container)
    let found = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    #expect(found.title == "late")
    #expect(found.author?.name == "x")
  }

  @Test("models of several schemas are related before they are inserted")
  func between() throws {
    let author = Author(name: "x")
    try anotherSchema()
    let chapter = Chapter(title: "one", number: 1)
    _ = try Library.context()
    let book = Book(isbn: "1", title: "a", author: author)
    book.chapters = [chapter]
    #expect(author.books?.first === book)
    let context = try Library.context()
    context.insert(chapter)
    try context.save()
    let other = ModelContext(context.container)
    let found = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    #expect(found.author?.name == "x")
    #expect(found.chapters.map(\.number) == [1])
  }

  @Test("new models are related to inserted models after other schemas were created")
  func afterwards() throws {
    let context = try Library.context()
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    try context.save()
    try anotherSchema()
    let author = Author(name: "x")
    author.books = [book]
    #expect(book.author === author)
    #expect(author.modelContext == context)
    book.chapters.append(Chapter(title: "one", number: 1))
    try anotherSchema()
    book.tags = [Tag(name: "t")]
    try context.save()
    let other = ModelContext(context.container)
    let found = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    #expect(found.author?.name == "x")
    #expect(found.chapters.map(\.title) == ["one"])
    #expect(found.tags.map(\.name) == ["t"])
  }

  @Test("inserting a model of another schema keeps its temporary identifier")
  func identifier() throws {
    try anotherSchema()
    let book = Book(isbn: "1", title: "a")
    book.pageCount = 3
    let id = book.persistentModelID
    let context = try Library.context()
    context.insert(book)
    #expect(book.persistentModelID == id)
    #expect(context.model(for: id) === book)
    #expect(book.pageCount == 3)
  }

  @Test("models whose schemas lack each other's submodels are related and inserted")
  func submodels() throws {
    _ = try Schema([Lamp.self]).managedObjectModel()
    let rack = Rack()
    rack.items = [Lamp(name: "l")]
    _ = try Schema([Toy.self]).managedObjectModel()
    rack.items.append(Toy(name: "t"))
    #expect(Set(rack.items.map(\.name)) == ["l", "t"])
    let context = ModelContext(
      try ModelContainer(
        for: Rack.self, Lamp.self, Toy.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.insert(rack)
    try context.save()
    let other = ModelContext(context.container)
    #expect(try other.fetch(FetchDescriptor<Toy>()).map(\.rack?.items.count) == [2])
  }

  @Test("the next save rejects a related model that is not in the schema")
  func relatedUnknown() throws {
    let rack = Rack()
    rack.items = [Toy(name: "t")]
    let context = ModelContext(
      try ModelContainer(
        for: Rack.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.insert(rack)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.explanation?.contains("Toy") == true)
  }

  @Test("a duplicate under a unique attribute replaces the stored model's values")
  func upsert() throws {
    let context = try Library.context()
    context.insert(Book(isbn: "1", title: "first"))
    try context.save()
    let second = Book(isbn: "1", title: "second")
    second.pageCount = 3
    context.insert(second)
    try context.save()
    let found = try context.fetch(FetchDescriptor<Book>())
    #expect(found.map(\.title) == ["second"])
    #expect(found.map(\.pageCount) == [3])
  }

  @Test("rollback removes inserted models, and restores changed and deleted ones")
  func rollback() throws {
    let context = try Library.context()
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    try context.save()
    book.title = "b"
    context.insert(Book(isbn: "2", title: "c"))
    context.delete(book)
    context.rollback()
    #expect(!context.hasChanges)
    #expect(book.title == "a")
    #expect(!book.isDeleted)
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 1)
  }

  @Test("a transaction saves, and a transaction that throws leaves its changes pending")
  func transaction() throws {
    let context = try Library.context()
    try context.transaction { context.insert(Book(isbn: "1", title: "a")) }
    #expect(!context.hasChanges)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try context.transaction {
        context.insert(Book(isbn: "2", title: "b"))
        throw Stop()
      }
    }
    #expect(context.insertedModelsArray.count == 1)
  }

  @Test("models can outlive their container without a trap")
  func outliving() throws {
    let (book, author): (Book, Author) = try {
      let context = try Library.context()
      let book = Book(isbn: "1", title: "a", author: Author(name: "x"))
      context.insert(book)
      try context.save()
      return (book, try #require(book.author))
    }()
    #expect(book.modelContext == nil)
    _ = book.title
    _ = author.books
    book.title = "b"
    _ = book.persistentModelID
    #expect(!book.isDeleted)
  }

  @Test("a deleted model can still be read and written")
  func deleted() throws {
    let context = try Library.context()
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    try context.save()
    let other = ModelContext(context.container)
    let fault = try #require(other.model(for: book.persistentModelID) as? Book)
    context.delete(book)
    try context.save()
    #expect(book.modelContext == nil)
    _ = book.title
    book.title = "b"
    #expect(fault.title == "")
    #expect(try other.fetchCount(FetchDescriptor<Book>()) == 0)
  }
}

@Model
final class Lonely {
  var name: String
  init(name: String) { self.name = name }
}

@Model
final class Rack {
  @Relationship(inverse: \Stock.rack) var items: [Stock] = []
  init() {}
}

@Model
class Stock {
  var name: String
  var rack: Rack?
  init(name: String) { self.name = name }
}

@Model
final class Lamp: Stock {
  override init(name: String) { super.init(name: name) }
}

@Model
final class Toy: Stock {
  override init(name: String) { super.init(name: name) }
}
