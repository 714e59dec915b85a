/// The text indexes to remove, and to create and fill, when tables are changed in place.
///
/// A store that contains a text index receives all text indexes of the new model.
struct TextIndexChanges {
  private(set) var removals: [MigrationStep] = []
  private(set) var additions: [MigrationStep] = []

  init(_ migration: SchemaMigration, _ objects: [SchemaObject]) {
    let own = objects.filter { $0.name.hasPrefix(SQLTextIndex.prefix) }
    let present = own.filter { $0.isTextIndex }.map(\.name)
    if present.isEmpty { return }
    let texts = Set(own.compactMap(\.sql))
    let wanted = migration.destination.textIndexes
    let kept = wanted.filter { index in
      let isSound = index.statements.allSatisfy {
        texts.contains(SQLRenderer.render($0, for: SQLiteDialect()).text)
      }
      return isSound && migration.isUnchanged(index.columns, of: index.table)
        && migration.tables.first { $0.table.name == index.table }?.changesValues == false
    }
    let keptTriggers = Set(
      kept.flatMap { index in SQLTextIndex.Part.allCases.map(index.name(of:)) })
    for object in own where object.kind == "trigger" && !keptTriggers.contains(object.name) {
      removals.append(MigrationStep(.alter(.dropTrigger(object.name))))
    }
    let keptNames = Set(kept.map(\.name))
    for name in present where !keptNames.contains(name) {
      removals.append(MigrationStep(.alter(.dropTable(name)), rewriting: name))
    }
    for index in wanted where !kept.contains(index) { additions += index.makingSteps }
  }
}

extension SchemaObject {
  /// Whether the object is the virtual table of a text index. The internal tables of FTS5 are not
  /// included.
  package var isTextIndex: Bool {
    kind == "table" && name.hasPrefix(SQLTextIndex.prefix)
      && sql?.hasPrefix("CREATE VIRTUAL TABLE") == true
  }
}

extension SQLTextIndex {
  /// The statements that create and fill the index.
  var makingSteps: [MigrationStep] {
    statements.map { MigrationStep($0) } + [.rows(of: name, command(.rebuild))]
  }
}
