import COpenSQLite
import OpenSQLCore
public import OpenStoreContract

extension SQLiteStore: TextIndexing {
  public func textIndexes() throws(StoreError) -> [TextIndexState] {
    try pool.requireOpen()
    return fetches.textIndexes.values.sorted { $0.table < $1.table }.map(TextIndexState.init(of:))
  }

  public func damagedTextIndexes() throws(StoreError) -> [String] {
    try requireWritable()
    return try pool.withWriter { (connection) throws(StoreError) in
      var damaged: [String] = []
      for index in fetches.textIndexes.values.sorted(by: { $0.table < $1.table }) {
        do throws(StoreError) {
          try connection.execute(index.command(.check))
        } catch {
          guard error.code == .corrupt else { throw error }
          damaged.append(index.table)
        }
      }
      return damaged
    }
  }

  public func rebuildTextIndexes() throws(StoreError) {
    try requireWritable()
    try pool.withWriter { (connection) throws(StoreError) in
      try TextIndexOpening(schema, on: connection).rebuild()
    }
  }
}

extension TextIndexState {
  fileprivate init(of index: SQLTextIndex) {
    self.init(table: index.table, columns: index.columns, prefixLengths: index.prefixLengths)
  }
}
