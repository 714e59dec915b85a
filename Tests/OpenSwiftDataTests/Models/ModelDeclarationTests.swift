import Foundation
import Observation
import OpenSwiftData
import Testing

@Suite("Declarations of models")
struct ModelDeclarationTests {
  @Test("a model can have its own identifier and conformances")
  func ownConformances() throws {
    let page = CodedPage(content: "c")
    #expect(type(of: page.id) == UUID.self)
    #expect(page.status == .pending)
    let copy = try JSONDecoder().decode(CodedPage.self, from: JSONEncoder().encode(page))
    #expect(copy.id == page.id)
    #expect(copy.content == "c")
    #expect(copy !== page)
  }

  @Test("a class that reaches the protocol of models through another name has its own object")
  func indirectConformances() {
    let (scout, ranger) = (Scout(badge: "owl"), Ranger(badge: "elk"))
    #expect(scout.persistentModelID.entityName == "Scout")
    #expect(ranger.persistentModelID.entityName == "Ranger")
    #expect("\(scout.badge) \(ranger)" == "owl elk")
    #expect(SchemaRow.names(of: Ranger.self) == ["badge"])
  }

  @Test("properties of all kinds are read and set before a model is inserted")
  func kinds() {
    let book = ShelvedBook(isbn: "i")
    #expect(book.isbn == "i")
    #expect(book.note == nil)
    #expect(book.subtitle == nil)
    #expect(book.series == nil)
    #expect(book.weight == 1.5)
    #expect(book.price == 3)
    #expect(book.counter == 0)
    #expect(!book.default)
    #expect(book.tags.isEmpty)
    book.note = "n"
    book.subtitle = "s"
    book.series = "r"
    book.link = URL(string: "https://example.com")
    book.data = Data([1])
    book.counter += 2
    book.default = true
    book.tags.append("t")
    book.revise()
    #expect(book.note == "n")
    #expect(book.subtitle == "s")
    #expect(book.series == "r")
    #expect(book.link?.host() == "example.com")
    #expect(book.data == Data([1]))
    #expect(book.counter == 2)
    #expect(book.default)
    #expect(book.tags == ["t"])
    #expect(book.revision == 2)
  }

  @Test("transient, computed and static properties are the class's own")
  func ownProperties() {
    let book = ShelvedBook(isbn: "i")
    book.cache["a"] = 1
    book.maybe = 2
    #expect(book.cache == ["a": 1])
    #expect(book.maybe == 2)
    #expect(book.slow == 4)
    #expect(book.description == "i!")
    let names = SchemaRow.names(of: ShelvedBook.self)
    #expect(!names.contains("cache") && !names.contains("description"))
  }

  @Test("properties in a conditional block are persisted if the condition is true")
  func conditions() {
    let names = SchemaRow.names(of: ShelvedBook.self)
    #expect(names.contains("platform"))
    #expect(!names.contains("other"))
    let book = ShelvedBook(isbn: "i")
    book.platform = "other"
    #expect(book.platform == "other")
  }

  @Test("initializers can fail before all properties have values")
  func failures() throws {
    #expect(Fallible(name: nil) == nil)
    #expect(throws: Fallible.Refusal.self) { try Fallible(throwing: "") }
    #expect(try Fallible(throwing: "a").size == 2)
    #expect(Fallible().name == "convenient")
  }

  @Test("default values have the type of their property")
  func defaultValues() {
    let rows = Dictionary(
      uniqueKeysWithValues: SchemaRow.all(of: ShelvedBook.self).map { ($0.name, $0.defaultValue) })
    #expect(rows["weight"] as? Decimal == 1.5)
    #expect(rows["price"] as? Double == 3)
    #expect(rows["counter"] as? Int == 0)
    #expect(SchemaRow.all(of: CodedPage.self).last?.defaultValue as? CodedPage.Status == .pending)
  }

  @Test("default values can be expressions with operators or branches")
  func calculatedValues() {
    let rows = Dictionary(
      uniqueKeysWithValues: SchemaRow.all(of: Calculated.self).map { ($0.name, $0.defaultValue) })
    #expect(rows["isWide"] as? Bool == true)
    #expect(rows["side"] as? Calculated.Side == .left)
    #expect(rows["sum"] as? Double == 3)
    #expect(rows["limit"] as? Int == 7)
    #expect(rows["text"] as? String == "a")
    #expect(rows["height"] as? Double == 5)
    #expect(rows["mark"] as? String == "three")
    let calculated = Calculated()
    #expect(calculated.isWide && calculated.side == .left && calculated.sum == 3)
    #expect(calculated.height == 5 && calculated.mark == "three")
  }

  @Test("the values of an initializer replace default values that are equal or have destinations")
  func replacedDefaults() {
    let recording = Recording(
      gain: -0.0, title: "e\u{301}", sleeve: nil, sleeves: [], number: 1)
    #expect(recording.gain.sign == .minus)
    #expect(recording.title.unicodeScalars.count == 2)
    #expect(recording.sleeve == nil)
    #expect(recording.sleeves.isEmpty)
  }

  @Test("attributes and relationships are described as declared")
  func descriptions() {
    #expect(SchemaRow.all(of: CodedPage.self).first?.metadata is Schema.Attribute)
    #expect(SchemaRow.all(of: Shelf.self).first?.metadata is Schema.Relationship)
    #expect(SchemaRow.all(of: Shelf.self).last?.metadata == nil)
    #expect(SchemaRow.names(of: SecondEdition.Trip.self) == ["title"])
    #expect(FirstEdition.Trip(name: "n").name == "n")
  }

  @Test("indexes and unique combinations follow the properties")
  func constraints() {
    #expect(
      SchemaRow.names(of: Person.self) == [
        "first", "last", "email", "SwiftData.Schema.Index", "SwiftData.Schema.Unique",
      ])
  }

  @Test("a model can derive from a class that is not a model")
  func otherSuperclass() {
    let model = DescribedModel(number: 3)
    #expect(model.number == 3)
    #expect(model.text == "described")
    #expect(SchemaRow.names(of: DescribedModel.self) == ["number"])
  }

  @Test("a model is equal only to itself")
  func equality() {
    let (one, other) = (Fallible(), Fallible())
    #expect(one == one)
    #expect(one != other)
    #expect(Set([one, one, other]).count == 2)
  }

  @Test("a change of one property is reported to its readers")
  func observation() {
    let trip = FirstEdition.Trip(name: "n")
    let changes = Counter()
    withObservationTracking {
      _ = trip.name
    } onChange: {
      changes.count()
    }
    trip.name = "m"
    #expect(changes.value == 1)
  }

  @Test("readers of a new model are notified if its insertion changes its schema")
  func observationOfMovedModel() throws {
    _ = try ModelContainer(
      for: Schema([Book.self, Author.self, Chapter.self, Tag.self, Sleeve.self]),
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let book = Book(isbn: "1", title: "a")
    let changes = Counter()
    withObservationTracking {
      _ = book.title
    } onChange: {
      changes.count()
    }
    let context = try Library.context()
    context.insert(book)
    book.title = "b"
    #expect(changes.value == 1)
  }

  @Test("methods of a class can announce changes of computed properties")
  func announcements() {
    let book = ShelvedBook(isbn: "i")
    let changes = Counter()
    withObservationTracking {
      book.access(keyPath: \.description)
    } onChange: {
      changes.count()
    }
    book.withMutation(keyPath: \.description) {}
    #expect(changes.value == 1)
  }
}
