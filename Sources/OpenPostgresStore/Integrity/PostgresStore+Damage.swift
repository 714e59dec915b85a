import OpenObjectModel
import OpenSQLCore
public import OpenStoreContract

extension PostgresStore: DamageReporting {
  /// Checks the entity tables, the join tables, the key counters and the persistent history for
  /// damage.
  ///
  /// All checks read the same snapshot of the database.
  ///
  /// - Returns: The damage found; an empty array for an intact store.
  /// - Throws: `StoreError` if the store cannot be read, for example with code `.unreachable` if
  ///   the server cannot be reached, or `.closed` if the store is closed.
  public func damage() throws(StoreError) -> [StoreDamage] {
    try repeatingRead { (connection) throws(StoreError) in
      try inSnapshot(on: connection) { (_) throws(StoreError) in
        let session = session(on: connection)
        return try session.damage(in: schema) + historyGaps(in: session)
      }
    }
  }

  /// Returns the transaction numbers that are missing after the deleted beginning of the history.
  private func historyGaps(in session: PostgresSession) throws(StoreError) -> [StoreDamage] {
    let number = SQLExpression.column(table: "n", "Z_PK")
    var earlier = SQLSelect(
      [.function("max", [.column(table: "e", "Z_PK")])], from: .table("ATRANSACTION", alias: "e"))
    earlier.condition = .binary(.less, .column(table: "e", "Z_PK"), number)
    let before = SQLExpression.function(
      "coalesce", [.scalar(earlier), .scalar(SQLSelect(["Z_PURGED"], from: "Z_STORE"))])
    var select = SQLSelect([number, before], from: .table("ATRANSACTION", alias: "n"))
    select.condition = .binary(.notEqual, number, .binary(.plus, before, .integer(1)))
    select.order = [.init(expression: number, isAscending: true, isOptional: false)]
    var gaps: [StoreDamage] = []
    try session.forEachRow(of: .select(select)) { row in
      gaps.append(StoreDamage(.historyGap, key: row.integer(0), detail: "\(row.integer(1))"))
    }
    return gaps
  }
}
