import OpenObjectModel

/// How the rows of one table of entities become rows of a table of the destination.
struct TableMigration: Sendable {
  /// Rows of one source entity, which belong to one destination entity.
  struct Part: Sendable {
    /// The number of the entity in the source.
    var source: Int64
    /// The number of the entity in the destination.
    var destination: Int64
    /// By column of the table, its header left out.
    var columns: [ColumnSource]
    /// Columns in which the rows may have values in the source.
    var held: Set<String>
  }

  /// What a column of the table is made of in place.
  enum Base: Sendable, Hashable {
    case added
    case kept(String)
  }

  /// The table as a new store has it.
  var table: SQLCreateTable
  /// The table that the rows come from; nil when all entities are new.
  var source: String?
  var parts: [Part]
  /// Numbers of source entities in that table whose rows do not come here.
  var leaving: [Int64]
  /// Columns of the source table, as the source model names them, its header left out.
  var sourceColumns: [String]

  /// The columns after the header.
  var columns: [SQLCreateTable.Column] {
    Array(table.columns.dropFirst(SchemaMap.rowHeader().count))
  }

  // MARK: In place

  /// What each column is made of in place.
  var bases: [Base] {
    columns.indices.map { index in
      parts.lazy.compactMap { $0.columns[index].column }.first.map { .kept($0) } ?? .added
    }
  }

  /// Why the table cannot be changed in place.
  var copyReasons: [String] {
    guard source != nil else { return [] }
    var reasons: [String] = []
    var taken: [String: String] = [:]
    for (index, column) in columns.enumerated() {
      let place = "Column \(column.name) of \(table.name)"
      let names = Set(parts.compactMap { $0.columns[index].column })
      if names.count > 1 {
        reasons.append("\(place) gets the values of several columns: \(Self.list(names)).")
      }
      if parts.contains(where: { $0.columns[index].isElsewhere }) {
        reasons.append("\(place) gets its values from other rows.")
      }
      if let name = names.first, names.count == 1,
        let other = taken.updateValue(column.name, forKey: name)
      {
        reasons.append("\(place) and column \(other) get the values of one column: \(name).")
      }
    }
    return reasons
  }

  private static func list(_ names: Set<String>) -> String {
    names.sorted().joined(separator: ", ")
  }

  /// The statements that bring the table, which has its new name, to its new columns and rows.
  func inPlaceSteps() -> [MigrationStep] {
    let bases = bases
    var steps: [MigrationStep] = []
    if !leaving.isEmpty {
      steps.append(
        .rows(of: table.name, .delete(SQLDelete(from: table.name, where: Self.isOne(of: leaving)))))
    }
    let kept = Set(
      bases.compactMap { base in if case .kept(let name) = base { name } else { nil } })
    for column in sourceColumns where !kept.contains(column) {
      steps.append(
        MigrationStep(.alter(.dropColumn(column, table: table.name)), rewriting: table.name))
    }
    let renames = zip(columns, bases).compactMap { column, base -> (String, String)? in
      guard case .kept(let old) = base, old != column.name else { return nil }
      return (old, column.name)
    }
    steps += Self.renaming(renames, of: table.name, taken: kept)
    for (column, base) in zip(columns, bases) where base == .added {
      steps.append(MigrationStep(.alter(.addColumn(column, table: table.name))))
    }
    return steps + renumbering() + updates(bases)
  }

  /// Renames columns, by way of other names where a name is still taken.
  static func renaming(
    _ renames: [(old: String, new: String)], of table: String, taken: Set<String>
  ) -> [MigrationStep] {
    var steps: [MigrationStep] = []
    var pending: [(String, String)] = []
    var present = taken
    for (index, rename) in renames.enumerated() {
      var target = rename.new
      if present.contains(rename.new) {
        target = "Z_MIGRATED_\(index)"
        pending.append((target, rename.new))
      }
      present.remove(rename.old)
      present.insert(target)
      steps.append(MigrationStep(.alter(.renameColumn(rename.old, to: target, table: table))))
    }
    return steps
      + pending.map { MigrationStep(.alter(.renameColumn($0.0, to: $0.1, table: table))) }
  }

  private func renumbering() -> [MigrationStep] {
    let changed = parts.filter { $0.source != $0.destination }
    guard let last = changed.last else { return [] }
    let number = SQLExpression.column(table: nil, "Z_ENT")
    let value = changed.dropLast().reversed().reduce(SQLExpression.integer(last.destination)) {
      .choice(.binary(.equal, number, .integer($1.source)), .integer($1.destination), $0)
    }
    let update = SQLUpdate(
      table.name, set: [("Z_ENT", value)], where: Self.isOne(of: changed.map(\.source)))
    return [.rows(of: table.name, .update(update))]
  }

