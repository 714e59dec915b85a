import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

/// Updates derived attributes in a transaction, for all changed rows at once.
///
/// Before a value is computed, the rows with the value and the rows from which it is computed are
/// locked. Two transactions that change different members of one object therefore see each other's
/// changes. Confined to one transaction.
struct DerivationWriter {
  /// A set of rows that a transaction changes.
  struct Touch {
    var table: String
    /// The index of the entity; nil for join rows.
    var entity: Int?
    var keys: [Int64]
    /// The changed columns; nil for inserted or deleted rows.
    var columns: Set<String>?
    var isDeleted = false

    func changes(_ others: Set<String>) -> Bool {
      columns.map { !$0.isDisjoint(with: others) } ?? true
    }
  }

  private let statements: RowStatements
  private let attributes: [DerivedAttribute]
  private let connection: PostgresConnection
  private var schema: SchemaMap { statements.schema }
  private var dialect: PostgresDialect { statements.dialect }
  /// The maximum number of levels of derived values that depend on other derived values.
  private static let greatestDepth = 16

  /// Creates a writer; nil if there are no derived attributes.
  init?(
    _ attributes: [DerivedAttribute], _ statements: RowStatements,
    on connection: PostgresConnection
  ) {
    guard !attributes.isEmpty else { return nil }
    self.statements = statements
    self.attributes = attributes
    self.connection = connection
  }

  // MARK: Changes

  /// Returns the rows that a change set changes.
  func touches(of changes: ChangeSet) -> [Touch] {
    var touches: [Touch] = []
    func table(_ entity: Int) -> String { schema.entities[entity].table }
    for (entity, rows) in Dictionary(grouping: changes.inserted, by: \.entityIndex) {
      touches.append(Touch(table: table(entity), entity: entity, keys: rows.map(\.key)))
    }
    for update in changes.updated {
      let map = schema.entities[update.row.entityIndex]
      var columns: Set<String> = []
      update.slots.forEach { columns.insert(map.columns[$0].name) }
      touches.append(
        Touch(
          table: map.table, entity: map.entity.index, keys: [update.row.key], columns: columns))
    }
    for (entity, ids) in Dictionary(grouping: changes.deleted.map(\.id), by: \.entityIndex) {
      touches.append(
        Touch(
          table: table(Int(entity)), entity: Int(entity), keys: ids.map(\.key), isDeleted: true))
    }
    return touches + changes.joinRows.flatMap(touches(of:))
  }

  private func touches(of pair: ChangeSet.JoinRow) -> [Touch] {
    let entity = schema.model.entities[pair.entityIndex]
    guard entity.properties.indices.contains(pair.ordinal) else { return [] }
    switch schema.storage(of: entity.properties[pair.ordinal]) {
    case .foreignKey(let key)?:
      return [
        Touch(
          table: key.table, entity: Int(pair.destination.entityIndex),
          keys: [pair.destination.key], columns: [key.column])
      ]
    case .join(let side)?:
      let (source, destination) = ([pair.source.key], [pair.destination.key])
      let both = source + destination
      return [
        Touch(
          table: side.table, keys: side.isReflexive ? both : destination,
          columns: [side.destination]),
        Touch(
          table: side.table, keys: side.isReflexive ? both : source, columns: [side.source]),
      ]
    case nil: return []
    }
  }

  // MARK: Owners

  /// Returns the keys of the changed members of an attribute's relationship.
  private func members(_ attribute: DerivedAttribute, _ touches: [Touch]) -> [Int64] {
    guard case .members(let storage, let destination, _) = attribute.kind else { return [] }
    return touches.flatMap { touch -> [Int64] in
      if touch.table == destination.table {
        return touch.changes(attribute.memberColumns) ? touch.keys : []
      }
      guard case .join(let side) = storage, touch.table == side.table,
        touch.columns?.contains(side.destination) == true
      else { return [] }
      return touch.keys
    }
  }

  /// Returns the current owners of the changed members, by the index of the attribute.
  func owners(of touches: [Touch]) throws(StoreError) -> [Int: Set<Int64>] {
    var selects: [(attribute: Int, SQLSelect, [Int64])] = []
    for (index, attribute) in attributes.enumerated() {
      let members = members(attribute, touches)
      if let select = attribute.ownersOfMembers, !members.isEmpty {
        selects.append((index, select, members))
      }
    }
    return try keys(selects)
  }

  private func keys(
    _ selects: [(attribute: Int, SQLSelect, [Int64])]
  ) throws(StoreError) -> [Int: Set<Int64>] {
    guard !selects.isEmpty else { return [:] }
    let results = try connection.run(selects.map { command($0.1, $0.2) })
    var found: [Int: Set<Int64>] = [:]
    for (select, result) in zip(selects, results) {
      for row in 0..<result.rowCount {
        found[select.attribute, default: []].insert(result.integer(row, 0))
      }
    }
    return found
  }

  private func command(_ select: SQLSelect, _ keys: some Collection<Int64>) -> PostgresCommand {
    PostgresCommand(dialect.text(of: .select(select)), [.keys(Set(keys).sorted())])
  }

  // MARK: Computing

  /// Recomputes the derived values that the changes affect.
  ///
  /// - Parameters:
  ///   - touches: The changed rows.
  ///   - before: The owners of the changed members before the changes were written.
  /// - Returns: The rows with new values, without duplicates.
  func recompute(
    _ touches: [Touch], ownersBefore before: [Int: Set<Int64>]
  ) throws(StoreError) -> [ObjectKey] {
    var recomputed: [ObjectKey] = []
    var seen: Set<ObjectKey> = []
    var touches = touches
    var before = before
    for round in 0..<Self.greatestDepth where !touches.isEmpty {
      let affected = try self.affected(touches, before, isFirst: round == 0)
      before = [:]
      touches = []
      let changed = try compute(affected)
      for (index, ids) in changed.sorted(by: { $0.key < $1.key }) {
        let attribute = attributes[index]
        for id in ids where seen.insert(id).inserted { recomputed.append(id) }
        for (entity, ids) in Dictionary(grouping: ids, by: \.entityIndex) {
          touches.append(
            Touch(
              table: attribute.map.table, entity: Int(entity), keys: ids.map(\.key),
              columns: [attribute.column.name]))
        }
      }
    }
    return recomputed
  }

