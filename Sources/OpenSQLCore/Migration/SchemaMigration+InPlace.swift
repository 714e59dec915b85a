import OpenObjectModel

/// The migration of the tables in place.
extension SchemaMigration {
  /// Returns the statements that change the file's tables in place, in order; empty if the tables
  /// already match the destination.
  ///
  /// - Parameter objects: The tables, indexes and triggers of the file.
  package func inPlaceSteps(_ objects: [SchemaObject]) -> [MigrationStep] {
    let middle = joinBuilding(objects) + tableSteps(objects) + referenceSteps()
    let pairs = NewPairs(origins).steps
    guard destination.dialect.hasTriggers else {
      let indexes = IndexChanges(self, objects)
      return indexes.removals + middle + indexes.additions + pairs
    }
    let derivations = pairs + derivationSteps()
    let isAdding = (middle + derivations).allSatisfy(\.isAddition)
    let indexes = IndexChanges(self, objects)
    let triggers = TriggerChanges(self, objects, keepsEqual: isAdding)
    let texts = TextIndexChanges(self, objects)
    return texts.removals + triggers.removals + indexes.removals + middle + indexes.additions
      + derivations + triggers.additions + texts.additions
  }

  // MARK: Tables of pairs

  /// Returns the steps that fill new join tables while the old rows still exist.
  private func joinBuilding(_ objects: [SchemaObject]) -> [MigrationStep] {
    joins.filter { $0.kept == nil }.flatMap { join -> [MigrationStep] in
      var table = join.table
      table.name = Self.buildingName(of: join, objects)
      return [MigrationStep(.createTable(table))] + join.fill(table.name, from: nil)
    }
  }

  /// Returns the name of a new join table until the old tables are dropped.
  private static func buildingName(
    of join: JoinMigration, _ objects: [SchemaObject]
  ) -> String {
    let isTaken = objects.contains { $0.name.uppercased() == join.table.name.uppercased() }
    return isTaken ? "Z_MIGRATED" + join.table.name : join.table.name
  }

  // MARK: Tables

  private func tableSteps(_ objects: [SchemaObject]) -> [MigrationStep] {
    var steps: [MigrationStep] = []
    let keptJoins = Set(joins.compactMap(\.kept?.name))
    let keptTables = Set(tables.compactMap(\.source))
    let present = Set(objects.filter { $0.kind == "table" }.map(\.name))
    let gone =
      source.joins.map(\.name).filter { !keptJoins.contains($0) }
      + source.tables.map(\.name).filter { !keptTables.contains($0) }
    for name in gone where present.contains(name) {
      steps.append(MigrationStep(.alter(.dropTable(name)), rewriting: name))
    }
    var renames: [(old: String, new: String)] = []
    for table in tables {
      if let source = table.source, source != table.table.name {
        renames.append((source, table.table.name))
      }
    }
    for join in joins {
      let old = join.kept?.name ?? Self.buildingName(of: join, objects)
      if old != join.table.name { renames.append((old, join.table.name)) }
    }
    steps += Self.renaming(renames, present.subtracting(gone))
    for table in tables {
      steps +=
        table.source == nil
        ? [MigrationStep(.createTable(table.table))] : table.inPlaceSteps()
    }
    return steps + joins.flatMap { $0.renamingColumns(destination.dialect.keyType) }
  }

  /// Returns the steps that rename tables, with temporary names if a new name is still in use.
  private static func renaming(
    _ renames: [(old: String, new: String)], _ present: Set<String>
  ) -> [MigrationStep] {
    var present = Set(present.map { $0.uppercased() })
    var steps: [MigrationStep] = []
    var pending: [(String, String)] = []
    for (index, rename) in renames.enumerated() {
      var target = rename.new
      if present.contains(target.uppercased()) {
        target = "Z_MIGRATED_\(index)"
        pending.append((target, rename.new))
      }
      present.remove(rename.old.uppercased())
      present.insert(target.uppercased())
      steps.append(MigrationStep(.alter(.renameTable(rename.old, to: target))))
    }
    return steps + pending.map { MigrationStep(.alter(.renameTable($0.0, to: $0.1))) }
  }

  // MARK: What stays

  /// Returns whether columns of a destination table come unchanged from columns with the same names
  /// in a table with the same name.
  func isUnchanged(_ columns: [String], of name: String) -> Bool {
    if let join = joins.first(where: { $0.table.name == name }) {
      return join.kept?.name == name && join.kept?.columns == join.columns
    }
    guard let table = tables.first(where: { $0.table.name == name }), table.source == name else {
      return false
    }
    let header = SchemaMap.rowHeader().map(\.name)
    return columns.allSatisfy { column in
      if header.contains(column) { return true }
      guard let position = table.columns.firstIndex(where: { $0.name == column }) else {
        return false
      }
      return table.bases[position] == .kept(column)
    }
  }
}

extension MigrationStep {
  /// Whether the step changes no existing data.
  fileprivate var isAddition: Bool {
    switch statement {
    case .createTable, .alter(.addColumn): true
    default: false
    }
  }
}
