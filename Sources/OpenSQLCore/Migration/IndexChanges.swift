/// The indexes to remove and to create when tables are changed in place.
///
/// An index whose statement, table and columns are unchanged is kept, which saves the time to
/// recreate it.
struct IndexChanges {
  private(set) var removals: [MigrationStep] = []
  private(set) var additions: [MigrationStep] = []

  init(_ migration: SchemaMigration, _ objects: [SchemaObject]) {
    let dialect = migration.destination.dialect
    let present = Dictionary(
      objects.filter { $0.kind == "index" && $0.sql != nil }.map { ($0.name.lowercased(), $0) }
    ) { first, _ in first }
    var stay: Set<String> = []
    for index in IndexNaming(schema: migration.destination).indexes() {
      let text = SQLRenderer.render(.createIndex(index), for: dialect).text
      let name = index.name.lowercased()
      if let known = present[name], known.plainText == SchemaObject.plain(text),
        migration.isUnchanged(index.elements.map(\.column), of: index.table)
      {
        stay.insert(name)
      } else {
        additions.append(Self.creation(of: index, migration))
      }
    }
    let wanted = Set(additions.compactMap(\.indexName))
    let old = Set(IndexNaming(schema: migration.source).indexes().map { $0.name.lowercased() })
    let altered = Self.alteredTables(migration)
    for (name, object) in present.sorted(by: { $0.key < $1.key }) where !stay.contains(name) {
      guard old.contains(name) || wanted.contains(name) || altered.contains(object.table) else {
        continue
      }
      removals.append(MigrationStep(.alter(.dropIndex(object.name))))
    }
  }

  /// Returns the step that creates an index, with the uniqueness constraint of the index.
  static func creation(of index: SQLCreateIndex, _ migration: SchemaMigration) -> MigrationStep {
    var step = MigrationStep(.createIndex(index))
    if index.isUnique {
      step.uniqueness = migration.destination.uniqueness.first {
        $0.table == index.table && $0.columns == index.elements.map(\.column)
      }
    }
    return step
  }

  /// Returns the source tables that are renamed, lose columns or are removed.
  private static func alteredTables(_ migration: SchemaMigration) -> Set<String> {
    var altered = Set(migration.source.tables.map(\.name) + migration.source.joins.map(\.name))
    for table in migration.tables where table.source == table.table.name {
      let kept = table.bases.map { base in if case .kept(let name) = base { name } else { "" } }
      let isSame = zip(table.columns, table.bases).allSatisfy { column, base in
        base == .added || base == .kept(column.name)
      }
      if isSame, Set(table.sourceColumns).isSubset(of: kept) { altered.remove(table.table.name) }
    }
    for join in migration.joins where migration.isUnchanged(join.columns, of: join.table.name) {
      altered.remove(join.table.name)
    }
    return altered
  }
}

extension MigrationStep {
  /// The name of the index that the step creates, in lowercase; nil for other steps.
  fileprivate var indexName: String? {
    guard case .createIndex(let index) = statement else { return nil }
    return index.name.lowercased()
  }
}
