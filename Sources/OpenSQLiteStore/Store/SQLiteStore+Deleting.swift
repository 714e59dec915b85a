public import OpenStoreContract

extension SQLiteStore {
  public func deleteRows(matching plan: FetchPlan) throws(StoreError) -> [ObjectKey] {
    try requireWritable()
    return try pool.withWriter { (connection) throws(StoreError) in
      try connection.transaction { () throws(StoreError) in
        let doomed = try keys(matching: plan, on: connection)
        var deletion = BatchDeletion(store: self, connection: connection)
        return (try deletion.delete(doomed), true)
      }
    }
  }
}
