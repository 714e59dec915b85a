/// The triggers and R-tree indexes to remove and to create when tables are changed in place.
struct TriggerChanges {
  private(set) var removals: [MigrationStep] = []
  private(set) var additions: [MigrationStep] = []

  /// - Parameter keepsEqual: Whether unchanged triggers can be kept. They cannot be kept if the
  ///   migration changes rows or names.
  init(_ migration: SchemaMigration, _ objects: [SchemaObject], keepsEqual: Bool) {
    let dialect = SQLiteDialect()
    let present = objects.filter { object in
      object.kind == "trigger"
        && (object.name.hasPrefix("Z_DA_") || object.name.hasPrefix("Z_RT_"))
    }
    let texts = Set(present.compactMap(\.sql))
    let spatial = SpatialChanges(migration, objects)
    let wanted =
      migration.destination.triggerStatements()
      + IndexNaming(schema: migration.destination).spatialIndexes().flatMap { index in
        SQLSpatialIndex.Part.allCases.filter { $0 != .table }.map {
          .createSpatialIndex(index, $0)
        }
      }
    let rendered = wanted.map { SQLRenderer.render($0, for: dialect).text }
    let kept = keepsEqual ? texts.intersection(rendered) : []
    removals = present.filter { !kept.contains($0.sql ?? "") }
      .map { MigrationStep(.alter(.dropTrigger($0.name))) }
    removals += spatial.removals
    additions = spatial.additions
    for (statement, text) in zip(wanted, rendered) where !kept.contains(text) {
      additions.append(MigrationStep(statement))
    }
  }
}

/// The R-tree indexes to remove, and to create and fill.
private struct SpatialChanges {
  private(set) var removals: [MigrationStep] = []
  private(set) var additions: [MigrationStep] = []

  init(_ migration: SchemaMigration, _ objects: [SchemaObject]) {
    let present = Set(objects.filter { $0.kind == "table" }.map(\.name))
    let old = IndexNaming(schema: migration.source).spatialIndexes()
      .filter { present.contains($0.name) }
    let new = IndexNaming(schema: migration.destination).spatialIndexes()
    let kept = Set(old).intersection(new).filter { index in
      migration.isUnchanged(index.columns, of: index.table)
        && migration.tables.first { $0.table.name == index.table }?.changesValues == false
    }
    for index in old where !kept.contains(index) {
      removals.append(MigrationStep(.alter(.dropTable(index.name)), rewriting: index.name))
    }
    for index in new where !kept.contains(index) { additions += index.makingSteps }
  }
}

extension SQLSpatialIndex {
  /// The statements that create the index without its triggers, and fill the index.
  var makingSteps: [MigrationStep] {
    let columns = ["Z_PK"] + self.columns.flatMap { [$0 + "_MIN", $0 + "_MAX"] }
    let values = ["Z_PK"] + self.columns.flatMap { [$0, $0] }
    let select = SQLSelect(values, from: table)
    return [
      MigrationStep(.createSpatialIndex(self, .table)),
      .rows(of: name, .insert(SQLInsert(into: name, columns: columns, select))),
    ]
  }
}
