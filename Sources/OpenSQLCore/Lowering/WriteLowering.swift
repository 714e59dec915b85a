package import OpenStoreContract

/// Creates the statements that write rows. The caller binds the values in the order of the columns.
package struct WriteLowering: Sendable {
  private let dialect: any SQLDialect

  package init(dialect: any SQLDialect) { self.dialect = dialect }

  /// Returns the statement that inserts a row. The values are the key, the entity number, the
  /// version, and all slots.
  package func insert(into map: EntityMap) -> String {
    text(.insert(SQLInsert(into: map.table, Self.columns(of: map).map { ($0, Self.bound) })))
  }

  /// Returns the statement that inserts the rows of another table.
  ///
  /// - Parameters:
  ///   - map: The entity into whose table the statement inserts the rows.
  ///   - source: The name of the other table, which must contain every column that
  ///     ``insert(into:)`` sets.
  package func insert(into map: EntityMap, from source: String) -> String {
    text(.insert(SQLInsert(into: map.table, columns: Self.columns(of: map), from: source)))
  }

  /// Returns the statement that inserts a row or resolves a collision. The values are the values of
  /// ``insert(into:)``.
  ///
  /// With the collision `replace`, the statement returns the key of the written row.
  ///
  /// - Parameters:
  ///   - map: The entity of the row.
  ///   - collision: The action if a row with the same constrained values exists.
  package func upsert(into map: EntityMap, _ collision: BatchInsert.Collision) -> String {
    var insert = SQLInsert(into: map.table, Self.columns(of: map).map { ($0, Self.bound) })
    switch collision {
    case .fail: break
    case .keep: insert.collision = .keep
    case .replace:
      insert.collision = .replace(map.attributeColumns, raising: "Z_OPT")
      insert.returning = ["Z_PK"]
    }
    return text(.insert(insert))
  }

  /// Returns the statement that updates slots of a row. The values are the slots, the new version,
  /// the key, and the expected version.
  ///
  /// - Parameters:
  ///   - slots: The slots to update.
  ///   - map: The entity of the row.
  package func update(_ slots: [Int], of map: EntityMap) -> String {
    let names = slots.map { map.columns[$0].name } + ["Z_OPT"]
    return text(
      .update(SQLUpdate(map.table, set: names.map { ($0, Self.bound) }, where: Self.isExpected)))
  }

  /// Returns the statement that updates slots of many rows with the values in another table. The
  /// statement changes a stored row only if the row's version is the new version minus 1.
  ///
  /// If the other table contains a key for which no row is stored, the statement inserts a row.
  ///
  /// - Parameters:
  ///   - slots: The slots to update.
  ///   - map: The entity of the rows.
  ///   - source: The name of the other table. The table must contain the columns of the slots, the
  ///     new version (`Z_OPT`) and the key (`Z_PK`).
  package func update(_ slots: [Int], of map: EntityMap, from source: String) -> String {
    let names = slots.map { map.columns[$0].name }
    var insert = SQLInsert(into: map.table, columns: names + ["Z_OPT", "Z_PK"], from: source)
    insert.collision = .update(names, key: "Z_PK", version: "Z_OPT")
    return text(.insert(insert))
  }

  /// Returns the text of a statement that writes without a packed row.
  package func text(of request: WriteRequest) -> String { text(statement(for: request)) }

  private func statement(for request: WriteRequest) -> SQLStatement {
    switch request {
    case .delete(let table): .delete(SQLDelete(from: table, where: Self.isExpected))
    case .completeVersion(let table):
      .update(
        SQLUpdate(
          table, set: [("Z_OPT", .integer(0))],
          where: .all([Self.equals("Z_PK"), .isNull(.named("Z_OPT"))])))
    case .deleteWhere(let table, let column):
      .delete(SQLDelete(from: table, where: Self.equals(column)))
    case .clear(let columns, let table, let column, let raisesVersion):
      .update(clear(columns, of: table, where: column, raisesVersion: raisesVersion))
    case .insertPair(let side): .insert(Self.insert(side))
    case .deletePair(let side):
      .delete(SQLDelete(from: side.table, where: Self.equal([side.source, side.destination])))
    case .setHiddenKey(let key):
      .update(SQLUpdate(key.table, set: [(key.column, Self.bound)], where: Self.equals("Z_PK")))
    case .clearHiddenKey(let key):
      .update(
        SQLUpdate(key.table, set: [(key.column, .null)], where: Self.equal(["Z_PK", key.column])))
    case .setPlace(let storage, let column): .update(Self.setPlace(in: storage, column))
    case .clearPlace(let key, let column):
      .update(
        SQLUpdate(
          key.table, set: [(column, .null)],
          where: .all([Self.equals("Z_PK"), .isNull(.named(key.column))])))
    case .deleteMembers(let table, let column):
      .delete(SQLDelete(from: table, where: Self.isMember(column)))
    case .clearMembers(let columns, let table, let column, let raisesVersion):
      .update(clearMembers(columns, of: table, column, raisesVersion: raisesVersion))
    case .reserveKeys: .update(reservation)
    case .raiseLastKey: .update(raise)
    }
  }

  private func clear(
    _ columns: [String], of table: String, where column: String, raisesVersion: Bool
  ) -> SQLUpdate {
    var values: [(column: String, value: SQLExpression)] = columns.map { ($0, .null) }
    if raisesVersion {
      // A row of another program may have no version. It is read with the version 0.
      values.append(("Z_OPT", .binary(.plus, presentOrZero("Z_OPT"), .integer(1))))
    }
    return SQLUpdate(table, set: values, where: Self.equals(column))
  }

  private func clearMembers(
    _ columns: [String], of table: String, _ column: String, raisesVersion: Bool
  ) -> SQLUpdate {
    var update = clear(columns, of: table, where: column, raisesVersion: raisesVersion)
    update.condition = Self.isMember(column)
    update.returning = ["Z_PK", "Z_ENT"]
    return update
  }

  /// Returns the condition that a column has one of the values of a bound JSON array.
  private static func isMember(_ column: String) -> SQLExpression {
    .isInResult(
      .named(column),
      SQLSelect([.named("value")], from: .function("json_each", [bound], alias: nil)))
  }

  private static func setPlace(in storage: ToManyStorage, _ column: String) -> SQLUpdate {
    let (table, source) = storage.owners
    return SQLUpdate(table, set: [(column, bound)], where: equal([storage.member, source]))
  }

  private static func insert(_ side: ToManyStorage.JoinSide) -> SQLInsert {
    var insert = SQLInsert(into: side.table, [(side.source, bound), (side.destination, bound)])
    insert.ignoresDuplicates = true
    return insert
  }

  /// Returns all columns of a row.
  private static func columns(of map: EntityMap) -> [String] {
    ["Z_PK", "Z_ENT", "Z_OPT"] + map.columns.map(\.name)
  }

  private func presentOrZero(_ column: String) -> SQLExpression {
    .function(dialect.firstPresentFunction, [.named(column), .integer(0)])
  }

  private var lastKey: SQLExpression { presentOrZero("Z_MAX") }

  private var reservation: SQLUpdate {
    var update = SQLUpdate(
      "Z_PRIMARYKEY", set: [("Z_MAX", .binary(.plus, lastKey, Self.bound))],
      where: Self.equals("Z_ENT"))
    update.returning = ["Z_MAX"]
    return update
  }

  private var raise: SQLUpdate {
    SQLUpdate(
      "Z_PRIMARYKEY", set: [("Z_MAX", Self.bound)],
      where: .all([Self.equals("Z_ENT"), .binary(.less, lastKey, Self.bound)]))
  }

  private static let bound = SQLExpression.parameter(.caller)
  private static let isExpected = equal(["Z_PK", "Z_OPT"])

  private static func equal(_ columns: [String]) -> SQLExpression { .all(columns.map(equals)) }

  private static func equals(_ column: String) -> SQLExpression {
    .binary(.equal, .named(column), bound)
  }

  private func text(_ statement: SQLStatement) -> String {
    SQLRenderer.render(statement, for: dialect).text
  }
}
