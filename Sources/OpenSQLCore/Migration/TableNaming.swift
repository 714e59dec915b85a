import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Finds the source of every column in the tables of the destination.
struct TableNaming {
  let origins: RelationshipOrigins
  private var existing: [String: [String]] { origins.existing }
  private var model: CompiledModel { origins.transition.destination }
  private var schema: SchemaMap { origins.destination }

  /// Returns the migrations of all entity tables, in the order of the destination's root entities.
  func tables() throws(StoreError) -> [TableMigration] {
    var tables: [TableMigration] = []
    let roots = model.entities.filter { $0.superIndex == nil }
    for (root, table) in zip(roots, schema.tables) { tables.append(try migration(of: root, table)) }
    return tables
  }

  private func migration(
    of root: CompiledEntity, _ table: SQLCreateTable
  ) throws(StoreError) -> TableMigration {
    let sources = root.subtree.compactMap { origins.entity(of: $0) }
    let sourceRoots = Set(sources.map(\.rootIndex))
    guard sourceRoots.count <= 1 else {
      throw StoreError(
        .unsupported,
        "Rows of entities without a common ancestor cannot share a table. Migrate them with a mapping model.",
        entityName: root.name)
    }
    guard let first = sourceRoots.first,
      existing[SchemaMap.tableName(of: origins.transition.source.entities[first])] != nil
    else {
      return TableMigration(table: table, source: nil, parts: [], leaving: [], sourceColumns: [])
    }
    let old = origins.transition.source.entities[first]
    let names = table.columns.dropFirst(SchemaMap.rowHeader().count).map(\.name)
    let parts = root.subtree.compactMap { part(model.entities[$0], names) }
    let staying = Set(parts.map(\.source))
    let oldTable = SchemaMap.tableName(of: old)
    let oldColumns = origins.source.tables.first { $0.name == oldTable }?.columns ?? []
    let header = SchemaMap.rowHeader().map(\.name)
    // Columns that the source model does not contain are kept, unless a new column needs the name.
    let known = Set(oldColumns.map(\.name) + names)
    return TableMigration(
      table: table, source: oldTable, parts: parts,
      leaving: old.subtree.map { origins.source.numbers.number(of: $0) }.filter {
        !staying.contains($0)
      },
      sourceColumns: (existing[oldTable] ?? []).filter {
        known.contains($0) && !header.contains($0)
      })
  }

  private func part(_ entity: CompiledEntity, _ columns: [String]) -> TableMigration.Part? {
    guard let source = origins.entity(of: entity.index) else { return nil }
    let known = sources(of: entity, source)
    return TableMigration.Part(
      source: origins.source.numbers.number(of: source.index),
      destination: schema.numbers.number(of: entity.index),
      columns: columns.map { known[$0] ?? .nothing }, held: held(by: source))
  }

  /// Returns the columns in which rows of a source entity may have values.
  private func held(by entity: CompiledEntity) -> Set<String> {
    var held = Set(origins.source.entities[entity.index].columns.map(\.name))
    for owner in origins.transition.source.entities {
      for property in owner.ownProperties {
        guard case .foreignKey(let key)? = origins.source.storage(of: property),
          let destination = property.relationship?.destinationIndex,
          origins.transition.source.entities[destination].subtree.contains(entity.index)
        else { continue }
        held.insert(key.column)
        if let order = key.orderColumn { held.insert(order) }
      }
    }
    return held
  }

  // MARK: Columns of one entity's rows