  /// Returns the rows whose values may change, by the index of the attribute.
  private func affected(
    _ touches: [Touch], _ before: [Int: Set<Int64>], isFirst: Bool
  ) throws(StoreError) -> [Int: Set<Int64>] {
    var affected = before.merging(try owners(of: touches)) { $0.union($1) }
    var selects: [(attribute: Int, SQLSelect, [Int64])] = []
    for (index, attribute) in attributes.enumerated() {
      if case .now = attribute.kind, !isFirst { continue }
      for touch in touches where touch.table == attribute.map.table && !touch.isDeleted {
        guard let entity = touch.entity, attribute.map.entity.subtree.contains(entity),
          attribute.ownColumns.map(touch.changes) ?? true
        else { continue }
        affected[index, default: []].formUnion(touch.keys)
      }
      for (table, column, owners) in attribute.parameters {
        let keys = touches.filter {
          $0.table == table && !$0.isDeleted && $0.changes([column])
        }.flatMap(\.keys)
        if !keys.isEmpty { selects.append((index, owners, keys)) }
      }
    }
    return affected.merging(try keys(selects)) { $0.union($1) }
  }

  /// Locks the rows and computes their values. Returns the rows with new values, by the index of
  /// the attribute.
  private func compute(_ affected: [Int: Set<Int64>]) throws(StoreError) -> [Int: [ObjectKey]] {
    let affected = affected.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
    guard !affected.isEmpty else { return [:] }
    var commands: [PostgresCommand] = []
    for (index, keys) in affected {
      let attribute = attributes[index]
      commands.append(statements.locking(keys, of: attribute.map.table, .noKeyUpdate))
      for (table, keysOnTheWay) in attribute.ways {
        var select = SQLSelect(
          ["Z_PK"], from: table, where: .isInResult(.named("Z_PK"), keysOnTheWay))
        select.order = [.init(expression: .named("Z_PK"), isAscending: true)]
        select.lock = .share
        commands.append(command(select, keys))
      }
    }
    let lockCount = commands.count
    let time = Date().timeIntervalSinceReferenceDate
    for (index, keys) in affected { commands.append(computation(attributes[index], keys, time)) }
    let results = try connection.run(commands)[lockCount...]
    var changed: [Int: [ObjectKey]] = [:]
    for ((index, _), result) in zip(affected, results) {
      let attribute = attributes[index]
      if case .value(let text?, _, _) = attribute.kind {
        changed[index] = try changeTexts(of: attribute, text, result)
      } else {
        changed[index] = (0..<result.rowCount).map { id(in: result, $0) }
      }
    }
    return changed
  }

  private func id(in result: PostgresResult, _ row: Int) -> ObjectKey {
    ObjectKey(
      entityIndex: schema.numbers.index(of: result.integer(row, 0)),
      key: result.integer(row, 1))
  }

  private func computation(
    _ attribute: DerivedAttribute, _ keys: Set<Int64>, _ time: Double
  ) -> PostgresCommand {
    guard let update = attribute.computation else { return command(attribute.sources, keys) }
    var values = [PostgresValue.keys(keys.sorted())]
    if case .now = attribute.kind { values.insert(.real(time), at: 0) }
    return PostgresCommand(dialect.text(of: .update(update)), values)
  }

  /// Writes texts that the library converts, because no server converts texts exactly as the
  /// library does.
  private func changeTexts(
    of attribute: DerivedAttribute, _ function: Derivation.TextFunction, _ sources: PostgresResult
  ) throws(StoreError) -> [ObjectKey] {
    var ids: [ObjectKey] = []
    var texts: [SlotContent] = []
    for row in 0..<sources.rowCount {
      let stored = sources.text(row, 2)
      var text: String?
      if let source = sources.text(row, 3),
        case .string(let changed) = ValueFunction.apply(function.rawValue, [.string(source)])
      {
        text = changed
      }
      if text.map({ Array($0.utf8) }) == stored.map({ Array($0.utf8) }) { continue }
      ids.append(id(in: sources, row))
      texts.append(text.map { .text($0) } ?? .null)
    }
    guard !ids.isEmpty else { return [] }
    try connection.run(
      statements.command(
        .update(attribute.map.table, [attribute.column.name]),
        [.keys(ids.map(\.key)), .array(of: .text, texts)]))
    return ids
  }

  // MARK: All rows

  private static let portion = 10_000

  /// Computes the values of all rows, for attributes whose columns a migration created.
  func computeAll() throws(StoreError) {
    for (index, attribute) in attributes.enumerated() {
      var select = attribute.allRows
      let key = SQLExpression.named("Z_PK")
      select.condition = .all(
        [select.condition, .binary(.greater, key, .parameter(.caller))].compactMap { $0 })
      select.order = [.init(expression: key, isAscending: true)]
      select.limit = .integer(Int64(Self.portion))
      var last = Int64.min
      while true {
        let found = try connection.run(dialect.command(.select(select), [.integer(last)]))
        guard found.rowCount > 0 else { break }
        let keys = (0..<found.rowCount).map { found.integer($0, 0) }
        last = keys.last ?? last
        _ = try compute([index: Set(keys)])
      }
    }
  }
}
