import Foundation
import OpenSwiftData
import Synchronization
import Testing

/// A custom snapshot type for notes.
private struct NoteSnapshot: DataStoreSnapshot {
  var persistentIdentifier: PersistentIdentifier
  var title = ""
  var count = 0

  init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
  ) {
    guard let note = backingData as? any BackingData<Note>, let id = note.persistentModelID else {
      preconditionFailure("The store keeps notes only.")
    }
    persistentIdentifier = id
    title = note.getValue(forKey: \.title)
    count = note.getValue(forKey: \.count)
  }

  func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> NoteSnapshot {
    var copy = self
    copy.persistentIdentifier = persistentIdentifier
    return copy
  }
}

private struct CapitalStoreConfiguration: DataStoreConfiguration {
  typealias Store = CapitalStore

  var name = "capitals"
  var schema: Schema?
  let log: CallLog

  static func == (one: Self, other: Self) -> Bool { one.name == other.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

private final class CallLog: Sendable {
  let calls = Mutex<[String]>([])
  func note(_ call: String) { calls.withLock { $0.append(call) } }
}

/// Stores notes in memory, with uppercase titles, in the order of their numbers; counts without reading.
private final class CapitalStore: DataStore {
  typealias Configuration = CapitalStoreConfiguration
  typealias Snapshot = NoteSnapshot

  let configuration: CapitalStoreConfiguration
  let schema: Schema
  let identifier = UUID().uuidString
  private let snapshots = Mutex<[NoteSnapshot]>([])

  init(
    _ configuration: CapitalStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema([Note.self])
  }

  private func note(_ call: String, _ state: EditingState) {
    configuration.log.note("\(call) by \(state.author ?? "none")")
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, NoteSnapshot> {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    note("fetch \(request.descriptor.fetchLimit ?? 0)", request.editingState)
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: snapshots.withLock { $0 })
  }

  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    note("count", request.editingState)
    return snapshots.withLock { $0.count }
  }

  func save(
    _ request: DataStoreSaveChangesRequest<NoteSnapshot>
  ) throws -> DataStoreSaveChangesResult<NoteSnapshot> {
    note("save", request.editingState)
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    var changed: [PersistentIdentifier: NoteSnapshot] = [:]
    for snapshot in request.inserted {
      let number = snapshots.withLock { $0.count }
      let id = try PersistentIdentifier.identifier(
        for: identifier, entityName: "Note", primaryKey: number)
      remapped[snapshot.persistentIdentifier] = id
      var copy = snapshot.copy(persistentIdentifier: id, remappedIdentifiers: nil)
      copy.title = copy.title.uppercased()
      changed[id] = copy
      snapshots.withLock { $0.append(copy) }
    }
    return DataStoreSaveChangesResult(
      for: identifier, remappedIdentifiers: remapped, snapshotsToReregister: changed)
  }

  func initializeState(for editingState: EditingState) { configuration.log.note("begin") }
  func invalidateState(for editingState: EditingState) { configuration.log.note("end") }
}

@Suite("Custom stores with custom snapshots")
struct OwnSnapshotTests {
  private let log = CallLog()

  private func container() throws -> ModelContainer {
    try ModelContainer(
      for: Schema([Note.self]), configurations: [CapitalStoreConfiguration(log: log)])
  }

  @Test("values that the store changed during a write reach the model")
  func reregistering() throws {
    let context = ModelContext(try container())
    let note = Note(title: "a")
    context.insert(note)
    try context.save()
    #expect(note.title == "A")
    #expect(!context.hasChanges)
  }

  @Test("values that the store changed during a write reach the models of other contexts")
  func reregisteringElsewhere() throws {
    let container = try container()
    let (context, other) = (ModelContext(container), ModelContext(container))
    let observer = try ResultsObserver<Note, Never>(
      sortBy: [SortDescriptor(\.title)], modelContext: other, isolation: nil)
    #expect(observer.results.isEmpty)
    context.insert(Note(title: "a"))
    try context.save()
    #expect(observer.results.map(\.title) == ["A"])
  }

  @Test("another context reads the encoded values of snapshots")
  func reading() throws {
    let container = try container()
    let context = ModelContext(container)
    let note = Note(title: "a")
    note.count = 9
    context.insert(note)
    context.insert(Note(title: "b"))
    try context.save()
    let found = try ModelContext(container).fetch(FetchDescriptor<Note>())
    #expect(found.map(\.title) == ["A", "B"])
    #expect(found.map(\.count) == [9, 3])
  }

  @Test("the store receives the caller's descriptors, contexts and authors")
  func calls() throws {
    do {
      let context = ModelContext(try container())
      context.author = "one"
      context.insert(Note(title: "a"))
      try context.save()
      var descriptor = FetchDescriptor<Note>()
      descriptor.fetchLimit = 5
      _ = try context.fetch(descriptor)
      #expect(try context.fetchCount(descriptor) == 1)
    }
    #expect(
      log.calls.withLock { $0 } == [
        "begin", "save by one", "fetch 5 by one", "count by one", "end",
      ])
  }
}
