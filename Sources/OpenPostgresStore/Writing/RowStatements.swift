import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Creates the statements that write many rows at once. The values are bound as arrays, one array
/// for each column.
struct RowStatements {
  let schema: SchemaMap
  let dialect: PostgresDialect
  /// The maximum number of rows in a statement.
  private static let greatestRowCount = 1000
  /// The maximum size of the rows in a statement, in bytes.
  static let greatestSize = 4 << 20
  /// The maximum size of a value, in bytes.
  private static let greatestValueSize = 512 << 20
  /// The maximum size of a row, in bytes. The server cannot return a row of one gigabyte.
  private static let greatestRowSize = (1 << 30) - (1 << 20)

  /// A column of the rows to write.
  private struct Column {
    let name: String
    /// The values of the column, one for each row.
    let array: PostgresValue
  }

  private func column(_ slot: Int, of map: EntityMap, _ rows: some Collection<Row>) -> Column {
    let column = map.columns[slot]
    var array = PostgresArray(of: PostgresValue.type(of: column.target), count: rows.count)
    let isTranslated = schema.translatedSlots[map.entity.index].contains(slot)
    for row in rows {
      if isTranslated, case .integer(let number) = row.content(of: slot, in: map.entity) {
        array.append(.integer(schema.numbers.number(of: Int(number) - 1)))
      } else {
        array.append(slot, of: row, in: map.entity)
      }
    }
    return Column(name: dialect.quoted(column.name), array: array.value)
  }

  private func keyColumn(_ name: String, _ values: some Collection<Int64>) -> Column {
    Column(name: name, array: .keys(values))
  }

  // MARK: Locks

  /// Returns the statement that locks rows in the order of their keys and returns the keys and
  /// versions of the existing rows.
  ///
  /// - Parameter strength: The SQL clause for the strength of the lock.
  func locking(
    _ keys: some Sequence<Int64>, of table: String, _ strength: String
  ) -> PostgresCommand {
    PostgresCommand(
      "SELECT z_pk, z_opt FROM \(dialect.table(table)) WHERE z_pk = ANY($1) ORDER BY z_pk \(strength)",
      [.keys(Set(keys).sorted())])
  }

  /// Returns the statement that locks rows and fails unless all rows have the expected versions.
  ///
  /// - Parameters:
  ///   - versions: The expected versions by key.
  ///   - strength: The SQL clause for the strength of the lock.
  func guarding(
    _ versions: [Int64: Int64], of table: String, _ strength: String
  ) -> PostgresCommand {
    let rows = versions.sorted { $0.key < $1.key }
    return PostgresCommand(
      """
      WITH l AS MATERIALIZED (SELECT z_pk, z_opt FROM \(dialect.table(table)) \
      WHERE z_pk = ANY($1) ORDER BY z_pk \(strength)) SELECT 1 / (count(*) = $3)::int \
      FROM l JOIN unnest($1, $2) AS v(k, o) ON l.z_pk = v.k AND l.z_opt = v.o
      """,
      [.keys(rows.map(\.key)), .keys(rows.map(\.value)), .integer(Int64(rows.count))])
  }

  /// Returns the statement that locks rows against deletion and fails unless all rows exist.
  func guarding(_ keys: Set<Int64>, of table: String) -> PostgresCommand {
    PostgresCommand(
      """
      WITH l AS MATERIALIZED (SELECT z_pk FROM \(dialect.table(table)) \
      WHERE z_pk = ANY($1) ORDER BY z_pk FOR KEY SHARE) SELECT 1 / (count(*) = $2)::int FROM l
      """, [.keys(keys.sorted()), .integer(Int64(keys.count))])
  }

  // MARK: Insertion

  /// The treatment of rows that violate a uniqueness constraint.
  enum Refusal {
    case fail
    /// The rows are skipped, and the statement returns the keys of the other rows.
    case skip
  }

  /// Returns the statements that insert rows of one entity.
  ///
  /// - Parameter rows: The rows, with the keys that they receive.
  /// - Throws: `StoreError` with code `.unfitValue` if a value or a row is too large.
  func insertion(
    of rows: [(key: Int64, row: Row)], into map: EntityMap, _ refusal: Refusal = .fail
  ) throws(StoreError) -> [PostgresCommand] {
    try portions(rows, of: map, writing: map.entity.slots.indices) { $0.row }.map { rows in
      var columns = [
        keyColumn("z_pk", rows.map(\.key)),
        keyColumn("z_ent", rows.map { _ in map.number }),
        keyColumn("z_opt", rows.map(\.row.version)),
      ]
      for slot in map.entity.slots.indices {
        columns.append(column(slot, of: map, rows.lazy.map(\.row)))
      }
      let names = columns.map(\.name).joined(separator: ", ")
      let text =
        "INSERT INTO \(dialect.table(map.table)) (\(names)) "
        + "SELECT * FROM \(Self.list(columns.count))"
      return PostgresCommand(
        text + (refusal == .skip ? " ON CONFLICT DO NOTHING RETURNING z_pk" : ""),
        columns.map(\.array))
    }
  }

  // MARK: Updates

  /// Returns the statements that write slots and versions of rows of one entity.
  ///
  /// - Throws: `StoreError` with code `.unfitValue` if a value or a row is too large.
  func update(
    _ rows: [Row], slots: [Int], of map: EntityMap
  ) throws(StoreError) -> [PostgresCommand] {
    try portions(rows, of: map, writing: slots) { $0 }.map { rows in
      let changed =
        [keyColumn("z_opt", rows.map(\.version))]
        + slots.map { column($0, of: map, rows) }
      let columns = [keyColumn("z_pk", rows.map(\.key))] + changed
      let settings = changed.enumerated().map { "\($1.name) = v.c\($0 + 1)" }
      return PostgresCommand(
        """
        UPDATE \(dialect.table(map.table)) AS t SET \(settings.joined(separator: ", ")) \
        FROM \(Self.list(columns.count)) WHERE t.z_pk = v.c0
        """, columns.map(\.array))
    }
  }

