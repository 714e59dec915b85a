package import OpenObjectModel
package import OpenStoreContract

/// The changes of a store's tables that convert the rows of one model to rows of another model. The
/// value itself does not change any file.
///
/// ``inPlaceSteps(_:)`` changes the tables in place. ``creationSteps(hasHistory:)``,
/// ``copies(from:)`` and ``completionSteps(from:_:)`` fill a new file. The in-place migration and
/// the copy result in the tables and columns of a new store of the destination model. Only the
/// order of the columns may differ.
package struct SchemaMigration: Sendable {
  /// The tables and columns of the source model.
  package let source: SchemaMap
  /// The tables and columns of a new store of the destination model.
  package let destination: SchemaMap
  package let transition: ModelTransition
  /// The sources of the destination's properties.
  let origins: RelationshipOrigins
  /// The migrations of the entity tables, in the order of the destination's root entities.
  let tables: [TableMigration]
  let joins: [JoinMigration]
  /// The reasons why the tables cannot be changed in place, as sentences; empty if the tables can
  /// be changed in place.
  package let copyReasons: [String]

  /// Creates the migration of a file with Apple's layout.
  ///
  /// - Parameters:
  ///   - transition: The conversion of the rows.
  ///   - existing: The columns of the file's tables, by table.
  /// - Throws: `StoreError` with code `.unsupported` if entities of different hierarchies would
  ///   share a table.
  package init(
    _ transition: ModelTransition, existing: [String: [String]]
  ) throws(StoreError) {
    try self.init(
      transition, from: try SchemaMap(transition.source, existing: existing),
      to: try SchemaMap(transition.destination), existing: existing)
  }

  /// Creates the migration between two layouts.
  ///
  /// - Parameters:
  ///   - transition: The conversion of the rows.
  ///   - source: The tables of the source model.
  ///   - destination: The tables of the destination model.
  ///   - existing: The columns of the store's tables, by table, with the names of the layout.
  /// - Throws: `StoreError` with code `.unsupported` if entities of different hierarchies would
  ///   share a table.
  package init(
    _ transition: ModelTransition, from source: SchemaMap, to destination: SchemaMap,
    existing: [String: [String]]
  ) throws(StoreError) {
    self.source = source
    self.destination = destination
    self.transition = transition
    origins = RelationshipOrigins(transition, source, destination, existing: existing)
    tables = try TableNaming(origins: origins).tables()
    joins = JoinMigration.joins(origins)
    copyReasons = Self.reasons(tables)
  }

  private static func reasons(_ tables: [TableMigration]) -> [String] {
    var reasons: [String] = []
    let users = Dictionary(grouping: tables.filter { $0.source != nil }) { $0.source ?? "" }
    for (table, users) in users.sorted(by: { $0.key < $1.key }) where users.count > 1 {
      let names = users.map(\.table.name).sorted().joined(separator: ", ")
      reasons.append("The rows of \(table) are moved to several tables: \(names).")
    }
    return reasons + tables.flatMap(\.copyReasons)
  }

  /// The source entities whose rows are removed, in the order of the model.
  package var removedEntities: [CompiledEntity] {
    zip(transition.source.entities, transition.destinations).compactMap { $1 == nil ? $0 : nil }
  }

  /// The removed properties of the remaining source entities, each with its entity, in the order of
  /// the model.
  package var removedProperties: [(entity: CompiledEntity, property: CompiledProperty)] {
    var kept: Set<RelationshipOrigins.Name> = []
    for step in transition.entities {
      guard let step else { continue }
      let properties = transition.source.entities[step.sourceIndex].properties
      for ordinal in step.properties {
        guard let ordinal, properties.indices.contains(ordinal) else { continue }
        kept.insert(.init(properties[ordinal]))
      }
    }
    let gone = Set(removedEntities.map(\.index))
    return transition.source.entities.flatMap { entity in
      gone.contains(entity.index)
        ? []
        : entity.ownProperties.filter { property in
          !kept.contains(.init(property)) && property.attribute?.derivation == nil
            && (property.slot != nil || property.relationship?.isToMany == true)
        }.map { (entity, $0) }
    }
  }

  /// The source relationships in which an object may have several owners, but keeps only one owner
  /// after the migration. Each relationship has a statement that counts the pairs that the
  /// migration removes.
  package var narrowedRelationships: [(property: CompiledProperty, surplus: SQLSelect)] {
    var narrowed: [(property: CompiledProperty, surplus: SQLSelect)] = []
    for property in transition.destination.entities.flatMap(\.ownProperties) {
      var isNarrow = property.isOptional && origins.isNewPair(property)
      if case .foreignKey? = destination.storage(of: property) { isNarrow = true }
      guard isNarrow else { continue }
      for (origin, isReversed) in origins.sources(of: property) {
        guard let stored = origins.pairs(of: origin) else { continue }
        let pairs = isReversed ? stored.reversed : stored
        // A row holds one key.
        if pairs.destination == "Z_PK" { continue }
        let member = SQLExpression.column(table: nil, pairs.destination)
        narrowed.append(
          (
            origin,
            SQLSelect(
              [
                .binary(
                  .minus, .aggregate("COUNT", member, isDistinct: false),
                  .aggregate("COUNT", member, isDistinct: true))
              ], from: .table(pairs.table, alias: nil))
          ))
      }
    }
    return narrowed
  }

  /// Returns the statement that counts the rows with a value of a removed property; nil for a
  /// property that is not stored.
  ///
  /// - Parameters:
  ///   - property: The removed property.
  ///   - entity: The source entity of the rows.
  package func rows(
    with property: CompiledProperty, of entity: CompiledEntity
  ) -> SQLSelect? {
    var select: SQLSelect
    if let slot = property.slot {
      let map = source.entities[entity.index]
      select = SQLSelect([.countAll], from: .table(map.table, alias: nil))
      select.condition = .isNotNull(.column(table: nil, map.columns[slot].name))
      return select
    }
    switch source.storage(of: property) {
    case .join(let side):
      return SQLSelect(
        [.aggregate("COUNT", .column(table: nil, side.source), isDistinct: true)],
        from: .table(side.table, alias: nil))
    case .foreignKey(let key):
      return SQLSelect(
        [.aggregate("COUNT", .column(table: nil, key.column), isDistinct: true)],
        from: .table(key.table, alias: nil))
    case nil: return nil
    }
  }

  /// Returns the statement that counts the rows of one source entity.
  package func rows(of entity: CompiledEntity) -> SQLSelect {
    let number = SQLExpression.integer(source.numbers.number(of: entity.index))
    return SQLSelect(
      [.countAll], from: source.entities[entity.index].table,
      where: .binary(.equal, .named("Z_ENT"), number))
  }

  /// Whether the migration removes values that may be external.
  package var freesExternalValues: Bool {
    var tagged: [String: Set<String>] = [:]
    for map in source.entities {
      let columns = map.columns.filter(\.isTagged).map(\.name)
      if !columns.isEmpty { tagged[map.table, default: []].formUnion(columns) }
    }
    return tagged.contains { table, columns in
      let users = tables.filter { $0.source == table }
      return users.isEmpty || users.contains { $0.frees(columns) }
    }
  }

  /// Returns the table of the file that becomes a destination table; nil for a new entity table or
  /// join table. For a table that is neither an entity table nor a join table, the method returns
  /// the given name.
  package func sourceTable(of name: String) -> String? {
    if let table = tables.first(where: { $0.table.name == name }) { return table.source }
    if let join = joins.first(where: { $0.table.name == name }) { return join.pairs.first?.table }
    return name
  }

  /// The index of the source root entity for the index of each destination root entity. The source
  /// root entity determines the last key. New root entities are not included.
  package var sourceRoots: [Int: Int] {
    var roots: [Int: Int] = [:]
    for (index, step) in transition.entities.enumerated() {
      guard let step else { continue }
      roots[transition.destination.entities[index].rootIndex] =
        transition.source.entities[step.sourceIndex].rootIndex
    }
    return roots
  }
}
