import Foundation
import OpenSwiftData
import Testing

@Suite("Requests to custom stores, and their answers")
struct ScriptedStoreTests {
  private func container(_ script: StoreScript) throws -> ModelContainer {
    try ModelContainer(
      for: Schema([Note.self, Keepsake.self]),
      configurations: [ScriptedStoreConfiguration(script: script)])
  }

  @Test("an observer that fetches during another fetch uses its own order")
  func nestedFetch() throws {
    let script = try StoreScript("a", "b")
    let context = ModelContext(try container(script))
    let observer = try ResultsObserver<Note, Never>(
      sortBy: [SortDescriptor(\.title)], modelContext: context, isolation: nil)
    script.duringNextFetch = { observer.sortBy = [SortDescriptor(\.title, order: .reverse)] }
    let found = try context.fetch(
      FetchDescriptor<Note>(predicate: #Predicate { $0.title == "a" }))
    #expect(found.map(\.title) == ["a"])
    #expect(observer.results.map(\.title) == ["b", "a"])
  }

  // MARK: Identifiers of new models

  /// An identifier that a store must not assign to a new note.
  enum WrongIdentifier: CaseIterable {
    case none, temporary, otherStore, otherModel, repeated

    func assign(_ temporary: PersistentIdentifier) throws -> PersistentIdentifier? {
      switch self {
      case .none: nil
      case .temporary: temporary
      case .otherStore: try StoreScript.identifier(1, store: "other")
      case .otherModel: try StoreScript.identifier(1, entity: "Keepsake")
      case .repeated: try StoreScript.identifier(1)
      }
    }
  }

  @Test(
    "a save throws if the store returns no valid permanent identifier for a new model",
    arguments: WrongIdentifier.allCases)
  func wrongIdentifier(_ wrong: WrongIdentifier) throws {
    let script = try StoreScript()
    script.assignment = { temporary in
      do { return try wrong.assign(temporary) } catch {
        Issue.record(error)
        return nil
      }
    }
    let context = ModelContext(try container(script))
    let notes = ["a", "b"].map { Note(title: $0) }
    for note in notes { context.insert(note) }
    #expect(throws: SwiftDataError.unknownDataStoreSchema) { try context.save() }
    #expect(context.insertedModelsArray.count == 2)
    let areTemporary = notes.map { $0.persistentModelID.isTemporary }
    #expect(areTemporary == [true, true])
    script.assignment = nil
    try context.save()
    #expect(!context.hasChanges)
    #expect(script.notes.map(\.title) == ["a", "b"])
  }

  // MARK: The cache of snapshots

  @Test("a saved model is read from the cache, without another request to the store (D-364)")
  func cachedFaults() throws {
    let script = try StoreScript()
    let container = try container(script)
    let context = ModelContext(container)
    let note = Note(title: "a")
    context.insert(note)
    try context.save()
    let other = ModelContext(container)
    try withExtendedLifetime(other) {
      let found = try #require(other.model(for: note.persistentModelID) as? Note)
      #expect(found.title == "a")
    }
    #expect(script.fetchCount == 0)
    #expect(script.requestSizes == [])
  }

  @Test("each snapshot that is not in the cache is requested separately (D-364)")
  func separateRequests() throws {
    let script = try StoreScript("a", "b")
    let context = ModelContext(try container(script))
    try withExtendedLifetime(context) {
      let notes = try script.notes.map { note in
        try #require(context.model(for: note.persistentIdentifier) as? Note)
      }
      #expect(notes.map(\.title) == ["a", "b"])
    }
    #expect(script.requestSizes == [1, 1])
    #expect(script.fetchCount == 0)
  }

  @Test("a registered model keeps its values if a later fetch returns other values (D-364)")
  func keptValues() throws {
    let script = try StoreScript("a")
    let context = ModelContext(try container(script))
    try withExtendedLifetime(context) {
      let note = try #require(try context.fetch(FetchDescriptor<Note>()).first)
      #expect(note.title == "a")
      script.notes[0].title = "b"
      let again = try context.fetch(FetchDescriptor<Note>())
      #expect(again.map(\.title) == ["a"])
      #expect(again.first === note)
    }
  }

  @Test("a model that only another context has registered has the values of the fetch (D-364)")
  func newValues() throws {
    let script = try StoreScript("a")
    let container = try container(script)
    let (context, other) = (ModelContext(container), ModelContext(container))
    try withExtendedLifetime((context, other)) {
      let note = try #require(try context.fetch(FetchDescriptor<Note>()).first)
      #expect(note.title == "a")
      script.notes[0].title = "b"
      let found = try other.fetch(
        FetchDescriptor<Note>(predicate: #Predicate { $0.title == "b" }))
      #expect(found.map(\.title) == ["b"])
      #expect(note.title == "a")
    }
  }

  @Test("models of an entity that was not requested are not in the result (D-364)")
  func otherEntities() throws {
    let script = try StoreScript("a")
    let context = ModelContext(try container(script))
    let found = try context.fetch(FetchDescriptor<Keepsake>())
    #expect(found.isEmpty)
    let count = try context.fetchCount(FetchDescriptor<Note>())
    #expect(count == 1)
  }
}
