import Foundation
import OpenCoreData
import OpenSwiftData
import Testing

/// Random edits, saves and rollbacks of a SwiftData stack and a Core Data stack that work on one file at the same time, compared with
/// a plain model of what both should hold.
///
/// `OPENCOREDATA_HISTORIES` sets the number of histories, `OPENCOREDATA_HISTORY_SEED` the first seed; a failure names its seed and
/// steps.
@Suite("Random histories of both stacks on one store")
struct SharedHistoryTests {
  @Test("each stack has the contents of the reference model")
  func histories() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["OPENCOREDATA_HISTORIES"].flatMap(Int.init) ?? 40
    let first = environment["OPENCOREDATA_HISTORY_SEED"].flatMap(UInt64.init) ?? 1
    for seed in first..<first + UInt64(count) {
      try SharedHistory(seed: seed).run(steps: 60)
    }
  }
}

private enum Stack: CaseIterable {
  case models, managed

  var other: Stack { self == .models ? .managed : .models }
}

private enum Field: CaseIterable {
  case title, pageCount, author
}

/// The values of a book, without fields that have no value.
private typealias Content = [Field: String]

/// The expected contents of the stacks, by the books' numbers.
private struct SharedReference {
  struct Pending {
    var inserted: Set<Int> = []
    var changed: [Int: [Field: String?]] = [:]
    var deleted: Set<Int> = []
  }

  private var stored: [Int: Content] = [:]
  var pending: [Stack: Pending] = [.models: Pending(), .managed: Pending()]

  /// Returns the books in a stack.
  func view(_ stack: Stack) -> [Int: Content] {
    let own = pending[stack] ?? Pending()
    var view = stored.filter { !own.deleted.contains($0.key) }
    for book in own.inserted { view[book] = [.title: "new", .pageCount: "100"] }
    for (book, fields) in own.changed {
      for (field, value) in fields { view[book]?[field] = value }
    }
    return view
  }

  /// The books that a stack may change: all books without unsaved changes in the other stack.
  func free(_ stack: Stack) -> [Int] {
    let other = pending[stack.other] ?? Pending()
    return view(stack).keys.filter { other.changed[$0] == nil && !other.deleted.contains($0) }
      .sorted()
  }

  mutating func delete(_ book: Int, _ stack: Stack) {
    pending[stack]?.changed[book] = nil
    if pending[stack]?.inserted.remove(book) == nil { pending[stack]?.deleted.insert(book) }
  }

  mutating func save(_ stack: Stack) {
    stored = view(stack)
    pending[stack] = Pending()
  }
}

/// One history.
private final class SharedHistory {
  private static let authorNames = ["Ann", "Bob", "Cid"]

  private let seed: UInt64
  private var numbers: SeededNumbers
  private var reference = SharedReference()
  private let stacks: SharedStacks
  private let models: ModelContext
  private var managed: NSManagedObjectContext { stacks.managed }
  private var bookCount = 0
  /// The actions so far, for failure messages.
  private var actions: [String] = []

  init(seed: UInt64) throws {
    self.seed = seed
    numbers = SeededNumbers(seed: seed)
    stacks = try SharedStacks()
    models = ModelContext(stacks.container)
    managed.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    for name in Self.authorNames { models.insert(Author(name: name)) }
    try models.save()
  }

  func run(steps: Int) throws {
    for _ in 0..<steps {
      try act(pick(Stack.allCases))
      try compare(pick(Stack.allCases))
    }
    for stack in Stack.allCases { try compare(stack) }
  }

