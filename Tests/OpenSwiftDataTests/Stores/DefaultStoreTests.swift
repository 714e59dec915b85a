import Foundation
import OpenSwiftData
import Testing

/// Two versions of a schema with the same entity name.
private enum FerrySchemas {
  enum First: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [Ferry.self] }

    @Model
    final class Ferry {
      var name: String
      init(name: String) { self.name = name }
    }
  }

  enum Second: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Ferry.self] }

    @Model
    final class Ferry {
      var name: String
      var decks = 1
      init(name: String) { self.name = name }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [First.self, Second.self] }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: First.self, toVersion: Second.self)]
    }
  }
}

@Suite("The default store by itself")
struct DefaultStoreTests {
  private let url: URL
  private let configuration: ModelConfiguration
  private let state: EditingState

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appendingPathComponent("notes.store")
    configuration = ModelConfiguration(schema: Schema([Note.self]), url: url)
    let context = ModelContext(
      try ModelContainer(
        for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.author = "importer"
    state = context.editingState
  }

  private func fetch(
    _ store: DefaultStore, _ descriptor: FetchDescriptor<Note> = FetchDescriptor()
  ) throws -> [DefaultSnapshot] {
    try store.fetch(DataStoreFetchRequest(descriptor: descriptor, editingState: state))
      .fetchedSnapshots
  }

  /// A snapshot of a model without a context.
  private func snapshot(_ title: String) -> DefaultSnapshot { snapshot(of: Note(title: title)) }

  private func snapshot<Model: PersistentModel>(of model: Model) -> DefaultSnapshot {
    var related: [PersistentIdentifier: any BackingData] = [:]
    return DefaultSnapshot(from: model.persistentBackingData, relatedBackingDatas: &related)
  }

  @Test("snapshots are inserted, found, updated and deleted")
  func life() throws {
    let store = try DefaultStore(configuration)
    let new = [snapshot("a"), snapshot("b")]
    let result = try store.save(
      DataStoreSaveChangesRequest(inserted: new, updated: [], deleted: [], editingState: state))
    #expect(result.storeIdentifier == store.identifier)
    #expect(Set(result.remappedIdentifiers.keys) == Set(new.map(\.persistentIdentifier)))
    let found = try fetch(store, FetchDescriptor(sortBy: [SortDescriptor(\.title)]))
    #expect(Set(found.map(\.persistentIdentifier)) == Set(result.remappedIdentifiers.values))
    let request = DataStoreFetchRequest(
      descriptor: FetchDescriptor<Note>(predicate: #Predicate { $0.title == "a" }),
      editingState: state)
    #expect(try store.fetchCount(request) == 1)
    #expect(try store.fetchIdentifiers(request) == [found[0].persistentIdentifier])
    let changed = snapshot("c").copy(persistentIdentifier: found[0].persistentIdentifier)
    _ = try store.save(
      DataStoreSaveChangesRequest(
        inserted: [], updated: [changed], deleted: [found[1]], editingState: state))
    let left = try store.cachedSnapshots(
      for: found.map(\.persistentIdentifier), editingState: state)
    #expect(Set(left.keys) == [found[0].persistentIdentifier])
    let container = try ModelContainer(for: Note.self, configurations: configuration)
    #expect(try ModelContext(container).fetch(FetchDescriptor<Note>()).map(\.title) == ["c"])
  }

  @Test("a snapshot with a relationship to a model that the store does not have is not saved")
  func unknownDestination() throws {
    let configuration = ModelConfiguration(schema: Library.schema, url: url)
    let store = try DefaultStore(configuration)
    func save(_ snapshots: [DefaultSnapshot]) throws -> Int {
      let request = DataStoreSaveChangesRequest(
        inserted: snapshots, updated: [], deleted: [], editingState: state)
      return try store.save(request).remappedIdentifiers.count
    }
    let book = Book(isbn: "1", title: "a", author: Author(name: "x"))
    let author = try #require(book.author)
    #expect(book.persistentModelID.isTemporary && author.persistentModelID.isTemporary)
    let snapshots = [snapshot(of: book), snapshot(of: author)]
    for snapshot in snapshots {
      #expect(throws: SwiftDataError.unknownDataStoreSchema) { try save([snapshot]) }
    }
    let stranger = try PersistentIdentifier.identifier(
      for: "another store", entityName: "Book", primaryKey: "p1")
    let strange = snapshots[1].copy(
      persistentIdentifier: snapshots[1].persistentIdentifier,
      remappedIdentifiers: [snapshots[0].persistentIdentifier: stranger])
    #expect(throws: SwiftDataError.unknownDataStoreSchema) { try save([strange]) }
    let books = DataStoreFetchRequest(descriptor: FetchDescriptor<Book>(), editingState: state)
    #expect(try store.fetchCount(books) == 0)
    #expect(try save(snapshots) == 2)
    let context = ModelContext(
      try ModelContainer(for: Library.schema, configurations: configuration))
    let found = try context.fetch(FetchDescriptor<Book>())
    #expect(found.map { $0.author?.name } == ["x"])
    #expect(try context.fetchCount(FetchDescriptor<Author>()) == 1)
  }

  /// Documented behavior: Apple, DataStore.save(_:): a save writes all changes, or throws.
  @Test("a save that updates a deleted model throws, and writes nothing")
  func updateOfDeletedModel() throws {
    let store = try DefaultStore(configuration)
    func save(
      inserted: [DefaultSnapshot] = [], updated: [DefaultSnapshot] = [],
      deleted: [DefaultSnapshot] = []
    ) throws -> Int {
      let request = DataStoreSaveChangesRequest(
        inserted: inserted, updated: updated, deleted: deleted, editingState: state)
      return try store.save(request).remappedIdentifiers.count
    }
    #expect(try save(inserted: [snapshot("a")]) == 1)
    let stored = try #require(try fetch(store).first)
    #expect(try save(deleted: [stored]) == 0)
    let changed = snapshot("b").copy(persistentIdentifier: stored.persistentIdentifier)
    let error = #expect(throws: CocoaError.self) { () throws in
      _ = try save(inserted: [snapshot("c")], updated: [changed])
    }
    #expect(error?.code.rawValue == 133000)
    #expect(try fetch(store).isEmpty)
  }

  @Test("an encoded snapshot decodes to an equal snapshot")
  func coding() throws {
    let original = snapshot("a")
    let data = try JSONEncoder().encode(original)
    let decoded = try JSONDecoder().decode(DefaultSnapshot.self, from: data)
    #expect(decoded.persistentIdentifier == original.persistentIdentifier)
    let object = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(decoded)) as? [String: Any])
    #expect(object["title"] as? String == "a")
    #expect(object["count"] as? Int == 3)
  }

  @Test("a snapshot decodes to the container's version of a class, not to an older version")
  func codingWithVersions() throws {
    let container = try ModelContainer(
      for: Schema(versionedSchema: FerrySchemas.Second.self), migrationPlan: FerrySchemas.Plan.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let ferry = FerrySchemas.Second.Ferry(name: "a")
    ferry.decks = 3
    context.insert(ferry)
    let data = try JSONEncoder().encode(snapshot(of: ferry))
    let decoded = try JSONDecoder().decode(DefaultSnapshot.self, from: data)
    let object = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(decoded)) as? [String: Any])
    #expect(object["name"] as? String == "a")
    #expect(object["decks"] as? Int == 3)
  }

  @Test("models are deleted by a predicate")
  func batchDelete() throws {
    let store = try DefaultStore(configuration)
    _ = try store.save(
      DataStoreSaveChangesRequest(
        inserted: [snapshot("a"), snapshot("b")], updated: [], deleted: [], editingState: state))
    try store.delete(
      DataStoreBatchDeleteRequest<Note>(
        predicate: #Predicate { $0.title == "a" }, editingState: state))
    #expect(try fetch(store).count == 1)
  }

  @Test("the store has the history of its saves")
  func history() throws {
    let store = try DefaultStore(configuration)
    _ = try store.save(
      DataStoreSaveChangesRequest(
        inserted: [snapshot("a")], updated: [], deleted: [], editingState: state))
    #expect(try store.fetchHistory(HistoryDescriptor()).map(\.author) == ["importer"])
    #expect(DefaultStore.historyType == DefaultHistoryTransaction.self)
    try store.deleteHistory(HistoryDescriptor())
    #expect(try store.fetchHistory(HistoryDescriptor()).isEmpty)
  }

  @Test("a configuration without a schema is rejected")
  func noSchema() throws {
    #expect(throws: SwiftDataError.unknownDataStoreSchema) {
      try DefaultStore(ModelConfiguration(url: url))
    }
  }
}
