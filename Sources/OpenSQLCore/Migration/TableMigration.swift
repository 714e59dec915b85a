import OpenObjectModel

/// The migration of the rows in one entity table to a table of the destination.
struct TableMigration: Sendable {
  /// The rows of one source entity, which become rows of one destination entity.
  struct Part: Sendable {
    /// The number of the entity in the source.
    var source: Int64
    /// The number of the entity in the destination.
    var destination: Int64
    /// The sources of the columns, without the columns of the row header.
    var columns: [ColumnSource]
    /// The columns of the source in which the rows may have values.
    var held: Set<String>
  }

  /// The origin of a column when the table is changed in place.
  enum Base: Sendable, Hashable {
    case added
    case kept(String)
  }

  /// The table of a new store.
  var table: SQLCreateTable
  /// The source table of the rows; nil if all entities are new.
  var source: String?
  var parts: [Part]
  /// The numbers of the source entities in the source table whose rows do not belong in this table.
  var leaving: [Int64]
  /// The columns of the source table according to the source model, without the columns of the row
  /// header.
  var sourceColumns: [String]

  /// The columns after the row header.
  var columns: [SQLCreateTable.Column] {
    Array(table.columns.dropFirst(SchemaMap.rowHeader().count))
  }

  // MARK: In place

  /// The origins of the columns when the table is changed in place.
  var bases: [Base] {
    columns.indices.map { index in
      parts.lazy.compactMap { $0.columns[index].column }.first.map { .kept($0) } ?? .added
    }
  }

  /// The reasons why the table cannot be changed in place; empty if it can be.
  var copyReasons: [String] {
    guard source != nil else { return [] }
    var reasons: [String] = []
    var taken: [String: String] = [:]
    let kept = Set(newNames(bases).keys)
    for (index, column) in columns.enumerated() {
      let place = "Column \(column.name) of \(table.name)"
      let names = Set(parts.compactMap { $0.columns[index].column })
      let removes = parts.contains { part in
        guard let replacement = part.columns[index].replacement else { return false }
        return !kept.isSuperset(of: replacement.columns)
          || part.columns[index].column == nil && !names.isEmpty
      }
      if removes {
        reasons.append(
          "\(place) receives its default value depending on values that the migration removes.")
      }
      if names.count > 1 {
        reasons.append("\(place) receives the values of several columns: \(Self.list(names)).")
      }
      if parts.contains(where: { $0.columns[index].isElsewhere }) {
        reasons.append("\(place) receives its values from other rows.")
      }
      if let name = names.first, names.count == 1,
        let other = taken.updateValue(column.name, forKey: name)
      {
        reasons.append(
          "\(place) and column \(other) receive the values of the same column: \(name).")
      }
    }
    return reasons
  }

  private static func list(_ names: Set<String>) -> String {
    names.sorted().joined(separator: ", ")
  }

