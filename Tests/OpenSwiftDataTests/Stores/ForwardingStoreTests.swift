import Foundation
import OpenSwiftData
import Testing

/// The configuration of a store that passes its requests to a default store in memory.
private struct ForwardingStoreConfiguration: DataStoreConfiguration {
  typealias Store = ForwardingStore

  let name: String
  var schema: Schema?
}

/// A custom store that passes its requests to a default store in memory.
private final class ForwardingStore: DataStore, HistoryProviding {
  typealias Configuration = ForwardingStoreConfiguration
  typealias Snapshot = DefaultSnapshot
  typealias HistoryType = DefaultHistoryTransaction

  let configuration: ForwardingStoreConfiguration
  let schema: Schema
  private let store: DefaultStore
  var identifier: String { store.identifier }

  init(
    _ configuration: ForwardingStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    guard let schema = configuration.schema else { throw DataStoreError.unsupportedFeature }
    self.configuration = configuration
    self.schema = schema
    store = try DefaultStore(
      ModelConfiguration(configuration.name, schema: schema, isStoredInMemoryOnly: true))
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> { try store.fetch(request) }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> { try store.save(request) }

  func fetchHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws -> [DefaultHistoryTransaction] { try store.fetchHistory(descriptor) }

  func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try store.deleteHistory(descriptor)
  }
}

@Suite("Custom stores that call default stores")
struct ForwardingStoreTests {
  private typealias Descriptor = HistoryDescriptor<DefaultHistoryTransaction>

  private let context: ModelContext

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: Schema([Note.self, Keepsake.self]),
        configurations: [
          ForwardingStoreConfiguration(name: "notes", schema: Schema([Note.self])),
          ForwardingStoreConfiguration(name: "keepsakes", schema: Schema([Keepsake.self])),
        ]))
  }

  private func save<Model: PersistentModel>(_ model: Model, by author: String) throws {
    context.author = author
    context.insert(model)
    try context.save()
  }

  @Test("the histories of custom stores are fetched with the order and the limit of the descriptor")
  func histories() throws {
    for author in ["d", "b"] { try save(Note(title: "a"), by: author) }
    for author in ["c", "a"] { try save(Keepsake(title: "a", kind: .letter), by: author) }
    var descriptor = Descriptor()
    #expect(try context.fetchHistory(descriptor).map(\.author) == ["d", "b", "c", "a"])
    descriptor.fetchLimit = 3
    #expect(try context.fetchHistory(descriptor).map(\.author) == ["d", "b", "c"])
    descriptor.sortBy = [SortDescriptor(\.author, comparator: .lexical)]
    #expect(try context.fetchHistory(descriptor).map(\.author) == ["a", "b", "c"])
    try context.deleteHistory(Descriptor())
    #expect(try context.fetchHistory(Descriptor()).isEmpty)
  }

  @Test("an identifier of the default store equals the identifier of the model, and leads to it")
  func identifiers() throws {
    let note = Note(title: "a")
    try save(note, by: "a")
    let transaction = try #require(try context.fetchHistory(Descriptor()).first)
    let id = try #require(transaction.changes.first).changedPersistentIdentifier
    #expect(id == note.persistentModelID)
    #expect(context.model(for: id) === note)
  }
}
