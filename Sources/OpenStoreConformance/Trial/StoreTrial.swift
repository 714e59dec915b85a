import Foundation
import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// A store that is opened for one check, with methods that read and write by property name.
///
/// Shared between the threads of a concurrency check. The trial has no state except the store.
final class StoreTrial: Sendable {
  let store: any StoreBackend
  let schema: ConformanceSchema
  private let origin: StoreUnderTest

  init(_ origin: StoreUnderTest) throws {
    self.origin = origin
    schema = try ConformanceSchema.shared()
    store = try origin.open(schema.model)
  }

  private init(_ origin: StoreUnderTest, _ schema: ConformanceSchema, _ store: any StoreBackend) {
    self.origin = origin
    self.schema = schema
    self.store = store
  }

  /// Closes the store, opens it again and returns a trial of the reopened store; nil for stores
  /// that exist only in memory.
  func reopened() throws -> StoreTrial? {
    guard let reopen = origin.reopen else { return nil }
    return StoreTrial(origin, schema, try reopen(store, schema.model))
  }

  var canReopen: Bool { origin.reopen != nil }

  func close() { store.close() }

  // MARK: Writing

  /// Commits changes that need no new keys.
  func commit(_ fill: (inout Changes) throws -> Void) throws -> CommitOutcome {
    var changes = Changes(schema: schema)
    try fill(&changes)
    let set = changes.set
    return try store.commit(reserving: [:]) { _ in set }
  }

  /// Commits changes that need no new keys and that must not conflict.
  func write(_ fill: (inout Changes) throws -> Void) throws {
    try requireCommitted(try commit(fill))
  }

  /// Inserts objects of an entity and returns them in the same order.
  @discardableResult
  func insert(_ name: String, _ objects: [NewObject]) throws -> [ObjectKey] {
    let entity = try schema.entity(name)
    var changes = Changes(schema: schema)
    var inserted: [ObjectKey] = []
    let outcome = try store.commit(reserving: [entity.rootIndex: objects.count]) {
      (firstKeys) throws(StoreError) in
      do {
        let first = try require(firstKeys[entity.rootIndex], "Reserved keys of \(name)")
        for (index, object) in objects.enumerated() {
          let id = ObjectKey(entityIndex: entity.index, key: first + Int64(index))
          try changes.insert(id, object)
          inserted.append(id)
        }
        return changes.set
      } catch {
        throw StoreError(.unfitValue, "The check's objects cannot be packed.", underlying: error)
      }
    }
    try requireCommitted(outcome)
    return inserted
  }

  func insert(_ name: String, _ object: NewObject) throws -> ObjectKey {
    try require(try insert(name, [object]).first, "Inserted \(name)")
  }

  func requireCommitted(_ outcome: CommitOutcome) throws {
    if case .conflicts(let conflicts) = outcome {
      throw ConformanceFailure(
        "Outcome of a commit", expected: "committed", actual: "conflicts: \(conflicts)")
    }
  }

  // MARK: Reading

  /// Returns the stored row of an object, or nil if there is none.
  func row(_ id: ObjectKey) throws -> Row? {
    let entity = schema.model.entities[Int(id.entityIndex)]
    var found: Row?
    try store.rows(of: entity, keys: [id.key]).forEachRow { found = $0 }
    return found
  }

  /// Returns the stored row of an object, which must exist.
  func storedRow(_ id: ObjectKey) throws -> Row {
    try require(try row(id), "Row of \(schema.model.entities[Int(id.entityIndex)].name) \(id.key)")
  }

  func value(_ name: String, of row: Row) throws -> Value {
    let entity = schema.model.entities[row.entityIndex]
    return row.value(of: try schema.property(name, of: entity), in: schema.model)
  }

  /// Returns a value of a stored object.
  func value(_ name: String, of id: ObjectKey) throws -> Value {
    try value(name, of: try storedRow(id))
  }

  /// Returns the entity number (index plus one) of an object's destination, or nil if there is
  /// none.
  func destinationNumber(_ name: String, of id: ObjectKey) throws -> Int64? {
    let row = try storedRow(id)
    let entity = schema.model.entities[row.entityIndex]
    let relationship = try schema.property(name, of: entity).relationship
    let slot = try require(relationship?.discriminatorSlot, "Discriminator slot of \(name)")
    return row.isNull(slot) ? nil : row.integer(at: RowLayout.slot(slot, of: entity))
  }

  /// Returns the value that refers to an object in a plan.
  func reference(_ id: ObjectKey, storeToken: UInt32 = 0) -> Value {
    let entity = schema.model.entities[Int(id.entityIndex)]
    let root = schema.model.entities[entity.rootIndex]
    return .object(
      ObjectReference(entityToken: root.rootToken, storeToken: storeToken, key: id.key))
  }

  func destinations(_ name: String, of sources: [ObjectKey]) throws -> [Set<ObjectKey>] {
    guard let first = sources.first else { return [] }
    let entity = schema.model.entities[Int(first.entityIndex)]
    let property = try schema.property(name, of: entity)
    let found = try store.destinations(of: property, in: entity, sources: sources.map(\.key))
    try expect(found.count, equals: sources.count, "Number of destination lists of \(name)")
    for list in found {
      try expect(Set(list).count, equals: list.count, "Destinations of \(name) are distinct")
    }
    return found.map { Set($0) }
  }
}
