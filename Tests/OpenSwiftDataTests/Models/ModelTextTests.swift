import Foundation
import OpenSwiftData
import Testing

/// Conforms in an extension, which `@Model` does not replace.
@Model final class SelfReflecting {
  var name: String

  init(name: String) { self.name = name }
}

extension SelfReflecting: CustomReflectable {
  var customMirror: Mirror { Mirror(self, children: ["own": name]) }
}

/// Has values whose stored form differs from their own.
@Model final class Parcel {
  enum State: String, Codable { case packed, sent }
  struct Size: Codable { var width = 1, height = 2 }

  var state: State = State.packed
  var size: Size = Parcel.Size()
  var weights: [Double] = []
  var isFragile = true
  var sent: Date?

  init() {}
}

@Suite("Models in the debugger") struct ModelTextTests {
  private static func dumped(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text.replacing(/0x[0-9a-f]+/, with: "0x…").replacing(
      /x-coredata:\/\/[0-9A-F-]+/, with: "x-coredata://…")
  }

  @Test("dump shows the persisted properties of a new model in the order of their declarations")
  func newModel() {
    let book = Book(isbn: "1", title: "Dune")
    let labels = Mirror(reflecting: book).children.compactMap(\.label)
    #expect(
      labels == [
        "objectID", "isbn", "title", "pageCount", "published", "author", "chapters", "tags",
      ])
    #expect(book.debugDescription.contains("title = \"Dune\";"), "\(book.debugDescription)")
    #expect(!Self.dumped(book).contains("backingData"))
  }

  @Test("values have the types of their properties")
  func values() {
    let parcel = Parcel()
    let values = Dictionary(
      uniqueKeysWithValues: Mirror(reflecting: parcel).children.map { ($0.label ?? "", $0.value) })
    #expect(values["state"] as? Parcel.State == .packed)
    #expect((values["size"] as? Parcel.Size)?.height == 2)
    #expect(values["weights"] as? [Double] == [])
    #expect(values["isFragile"] as? Bool == true)
    #expect(values["sent"] as? String == "nil")
  }

  @Test("a model whose row is not loaded shows <fault>, and stays a fault")
  func fault() throws {
    let container = try Library.container()
    let context = ModelContext(container)
    let author = Author(name: "Herbert")
    context.insert(Book(isbn: "1", title: "Dune", author: author))
    try context.save()
    let other = ModelContext(container)
    let book = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    _ = book.title
    let text = Self.dumped(book)
    #expect(text.contains("author: \"<relationship fault: author>\""), "\(text)")
    #expect(text.contains("tags: \"<relationship fault: tags>\""), "\(text)")
    let found: Author? = book.author
    let unread = try #require(found)
    #expect(Self.dumped(unread).contains("data: \"<fault>\""), "\(Self.dumped(unread))")
    #expect(unread.debugDescription.contains("data: <fault>"))
    #expect(unread.name == "Herbert")
    #expect(Self.dumped(unread).contains("name: \"Herbert\""))
    #expect(Self.dumped(book).contains("author: x-coredata://…/Author/p1"), "\(Self.dumped(book))")
  }

  @Test("a class that conforms itself keeps its own mirror")
  func ownConformance() {
    #expect(Mirror(reflecting: SelfReflecting(name: "a")).children.first?.label == "own")
    #expect(SelfReflecting(name: "a").debugDescription.contains("name = \"a\";"))
  }

  @Test("a submodel also shows the properties of its superclasses")
  func submodel() {
    let labels = Mirror(reflecting: Dog(name: "Rex", breed: "hound")).children.compactMap(\.label)
    #expect(labels.contains("name"), "\(labels)")
    #expect(!labels.contains { $0.contains("$") || $0.hasPrefix("_") }, "\(labels)")
  }

  @Test("containers, contexts, schemas, descriptors and identifiers show facts, not internals")
  func stack() throws {
    let container = try Library.container()
    let context = ModelContext(container)
    let book = Book(isbn: "1", title: "Dune")
    context.insert(book)
    try context.save()
    let descriptor = FetchDescriptor<Book>(
      predicate: #Predicate { $0.title == "Dune" }, sortBy: [SortDescriptor(\.isbn)])
    #expect(
      "\(descriptor)" == "FetchDescriptor<Book> (predicate: title == \"Dune\"; sortBy: isbn)")
    #expect(Self.dumped(book.persistentModelID) == "- x-coredata://…/Book/p1\n")
    func labels(_ value: Any) -> [String] { Mirror(reflecting: value).children.compactMap(\.label) }
    #expect(labels(context) == ["container", "autosaveEnabled"])
    #expect(labels(container) == ["schema", "configurations"])
    #expect(labels(Library.schema) == ["version", "entities"])
    #expect(labels(descriptor) == ["predicate", "sortBy"])
    #expect(Self.dumped(container).contains("Entity (name: \"Tag\""), "\(Self.dumped(container))")
  }

  @Test("results show their models, and batched results only their number")
  func results() throws {
    let context = ModelContext(try Library.container())
    for number in 0..<3 { context.insert(Book(isbn: "\(number)", title: "Book \(number)")) }
    try context.save()
    let observer = try ResultsObserver<Book, String>(
      sortBy: [SortDescriptor(\.isbn)], sectionBy: \.title, modelContext: context)
    #expect(
      observer.debugDescription
        == "ResultsObserver<Book, String> (fetchDescriptor: FetchDescriptor<Book> (sortBy: isbn); sectionBy: \"title\"; results: 3 models)"
    )
    #expect("\(observer.results)" == "FetchResultsCollection<Book> (3 in all)")
    #expect(Mirror(reflecting: observer.results).children.count == 3)
    let sections = try #require(observer.sections)
    #expect("\(sections[0])" == "ResultsSection<Book, String> (Book 0: 1 in all)")
    #expect(sections.description.hasSuffix("(Book 0: 1; Book 1: 1; Book 2: 1)"))
    var saved = FetchDescriptor<Book>()
    saved.includePendingChanges = false
    let batches = try context.fetch(saved, batchSize: 2)
    #expect(Mirror(reflecting: batches).children.compactMap(\.label) == ["count"])
  }
}
