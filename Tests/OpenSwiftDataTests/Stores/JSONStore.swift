import Foundation
import OpenSwiftData

/// The location of a JSON store's models.
final class JSONStoreConfiguration: DataStoreConfiguration {
  typealias Store = JSONStore

  let name: String
  var schema: Schema?
  let url: URL

  init(_ name: String = "json", schema: Schema? = nil, url: URL) {
    self.name = name
    self.schema = schema
    self.url = url
  }

  static func == (one: JSONStoreConfiguration, other: JSONStoreConfiguration) -> Bool {
    one.name == other.name
  }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Stores all models as snapshots in one JSON file.
final class JSONStore: DataStore, DataStoreBatching {
  typealias Configuration = JSONStoreConfiguration
  typealias Snapshot = DefaultSnapshot

  let configuration: JSONStoreConfiguration
  let schema: Schema
  let identifier: String

  init(
    _ configuration: JSONStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    self.configuration = configuration
    guard let schema = configuration.schema else { throw DataStoreError.unsupportedFeature }
    self.schema = schema
    identifier = configuration.url.lastPathComponent
  }

  private func read() throws -> [DefaultSnapshot] {
    guard FileManager.default.fileExists(atPath: configuration.url.path) else { return [] }
    return try JSONDecoder().decode(
      [DefaultSnapshot].self, from: try Data(contentsOf: configuration.url))
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    let name = Schema.entityName(for: T.self)
    return DataStoreFetchResult(
      descriptor: request.descriptor,
      fetchedSnapshots: try read().filter { $0.persistentIdentifier.entityName == name })
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var snapshots = try read()
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
    }
    for snapshot in request.inserted {
      guard let permanent = remapped[snapshot.persistentIdentifier] else { continue }
      snapshots.append(
        snapshot.copy(persistentIdentifier: permanent, remappedIdentifiers: remapped))
    }
    for snapshot in request.updated {
      let copy = snapshot.copy(
        persistentIdentifier: snapshot.persistentIdentifier, remappedIdentifiers: remapped)
      if let index = snapshots.firstIndex(where: {
        $0.persistentIdentifier == snapshot.persistentIdentifier
      }) {
        snapshots[index] = copy
      }
    }
    let deleted = Set(request.deleted.map(\.persistentIdentifier))
    snapshots.removeAll { deleted.contains($0.persistentIdentifier) }
    try JSONEncoder().encode(snapshots).write(to: configuration.url, options: .atomic)
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }

  /// Throws, because contexts never call the method.
  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
    throw DataStoreError.unsupportedFeature
  }

  func erase() throws {
    if FileManager.default.fileExists(atPath: configuration.url.path) {
      try FileManager.default.removeItem(at: configuration.url)
    }
  }
}
