/// The migration to a new file, which reads the old file as an attached database.
extension SchemaMigration {
  /// The copy of the rows of one table of the old file.
  package struct Copy: Sendable {
    /// The table of the old file.
    package var source: String
    /// The statement that copies the rows whose keys are greater than the first bound value and at
    /// most the second.
    package var statement: SQLStatement
  }

  /// Returns the statements that create the tables of the new file; with `hasHistory`, also the
  /// tables of persistent history.
  package func creationSteps(hasHistory: Bool) -> [MigrationStep] {
    let statements =
      destination.tableStatements() + SchemaMap.fixedTables
      + (hasHistory ? destination.historyStatements : [])
    return statements.map { MigrationStep($0) }
  }

  /// Returns the statements that create new tables and fill them from old tables in another schema.
  /// The tables that every store has are not included.
  ///
  /// - Parameter schema: The schema name of the old tables.
  package func wholeCopySteps(from schema: String) -> [MigrationStep] {
    destination.tableStatements().map { MigrationStep($0) }
      + tables.compactMap { table in
        guard let statement = table.copy(from: schema, isWhole: true) else { return nil }
        return .rows(of: table.table.name, statement)
      } + completionSteps(from: schema, [])
  }

  /// Returns the statements that copy the rows of each table in ranges of keys. There is no
  /// statement for a table that has no source table.
  ///
  /// - Parameter schema: The schema name of the old tables.
  package func copies(from schema: String) -> [Copy] {
    tables.compactMap { table in
      guard let source = table.source, let statement = table.copy(from: schema) else {
        return nil
      }
      return Copy(source: source, statement: statement)
    }
  }

  /// Returns the statements to run after the rows are copied. The statements write join rows and
  /// values that depend on other rows, and create indexes and triggers.
  ///
  /// - Parameters:
  ///   - schema: The schema name of the old file's tables.
  ///   - objects: The tables, indexes and triggers of the old file.
  package func completionSteps(
    from schema: String, _ objects: [SchemaObject]
  ) -> [MigrationStep] {
    let indexes = IndexNaming(schema: destination)
    let rows = joins.flatMap { $0.fill($0.table.name, from: schema) } + referenceSteps()
    return rows + indexes.indexes().map { IndexChanges.creation(of: $0, self) }
      + NewPairs(origins).steps + virtualSteps(objects)
  }

  /// Returns the steps for triggers and virtual tables, which only some products support.
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