  private func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: 0..<choices.count, using: &numbers)]
  }

  // MARK: Changes

  private func act(_ stack: Stack) throws {
    let free = reference.free(stack)
    let kind = Int.random(in: 0..<12, using: &numbers)
    let book = free.isEmpty ? nil : pick(free)
    actions.append("\(stack) \(kind) \(book ?? 0)")
    switch (kind, book) {
    case (0...2, _): insert(stack)
    case (3...6, let book?): try change(book, pick(Field.allCases), stack)
    case (7, let book?): try delete(book, stack)
    case (8...10, _): try save(stack)
    case (11, _): rollback(stack)
    default: break
    }
  }

  private func insert(_ stack: Stack) {
    bookCount += 1
    let isbn = "\(bookCount)"
    switch stack {
    case .models: models.insert(Book(isbn: isbn, title: "new"))
    case .managed:
      managed.performAndWait {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: managed)
        book.setValue(isbn, forKey: "isbn")
        book.setValue("new", forKey: "title")
      }
    }
    reference.pending[stack]?.inserted.insert(bookCount)
  }

  private func change(_ book: Int, _ field: Field, _ stack: Stack) throws {
    let value: String? =
      switch field {
      case .title: pick(["a", "b", "c"])
      case .pageCount: pick(["1", "2", "3"])
      case .author: pick(Self.authorNames + [nil])
      }
    switch stack {
    case .models: try set(field, value, of: try #require(try self.book(book)))
    case .managed:
      try managed.performAndWait { try set(field, value, of: try #require(try object(book))) }
    }
    reference.pending[stack]?.changed[book, default: [:]][field] = .some(value)
  }

  private func set(_ field: Field, _ value: String?, of book: Book) throws {
    switch field {
    case .title: book.title = value ?? ""
    case .pageCount: book.pageCount = value.flatMap { Int($0) } ?? 0
    case .author:
      book.author = try models.fetch(FetchDescriptor<Author>()).first { $0.name == value }
    }
  }

  private func set(_ field: Field, _ value: String?, of book: NSManagedObject) throws {
    switch field {
    case .title: book.setValue(value, forKey: "title")
    case .pageCount: book.setValue(value.flatMap { Int($0) }, forKey: "pageCount")
    case .author:
      let authors = try managed.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
      let author = authors.first { $0.value(forKey: "name") as? String == value }
      book.setValue(author, forKey: "author")
    }
  }

  private func delete(_ book: Int, _ stack: Stack) throws {
    switch stack {
    case .models: models.delete(try #require(try self.book(book)))
    case .managed: try managed.performAndWait { managed.delete(try #require(try object(book))) }
    }
    reference.delete(book, stack)
  }

  private func save(_ stack: Stack) throws {
    switch stack {
    case .models: try models.save()
    case .managed: try managed.performAndWait { try managed.save() }
    }
    reference.save(stack)
  }

  private func rollback(_ stack: Stack) {
    switch stack {
    case .models: models.rollback()
    case .managed: managed.performAndWait { managed.rollback() }
    }
    reference.pending[stack] = .init()
  }

  // MARK: Reading

  private func book(_ number: Int) throws -> Book? {
    let isbn = "\(number)"
    return try models.fetch(FetchDescriptor(predicate: #Predicate<Book> { $0.isbn == isbn })).first
  }

  private func object(_ number: Int) throws -> NSManagedObject? {
    managed.refreshAllObjects()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.predicate = NSPredicate(format: "isbn == %@", "\(number)")
    return try managed.fetch(request).first
  }

  private func compare(_ stack: Stack) throws {
    let expected = reference.view(stack)
    let place = "seed \(seed), \(stack): \(actions.joined(separator: "; "))"
    switch stack {
    case .models:
      let books = try models.fetch(FetchDescriptor<Book>())
      let found = books.map { book in
        (book.isbn, content(book.title, book.pageCount, book.author?.name))
      }
      try #require(table(found) == expected, "\(place)")
      for author in try models.fetch(FetchDescriptor<Author>()) {
        let books = (author.books ?? []).compactMap { Int($0.isbn) }.sorted()
        let wanted = expected.filter { $0.value[.author] == author.name }.keys.sorted()
        try #require(books == wanted, "books of \(author.name), \(place)")
      }
    case .managed:
      try managed.performAndWait {
        managed.refreshAllObjects()
        let books = try managed.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
        let found = books.map { book in
          (
            book.value(forKey: "isbn") as? String ?? "",
            content(
              book.value(forKey: "title") as? String, book.value(forKey: "pageCount") as? Int,
              book.value(forKeyPath: "author.name") as? String)
          )
        }
        try #require(table(found) == expected, "\(place)")
      }
    }
  }

  private func content(_ title: String?, _ pageCount: Int?, _ author: String?) -> Content {
    var content: Content = [:]
    content[.title] = title
    content[.pageCount] = pageCount.map { "\($0)" }
    content[.author] = author
    return content
  }

  private func table(_ books: [(String, Content)]) -> [Int: Content] {
    Dictionary(books.map { (Int($0.0) ?? 0, $0.1) }, uniquingKeysWith: { one, _ in one })
  }
}
