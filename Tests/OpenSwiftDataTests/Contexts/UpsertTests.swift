import Foundation
import Observation
import OpenObjectGraph
import OpenSwiftData
import Testing

@Model
final class Consignment {
  enum Handling: String, Codable { case normal, fragile }
  struct Extent: Codable, Equatable { var width: Int }

  @Attribute(.unique) var code: String
  var note: String?
  var handling: Handling?
  var extent: Extent?
  var stops: [String]?
  var labels: Set<String>?
  var counts: [String: Int]?

  init(code: String) { self.code = code }
}

@Model
final class Locker {
  @Attribute(.unique) var number: Int
  @Attribute(.unique) var owner: String

  init(number: Int, owner: String) {
    self.number = number
    self.owner = owner
  }
}

@Model
final class Visitor {
  var name: String

  init(name: String) { self.name = name }
}

@Model
final class Pass {
  @Attribute(.unique) var visitor: Visitor?
  var number: Int

  init(visitor: Visitor, number: Int) {
    self.number = number
    self.visitor = visitor
  }
}

@Model
class Voyage {
  @Attribute(.unique) var code: String
  var port: String?

  init(code: String) { self.code = code }
}

@Model
final class PaidVoyage: Voyage {
  var price: Int

  init(code: String, price: Int) {
    self.price = price
    super.init(code: code)
  }
}

@Suite("New models with the unique values of stored models")
struct UpsertTests {
  private let date = Date(timeIntervalSinceReferenceDate: 1)

  /// Saves a book in a new context, and returns the identifier.
  private func store(_ isbn: String, in container: ModelContainer) throws -> PersistentIdentifier {
    let context = ModelContext(container)
    let book = Book(isbn: isbn, title: "old")
    book.published = date
    book.chapters = [Chapter(title: "one", number: 1)]
    context.insert(book)
    try context.save()
    return book.persistentModelID
  }

