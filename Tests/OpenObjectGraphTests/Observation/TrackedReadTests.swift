import Foundation
import Observation
import OpenCoreData
import Testing

/// Reads of managed properties inside `withObservationTracking(_:onChange:)`.
@Suite("Observation: reads")
struct TrackedReadTests {
  /// One way to read a property, and a change of that property.
  struct Access: Sendable, CustomTestStringConvertible {
    let name: String
    let read: @Sendable (ObservedBook) -> Void
    let change: @Sendable (ObservedBook, ObservedStack) -> Void
    var testDescription: String { name }

    init(
      _ name: String, _ read: @escaping @Sendable (ObservedBook) -> Void,
      _ change: @escaping @Sendable (ObservedBook, ObservedStack) -> Void
    ) {
      self.name = name
      self.read = read
      self.change = change
    }
  }

  static let accesses: [Access] = [
    Access("a text", { _ = $0.title }, { book, _ in book.title = "Emma" }),
    Access("an integer", { _ = $0.pages }, { book, _ in book.pages = 1 }),
    Access("a number", { _ = $0.price }, { book, _ in book.price = 1 }),
    Access(
      "a date", { _ = $0.printed },
      { book, _ in book.printed = Date(timeIntervalSinceReferenceDate: 0) }),
    Access("data", { _ = $0.cover }, { book, _ in book.cover = Data([1]) }),
    Access("a transient attribute", { _ = $0.mood }, { book, _ in book.mood = "dry" }),
    Access("a transformable attribute", { _ = $0.labels }, { book, _ in book.labels = ["a"] }),
    Access("value(forKey:)", { _ = $0.value(forKey: "title") }, { book, _ in book.title = "Emma" }),
    Access("the subscript", { _ = $0["title"] }, { book, _ in book["title"] = "Emma" }),
    Access(
      "value(forKeyPath:)", { _ = $0.value(forKeyPath: "author.name") },
      { book, _ in book.author?.name = "Frank" }),
    Access(
      "dictionaryWithValues(forKeys:)", { _ = $0.dictionaryWithValues(forKeys: ["pages"]) },
      { book, _ in book.setValuesForKeys(["pages": 7]) }),
    Access(
      "checkedValue(forKey:)", { _ = try? $0.checkedValue(forKey: "title") },
      { book, _ in book.title = "Emma" }),
    Access(
      "a to-one relationship", { _ = $0.author },
      { book, stack in book.author = stack.author("Austen") }),
    Access(
      "a to-one relationship by name", { _ = $0.value(forKey: "author") },
      { book, _ in book.author = nil }),
    Access(
      "the other side of a pair", { _ = $0.prequel },
      { book, stack in ObservedBook(context: stack.context).sequel = book }),
    Access(
      "a to-many relationship", { _ = $0.tags },
      { book, stack in book.tags.insert(stack.tag("spice")) }),
    Access(
      "a to-many relationship by name", { _ = $0.value(forKey: "tags") },
      { book, stack in stack.tag("spice").books = [book] }),
    Access(
      "an ordered relationship", { _ = $0.chapters },
      { book, stack in stack.chapter("two").book = book }),
    Access(
      "mutableSetValue(forKey:)", { _ = $0.mutableSetValue(forKey: "tags").count },
      { book, stack in book.mutableSetValue(forKey: "tags").add(stack.tag("spice")) }),
    Access(
      "mutableOrderedSetValue(forKey:)",
      { _ = $0.mutableOrderedSetValue(forKey: "chapters").count },
      { book, _ in book.mutableOrderedSetValue(forKey: "chapters").removeAllObjects() }),
    Access(
      "objectIDs(forRelationshipNamed:)", { _ = $0.objectIDs(forRelationshipNamed: "author") },
      { book, _ in book.author = nil }),
    Access("a value of willAccessValue(forKey:)", { _ = $0.shelf }, { book, _ in book.shelf = 3 }),
    Access("isUpdated", { _ = $0.isUpdated }, { book, _ in book.title = "Emma" }),
    Access("hasChanges", { _ = $0.hasChanges }, { book, _ in book.title = "Emma" }),
    Access("isDeleted", { _ = $0.isDeleted }, { book, stack in stack.context.delete(book) }),
    Access(
      "isFault", { _ = $0.isFault },
      { book, stack in stack.context.refresh(book, mergeChanges: false) }),
    Access(
      "a predicate in memory", { _ = NSPredicate(format: "title == 'Dune'").evaluate(with: $0) },
      { book, _ in book.title = "Emma" }),
  ]

