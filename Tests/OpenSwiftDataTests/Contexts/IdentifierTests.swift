import Foundation
import OpenSwiftData
import Testing

@Suite("Identifiers of models that have left their context")
struct IdentifierTests {
  private func saved() throws -> (context: ModelContext, book: Book) {
    let context = try Library.context()
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    try context.save()
    return (context, book)
  }

  @Test("a model keeps its identifier when its deletion is saved")
  func deleted() throws {
    let (context, book) = try saved()
    let id = book.persistentModelID
    context.delete(book)
    try context.save()
    #expect(book.modelContext == nil)
    #expect(book.persistentModelID == id)
    #expect(book.id == id)
    #expect(!book.persistentModelID.isTemporary)
    #expect(book.persistentModelID.storeIdentifier == id.storeIdentifier)
  }

  @Test("a model keeps its identifier when its context and its container are released")
  func released() throws {
    func fetched() throws -> (id: PersistentIdentifier, book: Book) {
      let (context, _) = try saved()
      let id = try #require(try context.fetchIdentifiers(FetchDescriptor<Book>()).first)
      let book = try #require(
        try ModelContext(context.container).fetch(FetchDescriptor<Book>()).first)
      return (id, book)
    }
    let (id, book) = try fetched()
    #expect(book.modelContext == nil)
    #expect(book.persistentModelID == id)
    #expect(book.id == id)
    #expect(!book.persistentModelID.isTemporary)
  }

  @Test("an identifier of another container leads to an empty model, and the next save throws")
  func foreign() throws {
    let (context, book) = try saved()
    try withExtendedLifetime(context) {
      let other = try Library.context()
      #expect(other.model(for: book.persistentModelID).modelContext == nil)
      #expect(throws: SwiftDataError.unknownSchema) { try other.save() }
      try other.save()
    }
  }

  @Test("a deleted model that is inserted into another container receives another identifier")
  func insertedAgain() throws {
    let (context, book) = try saved()
    let id = book.persistentModelID
    context.delete(book)
    try context.save()
    #expect(book.persistentModelID == id)
    let other = try Library.context()
    other.insert(book)
    #expect(book.persistentModelID.isTemporary)
    try other.save()
    #expect(book.persistentModelID != id)
    #expect(!book.persistentModelID.isTemporary)
    #expect(try other.fetch(FetchDescriptor<Book>()).map(\.isbn) == ["1"])
  }

  @Test(
    "a deleted model that is inserted again keeps its attributes, and has no relationships",
    arguments: [true, false])
  func relationshipsOfInsertedAgain(isSameContainer: Bool) throws {
    let context = try Library.context()
    let book = Book(isbn: "1", title: "a", author: Author(name: "author"))
    context.insert(book)
    try context.save()
    context.delete(book)
    try context.save()
    #expect(book.author == nil)
    let other = isSameContainer ? context : try Library.context()
    if !isSameContainer {
      // The row has the same primary key as the author in the first container.
      other.insert(Author(name: "stranger"))
      try other.save()
    }
    other.insert(book)
    #expect(book.title == "a" && book.author == nil)
    try other.save()
    let hasNoAuthor = #Predicate<Book> { $0.title == "a" && $0.author == nil }
    #expect(try other.fetchCount(FetchDescriptor(predicate: hasNoAuthor)) == 1)
  }
}
