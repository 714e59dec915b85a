import Foundation
import OpenSwiftData

/// A configuration of a store that is empty and cannot be erased.
final class RefusingStoreConfiguration: DataStoreConfiguration {
  typealias Store = RefusingStore

  let name: String
  var schema: Schema?

  init(_ name: String, schema: Schema) {
    self.name = name
    self.schema = schema
  }

  static func == (one: RefusingStoreConfiguration, other: RefusingStoreConfiguration) -> Bool {
    one.name == other.name
  }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A store that is empty, and throws if it is written or erased.
final class RefusingStore: DataStore {
  typealias Configuration = RefusingStoreConfiguration
  typealias Snapshot = DefaultSnapshot

  let configuration: RefusingStoreConfiguration
  let schema: Schema
  let identifier = "refusing"

  init(
    _ configuration: RefusingStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    self.configuration = configuration
    guard let schema = configuration.schema else { throw DataStoreError.unsupportedFeature }
    self.schema = schema
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: [])
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    throw CocoaError(.fileWriteNoPermission)
  }

  func erase() throws { throw CocoaError(.fileWriteNoPermission) }
}
