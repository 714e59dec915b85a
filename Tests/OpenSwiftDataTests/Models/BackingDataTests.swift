import Foundation
import OpenSwiftData
import Testing

/// Backing data that forwards to other backing data, as in applications that count reads.
private final class ForwardingBackingData: BackingData {
  typealias Model = Book

  private var wrapped: any BackingData<Book>
  private(set) var readCount = 0

  init(_ wrapped: any BackingData<Book>) { self.wrapped = wrapped }

  required init(for modelType: Book.Type) { wrapped = Book.createBackingData() }

  var persistentModelID: PersistentIdentifier? {
    get { wrapped.persistentModelID }
    set { wrapped.persistentModelID = newValue }
  }
  var metadata: Any { wrapped.metadata }

  func getValue<Value: Decodable>(forKey key: KeyPath<Book, Value>) -> Value {
    readCount += 1
    return wrapped.getValue(forKey: key)
  }

  func getValue<Value: PersistentModel>(forKey key: KeyPath<Book, Value>) -> Value {
    readCount += 1
    return wrapped.getValue(forKey: key)
  }

  func getValue<Value: PersistentModel>(forKey key: KeyPath<Book, Value?>) -> Value? {
    readCount += 1
    return wrapped.getValue(forKey: key)
  }

  func getValue<Value: RelationshipCollection, Other>(forKey key: KeyPath<Book, Value>) -> Value
  where Other == Value.PersistentElement {
    readCount += 1
    return wrapped.getValue(forKey: key)
  }

  /// Applications declare this overload for types that conform to both protocols.
  func getValue<Value: Decodable & RelationshipCollection, Other>(
    forKey key: KeyPath<Book, Value>
  ) -> Value where Other == Value.PersistentElement {
    wrapped.getValue(forKey: key)
  }

  func getTransformableValue<Value>(forKey key: KeyPath<Book, Value>) -> Value {
    readCount += 1
    return wrapped.getTransformableValue(forKey: key)
  }

  func setValue<Value: Encodable>(forKey key: KeyPath<Book, Value>, to value: Value) {
    wrapped.setValue(forKey: key, to: value)
  }

  func setValue<Value: PersistentModel>(forKey key: KeyPath<Book, Value>, to value: Value) {
    wrapped.setValue(forKey: key, to: value)
  }

  func setValue<Value: PersistentModel>(forKey key: KeyPath<Book, Value?>, to value: Value?) {
    wrapped.setValue(forKey: key, to: value)
  }

  func setValue<Value: RelationshipCollection, Other>(
    forKey key: KeyPath<Book, Value>, to value: Value
  ) where Other == Value.PersistentElement {
    wrapped.setValue(forKey: key, to: value)
  }

  func setTransformableValue<Value>(forKey key: KeyPath<Book, Value>, to value: Value) {
    wrapped.setTransformableValue(forKey: key, to: value)
  }
}

@Suite("Backing data of models")
struct BackingDataTests {
  @Test("a model keeps its values if custom backing data forwards to its own backing data (D-442)")
  func forwarding() throws {
    let context = try Library.context()
    let book = Book(isbn: "1", title: "a", author: Author(name: "x"))
    context.insert(book)
    book.chapters = [Chapter(title: "one", number: 1)]
    try context.save()
    let id = book.persistentModelID
    let backing = ForwardingBackingData(book.persistentBackingData)
    book.persistentBackingData = backing
    #expect(backing.readCount == 0)
    #expect(book.persistentModelID == id)
    book.title = "b"
    try context.save()
    let other = ModelContext(context.container)
    let found = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    #expect(found.title == "b" && found.author?.name == "x")
    #expect(found.chapters.map(\.title) == ["one"])
  }

  @Test("a model has the values and relationships of custom backing data (D-442)")
  func custom() throws {
    let book = Book(isbn: "1", title: "a", author: Author(name: "x"))
    book.chapters = [Chapter(title: "one", number: 1)]
    let copy = Book(backingData: ForwardingBackingData(book.persistentBackingData))
    copy.isbn = "2"
    let context = try Library.context()
    context.insert(copy)
    try context.save()
    #expect(copy.title == "a" && copy.pageCount == 100 && copy.published == nil)
    #expect(copy.author?.name == "x")
    #expect(copy.chapters.map(\.title) == ["one"])
  }

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

  @Test("a model can be created from backing data that a caller filled")
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

  @Test("an invalid key path changes nothing, and the next save throws")
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
