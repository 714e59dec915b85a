public import OpenObjectModel
import OpenSQLCore
public import OpenStoreContract

extension SQLiteStore {
  public func statement(for read: KeyedRead) -> String? {
    fetches.text(of: read, keys: .members(1))
  }

  public func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64]
  ) throws(StoreError) -> [[ObjectKey]] {
    try pool.withReader { (connection) throws(StoreError) in
      try destinations(of: property, in: entity, sources: sources, on: connection)
    }
  }

  func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64],
    on connection: Connection
  ) throws(StoreError) -> [[ObjectKey]] {
    guard let relationship = property.relationship, let storage = schema.storage(of: property)
    else {
      throw StoreError(
        .unsupported, "The property is not a stored to-many relationship.",
        entityName: entity.name, propertyName: property.name)
    }
    let destination = model.entities[relationship.destinationIndex]
    var found: [Int64: [ObjectKey]] = [:]
    let unique = Array(Set(sources))
    for start in stride(from: 0, to: unique.count, by: 1000) {
      let batch = unique[start..<min(start + 1000, unique.count)]
      let rendered = fetches.destinations(
        of: storage, destination: destination, sources: .members(ListForm.bucket(for: batch.count)))
      try collect(rendered.text, batch, destination, into: &found, on: connection)
    }
    return sources.map { found[$0] ?? [] }
  }

  private func collect(
    _ sql: String, _ sources: ArraySlice<Int64>, _ destination: CompiledEntity,
    into found: inout [Int64: [ObjectKey]], on connection: Connection
  ) throws(StoreError) {
    let count = ListForm.bucket(for: sources.count)
    var values = sources.map { SlotContent.integer($0) }
    if let last = values.last {
      values += Array(repeating: last, count: count - values.count)
    }
    try connection.forEachRow(sql, values) { (statement) throws(StoreError) in
      found[statement.integer(0), default: []].append(
        try destinationKey(in: statement, of: destination, on: connection))
    }
  }

  /// Returns the destination in a row of a result.
  ///
  /// The second column contains the key. The third column contains the entity number, which the
  /// method reads only if the destination entity has subentities.
  @inline(__always)
  func destinationKey(
    in row: Statement, of destination: CompiledEntity, on connection: Connection
  ) throws(StoreError) -> ObjectKey {
    var index = destination.index
    if destination.subtree.count > 1 {
      guard let known = model.entityIndex(numbered: row.integer(2)) else {
        throw StoreError(
          .corrupt, "A row has an entity number that does not exist in the model.",
          path: connection.path, statement: row.sql, nativeCode: SQLiteFailure.damaged)
      }
      index = known
    }
    return ObjectKey(entityIndex: index, key: row.integer(1))
  }
}
