import Foundation
import OpenSwiftData
import Testing

@Suite("Relationships in custom stores")
struct CustomStoreRelationshipTests {
  private let url: URL

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appendingPathComponent("library.json")
  }

  private func open() throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Library.schema, configurations: [JSONStoreConfiguration(url: url)]))
  }

  private func fill() throws {
    let context = try open()
    let book = Book(isbn: "1", title: "Emma", author: Author(name: "Austen"))
    book.published = Date(timeIntervalSinceReferenceDate: 7)
    book.chapters = [Chapter(title: "I", number: 1), Chapter(title: "II", number: 2)]
    book.tags = [Tag(name: "novel")]
    context.insert(book)
    context.insert(Book(isbn: "2", title: "Persuasion", author: book.author))
    try context.save()
  }

  private func books(_ context: ModelContext) throws -> [Book] {
    try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)]))
  }

  @Test("models and their relationships are saved together and read back")
  func roundTrip() throws {
    try fill()
    let context = try open()
    let found = try books(context)
    #expect(found.map(\.title) == ["Emma", "Persuasion"])
    #expect(found[0].published == Date(timeIntervalSinceReferenceDate: 7))
    #expect(found[1].published == nil)
    #expect(found[0].author?.name == "Austen")
    #expect(found[0].author === found[1].author)
    #expect(Set(found[0].chapters.map(\.title)) == ["I", "II"])
    #expect(found[0].chapters.allSatisfy { $0.book === found[0] })
    #expect(found[0].tags.map(\.name) == ["novel"])
    #expect(found[0].tags.first?.books.map(\.title) == ["Emma"])
    #expect(found[0].author?.books?.count == 2)
  }

  @Test("predicates follow relationships in memory")
  func predicates() throws {
    try fill()
    let context = try open()
    let byAuthor = FetchDescriptor<Book>(
      predicate: #Predicate { $0.author?.name == "Austen" && $0.title == "Emma" })
    #expect(try context.fetch(byAuthor).map(\.isbn) == ["1"])
    let byChapter = FetchDescriptor<Book>(
      predicate: #Predicate { book in book.chapters.contains { $0.number == 2 } })
    #expect(try context.fetchCount(byChapter) == 1)
  }

  @Test("delete rules work in custom stores")
  func deleteRules() throws {
    try fill()
    let context = try open()
    context.delete(try books(context)[0])
    try context.save()
    let again = try open()
    #expect(try books(again).map(\.title) == ["Persuasion"])
    #expect(try again.fetchCount(FetchDescriptor<Chapter>()) == 0)
    #expect(try again.fetch(FetchDescriptor<Author>()).first?.books?.map(\.title) == ["Persuasion"])
  }

  @Test("a relationship to a new model is written with its permanent identifier")
  func newDestination() throws {
    try fill()
    let context = try open()
    let book = try books(context)[1]
    book.author = Author(name: "Anonymous")
    try context.save()
    let other = try open()
    let again = try books(other)
    #expect(again[1].author?.name == "Anonymous")
    #expect(again[0].author?.books?.map(\.title) == ["Emma"])
  }

  @Test("default stores and custom stores work in one container")
  func mixed() throws {
    let container = try ModelContainer(
      for: Schema([Note.self, Keepsake.self]),
      configurations: [
        ModelConfiguration("notes", schema: Schema([Note.self]), isStoredInMemoryOnly: true),
        JSONStoreConfiguration("keepsakes", schema: Schema([Keepsake.self]), url: url),
      ])
    let context = ModelContext(container)
    let keepsake = Keepsake(title: "b", kind: .letter)
    keepsake.origin = Keepsake.Origin(place: "Bath", year: 1811)
    keepsake.tags = ["x"]
    context.insert(Note(title: "a"))
    context.insert(keepsake)
    try context.save()
    #expect(keepsake.persistentModelID.storeIdentifier == url.lastPathComponent)
    let other = ModelContext(container)
    #expect(try other.fetch(FetchDescriptor<Note>()).map(\.title) == ["a"])
    let found = try #require(try other.fetch(FetchDescriptor<Keepsake>()).first)
    #expect(found.kind == .letter)
    #expect(found.origin == Keepsake.Origin(place: "Bath", year: 1811))
    #expect(found.tags == ["x"])
  }

  @Test("a save throws and writes nothing if a related model cannot be read from the store")
  func unreadablePartner() throws {
    try fill()
    let other = try open()
    let found = try #require(try other.fetch(FetchDescriptor<Author>()).first)
    let context = try open()
    let author = try #require(context.model(for: found.persistentModelID) as? Author)
    other.delete(found)
    try other.save()
    context.insert(Book(isbn: "3", title: "Sanditon", author: author))
    #expect(throws: (any Error).self) { try context.save() }
    let again = try open()
    #expect(try books(again).map(\.isbn) == ["1", "2"])
  }
}
