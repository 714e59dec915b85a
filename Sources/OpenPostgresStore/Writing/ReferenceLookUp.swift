import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Finds rows that still refer to rows which a transaction has deleted.
///
/// The search runs after the deletion. A concurrent transaction that adds a reference locks the
/// destination until it commits.
struct ReferenceLookUp {
  let store: PostgresStore
  let connection: PostgresConnection

  /// Returns a conflict for each deleted row to which other rows still refer, unless the delete
  /// rule of the deleted row's relationship is No Action.
  func remaining(to deletions: [ChangeSet.Deletion]) throws(StoreError) -> [StoreConflict] {
    var conflicts: [StoreConflict] = []
    for reference in RemainingReference.all(to: deletions, in: store.model) {
      conflicts += reference.conflicts(
        try referring(
          to: reference.ids.map(\.key), over: reference.property, of: reference.entityIndex))
    }
    return conflicts
  }

  /// Returns the statements that fail if any row still refers to a deleted row.
  static func guards(
    against deletions: [ChangeSet.Deletion], in store: PostgresStore
  ) -> [PostgresCommand] {
    RemainingReference.all(to: deletions, in: store.model).compactMap { reference in
      guard let slot = reference.property.slot else { return nil }
      let map = store.schema.entities[reference.entityIndex]
      return PostgresCommand(
        store.fetches.text(
          excluding: .referringRows(table: map.table, column: map.columns[slot].name)),
        [.keys(reference.ids.map(\.key).sorted())])
    }
  }

  /// Returns the rows of an entity whose to-one relationship refers to one of the keys, by key.
  func referring(
    to keys: [Int64], over property: CompiledProperty, of entityIndex: Int
  ) throws(StoreError) -> [Int64: [ObjectKey]] {
    guard let slot = property.slot else { return [:] }
    let map = store.schema.entities[entityIndex]
    let text = store.fetches.text(
      of: .referringRows(table: map.table, column: map.columns[slot].name))
    let result = try connection.run(PostgresCommand(text, [.keys(Set(keys).sorted())]))
    var found: [Int64: [ObjectKey]] = [:]
    for row in 0..<result.rowCount {
      let index = store.schema.numbers.index(of: result.integer(row, 2))
      // Entities that share a table may share a column.
      guard map.entity.subtree.contains(index) else { continue }
      found[result.integer(row, 0), default: []].append(
        ObjectKey(entityIndex: index, key: result.integer(row, 1)))
    }
    return found
  }
}
