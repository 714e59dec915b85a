package import OpenObjectModel
package import OpenStoreContract

/// What must be done to a file's tables so that the rows of one model become rows of another: values only.
///
/// `inPlaceSteps` change the tables themselves; `copySteps` fill those of a new file. Both lead to the names and columns that a
/// new store of the destination has, but for the order of columns.
package struct SchemaMigration: Sendable {
  /// The tables of the file, as the source model names them.
  package let source: SchemaMap
  /// The tables that a new store of the destination has.
  package let destination: SchemaMap
  package let transition: ModelTransition
  /// Where the source has what the destination's properties hold.
  let origins: RelationshipOrigins
  /// By root entity of the destination, in their order.
  let tables: [TableMigration]
  let joins: [JoinMigration]
  /// Why the tables cannot be changed in place, as sentences; empty when they can.
  package let copyReasons: [String]

  /// Finds what must be done.
  ///
  /// - Parameter existing: Columns of the file's tables, by table.
  /// - Throws: `StoreError` with code `.unsupported` for entities of different trees that would share a table.
  package init(
    _ transition: ModelTransition, existing: [String: [String]]
  ) throws(StoreError) {
    try self.init(
      transition, from: try SchemaMap(transition.source, existing: existing),
      to: try SchemaMap(transition.destination), existing: existing)
  }

  /// Finds what must be done between two layouts.
  ///
  /// - Parameter existing: Columns of the store's tables, by table, with the names of the layout.
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
      reasons.append("The rows of \(table) go to several tables: \(names).")
    }
    return reasons + tables.flatMap(\.copyReasons)
  }

  /// Source entities whose rows go, in their order.
  package var removedEntities: [CompiledEntity] {
    zip(transition.source.entities, transition.destinations).compactMap { $1 == nil ? $0 : nil }
  }

  /// Properties with columns or pairs that go although the rows stay, each with its entity, in their order.
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

  /// Source relationships whose members may have several owners, and keep one only, each with the statement that counts the pairs that go.
  package var narrowedRelationships: [(property: CompiledProperty, surplus: SQLSelect)] {
    var narrowed: [(property: CompiledProperty, surplus: SQLSelect)] = []
    for property in transition.destination.entities.flatMap(\.ownProperties) {
      guard case .foreignKey? = destination.storage(of: property) else { continue }
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

  /// The condition on rows that have a value of a removed property, and their table; nil for one without a column.
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

  /// The statement that counts the rows of one source entity.
  package func rows(of entity: CompiledEntity) -> SQLSelect {
    var select = SQLSelect(
      [.countAll], from: .table(source.entities[entity.index].table, alias: nil))
    select.condition = .binary(
      .equal, .column(table: nil, "Z_ENT"), .integer(source.numbers.number(of: entity.index)))
    return select
  }

  /// Whether values that may be external leave their rows.
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

  /// The table of the file that becomes a table of the destination, or has its name already.
  package func sourceTable(of name: String) -> String? {
    if let table = tables.first(where: { $0.table.name == name }) { return table.source }
    if let join = joins.first(where: { $0.table.name == name }) { return join.pairs.first?.table }
    return name
  }

  /// The numbers of entities: old ones and what they are now; those whose rows go are omitted.
  package var numbers: [(old: Int64, new: Int64)] {
    transition.destinations.enumerated().compactMap { index, destination in
      destination.map {
        (source.numbers.number(of: index), self.destination.numbers.number(of: $0))
      }
    }
  }

  /// The source table of each destination root, as positions of root entities, for the last keys of its rows.
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
