import Foundation
import OpenSwiftData
import Testing

/// A snapshot of a note, which may encode its values in a form that the library cannot read.
private struct OddSnapshot: DataStoreSnapshot {
  enum Form { case plain, wrongType, superEncoder }

  var persistentIdentifier: PersistentIdentifier
  var title: String
  var form: Form

  init(_ persistentIdentifier: PersistentIdentifier, title: String, form: Form) {
    self.persistentIdentifier = persistentIdentifier
    self.title = title
    self.form = form
  }

  init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
  ) {
    preconditionFailure("Nothing is saved in the store.")
  }

  init(from decoder: any Decoder) throws { throw DataStoreError.unsupportedFeature }

  func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> OddSnapshot {
    OddSnapshot(persistentIdentifier, title: title, form: form)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    try container.encode(title, forKey: .modeledProperty("title"))
    switch form {
    case .plain: try container.encode(7, forKey: .modeledProperty("count"))
    case .wrongType: try container.encode("seven", forKey: .modeledProperty("count"))
    case .superEncoder:
      let encoder = container.superEncoder()
      var other = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
      try other.encode(7, forKey: .modeledProperty("count"))
    }
  }
}

private struct OddStoreConfiguration: DataStoreConfiguration {
  typealias Store = OddStore

  var name = "odd"
  var schema: Schema?
  let form: OddSnapshot.Form

  static func == (one: Self, other: Self) -> Bool { one.name == other.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A store of three notes, which does not filter. The form of the second note is configurable.
private final class OddStore: DataStore {
  typealias Configuration = OddStoreConfiguration
  typealias Snapshot = OddSnapshot

  let configuration: OddStoreConfiguration
  let schema: Schema
  let identifier = "odd"

  init(
    _ configuration: OddStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema([Note.self])
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, OddSnapshot> {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    var snapshots: [OddSnapshot] = []
    for (number, title) in ["A", "B", "C"].enumerated() {
      let id = try PersistentIdentifier.identifier(
        for: identifier, entityName: "Note", primaryKey: number)
      snapshots.append(
        OddSnapshot(id, title: title, form: title == "B" ? configuration.form : .plain))
    }
    return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: snapshots)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<OddSnapshot>
  ) throws -> DataStoreSaveChangesResult<OddSnapshot> {
    throw DataStoreError.unsupportedFeature
  }
}

@ModelActor
actor NoteReader {
  func title(of id: PersistentIdentifier) -> String? { self[id, as: Note.self]?.title }

  func save() throws { try modelContext.save() }
}

@Suite("Snapshots that cannot be read")
struct UnreadableSnapshotTests {
  private func context(_ form: OddSnapshot.Form) throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Schema([Note.self]), configurations: [OddStoreConfiguration(form: form)]))
  }

  private func descriptor() -> FetchDescriptor<Note> {
    FetchDescriptor<Note>(predicate: #Predicate { $0.title == "B" })
  }

  @Test("a fetch that is filtered in memory reads the values of all snapshots")
  func readable() throws {
    let context = try context(.plain)
    #expect(try context.fetchCount(descriptor()) == 1)
    #expect(try context.fetch(descriptor()).map(\.count) == [7])
  }

  @Test("a fetch that is filtered in memory throws if a value has the wrong type")
  func wrongType() throws {
    let context = try context(.wrongType)
    #expect(throws: SwiftDataError.unknownDataStoreSchema) {
      try context.fetchCount(descriptor())
    }
    #expect(throws: SwiftDataError.unknownDataStoreSchema) { try context.fetch(descriptor()) }
  }

  @Test("a fetch that is filtered in memory throws if values are encoded by a super encoder")
  func superEncoder() throws {
    let context = try context(.superEncoder)
    #expect(throws: EncodingError.self) { try context.fetchCount(descriptor()) }
    #expect(throws: EncodingError.self) { try context.fetch(descriptor()) }
  }

  @Test("an enumeration throws if a snapshot cannot be read")
  func enumeration() throws {
    var titles: [String] = []
    #expect(throws: SwiftDataError.unknownDataStoreSchema) {
      try context(.wrongType).enumerate(FetchDescriptor<Note>(), batchSize: 1) {
        titles.append($0.title)
      }
    }
    #expect(titles == ["A"])
  }

  @Test("after a model actor could not read a model, its next save throws the error")
  func modelActor() async throws {
    let reader = NoteReader(modelContainer: try context(.wrongType).container)
    let ids = try [0, 1, 9].map {
      try PersistentIdentifier.identifier(for: "odd", entityName: "Note", primaryKey: $0)
    }
    #expect(await reader.title(of: ids[0]) == "A")
    #expect(await reader.title(of: ids[2]) == nil)
    try await reader.save()
    #expect(await reader.title(of: ids[1]) == nil)
    await #expect(throws: SwiftDataError.unknownDataStoreSchema) { try await reader.save() }
  }
}