  private func titles(in container: ModelContainer) throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Book>()).map(\.title)
  }

  // MARK: The instances

  @Test("a new model becomes the instance of a stored model that the context does not have (D-428)")
  func handedOver() throws {
    let container = try Library.container()
    let id = try store("1", in: container)
    let context = ModelContext(container)
    let book = Book(isbn: "1", title: "new")
    book.note = "kept"
    context.insert(book)
    book.chapters = [Chapter(title: "two", number: 2)]
    try context.save()
    #expect(book.modelContext == context)
    #expect(book.persistentModelID == id)
    #expect(book.title == "new" && book.note == "kept")
    #expect(book.published == nil)
    #expect(book.chapters.map(\.title) == ["one", "two"])
    #expect(try context.fetch(FetchDescriptor<Book>()).first === book)
    #expect(!context.hasChanges)
    book.title = "later"
    #expect(context.hasChanges)
    try context.save()
    #expect(try titles(in: container) == ["later"])
  }

  @Test("observers of a new model are notified that a stored model has replaced its values")
  func observers() throws {
    let container = try Library.container()
    _ = try store("1", in: container)
    let context = ModelContext(container)
    let book = Book(isbn: "1", title: "new")
    context.insert(book)
    let changes = Counter()
    withObservationTracking {
      _ = book.published
    } onChange: {
      changes.count()
    }
    try context.save()
    #expect(changes.value == 1)
    #expect(book.published == nil)
    let later = Counter()
    withObservationTracking {
      _ = book.title
    } onChange: {
      later.count()
    }
    book.title = "later"
    #expect(later.value == 1)
  }

  @Test("of two new models with equal keys, the first is saved with the values of the second")
  func bothNew() throws {
    let context = try Library.context()
    let (first, second) = (Book(isbn: "1", title: "a"), Book(isbn: "1", title: "b"))
    context.insert(first)
    context.insert(second)
    try context.save()
    #expect(first.modelContext == context && first.title == "b")
    #expect(second.modelContext == nil)
    #expect(!first.persistentModelID.isTemporary)
    #expect(second.persistentModelID == first.persistentModelID)
    #expect(try context.fetch(FetchDescriptor<Book>()).map(\.title) == ["b"])
  }

  @Test("a model that was merged into another model can be inserted again")
  func again() throws {
    let context = try Library.context()
    let stored = Book(isbn: "1", title: "a")
    context.insert(stored)
    try context.save()
    let new = Book(isbn: "1", title: "b")
    context.insert(new)
    try context.save()
    #expect(new.modelContext == nil && stored.title == "b")
    new.isbn = "2"
    context.insert(new)
    try context.save()
    #expect(new.persistentModelID != stored.persistentModelID)
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 2)
  }

  @Test("a change of a model that was merged into another model is logged and not saved (D-428)")
  func merged() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let context = try Library.context()
      let stored = Book(isbn: "1", title: "a")
      context.insert(stored)
      try context.save()
      let new = Book(isbn: "1", title: "b")
      context.insert(new)
      try context.save()
      new.title = "lost"
      try context.save()
      guard stored.title == "b", new.persistentModelID == stored.persistentModelID else {
        throw CocoaError(.coderInvalidValue)
      }
    }
    let log = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(log.contains("/Book/p1> will not be saved"))
    #expect(log.contains("because a save merged it into another object"))
  }

  // MARK: Values

  @Test("a stored model takes nil from the new model for properties of all types (D-030)")
  func unsetValues() throws {
    let context = try Library.context(Schema([Consignment.self]), inMemory: true)
    let consignment = Consignment(code: "1")
    consignment.note = "n"
    consignment.handling = .fragile
    consignment.extent = Consignment.Extent(width: 2)
    consignment.stops = ["a"]
    consignment.labels = ["b"]
    consignment.counts = ["c": 3]
    context.insert(consignment)
    try context.save()
    context.insert(Consignment(code: "1"))
    try context.save()
    let other = ModelContext(context.container)
    let found = try #require(try other.fetch(FetchDescriptor<Consignment>()).first)
    #expect(found.note == nil && found.handling == nil && found.extent == nil)
    #expect(found.stops == nil && found.labels == nil && found.counts == nil)
    #expect(consignment.note == nil && consignment.extent == nil)
  }

  @Test("a to-one relationship can be unique with @Attribute")
  func relationship() throws {
    let schema = Schema([Pass.self, Visitor.self])
    #expect(schema.entitiesByName["Pass"]?.relationshipsByName["visitor"]?.isUnique == true)
    let context = try Library.context(schema, inMemory: true)
    let (one, two) = (Visitor(name: "one"), Visitor(name: "two"))
    context.insert(one)
    context.insert(two)
    context.insert(Pass(visitor: one, number: 1))
    context.insert(Pass(visitor: two, number: 2))
    try context.save()
    context.insert(Pass(visitor: one, number: 3))
    try context.save()
    let passes = try ModelContext(context.container).fetch(
      FetchDescriptor<Pass>(sortBy: [SortDescriptor(\.number)]))
    #expect(passes.map(\.number) == [2, 3])
  }

  @Test("unique values of two stored models are an error that does not name a merge policy")
  func twoRows() throws {
    let context = try Library.context(Schema([Locker.self]), inMemory: true)
    context.insert(Locker(number: 1, owner: "a"))
    context.insert(Locker(number: 2, owner: "b"))
    try context.save()
    context.insert(Locker(number: 1, owner: "b"))
    let error = #expect(throws: CocoaError.self) { try context.save() }
    #expect(error?.code == .managedObjectConstraintMerge)
    let text = try #require(error).localizedDescription
    #expect(text.contains("Locker (") && text.contains("rollback()"))
    #expect(!text.contains("policy"))
    context.rollback()
    try context.save()
    let owners = try context.fetch(FetchDescriptor<Locker>(sortBy: [SortDescriptor(\.number)]))
    #expect(owners.map(\.owner) == ["a", "b"])
  }

  @Test(
    "a new model is not merged into a model of its superclass, which would lose values (D-446)",
    arguments: [true, false])
  func superclass(isStored: Bool) throws {
    let context = try Library.context(
      Schema([Voyage.self, PaidVoyage.self]), inMemory: true)
    context.insert(Voyage(code: "1"))
    if isStored { try context.save() }
    context.insert(PaidVoyage(code: "1", price: 5))
    let error = #expect(throws: CocoaError.self) { try context.save() }
    #expect(error?.code == .managedObjectConstraintMerge)
    #expect(try #require(error).localizedDescription.contains("a model of another class"))
    #expect(try context.fetch(FetchDescriptor<PaidVoyage>()).map(\.price) == [5])
    context.rollback()
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Voyage>()) == (isStored ? 1 : 0))
  }

  @Test("a new model updates a stored model of a subclass")
  func subclass() throws {
    let context = try Library.context(
      Schema([Voyage.self, PaidVoyage.self]), inMemory: true)
    context.insert(PaidVoyage(code: "1", price: 5))
    try context.save()
    let voyage = Voyage(code: "1")
    voyage.port = "Genoa"
    context.insert(voyage)
    try context.save()
    let other = ModelContext(context.container)
    let found = try other.fetch(FetchDescriptor<Voyage>())
    #expect(found.map(\.port) == ["Genoa"])
    #expect(found.map { ($0 as? PaidVoyage)?.price } == [5])
  }

  @Test("after a failed save and a rollback, a new model is still a new model")
  func insertionAfterRollback() throws {
    let context = try Library.context(Schema([Locker.self]), inMemory: true)
    context.insert(Locker(number: 1, owner: "a"))
    context.insert(Locker(number: 2, owner: "b"))
    try context.save()
    let other = ModelContext(context.container)
    let locker = Locker(number: 1, owner: "b")
    other.insert(locker)
    #expect(throws: CocoaError.self) { try other.save() }
    other.rollback()
    (locker.number, locker.owner) = (3, "c")
    other.insert(locker)
    try other.save()
    let reader = ModelContext(context.container)
    let saved = try reader.fetch(FetchDescriptor<Locker>(sortBy: [SortDescriptor(\.number)]))
    #expect(saved.map(\.owner) == ["a", "b", "c"])
  }
}