  @Test(
    "a tracked read registers, and a change of what was read calls onChange once",
    arguments: accesses)
  func registers(_ access: Access) throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      let book = try stack.book()
      let calls = tracking { access.read(book) }
      #expect(calls.value == 0)
      access.change(book, stack)
      #expect(calls.value == 1)
      access.change(book, stack)
      #expect(calls.value == 1)
      #expect(throws: Never.self) { try stack.context.save() }
    }
  }

  @Test("a tracked read that fires a fault registers", arguments: accesses)
  func registersAtFaults(_ access: Access) throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      let book = try stack.book()
      stack.context.refreshAllObjects()
      if access.name == "isFault" { book.willAccessValue(forKey: nil) }
      let calls = tracking { access.read(book) }
      access.change(book, stack)
      #expect(calls.value == 1)
    }
  }

  @Test("a change of another property or object does not call onChange")
  func otherProperties() throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      let (book, other) = (try stack.book(), try stack.book())
      let calls = tracking { book.title }
      book.pages = 7
      book.tags = []
      book.author?.name = "Frank"
      other.title = "Emma"
      try stack.context.save()
      #expect(calls.value == 0)
      book.title = "Persuasion"
      #expect(calls.value == 1)
    }
  }

  @Test("onChange runs before the property is set")
  func willSet() throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      let book = try stack.book()
      let seen = CallCount()
      nonisolated(unsafe) let observed = book
      withObservationTracking {
        _ = observed.title
      } onChange: {
        if observed.title == "Dune" { seen.add() }
      }
      book.title = "Emma"
      #expect(seen.value == 1)
      #expect(book.title == "Emma")
    }
  }

  @Test("reading through to-one relationships registers each step")
  func steps() throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      let book = try stack.book()
      let byName = tracking { book.author?.name }
      book.author?.name = "Frank"
      #expect(byName.value == 1)
      let byAuthor = tracking { book.author?.name }
      book.author = stack.author("Austen")
      #expect(byAuthor.value == 1)
    }
  }

  @Test("several tracked closures can read one object, and again after a change")
  func severalReaders() throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      let book = try stack.book()
      let (first, second) = (tracking { book.title }, tracking { (book.title, book.pages) })
      book.title = "Emma"
      #expect((first.value, second.value) == (1, 1))
      book.pages = 1
      #expect((first.value, second.value) == (1, 1))
      let third = tracking { book.title }
      book.title = "Persuasion"
      #expect(third.value == 1)
    }
  }

  @Test(
    "D-270: a context can start to track observation, including its registered objects"
  )
  func optingIn() throws {
    let stack = try ObservedStack(tracksObservation: false)
    try stack.context.performAndWait {
      let book = try stack.book()
      #expect(!stack.context.tracksObservation)
      let before = tracking { (book.title, book.tags, book.isDeleted) }
      book.title = "Emma"
      #expect(before.value == 0)
      stack.context.tracksObservation = true
      let during = tracking { book.title }
      book.title = "Persuasion"
      #expect(during.value == 1)
      stack.context.tracksObservation = false
      // Tracking continues for observed objects; other objects are not tracked.
      let other = try stack.book()
      let after = tracking { other.title }
      other.title = "Emma"
      #expect(after.value == 0)
    }
  }

  @Test("objects inserted before and after the context has stores are tracked")
  func insertedObjects() throws {
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try ObservedStack().container.managedObjectModel)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    try context.performAndWait { () throws in
      context.tracksObservation = true
      context.persistentStoreCoordinator = coordinator
      let early = ObservedBook(context: context)
      try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      let books = [early, ObservedBook(context: context)]
      for book in books {
        let calls = tracking { (book.title, book.author) }
        book.title = "Dune"
        #expect(calls.value == 1)
      }
      let inserted = books.map { book in tracking { book.isInserted } }
      try context.save()
      #expect(inserted.map(\.value) == [1, 1])
    }
  }

  @Test("an observed object is released like any other object")
  func release() throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      weak var released: ObservedAuthor?
      var calls: CallCount?
      do {
        let author = stack.author("Austen")
        try stack.context.save()
        released = author
        calls = tracking { author.name }
      }
      stack.context.refreshAllObjects()
      #expect(released == nil)
      #expect(calls?.value == 0)
    }
  }

  @Test("Observations returns the values of expressions over managed properties")
  @MainActor
  func observations() async throws {
    let stack = try ObservedStack()
    let context = stack.container.viewContext
    context.tracksObservation = true
    let book = ObservedBook(context: context)
    book.title = "Dune"
    let titles = Observations { "\(book.title ?? "-"), \(book.tags.count) tags" }
    var iterator = titles.makeAsyncIterator()
    #expect(await iterator.next() == "Dune, 0 tags")
    Task { @MainActor in
      book.title = "Emma"
      book.tags = [ObservedTag(context: context)]
    }
    #expect(await iterator.next() == "Emma, 1 tags")
  }
}