  /// Returns the statement that sets columns of rows to null.
  func clearing(_ columns: [String], of table: String, keys: [Int64]) -> PostgresCommand {
    let settings = columns.map { dialect.quoted($0) + " = NULL" }.joined(separator: ", ")
    return PostgresCommand(
      "UPDATE \(dialect.table(table)) SET \(settings) WHERE z_pk = ANY($1)", [.keys(keys)])
  }

  /// Returns the statement that sets a column to null in the rows that have one of the given keys
  /// in the column.
  func clearing(_ column: String, of table: String, having keys: [Int64]) -> PostgresCommand {
    let name = dialect.quoted(column)
    return PostgresCommand(
      "UPDATE \(dialect.table(table)) SET \(name) = NULL WHERE \(name) = ANY($1)", [.keys(keys)])
  }

  /// Returns the statement that sets a column of rows to keys or positions. If `where` names a
  /// further column, a row is changed only if this column contains the row's `other` key.
  func setting(
    _ column: String, of table: String, key: String,
    where other: String? = nil, _ values: [(key: Int64, other: Int64, value: Int64?)]
  ) -> PostgresCommand {
    let columns = [
      keyColumn("k", values.map(\.key)), keyColumn("o", values.map(\.other)),
      Column(
        name: "v",
        array: .array(of: .bigint, values.lazy.map { $0.value.map { .integer($0) } ?? .null })),
    ]
    let condition = other.map { " AND t.\(dialect.quoted($0)) = v.c1" } ?? ""
    return PostgresCommand(
      """
      UPDATE \(dialect.table(table)) AS t SET \(dialect.quoted(column)) = v.c2 \
      FROM \(Self.list(columns.count)) WHERE t.\(dialect.quoted(key)) = v.c0\(condition)
      """, columns.map(\.array))
  }

  // MARK: Deletion

  /// Returns the statement that deletes the rows with one of the given keys in a column.
  func deletion(from table: String, _ column: String, _ keys: [Int64]) -> PostgresCommand {
    PostgresCommand(
      "DELETE FROM \(dialect.table(table)) WHERE \(dialect.quoted(column)) = ANY($1)",
      [.keys(keys)])
  }

  // MARK: Pairs

  /// Returns the statement that inserts join rows that do not exist.
  func insertion(
    of pairs: [(Int64, Int64)], into side: ToManyStorage.JoinSide
  ) -> PostgresCommand {
    PostgresCommand(
      """
      INSERT INTO \(dialect.table(side.table)) (\(dialect.quoted(side.source)), \
      \(dialect.quoted(side.destination))) SELECT * FROM unnest($1, $2) ON CONFLICT DO NOTHING
      """, [.keys(pairs.map(\.0)), .keys(pairs.map(\.1))])
  }

  /// Returns the statement that deletes join rows.
  func deletion(
    of pairs: [(Int64, Int64)], from side: ToManyStorage.JoinSide
  ) -> PostgresCommand {
    PostgresCommand(
      """
      DELETE FROM \(dialect.table(side.table)) AS t USING unnest($1, $2) AS v(c0, c1) \
      WHERE t.\(dialect.quoted(side.source)) = v.c0 AND t.\(dialect.quoted(side.destination)) = v.c1
      """, [.keys(pairs.map(\.0)), .keys(pairs.map(\.1))])
  }

  // MARK: Parts

  /// Returns the list of rows with the values of the first parameters, which are arrays. The
  /// columns are named `v.c0`, `v.c1` and so on.
  static func list(_ count: Int) -> String {
    let arrays = (0..<count).map { "$\($0 + 1)" }.joined(separator: ", ")
    let names = (0..<count).map { "c\($0)" }.joined(separator: ", ")
    return "unnest(\(arrays)) AS v(\(names))"
  }

  private func portions<Element>(
    _ elements: [Element], of map: EntityMap, writing slots: some Sequence<Int>,
    _ row: (Element) -> Row
  ) throws(StoreError) -> [[Element]] {
    var portions: [[Element]] = []
    var portion: [Element] = []
    var size = 0
    for element in elements {
      let count = row(element).byteCount
      // A smaller row cannot contain a value that is too large.
      if count > Self.greatestValueSize { try requireFit(row(element), slots, of: map) }
      if portion.count == Self.greatestRowCount || (size + count > Self.greatestSize && size > 0) {
        portions.append(portion)
        (portion, size) = ([], 0)
      }
      portion.append(element)
      size += count
    }
    return portion.isEmpty ? portions : portions + [portion]
  }

  private func requireFit(
    _ row: Row, _ slots: some Sequence<Int>, of map: EntityMap
  ) throws(StoreError) {
    let entity = map.entity
    guard row.byteCount <= Self.greatestRowSize else {
      throw StoreError(
        .unfitValue, "The values of an object total more than one gigabyte.",
        entityName: entity.name)
    }
    for slot in slots where entity.slots[slot].kind.isVariable {
      let count = row.bytes(at: RowLayout.slot(slot, of: entity)).count
      guard count > Self.greatestValueSize else { continue }
      throw StoreError(
        .unfitValue, "A value can be at most 512 MB.", entityName: entity.name,
        propertyName: entity.properties[entity.slots[slot].propertyOrdinal].name)
    }
  }
}