  /// What sets values in rows, each for the rows of some entities.
  private func updates(_ bases: [Base]) -> [MigrationStep] {
    var constants: [[Int64]: [(column: String, value: SQLExpression)]] = [:]
    var others: [MigrationStep] = []
    for (index, column) in columns.enumerated() {
      let own = SQLExpression.column(table: nil, column.name)
      let groups = Dictionary(grouping: parts) { $0.columns[index] }
      for (origin, parts) in groups.sorted(by: { $0.value[0].source < $1.value[0].source }) {
        let numbers = parts.map(\.destination).sorted()
        switch (origin, bases[index]) {
        case (.constant(let value), _): constants[numbers, default: []].append((column.name, value))
        case (.nothing, .kept(let old)):
          let holders = parts.filter { $0.held.contains(old) }.map(\.destination).sorted()
          if !holders.isEmpty {
            others.append(set(column.name, .null, where: .isNotNull(own), holders))
          }
        case (.column(_, let otherwise, let conversion), _):
          if let conversion {
            let value = ColumnSource.converted(own, conversion)
            others.append(set(column.name, value, where: .isNotNull(own), numbers))
          }
          if let otherwise {
            others.append(set(column.name, otherwise, where: .isNull(own), numbers))
          }
        default: continue
        }
      }
    }
    let sets = constants.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return sets.map { numbers, values in
      .rows(
        of: table.name, .update(SQLUpdate(table.name, set: values, where: condition(numbers))))
    } + others
  }

  private func set(
    _ name: String, _ value: SQLExpression, where condition: SQLExpression, _ numbers: [Int64]
  ) -> MigrationStep {
    let all = [condition] + (self.condition(numbers).map { [$0] } ?? [])
    return .rows(
      of: table.name, .update(SQLUpdate(table.name, set: [(name, value)], where: .all(all))))
  }

  /// That a row is of one of the entities; nil when all rows are.
  private func condition(_ numbers: [Int64]) -> SQLExpression? {
    numbers.count == parts.count ? nil : Self.isOne(of: numbers)
  }

  private static func isOne(of numbers: [Int64]) -> SQLExpression {
    .isIn(.column(table: nil, "Z_ENT"), numbers.map { .integer($0) })
  }

  /// Whether in-place steps change values or delete rows, entity numbers left out.
  var changesValues: Bool {
    let bases = bases
    return !leaving.isEmpty || !updates(bases).isEmpty
  }

  /// Whether rows that go, or that stay, lose values of some columns.
  func frees(_ columns: Set<String>) -> Bool {
    !leaving.isEmpty
      || parts.contains { part in
        let kept = part.columns.compactMap { $0.conversion == nil ? $0.column : nil }
        return !columns.intersection(part.held).isSubset(of: kept)
      }
  }

  // MARK: By copy

  /// The statement that copies the rows whose keys are above one bound value and not above another one, or all rows.
  func copy(
    from schema: String, isWhole: Bool = false, for dialect: any SQLDialect
  ) -> SQLStatement? {
    guard let source, !parts.isEmpty else { return nil }
    let number = SQLExpression.column(table: "m", "Z_ENT")
    func choose(_ values: [SQLExpression]) -> SQLExpression {
      // The most common value is the default, so that most columns need no choice.
      let counts = Dictionary(grouping: values.indices) { values[$0] }
      let sorted = counts.sorted { ($0.value.count, $1.value[0]) > ($1.value.count, $0.value[0]) }
      guard let common = sorted.first?.key else { return .null }
      return sorted.dropFirst().reduce(common) { rest, entry in
        let numbers = entry.value.map { SQLExpression.integer(parts[$0].source) }
        return .choice(.isIn(number, numbers), entry.key, rest)
      }
    }
    var values: [SQLExpression] = [
      .column(table: "m", "Z_PK"),
      parts.allSatisfy { $0.source == $0.destination }
        ? number : choose(parts.map { .integer($0.destination) }),
      .column(table: "m", "Z_OPT"),
    ]
    for index in columns.indices {
      values.append(
        choose(parts.map { $0.columns[index].expression(row: "m", schema: schema, dialect) }))
    }
    var select = SQLSelect(values, from: .attached(source, schema: schema, alias: "m"))
    let key = SQLExpression.column(table: "m", "Z_PK")
    let portion: [SQLExpression] = [
      .binary(.greater, key, .parameter(.caller)), .binary(.lessOrEqual, key, .parameter(.caller)),
    ]
    select.condition = .all(
      (isWhole ? [] : portion) + [.isIn(number, parts.map { .integer($0.source) })])
    select.order = [.init(expression: key, isAscending: true)]
    return .insert(SQLInsert(into: table.name, columns: table.columns.map(\.name), select))
  }
}
