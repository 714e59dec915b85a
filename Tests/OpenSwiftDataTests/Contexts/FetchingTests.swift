import Foundation
import OpenSwiftData
import OpenTestSupport
import Testing

@Suite("Fetching models")
struct FetchingTests {
  private func filled(_ count: Int) throws -> ModelContext {
    let context = try Library.context()
    for number in 0..<count {
      let book = Book(isbn: "\(number)", title: "Book \(number % 7)")
      book.pageCount = number
      context.insert(book)
    }
    try context.save()
    return context
  }

  @Test("limit, offset and order of a descriptor apply")
  func window() throws {
    let context = try filled(20)
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pageCount, order: .reverse)])
    descriptor.fetchLimit = 3
    descriptor.fetchOffset = 2
    #expect(try context.fetch(descriptor).map(\.pageCount) == [17, 16, 15])
    descriptor.fetchLimit = 0
    descriptor.fetchOffset = nil
    #expect(try context.fetch(descriptor).count == 20)
  }

  @Test("a fetch of a model that the schema does not have throws unknownSchema")
  func outsideSchema() throws {
    let context = try Library.context()
    let error = #expect(throws: SwiftDataError.self) {
      _ = try context.fetch(FetchDescriptor<Lonely>())
    }
    #expect(error == .unknownSchema)
    #expect(error?.explanation?.contains("Lonely") == true)
    #expect(throws: SwiftDataError.unknownSchema) {
      _ = try context.fetchCount(FetchDescriptor<Lonely>())
    }
    try context.save()
  }

  @Test("unsaved changes are included unless the descriptor excludes them")
  func pending() throws {
    let context = try filled(3)
    context.insert(Book(isbn: "new", title: "new"))
    let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pageCount)]))
    #expect(books.count == 4)
    books[0].pageCount = 50
    var descriptor = FetchDescriptor<Book>(predicate: #Predicate { $0.pageCount >= 50 })
    #expect(try context.fetchCount(descriptor) == 2)
    descriptor.includePendingChanges = false
    #expect(try context.fetchCount(descriptor) == 0)
  }

  @Test("without unsaved changes, a condition that runs in memory applies to stored values")
  func storedValues() throws {
    let context = try filled(3)
    let order = [SortDescriptor(\Book.pageCount)]
    let books = try context.fetch(FetchDescriptor<Book>(sortBy: order))
    books[0].title = "changed"
    context.delete(books[1])
    context.insert(Book(isbn: "new", title: "Book 9"))
    var descriptor = FetchDescriptor<Book>(
      predicate: #Predicate { $0.title.contains(/[0-9]/) }, sortBy: order)
    #expect(try context.fetchCount(descriptor) == 2)
    descriptor.includePendingChanges = false
    #expect(try context.fetch(descriptor).map(\.pageCount) == [0, 1, 2])
    #expect(try context.fetchCount(descriptor) == 3)
    #expect(try context.fetchIdentifiers(descriptor) == books.map(\.persistentModelID))
    #expect(try context.fetch(descriptor, batchSize: 2).map(\.pageCount) == [0, 1, 2])
  }

  @Test("a batched fetch visits all models, and requires that there are no pending changes")
  func batches() throws {
    let context = try filled(25)
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pageCount)])
    #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
      try context.fetch(descriptor, batchSize: 10)
    }
    descriptor.includePendingChanges = false
    let books = try context.fetch(descriptor, batchSize: 10)
    #expect(books.count == 25)
    #expect(books.map(\.pageCount) == Array(0..<25))
    #expect(books[24].pageCount == 24)
    let identifiers = try context.fetchIdentifiers(descriptor, batchSize: 4)
    #expect(identifiers.map { $0 } == books.map(\.persistentModelID))
  }

  @Test("identifiers cannot be sorted together with unsaved changes")
  func identifiers() throws {
    let context = try filled(3)
    let descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pageCount)])
    #expect(try context.fetchIdentifiers(descriptor).count == 3)
    context.insert(Book(isbn: "new", title: "new"))
    #expect(throws: SwiftDataError.sortingPendingChangesWithIdentifiers) {
      try context.fetchIdentifiers(descriptor)
    }
  }

  @Test("enumerate visits all models in order, a batch at a time")
  func enumerating() throws {
    let context = try filled(25)
    var numbers: [Int] = []
    try context.enumerate(
      FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pageCount)]), batchSize: 10
    ) { numbers.append($0.pageCount) }
    #expect(numbers == Array(0..<25))
  }

  @Test("enumerate skips models that another context deletes before their batch is read")
  func deletedMeanwhile() throws {
    let context = ModelContext(try filled(4).container)
    var numbers: [Int] = []
    try context.enumerate(
      FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pageCount)]), batchSize: 2
    ) { book in
      numbers.append(book.pageCount)
      guard numbers.count == 1 else { return }
      let other = ModelContext(context.container)
      try other.delete(model: Book.self, where: #Predicate { $0.pageCount == 3 })
      try other.save()
    }
    #expect(numbers == [0, 1, 2])
    try context.save()
  }

  @Test("enumerate merges unsaved changes into batches of the stored models")
  func enumeratingChanges() throws {
    let context = ModelContext(try filled(9).container)
    func change(_ number: Int, _ body: (Book) -> Void) throws {
      let predicate = #Predicate<Book> { $0.pageCount == number }
      body(try #require(try context.fetch(FetchDescriptor(predicate: predicate)).first))
    }
    try change(2) { $0.pageCount = 70 }
    try change(4) { context.delete($0) }
    let new = Book(isbn: "new", title: "new")
    new.pageCount = 3
    context.insert(new)

    let order = [SortDescriptor(\Book.pageCount)]
    var numbers: [Int] = []
    var isReleased = false
    weak var first: Book?
    try context.enumerate(FetchDescriptor<Book>(sortBy: order), batchSize: 2) { book in
      numbers.append(book.pageCount)
      if numbers.count == 1 { first = book }
      if numbers.count == 9 { isReleased = first == nil }
    }
    #expect(numbers == [0, 1, 3, 3, 5, 6, 7, 8, 70])
    #expect(isReleased)

    var window = FetchDescriptor<Book>(sortBy: order)
    window.fetchOffset = 1
    window.fetchLimit = 4
    let filtered = FetchDescriptor<Book>(
      predicate: #Predicate { $0.pageCount > 5 },
      sortBy: [SortDescriptor(\.pageCount, order: .reverse)])
    try change(5) { $0.title = "book 10" }
    let localized = FetchDescriptor<Book>(
      sortBy: [SortDescriptor(\.title), SortDescriptor(\.pageCount)])
    for descriptor in [window, filtered, localized, FetchDescriptor<Book>()] {
      numbers = []
      try context.enumerate(descriptor, batchSize: 2) { numbers.append($0.pageCount) }
      #expect(try numbers == context.fetch(descriptor).map(\.pageCount))
    }
    // A block that changes the order still visits each model once.
    var visited: [String] = []
    try context.enumerate(FetchDescriptor<Book>(sortBy: order), batchSize: 2) { book in
      visited.append(book.isbn)
      book.pageCount = -book.pageCount
    }
    #expect(visited.count == 9 && Set(visited).count == 9)
  }

  @Test(
    "a block that changes models without saving ends the enumeration with an error before the next batch"
  )
  func mutations() throws {
    let context = try filled(25)
    var count = 0
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.enumerate(FetchDescriptor<Book>(), batchSize: 10) {
        $0.title = "changed"
        count += 1
      }
    }
    #expect(count == 10)
    #expect(context.changedModelsArray.count == 10)
    context.rollback()
    try context.enumerate(
      FetchDescriptor<Book>(), batchSize: 10, allowEscapingMutations: true
    ) { $0.title = "changed" }
    #expect(context.changedModelsArray.count == 25)
    context.rollback()
    // No batch follows.
    try context.enumerate(FetchDescriptor<Book>(), batchSize: 25) { context.delete($0) }
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0)
  }

  @Test("models by identifier: registered, loaded on use, or empty")
  func byIdentifier() throws {
    let context = try filled(1)
    let book = try #require(try context.fetch(FetchDescriptor<Book>()).first)
    let id = book.persistentModelID
    #expect(context.model(for: id) === book)
    let registered: Book? = context.registeredModel(for: id)
    #expect(registered === book)
    let other = ModelContext(context.container)
    let none: Book? = other.registeredModel(for: id)
    #expect(none == nil)
    #expect((other.model(for: id) as? Book)?.title == "Book 0")
    let stranger = try PersistentIdentifier.identifier(
      for: "another store", entityName: "Book", primaryKey: "p1")
    #expect(other.model(for: stranger).modelContext == nil)
    #expect(throws: SwiftDataError.unknownSchema) { try other.save() }
  }

  @Test("an identifier survives its JSON form")
  func coding() throws {
    let context = try filled(1)
    let id = try #require(try context.fetchIdentifiers(FetchDescriptor<Book>()).first)
    let decoded = try JSONDecoder().decode(
      PersistentIdentifier.self, from: JSONEncoder().encode(id))
    #expect(decoded == id)
    #expect(decoded.hashValue == id.hashValue)
    #expect((context.model(for: decoded) as? Book)?.title == "Book 0")
  }

  @Test("delete(model:where:) deletes matching models at the next save")
  func deleting() throws {
    let context = try filled(10)
    try context.delete(model: Book.self, where: #Predicate { $0.pageCount < 4 })
    #expect(context.deletedModelsArray.count == 4)
    let other = ModelContext(context.container)
    #expect(try other.fetchCount(FetchDescriptor<Book>()) == 10)
    try context.save()
    #expect(try other.fetchCount(FetchDescriptor<Book>()) == 6)
    try context.delete(model: Book.self)
    try context.save()
    #expect(try other.fetchCount(FetchDescriptor<Book>()) == 0)
  }

  @Test("a property that is not stored cannot be fetched or used for sorting")
  func unstored() throws {
    let context = try filled(1)
    #expect(throws: SwiftDataError.unsupportedKeyPath) {
      try context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.note == "none" }))
    }
    #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
      try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.note)]))
    }
    var descriptor = FetchDescriptor<Book>()
    descriptor.propertiesToFetch = [\.note]
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetch(descriptor) }
  }

  @Test(
    "a strict fetch throws for unsupported conditions, and finds models by related identifiers"
  )
  func strict() throws {
    let context = try Library.context()
    let book = Book(isbn: "1", title: "a")
    book.chapters = [Chapter(title: "one", number: 1), Chapter(title: "two", number: 2)]
    context.insert(book)
    context.insert(Chapter(title: "three", number: 3))
    try context.save()
    let id = book.persistentModelID
    var descriptor = FetchDescriptor<Chapter>(
      predicate: #Predicate { $0.book?.persistentModelID == id && $0.number > 1 })
    descriptor.allowsEvaluationInMemory = false
    #expect(try context.fetch(descriptor).map(\.number) == [2])
    descriptor.predicate = #Predicate { $0.title.contains(/t.o/) }
    #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetch(descriptor) }
    descriptor.allowsEvaluationInMemory = true
    #expect(try context.fetch(descriptor).map(\.number) == [2])
  }

  @Test("every kind of fetch throws the same error for a condition that is not supported")
  func unsupportedCondition() throws {
    let context = try filled(1)
    var descriptor = FetchDescriptor<Book>(
      predicate: #Predicate { $0.title.contains(/[0-9]/) }, sortBy: [SortDescriptor(\.pageCount)])
    descriptor.allowsEvaluationInMemory = false
    descriptor.includePendingChanges = false
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(descriptor) }
    #expect(error == .unsupportedPredicate)
    #expect((error?.underlyingError as? CocoaError)?.code.rawValue == 134_060)
    #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetchCount(descriptor) }
    #expect(throws: SwiftDataError.unsupportedPredicate) {
      try context.fetchIdentifiers(descriptor)
    }
    #expect(throws: SwiftDataError.unsupportedPredicate) {
      try context.fetch(descriptor, batchSize: 10)
    }
    #expect(throws: SwiftDataError.unsupportedPredicate) {
      try context.enumerate(descriptor) { _ in }
    }
  }

  @Test("fetches that differ in captured values find their own models")
  func repeated() throws {
    let context = try Library.context()
    for number in 0..<6 {
      let book = Book(isbn: "\(number)", title: number % 2 == 0 ? "Käse" : "cheese")
      book.pageCount = number
      if number > 3 { book.published = Date(timeIntervalSinceReferenceDate: Double(number)) }
      context.insert(book)
    }
    try context.save()
    func pages(_ title: String, _ least: Int, below: Int, _ date: Date?) throws -> [Int] {
      let found = try context.fetch(
        FetchDescriptor<Book>(
          predicate: #Predicate {
            $0.title == title && $0.pageCount >= least && $0.pageCount < below
              && $0.published == date
          }, sortBy: [SortDescriptor(\.pageCount)]))
      return found.map(\.pageCount)
    }
    let date = Date(timeIntervalSinceReferenceDate: 4)
    #expect(try pages("cheese", 3, below: 3, nil) == [])
    #expect(try pages("cheese", 1, below: 3, nil) == [1])
    #expect(try pages("cheese", 2, below: 9, nil) == [3])
    #expect(try pages("Ka\u{308}se", 0, below: 9, nil) == [0, 2])
    #expect(try pages("K\u{e4}se", 1, below: 9, nil) == [2])
    #expect(try pages("K\u{e4}se", 1, below: 9, date) == [4])
    #expect(try pages("cheese", 1, below: 9, date) == [])
    #expect(try pages("", 1, below: 9, date) == [])
  }

  @Test("an enumeration of many unsaved models skips the models that its closure deletes")
  func deletionInEnumeration() throws {
    let context = try Library.context()
    let tags = (0..<1_001).map { Tag(name: "\($0)") }
    for tag in tags { context.insert(tag) }
    var visited = 0
    try context.enumerate(FetchDescriptor<Tag>()) { tag in
      visited += 1
      for other in tags where other !== tag { context.delete(other) }
      try context.save()
    }
    #expect(visited == 1)
  }

  @Test("fetches in batches and enumerations prefetch the relationships of the descriptor")
  func prefetching() throws {
    let folder = try StoreFolder()
    defer { withExtendedLifetime(folder) {} }
    try folder.with(Library.schema) { context in
      for number in 0..<4 {
        context.insert(Book(isbn: "\(number)", title: "a", author: Author(name: "\(number)")))
      }
      try context.save()
    }
    let recorder = StatementRecorder()
    var configuration = ModelConfiguration(url: folder.file())
    configuration.statementObserver = recorder.observer
    func open() throws -> ModelContext {
      ModelContext(try ModelContainer(for: Library.schema, configurations: configuration))
    }
    func check(_ book: Book) {
      let (name, statements) = recorder.recording { book.author?.name }
      #expect(name == book.isbn)
      // The container can read its history at any time.
      #expect(!statements.contains { $0.contains("ZAUTHOR") }, "\(statements)")
    }
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)])
    descriptor.includePendingChanges = false
    descriptor.relationshipKeyPathsForPrefetching = [\.author]
    let (one, other) = (try open(), try open())
    for book in try one.fetch(descriptor, batchSize: 2) { check(book) }
    try other.enumerate(descriptor, batchSize: 2) { check($0) }
  }
}
