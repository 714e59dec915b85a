package import OpenObjectModel
package import OpenStoreContract

/// A row of `Z_PRIMARYKEY`, which contains the number of an entity and the last key of its rows.
package struct NumberRow: Sendable, Hashable {
  package let number: Int64
  /// The name of the entity; nil if a migration removed the entity. The number is not reused.
  package let name: String?
  package let parent: Int64
  package let last: Int64

  /// Creates the row of an entity with the given number.
  ///
  /// - Parameters:
  ///   - number: The number of the entity.
  ///   - name: The name of the entity; nil if a migration removed the entity.
  ///   - parent: The number of the superentity; 0 for a root entity.
  ///   - last: The last key of the entity's rows; 0 if there is none.
  package init(number: Int64, name: String?, parent: Int64, last: Int64) {
    (self.number, self.name, self.parent, self.last) = (number, name, parent, last)
  }

  /// Creates the row of an entity of a model.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - numbers: The numbers of the model's entities.
  ///   - last: The last key of the entity's rows; 0 if there is none.
  package init(of entity: CompiledEntity, _ numbers: EntityNumbers, last: Int64) {
    self.init(
      number: numbers.number(of: entity.index), name: entity.name,
      parent: entity.superIndex.map { numbers.number(of: $0) } ?? 0, last: last)
  }

  private static let table = "Z_PRIMARYKEY"
  private static let columns = ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]

  /// Reads all rows, in the order of their numbers.
  ///
  /// - Throws: `StoreError` with the code of the database's failure if the table cannot be read.
  package static func read(in session: some SQLSession) throws(StoreError) -> [NumberRow] {
    let select = SQLSelect(columns, from: table, sortedBy: ["Z_ENT"])
    var rows: [NumberRow] = []
    try session.forEachRow(of: .select(select)) { row in
      rows.append(
        NumberRow(
          number: row.integer(0), name: row.text(1), parent: row.integer(2), last: row.integer(3)))
    }
    return rows
  }

  /// The statement that inserts a row, to which ``values`` are bound.
  package static var insertion: SQLStatement {
    .insert(SQLInsert(into: table, columns.map { ($0, .parameter(.caller)) }))
  }

  /// The values of the columns.
  package var values: [SlotContent] {
    [.integer(number), name.map { .text($0) } ?? .null, .integer(parent), .integer(last)]
  }

  // MARK: Keys

  /// The greatest valid key, which no store reaches. Enough numbers remain above this key to avoid
  /// an overflow.
  package static let greatestKey = Int64.max / 2

  /// Returns the last keys, by the index of the root entity in the model. The method omits keys
  /// that are less than 1 or greater than ``greatestKey``.
  ///
  /// - Parameters:
  ///   - rows: The rows of `Z_PRIMARYKEY`.
  ///   - schema: The tables of the store.
  package static func lastKeys(in rows: [NumberRow], of schema: SchemaMap) -> [Int: Int64] {
    var keys: [Int: Int64] = [:]
    for row in rows where (1...greatestKey).contains(row.last) {
      guard let index = schema.entityIndex(numbered: row.number),
        schema.model.entities[index].superIndex == nil
      else { continue }
      keys[index] = row.last
    }
    return keys
  }

  /// Returns the first of the keys that a store has reserved for rows of a root entity.
  ///
  /// - Parameters:
  ///   - count: The number of keys.
  ///   - last: The last of the keys; nil if the store has no row for the entity.
  ///   - root: The root entity.
  ///   - path: The path of the store, for error messages; nil if the path is unknown.
  /// - Throws: `StoreError` with code `.incompatibleSchema` if there is no row, or with code
  ///   `.corrupt` if the last key is less than `count` or greater than ``greatestKey``.
  package static func firstKey(
    of count: Int64, upTo last: Int64?, root: CompiledEntity, path: String?
  ) throws(StoreError) -> Int64 {
    guard let last else {
      throw StoreError(
        .incompatibleSchema, "The store has no record of the primary keys of the entity.",
        path: path, entityName: root.name)
    }
    guard (count...greatestKey).contains(last) else {
      throw StoreError(
        .corrupt,
        "The store cannot assign primary keys for the entity because the last key is damaged.",
        path: path, entityName: root.name)
    }
    return last - count + 1
  }
}
