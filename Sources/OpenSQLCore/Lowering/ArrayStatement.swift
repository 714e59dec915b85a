/// A statement that reads or writes many rows at once.
///
/// The caller binds an array for each column of the rows. The comment on each case lists the
/// arrays, in order.
package enum ArrayStatement: Sendable, Hashable {
  /// Locks rows of a table in the order of their keys, and returns the keys and the versions of the
  /// rows that exist. The array contains the keys.
  case lock(String, SQLRowLock)
  /// Locks rows of a table, and fails unless all rows have the expected versions. The first array
  /// contains the keys, and the second array contains the versions. The third bound value is the
  /// number of rows.
  case requireVersions(String, SQLRowLock)
  /// Locks rows of a table against deletion, and fails unless all rows exist. The array contains
  /// the keys. The second bound value is the number of keys.
  case requireRows(String)
  /// Inserts rows into a table and returns columns of the inserted rows. Rows that violate a
  /// uniqueness constraint are skipped if requested. There is one array for each column, which
  /// contains the column's values.
  case insert(String, [String], skipsDuplicates: Bool, returning: [String] = [])
  /// Sets columns in rows of a table. The first array contains the keys of the rows. Each further
  /// array contains the new values of one column.
  case update(String, [String])
  /// Sets the given columns to null in those rows of a table in which the column `column` has one
  /// of several values. If `owner` is not nil, the rows must also have null in the column `owner`.
  /// The array contains the values of `column`.
  case clear([String], table: String, column: String, owner: String? = nil)
  /// Sets a column in those rows of a table that have a given value in the column `key` and, if
  /// `owner` is not nil, a given value in the column `owner`. The arrays contain the values of
  /// `key`, the values of `owner` and the new values.
  case set(String, table: String, key: String, owner: String?)
  /// Deletes the rows of a table that have one of several values in a column. The array contains
  /// these values.
  case delete(String, column: String)
  /// Deletes the rows of a table that have given values in several columns. There is one array for
  /// each column, which contains the column's values.
  case deleteRows(String, [String])
  /// Returns the rows of a table that have given values in several columns: the key of each row,
  /// and its values in these columns. There is one array for each column, which contains the
  /// column's values.
  case holders(String, [String])
}

extension ArrayStatement {
  /// The statement as a tree.
  package var tree: SQLStatement {
    switch self {
    case .lock(let table, let lock):
      return .select(Self.locked(["Z_PK", "Z_OPT"], of: table, lock))
    case .requireVersions(let table, let lock):
      return .select(Self.versionCheck(of: table, lock))
    case .requireRows(let table):
      let rows = Self.locked(["Z_PK"], of: table, .keyShare)
      return .select(Self.check(countedBy: 2, of: rows))
    case .insert(let table, let columns, let skipsDuplicates, let returning):
      var insert = Self.insertion(into: table, columns)
      insert.collision = skipsDuplicates ? .keep : nil
      insert.returning = returning
      return .insert(insert)
    case .update(let table, let columns):
      let values = columns.enumerated().map { (column: $1, value: Self.element($0 + 1)) }
      return Self.change(table, set: values, where: ["Z_PK"], columns.count + 1)
    case .clear(let columns, let table, let column, let owner):
      let isUnowned = owner.map { [SQLExpression.isNull(.named($0))] } ?? []
      let condition = SQLExpression.all([Self.isListed(column)] + isUnowned)
      return .update(SQLUpdate(table, set: columns.map { ($0, .null) }, where: condition))
    case .set(let column, let table, let key, let owner):
      return Self.change(
        table, set: [(column, Self.element(2))], where: [key] + (owner.map { [$0] } ?? []), 3)
    case .delete(let table, let column):
      return .delete(SQLDelete(from: table, where: Self.isListed(column)))
    case .deleteRows(let table, let columns):
      var delete = SQLDelete(from: table, where: Self.matches(columns))
      delete.alias = "t"
      delete.source = Self.rows(columns.count)
      return .delete(delete)
    case .holders(let table, let columns): return .select(Self.holding(of: columns, in: table))
    }
  }

  private static func insertion(into table: String, _ columns: [String]) -> SQLInsert {
    SQLInsert(
      into: table, columns: columns,
      SQLSelect(columns.indices.map(element), from: rows(columns.count)))
  }

  private static func holding(of columns: [String], in table: String) -> SQLSelect {
    var select = SQLSelect(
      (["Z_PK"] + columns).map { .column(table: "t", $0) }, from: .table(table, alias: "t"))
    select.joins = [
      .init(kind: .inner, source: rows(columns.count), condition: matches(columns))
    ]
    return select
  }

  /// The rows whose columns are the bound arrays.
  private static func rows(_ count: Int) -> SQLSelect.Source { .arrays(count: count, alias: "v") }

  private static func element(_ index: Int) -> SQLExpression { .column(table: "v", "c\(index)") }

  /// Returns the condition that a column has one of the values of the first array.
  private static func isListed(_ column: String) -> SQLExpression {
    .isAny(.named(column), .numbered(1))
  }

  /// Returns the condition that columns have the values of the first arrays.
  private static func matches(_ columns: [String], of alias: String = "t") -> SQLExpression {
    .all(
      columns.enumerated().map { .binary(.equal, .column(table: alias, $1), element($0)) })
  }

  private static func locked(
    _ columns: [String], of table: String, _ lock: SQLRowLock
  ) -> SQLSelect {
    SQLSelect(columns, from: table, where: isListed("Z_PK"), sortedBy: ["Z_PK"], lock: lock)
  }

  private static func versionCheck(of table: String, _ lock: SQLRowLock) -> SQLSelect {
    let columns = ["Z_PK", "Z_OPT"]
    var select = check(countedBy: 3, of: locked(columns, of: table, lock))
    select.joins = [
      .init(kind: .inner, source: rows(2), condition: matches(columns, of: lockedRows))
    ]
    return select
  }

  private static let lockedRows = "l"

  /// Returns the statement that fails unless the number of rows is the value with the given number.
  private static func check(countedBy number: Int, of rows: SQLSelect) -> SQLSelect {
    SQLSelect(
      [.requirement(.binary(.equal, .countAll, .bound(number)))],
      from: .materialized(rows, name: lockedRows))
  }

  private static func change(
    _ table: String, set values: [(column: String, value: SQLExpression)],
    where columns: [String], _ count: Int
  ) -> SQLStatement {
    var update = SQLUpdate(table, set: values, where: matches(columns))
    update.alias = "t"
    update.source = rows(count)
    return .update(update)
  }
}
