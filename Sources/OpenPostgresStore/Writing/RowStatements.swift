import OpenObjectModel
import OpenSQLCore
import OpenStoreContract
import Synchronization

/// Creates the statements that write many rows at once. The values are bound as arrays, one array
/// for each column.
final class RowStatements: Sendable {
  let schema: SchemaMap
  let dialect: PostgresDialect
  /// The rendered statements.
  private let texts = Mutex<[ArrayStatement: String]>([:])
  private static let greatestTextCount = 500
  /// The maximum number of rows in a statement.
  private static let greatestRowCount = 1000
  /// The maximum size of the rows in a statement, in bytes.
  static let greatestSize = 4 << 20
  /// The maximum size of a value, in bytes.
  private static let greatestValueSize = 512 << 20
  /// The maximum size of a row, in bytes. The server cannot return a row of one gigabyte.
  private static let greatestRowSize = (1 << 30) - (1 << 20)

  init(_ schema: SchemaMap, _ dialect: PostgresDialect) {
    self.schema = schema
    self.dialect = dialect
  }

  /// Returns a statement with its values.
  func command(_ statement: ArrayStatement, _ values: [PostgresValue]) -> PostgresCommand {
    let text = texts.withLock { known in
      if let text = known[statement] { return text }
      if known.count >= Self.greatestTextCount { known = [:] }
      let text = dialect.text(of: statement.tree)
      known[statement] = text
      return text
    }
    return PostgresCommand(text, values)
  }

  /// Returns a statement whose only array contains keys.
  func command(
    _ statement: ArrayStatement, keys: some Collection<Int64>
  ) -> PostgresCommand {
    command(statement, [.keys(keys)])
  }

  /// Returns the values of a slot, one for each row.
  private func array(_ slot: Int, of map: EntityMap, _ rows: some Collection<Row>) -> PostgresValue
  {
    var array = PostgresArray(
      of: PostgresValue.type(of: map.columns[slot].target), count: rows.count)
    let isTranslated = schema.translatedSlots[map.entity.index].contains(slot)
    for row in rows {
      if isTranslated, case .integer(let number) = row.content(of: slot, in: map.entity) {
        array.append(.integer(schema.numbers.number(of: Int(number) - 1)))
      } else {
        array.append(slot, of: row, in: map.entity)
      }
    }
    return array.value
  }

  // MARK: Locks

  /// Returns the statement that locks rows in the order of their keys and returns the keys and
  /// versions of the existing rows.
  func locking(
    _ keys: some Sequence<Int64>, of table: String, _ lock: SQLRowLock
  ) -> PostgresCommand {
    command(.lock(table, lock), keys: Set(keys).sorted())
  }

  // MARK: Rows

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
    let slots = map.entity.slots.indices
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + slots.map { map.columns[$0].name }
    let statement = ArrayStatement.insert(
      map.table, names, skipsDuplicates: refusal == .skip,
      returning: refusal == .skip ? ["Z_PK"] : [])
    return try portions(rows, of: map, writing: slots) { $0.row }.map { rows in
      let header: [PostgresValue] = [
        .keys(rows.map(\.key)), .keys(rows.map { _ in map.number }), .keys(rows.map(\.row.version)),
      ]
      return command(statement, header + slots.map { array($0, of: map, rows.lazy.map(\.row)) })
    }
  }

  /// Returns the statement that sets the slots with values of uniqueness constraints to null, so
  /// that the rows can exchange these values; nil if there are no such slots.
  func clearing(_ rows: [Row], slots: [Int], of map: EntityMap) -> PostgresCommand? {
    let unique = Set(schema.uniqueness.filter { $0.table == map.table }.flatMap(\.columns))
    let columns = slots.map { map.columns[$0].name }.filter(unique.contains)
    if columns.isEmpty { return nil }
    return command(.clear(columns, table: map.table, column: "Z_PK"), keys: rows.map(\.key))
  }

  /// Returns the statements that write slots and versions of rows of one entity.
  ///
  /// - Throws: `StoreError` with code `.unfitValue` if a value or a row is too large.
  func update(
    _ rows: [Row], slots: [Int], of map: EntityMap
  ) throws(StoreError) -> [PostgresCommand] {
    let names = ["Z_OPT"] + slots.map { map.columns[$0].name }
    return try portions(rows, of: map, writing: slots) { $0 }.map { rows in
      command(
        .update(map.table, names),
        [.keys(rows.map(\.key)), .keys(rows.map(\.version))]
          + slots.map { array($0, of: map, rows) })
    }
  }

  /// Returns the statement that sets a column of rows to keys or positions. If there is an `owner`
  /// column, a row is changed only if this column contains the row's `other` key.
  func setting(
    _ column: String, of table: String, key: String,
    owner: String?, _ values: [(key: Int64, other: Int64, value: Int64?)]
  ) -> PostgresCommand {
    command(
      .set(column, table: table, key: key, owner: owner),
      [
        .keys(values.map(\.key)), .keys(values.map(\.other)),
        .array(of: .bigint, values.lazy.map { $0.value.map { .integer($0) } ?? .null }),
      ])
  }

  private func portions<Element>(
    _ elements: [Element], of map: EntityMap, writing slots: some Sequence<Int>,
    _ row: (Element) -> Row
  ) throws(StoreError) -> [ArraySlice<Element>] {
    try elements.portions(upTo: Self.greatestRowCount, Self.greatestSize) {
      (element) throws(StoreError) in
      let written = row(element)
      // A smaller row cannot contain a value that is too large.
      if written.byteCount > Self.greatestValueSize { try requireFit(written, slots, of: map) }
      return written.byteCount
    }
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

extension Array {
  /// Returns consecutive portions of the elements with limited numbers and sizes. An element that
  /// exceeds the limit of the size forms a separate portion.
  func portions(
    upTo greatestCount: Int, _ greatestSize: Int,
    _ measure: (Element) throws(StoreError) -> Int
  ) throws(StoreError) -> [ArraySlice<Element>] {
    var portions: [ArraySlice<Element>] = []
    var (start, total) = (0, 0)
    for index in indices {
      let size = try measure(self[index])
      if index - start == greatestCount || (total + size > greatestSize && total > 0) {
        portions.append(self[start..<index])
        (start, total) = (index, 0)
      }
      total += size
    }
    return isEmpty ? [] : portions + [self[start...]]
  }
}
