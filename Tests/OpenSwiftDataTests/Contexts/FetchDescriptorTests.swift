import Foundation
import OpenSwiftData
import Testing

@Suite("Equality of fetch descriptors")
struct FetchDescriptorTests {
  private func titled(_ title: String) -> FetchDescriptor<Book> {
    FetchDescriptor(
      predicate: #Predicate { $0.title == title && $0.pageCount > 5 },
      sortBy: [SortDescriptor(\.title), SortDescriptor(\.pageCount, order: .reverse)])
  }

  @Test("descriptors for the same models are equal")
  func same() {
    #expect(FetchDescriptor<Book>() == FetchDescriptor<Book>())
    #expect(titled("a") == titled("a"))
    var (one, other) = (titled("a"), titled("a"))
    for descriptor in [\FetchDescriptor<Book>.fetchLimit, \.fetchOffset] {
      one[keyPath: descriptor] = 3
      #expect(one != other)
      other[keyPath: descriptor] = 3
      #expect(one == other)
    }
    one.relationshipKeyPathsForPrefetching = [\.author]
    #expect(one != other)
  }

  @Test("descriptors differ by conditions, captured values, order and what they read")
  func different() {
    #expect(titled("a") != titled("b"))
    #expect(titled("a") != FetchDescriptor<Book>(sortBy: titled("a").sortBy))
    #expect(FetchDescriptor<Book>(predicate: #Predicate { $0.title == "a" }) != titled("a"))
    var (one, other) = (titled("a"), titled("a"))
    other.sortBy.removeLast()
    #expect(one != other)
    other = one
    one.includePendingChanges = false
    #expect(one != other)
    other = one
    one.allowsEvaluationInMemory = false
    #expect(one != other)
    other = one
    one.propertiesToFetch = [\.title]
    #expect(one != other)
  }

  @Test("captured identifiers are compared")
  func identifiers() throws {
    let context = try Library.context()
    let books = ["1", "2"].map { Book(isbn: $0, title: "a") }
    books.forEach { context.insert($0) }
    try context.save()
    func naming(_ id: PersistentIdentifier) -> FetchDescriptor<Book> {
      FetchDescriptor(predicate: #Predicate { $0.persistentModelID == id })
    }
    #expect(naming(books[0].persistentModelID) == naming(books[0].persistentModelID))
    #expect(naming(books[0].persistentModelID) != naming(books[1].persistentModelID))
  }

  @Test("captured identifiers are equal in descriptors if they are equal themselves")
  func identifiersOfStores() throws {
    let context = try Library.context()
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    try context.save()
    func naming(_ id: PersistentIdentifier) -> FetchDescriptor<Book> {
      FetchDescriptor(predicate: #Predicate { $0.persistentModelID == id })
    }
    let id = book.persistentModelID
    let decoded = try JSONDecoder().decode(
      PersistentIdentifier.self, from: JSONEncoder().encode(id))
    #expect(decoded == id)
    #expect(naming(decoded) == naming(id))
    let (one, other) = (
      try PersistentIdentifier.identifier(for: "one", entityName: "Book", primaryKey: "p1"),
      try PersistentIdentifier.identifier(for: "other", entityName: "Book", primaryKey: "p1")
    )
    #expect(naming(one) == naming(one))
    #expect(naming(one) != naming(other))
  }

  @Test("predicates that only Swift can evaluate are equal only to their copies (D-393)")
  func inMemory() {
    func descriptor() -> FetchDescriptor<Book> {
      FetchDescriptor(predicate: #Predicate { $0.title.contains(/[0-9]/) })
    }
    let one = descriptor()
    var copy = one
    #expect(one == copy)
    #expect(one != descriptor())
    copy.fetchLimit = 3
    #expect(one != copy)
  }
}
