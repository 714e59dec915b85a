import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Writes join rows of relationships without a foreign key. Confined to one transaction.
struct JoinRowWriter {
  let store: SQLiteStore
  let connection: Connection

  /// Inserts or deletes a join row.
  mutating func write(_ joinRow: ChangeSet.JoinRow) throws(StoreError) {
    let storage = try store.schema.storage(of: joinRow)
    let (source, destination) = (joinRow.source.key, joinRow.destination.key)
    switch storage {
    case .foreignKey(let key) where joinRow.isAdded:
      try connection.run(.setHiddenKey(key), store.writes, source, destination)
    case .foreignKey(let key):
      try connection.run(.clearHiddenKey(key), store.writes, destination, source)
    case .join(let side):
      let request = joinRow.isAdded ? WriteRequest.insertPair(side) : .deletePair(side)
      try connection.run(request, store.writes, source, destination)
      if side.isReflexive { try connection.run(request, store.writes, destination, source) }
    }
  }

  /// Deletes all join rows of a deleted row.
  func removeAll(of key: Int64, in entity: CompiledEntity) throws(StoreError) {
    for storage in store.schema.ownedStorage(of: entity) {
      switch storage {
      case .foreignKey(let hidden):
        guard hidden.isHidden else { continue }
        let clearing = WriteRequest.clear(
          [hidden.column], table: hidden.table, column: hidden.column, raisesVersion: false)
        try connection.run(clearing, store.writes, key)
      case .join(let side):
        for column in side.isReflexive ? [side.source, side.destination] : [side.source] {
          try connection.run(.deleteWhere(side.table, column: column), store.writes, key)
        }
      }
    }
  }
}
