/// The migration into a new file, which reads the old one as an attached database.
extension SchemaMigration {
  /// The rows of a table that come from a table of the old file.
  package struct Copy: Sendable {
    /// The table of the old file.
    package var source: String
    /// Copies the rows whose keys are above the first bound value and not above the second.
    package var statement: SQLStatement
  }

  /// The statements that make the tables of the new file.
  package func creationSteps(hasHistory: Bool) -> [MigrationStep] {
    let statements =
      destination.tableStatements() + SchemaMap.fixedTables
      + (hasHistory ? destination.historyStatements : [])
    return statements.map { MigrationStep($0) }
  }

  /// The statements that fill new tables from old ones which were set aside in a schema, without the tables that every store has.
  package func wholeCopySteps(from schema: String) -> [MigrationStep] {
    destination.tableStatements().map { MigrationStep($0) }
      + tables.compactMap { table in
        guard let statement = table.copy(from: schema, isWhole: true, for: destination.dialect)
        else { return nil }
        return .rows(of: table.table.name, statement)
      } + completionSteps(from: schema, [])
  }

  /// The statements that copy rows, in portions by key.
  package func copies(from schema: String) -> [Copy] {
    tables.compactMap { table in
      guard let source = table.source,
        let statement = table.copy(
          from: schema, for: destination.dialect)
      else { return nil }
      return Copy(source: source, statement: statement)
    }
  }

  /// The statements behind the copied rows: pairs, what depends on other rows, indexes, triggers.
  ///
  /// - Parameters:
  ///   - schema: The name of the old file's tables.
  ///   - objects: What the old file has.
  package func completionSteps(
    from schema: String, _ objects: [SchemaObject]
  ) -> [MigrationStep] {
    let indexes = IndexNaming(schema: destination)
    return joins.flatMap { $0.fill($0.table.name, from: schema) } + referenceSteps()
      + indexes.indexes().map { IndexChanges.creation(of: $0, self) } + virtualSteps(objects)
  }

  /// The steps for what only products with triggers have.
  private func virtualSteps(_ objects: [SchemaObject]) -> [MigrationStep] {
    guard destination.dialect.hasTriggers else { return [] }
    let indexes = IndexNaming(schema: destination)
    return derivationSteps() + destination.triggerStatements().map { MigrationStep($0) }
      + indexes.spatialIndexes().flatMap { index in
        index.makingSteps
          + SQLSpatialIndex.Part.allCases.filter { $0 != .table }.map {
            MigrationStep(.createSpatialIndex(index, $0))
          }
      }
      + (objects.contains(where: \.isTextIndex)
        ? destination.textIndexes.flatMap(\.makingSteps) : [])
  }
}
