import Foundation
import OpenSwiftData
import Testing

@Suite("Custom stores")
struct CustomStoreTests {
  private let folder: URL
  private let configuration: JSONStoreConfiguration

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    configuration = JSONStoreConfiguration(url: folder.appendingPathComponent("notes.json"))
  }

  private func open() throws -> ModelContainer {
    try ModelContainer(
      for: Note.self,
      configurations: JSONStoreConfiguration(url: configuration.url))
  }

  private func insert(_ titles: String..., in context: ModelContext) throws -> [Note] {
    let notes = titles.map { Note(title: $0) }
    for note in notes { context.insert(note) }
    try context.save()
    return notes
  }

  private let byTitle = FetchDescriptor<Note>(sortBy: [SortDescriptor(\.title)])

  // MARK: Saving and fetching

  @Test("models are saved with the store's identifiers, and found by another container")
  func roundTrip() throws {
    let container = try open()
    let context = ModelContext(container)
    let note = Note(title: "a")
    note.count = 7
    context.insert(note)
    #expect(note.persistentModelID.isTemporary)
    try context.save()
    let id = note.persistentModelID
    #expect(!id.isTemporary)
    #expect(id.storeIdentifier == "notes.json")
    #expect(id.entityName == "Note")
    #expect(!context.hasChanges)

    let again = ModelContext(try open())
    let found = try again.fetch(byTitle)
    #expect(found.map(\.title) == ["a"])
    #expect(found.map(\.count) == [7])
    #expect(found[0].persistentModelID == id)
    #expect(again.model(for: id) === found[0])
  }

  @Test("changes and deletions are written")
  func changes() throws {
    let context = ModelContext(try open())
    let notes = try insert("a", "b", in: context)
    notes[0].title = "c"
    context.delete(notes[1])
    try context.save()
    #expect(try ModelContext(try open()).fetch(byTitle).map(\.title) == ["c"])
    #expect(try context.fetch(byTitle).map(\.title) == ["c"])
  }

  @Test("models keep the order in which they were inserted")
  func order() throws {
    _ = try insert("c", "a", "b", in: ModelContext(try open()))
    let found = try ModelContext(try open()).fetch(FetchDescriptor<Note>())
    #expect(found.map(\.title) == ["c", "a", "b"])
  }

  @Test("results that the store does not filter and sort are filtered and sorted in memory")
  func inMemory() throws {
    _ = try insert("c", "a", "d", "b", in: ModelContext(try open()))
    let context = ModelContext(try open())
    var descriptor = FetchDescriptor<Note>(
      predicate: #Predicate { $0.title != "b" }, sortBy: [SortDescriptor(\.title, order: .reverse)])
    #expect(try context.fetch(descriptor).map(\.title) == ["d", "c", "a"])
    descriptor.fetchLimit = 1
    descriptor.fetchOffset = 1
    #expect(try context.fetch(descriptor).map(\.title) == ["c"])
    #expect(try context.fetchCount(descriptor) == 1)
    #expect(try context.fetchIdentifiers(descriptor).count == 1)
    #expect(try context.fetchCount(FetchDescriptor<Note>()) == 4)
  }

  @Test("unsaved changes are applied to the rows that the store finds")
  func overlay() throws {
    let context = ModelContext(try open())
    let notes = try insert("a", "b", in: context)
    notes[0].title = "z"
    context.insert(Note(title: "c"))
    context.delete(notes[1])
    #expect(try context.fetch(byTitle).map(\.title) == ["c", "z"])
    var stored = byTitle
    stored.includePendingChanges = false
    stored.predicate = #Predicate { $0.title == "a" }
    #expect(try context.fetch(stored).map(\.persistentModelID) == [notes[0].persistentModelID])
    context.rollback()
    #expect(try context.fetch(byTitle).map(\.title) == ["a", "b"])
  }

  @Test("batched fetches read from the store")
  func batches() throws {
    _ = try insert("c", "a", "b", in: ModelContext(try open()))
    let context = ModelContext(try open())
    var descriptor = byTitle
    descriptor.includePendingChanges = false
    #expect(try context.fetch(descriptor, batchSize: 2).map(\.title) == ["a", "b", "c"])
    var titles: [String] = []
    try context.enumerate(descriptor, batchSize: 2) { titles.append($0.title) }
    #expect(titles == ["a", "b", "c"])
  }

  @Test("deleting with a predicate deletes in the store, without the store's batch deletion")
  func deleteByPredicate() throws {
    let context = ModelContext(try open())
    _ = try insert("a", "b", in: context)
    try context.delete(model: Note.self, where: #Predicate { $0.title == "a" })
    try context.save()
    #expect(try ModelContext(try open()).fetch(byTitle).map(\.title) == ["b"])
  }

  // MARK: Contexts

  @Test("other contexts of the container see saves")
  func contexts() throws {
    let container = try open()
    let (one, other) = (ModelContext(container), ModelContext(container))
    let note = try insert("a", in: one)[0]
    let found = try #require(try other.fetch(byTitle).first)
    #expect(found.persistentModelID == note.persistentModelID)
    found.title = "b"
    try other.save()
    #expect(try one.fetchCount(FetchDescriptor<Note>()) == 1)
    #expect(note.title == "b")
  }

  @Test("an encoded identifier finds its model")
  func coding() throws {
    let context = ModelContext(try open())
    let id = try insert("a", in: context)[0].persistentModelID
    let decoded = try JSONDecoder().decode(
      PersistentIdentifier.self, from: JSONEncoder().encode(id))
    #expect(decoded == id)
    let other = ModelContext(try open())
    #expect((other.model(for: decoded) as? Note)?.title == "a")
  }

  @Test("observers follow a custom store")
  func observing() throws {
    let context = ModelContext(try open())
    let observer = try ResultsObserver<Note, Never>(
      sortBy: [SortDescriptor(\.title)], modelContext: context, isolation: nil)
    _ = try insert("b", "a", in: context)
    #expect(observer.results.map(\.title) == ["a", "b"])
  }

  @Test("an observer that is updated during a fetch uses its own order and limit")
  func nestedFetch() throws {
    let container = try open()
    let context = ModelContext(container)
    _ = try insert("c", "b", in: context)
    var descriptor = byTitle
    descriptor.fetchLimit = 2
    let observer = try ResultsObserver<Note, Never>(
      fetchDescriptor: descriptor, modelContext: context, isolation: nil)
    #expect(observer.results.map(\.title) == ["b", "c"])
    _ = try insert("a", in: ModelContext(container))
    #expect(try context.fetch(FetchDescriptor<Note>()).count == 3)
    #expect(observer.results.map(\.title) == ["a", "b"])
  }

  // MARK: Errors

  @Test("an identifier that was read after a failed save does not change when a save succeeds")
  func identifierAfterFailure() throws {
    let context = ModelContext(try open())
    let note = Note(title: "a")
    context.insert(note)
    try Data("x".utf8).write(to: configuration.url)
    #expect(throws: DecodingError.self) { try context.save() }
    let id = note.persistentModelID
    let ids: Set = [id]
    #expect(context.model(for: id) === note)
    try FileManager.default.removeItem(at: configuration.url)
    try context.save()
    #expect(ids.contains(id))
    #expect(id.isTemporary && id != note.persistentModelID)
    #expect(context.model(for: id) === note)
    let registered: Note? = context.registeredModel(for: id)
    #expect(registered === note)
  }

  @Test("the store's error reaches the caller, and all changes stay pending")
  func failure() throws {
    let context = ModelContext(try open())
    let note = Note(title: "a")
    context.insert(note)
    try Data("x".utf8).write(to: configuration.url)
    #expect(throws: DecodingError.self) { try context.save() }
    try FileManager.default.removeItem(at: configuration.url)
    #expect(context.hasChanges)
    #expect(note.persistentModelID.isTemporary)
    try context.save()
    #expect(!note.persistentModelID.isTemporary)
    #expect(try ModelContext(try open()).fetchCount(FetchDescriptor<Note>()) == 1)
  }

  @Test("a file that is not a store makes the fetch throw")
  func damagedFile() throws {
    try Data("x".utf8).write(to: configuration.url)
    #expect(throws: DecodingError.self) {
      try ModelContext(try open()).fetch(byTitle)
    }
  }

  @Test("two configurations with the same name are rejected")
  func duplicateNames() throws {
    #expect(throws: SwiftDataError.duplicateConfiguration) {
      try ModelContainer(
        for: Note.self,
        configurations: JSONStoreConfiguration("a", url: configuration.url),
        JSONStoreConfiguration("a", url: configuration.url))
    }
  }

  @Test("erasing a container erases its stores")
  func erasing() throws {
    let container = try open()
    _ = try insert("a", in: ModelContext(container))
    #expect(FileManager.default.fileExists(atPath: configuration.url.path))
    try container.erase()
    #expect(!FileManager.default.fileExists(atPath: configuration.url.path))
  }

  @Test("the histories of default stores are not requested if there are none")
  func history() throws {
    let context = ModelContext(try open())
    #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    }
  }
}