  /// Returns the statements that change the columns and rows of the table in place. The table
  /// already has its new name.
  func inPlaceSteps() -> [MigrationStep] {
    let bases = bases
    var steps: [MigrationStep] = []
    if !leaving.isEmpty {
      steps.append(
        .rows(of: table.name, .delete(SQLDelete(from: table.name, where: Self.isOne(of: leaving)))))
    }
    let kept = Set(newNames(bases).keys)
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

  /// Returns the steps that rename columns, with temporary names if a new name is still in use.
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

  /// Returns the names of kept columns in the changed table, by the names in the source table.
  private func newNames(_ bases: [Base]) -> [String: String] {
    var names: [String: String] = [:]
    for case (let column, .kept(let old)) in zip(columns, bases) { names[old] = column.name }
    return names
  }

  /// Some rows of the changed table: the rows of some entities that meet a condition.
  private struct Rows: Hashable {
    var numbers: [Int64]
    var condition = DefaultRows.Condition()

    /// Whether the rows are changed before other rows. A replacement fills columns on which
    /// replacements for more columns depend.
    func precedes(_ other: Rows) -> Bool {
      let (mine, others) = (condition.lacking, other.condition.lacking)
      if mine.count != others.count { return mine.count > others.count }
      if mine != others { return mine.lexicographicallyPrecedes(others) }
      let (present, otherPresent) = (condition.present, other.condition.present)
      if present != otherPresent { return present.lexicographicallyPrecedes(otherPresent) }
      return numbers.lexicographicallyPrecedes(other.numbers)
    }
  }

  /// Returns the steps that set values, each for the rows of some entities.
  private func updates(_ bases: [Base]) -> [MigrationStep] {
    var constants: [Rows: [(column: String, value: SQLExpression)]] = [:]
    var replacements = constants
    var conversions: [MigrationStep] = []
    var removals: [MigrationStep] = []
    let names = newNames(bases)
    for (index, column) in columns.enumerated() {
      let own = SQLExpression.column(table: nil, column.name)
      let groups = Dictionary(grouping: parts) { $0.columns[index] }
      for (origin, parts) in groups.sorted(by: { $0.value[0].source < $1.value[0].source }) {
        let numbers = parts.map(\.destination).sorted()
        if let conversion = origin.conversion {
          let value = ColumnSource.converted(own, conversion)
          conversions.append(set([(column.name, value)], where: [.isNotNull(own)], numbers))
        }
        if let replacement = origin.replacement {
          for condition in replacement.conditions {
            let renamed = DefaultRows.Condition(
              lacking: condition.lacking.compactMap { names[$0] },
              present: condition.present.compactMap { names[$0] })
            let rows = Rows(numbers: numbers, condition: renamed)
            replacements[rows, default: []].append((column.name, replacement.value))
          }
        }
        switch (origin, bases[index]) {
        case (.constant(let value), _):
          constants[Rows(numbers: numbers), default: []].append((column.name, value))
        case (.nothing, .kept(let old)):
          let holders = parts.filter { $0.held.contains(old) }.map(\.destination).sorted()
          if !holders.isEmpty {
            removals.append(set([(column.name, .null)], where: [.isNotNull(own)], holders))
          }
        default: continue
        }
      }
    }
    // The replacements depend on values that constants and removals replace.
    let sets = [replacements, constants].flatMap { changes in
      changes.sorted { $0.key.precedes($1.key) }.map { rows, values in
        set(values, where: rows.condition.expressions(row: nil), rows.numbers)
      }
    }
    return conversions + sets + removals
  }

  private func set(
    _ values: [(column: String, value: SQLExpression)], where conditions: [SQLExpression],
    _ numbers: [Int64]
  ) -> MigrationStep {
    let all = conditions + (condition(numbers).map { [$0] } ?? [])
    let update = SQLUpdate(table.name, set: values, where: all.isEmpty ? nil : .all(all))
    return .rows(of: table.name, .update(update))
  }

  /// Returns the condition that a row belongs to one of the entities; nil if all rows do.
  private func condition(_ numbers: [Int64]) -> SQLExpression? {
    numbers.count == parts.count ? nil : Self.isOne(of: numbers)
  }

  private static func isOne(of numbers: [Int64]) -> SQLExpression {
    .isIn(.column(table: nil, "Z_ENT"), numbers.map { .integer($0) })
  }

  /// Whether the in-place steps delete rows or change values other than entity numbers.
  var changesValues: Bool {
    let bases = bases
    return !leaving.isEmpty || !updates(bases).isEmpty
  }

  /// Returns whether values of the given columns are removed, with or without their rows.
  func frees(_ columns: Set<String>) -> Bool {
    !leaving.isEmpty
      || parts.contains { part in
        let kept = part.columns.compactMap { $0.conversion == nil ? $0.column : nil }
        return !columns.intersection(part.held).isSubset(of: kept)
      }
  }

  // MARK: By copy

  /// Returns the statement that copies the rows whose keys are greater than one bound value and at
  /// most another, or that copies all rows.
  func copy(from schema: String, isWhole: Bool = false) -> SQLStatement? {
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
        choose(parts.map { $0.columns[index].expression(row: "m", schema: schema) }))
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
