import Foundation
import OpenSwiftData

/// The contents and the answers of a scripted store, and the requests that it received.
// Invariant of the unchecked conformance: only the thread of the test uses the store.
final class StoreScript: @unchecked Sendable {
  static let storeIdentifier = "scripted"

  /// The stored notes.
  var notes: [StoredNote]
  /// A closure that the store calls once, during the next fetch.
  var duringNextFetch: (() -> Void)?
  /// Returns the identifier that the store assigns to a new note; nil for the store's own choice.
  var assignment: ((PersistentIdentifier) -> PersistentIdentifier?)?
  /// The number of fetches.
  var fetchCount = 0
  /// The numbers of identifiers in the requests for single snapshots.
  var requestSizes: [Int] = []

  /// Creates a store with one note for each title.
  init(_ titles: String...) throws {
    notes = try titles.enumerated().map { number, title in
      StoredNote(
        persistentIdentifier: try StoreScript.identifier(number), title: title, count: 0)
    }
  }

  static func identifier(
    _ key: Int, entity: String = "Note", store: String = StoreScript.storeIdentifier
  ) throws -> PersistentIdentifier {
    try PersistentIdentifier.identifier(for: store, entityName: entity, primaryKey: key)
  }
}

/// A snapshot of a note.
struct StoredNote: DataStoreSnapshot {
  var persistentIdentifier: PersistentIdentifier
  var title: String
  var count: Int

  init(persistentIdentifier: PersistentIdentifier, title: String, count: Int) {
    self.persistentIdentifier = persistentIdentifier
    self.title = title
    self.count = count
  }

  init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
  ) {
    guard let note = backingData as? any BackingData<Note>, let id = note.persistentModelID else {
      preconditionFailure("The tests save only notes.")
    }
    self.init(
      persistentIdentifier: id, title: note.getValue(forKey: \.title),
      count: note.getValue(forKey: \.count))
  }

  func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> StoredNote {
    StoredNote(persistentIdentifier: persistentIdentifier, title: title, count: count)
  }
}

struct ScriptedStoreConfiguration: DataStoreConfiguration {
  typealias Store = ScriptedStore

  var name = StoreScript.storeIdentifier
  var schema: Schema?
  let script: StoreScript

  static func == (one: Self, other: Self) -> Bool { one.name == other.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A store of notes that does not filter and sort, and returns all notes for every fetch.
final class ScriptedStore: DataStore {
  typealias Configuration = ScriptedStoreConfiguration
  typealias Snapshot = StoredNote

  let configuration: ScriptedStoreConfiguration
  let schema: Schema
  let identifier = StoreScript.storeIdentifier
  private var script: StoreScript { configuration.script }

  init(
    _ configuration: ScriptedStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema([Note.self])
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, StoredNote> {
    if let action = script.duringNextFetch {
      script.duringNextFetch = nil
      action()
    }
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    script.fetchCount += 1
    return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: script.notes)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<StoredNote>
  ) throws -> DataStoreSaveChangesResult<StoredNote> {
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      let temporary = snapshot.persistentIdentifier
      if let assignment = script.assignment {
        remapped[temporary] = assignment(temporary)
        continue
      }
      let id = try StoreScript.identifier(script.notes.count)
      remapped[temporary] = id
      script.notes.append(snapshot.copy(persistentIdentifier: id, remappedIdentifiers: nil))
    }
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }

  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: StoredNote] {
    script.requestSizes.append(persistentIdentifiers.count)
    let wanted = Set(persistentIdentifiers)
    let found = script.notes.filter { wanted.contains($0.persistentIdentifier) }
    return Dictionary(uniqueKeysWithValues: found.map { ($0.persistentIdentifier, $0) })
  }
}