  private func sources(
    of entity: CompiledEntity, _ source: CompiledEntity
  ) -> [String: ColumnSource] {
    let map = schema.entities[entity.index]
    var known: [String: ColumnSource] = [:]
    for property in entity.properties {
      guard let slot = property.slot else { continue }
      let column = map.columns[slot]
      if property.attribute != nil {
        known[column.name] = attribute(property, column, entity, source)
      } else if let relationship = property.relationship {
        known[column.name] = key(property, entity, source)
        if let discriminator = relationship.discriminatorSlot {
          known[map.columns[discriminator].name] = self.discriminator(property, entity, source)
        }
      }
    }
    for owner in model.entities {
      for property in owner.ownProperties {
        guard case .foreignKey(let storage)? = schema.storage(of: property),
          let destination = property.relationship?.destinationIndex,
          model.entities[destination].subtree.contains(entity.index)
        else { continue }
        if storage.isHidden { known[storage.column] = member(of: property, source) }
        if let order = storage.orderColumn { known[order] = place(in: property, source) }
      }
    }
    return known
  }

  private func attribute(
    _ property: CompiledProperty, _ column: SlotColumn, _ entity: CompiledEntity,
    _ source: CompiledEntity
  ) -> ColumnSource {
    guard let attribute = property.attribute else { return .nothing }
    if attribute.derivation != nil {
      return DerivationMatch(origins).source(of: property, entity, source)
        .map { .column($0) } ?? .nothing
    }
    let rows = DefaultRows(of: property, in: entity, origins)
    let value = Self.constant(attribute.defaultValue, in: column, schema.dialect)
    let replacement = value.flatMap { ColumnSource.Replacement($0, in: rows) }
    guard let origin = origins.property(property.ordinal, in: entity.index),
      let slot = origin.slot
    else {
      if rows == .all { return value.map { .constant($0) } ?? .nothing }
      return replacement.map { .replacement($0) } ?? .nothing
    }
    let old = origins.source.entities[source.index].columns[slot]
    return .column(
      old.name, otherwise: replacement,
      conversion: ColumnSource.Conversion(from: old, to: column))
  }

  /// Returns a default value in the form in which the column stores it; nil if there is no default
  /// value.
  static func constant(
    _ value: Value, in column: SlotColumn, _ dialect: any SQLDialect
  ) -> SQLExpression? {
    guard value != .null else { return nil }
    let target = column.target
    return dialect.constant(target.content(of: value), for: target)
  }

  private func key(
    _ property: CompiledProperty, _ entity: CompiledEntity, _ source: CompiledEntity
  ) -> ColumnSource {
    if let origin = origins.property(property.ordinal, in: entity.index) {
      guard let slot = origin.slot else { return .nothing }
      return .column(origins.source.entities[source.index].columns[slot].name)
    }
    guard let inverse = origins.inverse(of: property) else { return .nothing }
    return owner(of: inverse, source)
  }

  private func discriminator(
    _ property: CompiledProperty, _ entity: CompiledEntity, _ source: CompiledEntity
  ) -> ColumnSource {
    guard let origin = origins.property(property.ordinal, in: entity.index),
      let slot = origin.relationship?.discriminatorSlot
    else { return .nothing }
    return .column(origins.source.entities[source.index].columns[slot].name)
  }

  /// Returns the source of the owner's key in the row of a member.
  private func member(of property: CompiledProperty, _ source: CompiledEntity) -> ColumnSource {
    owner(of: property, source)
  }

  private func owner(of property: CompiledProperty, _ source: CompiledEntity) -> ColumnSource {
    guard let pairs = pairs(of: property).first else { return .nothing }
    let isOwn = pairs.destination == "Z_PK" && pairs.table == table(of: source)
    return isOwn ? .column(pairs.owner) : .owner(pairs)
  }

  private func place(
    in property: CompiledProperty, _ source: CompiledEntity
  ) -> ColumnSource {
    guard let pairs = pairs(of: property).first(where: { $0.place != nil }) else { return .nothing }
    let isOwn = pairs.destination == "Z_PK" && pairs.table == table(of: source)
    return isOwn ? pairs.place.map { .column($0) } ?? .nothing : .place(pairs)
  }

  private func pairs(of property: CompiledProperty) -> [PairSource] {
    origins.properties(of: property).compactMap { origins.pairs(of: $0) }
  }

  private func table(of source: CompiledEntity) -> String {
    origins.source.entities[source.index].table
  }
}
