import OpenObjectModel
import OpenSQLCore
public import OpenStoreContract

extension PostgresStore: DamageReporting {
  /// Checks the join tables, the key counters and the persistent history for damage.
  ///
  /// All checks read the same snapshot of the database.
  ///
  /// - Returns: The damage found; an empty array for an intact store.
  /// - Throws: `StoreError` if the store cannot be read.
  public func damage() throws(StoreError) -> [StoreDamage] {
    try repeatingRead { (connection) throws(StoreError) in
      try inSnapshot(on: connection) { (_) throws(StoreError) in
        var found: [StoreDamage] = []
        for search in schema.damageSelects {
          let result = try connection.run(dialect.text(of: .select(search.select)))
          for row in 0..<result.rowCount {
            found.append(search.damage(key: result.integer(row, 0), detail: result.integer(row, 1)))
          }
        }
        for root in schema.entities where root.entity.superIndex == nil {
          found += try keysInUse(root, on: connection)
        }
        return found + (try historyGaps(on: connection))
      }
    }
  }

  private func keysInUse(
    _ root: EntityMap, on connection: PostgresConnection
  ) throws(StoreError) -> [StoreDamage] {
    let result = try connection.run(
      """
      SELECT coalesce((SELECT max(z_pk) FROM \(dialect.table(root.table))), 0), \
      coalesce((SELECT z_max FROM \(dialect.table("Z_PRIMARYKEY")) WHERE z_ent = $1), 0)
      """, [.integer(root.number)])
    let (greatest, counted) = (result.integer(0, 0), result.integer(0, 1))
    guard greatest > counted else { return [] }
    return [
      StoreDamage(.keysInUse, entityIndex: root.entity.index, key: greatest, detail: "\(counted)")
    ]
  }

  /// Returns the transaction numbers that are missing after the deleted beginning of the history.
  private func historyGaps(on connection: PostgresConnection) throws(StoreError) -> [StoreDamage] {
    let result = try connection.run(
      """
      SELECT n.z_pk, n.before FROM (SELECT z_pk, \
      coalesce(lag(z_pk) OVER (ORDER BY z_pk), (SELECT z_purged FROM \(dialect.table("Z_STORE")))) AS before \
      FROM \(dialect.table("ATRANSACTION"))) AS n WHERE n.z_pk <> n.before + 1 ORDER BY 1
      """)
    return (0..<result.rowCount).map { row in
      StoreDamage(
        .historyGap, key: result.integer(row, 0), detail: "\(result.integer(row, 1))")
    }
  }
}
