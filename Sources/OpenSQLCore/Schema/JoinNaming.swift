import OpenObjectModel

/// Names the tables of many-to-many relationships as Apple's framework does.
struct JoinNaming {
  /// The join tables of a model.
  struct Joins {
    var tables: [JoinTable] = []
    /// The side of a join table for each relationship, by declaring entity and name.
    var sides: [Int: [String: ToManyStorage.JoinSide]] = [:]
  }

  /// One of the two relationships of a join table.
  private struct Side {
    var property: CompiledProperty
    var relationship: CompiledRelationship
    var entity: CompiledEntity

    /// The entity's number.
    var number: Int64
    var upperName: String { property.columnWord }
    var tableName: String { "Z_\(number)\(upperName)" }

    func isSame(as other: Side) -> Bool {
      entity === other.entity && property.name == other.property.name
    }
  }

  private let model: CompiledModel
  private let numbers: EntityNumbers
  private let existing: [String: [String]]?
  private var result = Joins()
  private var usedTables: Set<String> = []
  /// The key columns of relationships, by declaring entity and name.
  private var columns: [Int: [String: String]] = [:]

  static func joins(
    of model: CompiledModel, _ numbers: EntityNumbers, existing: [String: [String]]?
  ) -> Joins {
    var naming = JoinNaming(model: model, numbers, existing: existing)
    for entity in model.entities {
      for property in entity.ownProperties { naming.addJoin(of: property, in: entity) }
    }
    return naming.result
  }

  private init(
    model: CompiledModel, _ numbers: EntityNumbers, existing: [String: [String]]?
  ) {
    self.model = model
    self.numbers = numbers
    self.existing = existing
    nameColumns()
  }

  /// Returns both sides of a relationship with a join table, its own side first; nil for other
  /// relationships.
  private func sides(
    of property: CompiledProperty, in entity: CompiledEntity
  ) -> (Side, Side)? {
    guard let relationship = property.relationship, relationship.isToMany,
      let inverse = model.inverse(of: relationship), let back = inverse.relationship,
      back.isToMany
    else { return nil }
    let other = model.entities[inverse.declaringEntityIndex]
    return (
      Side(
        property: property, relationship: relationship, entity: entity,
        number: numbers.number(of: entity.index)),
      Side(
        property: inverse, relationship: back, entity: other,
        number: numbers.number(of: other.index))
    )
  }

  /// Names the columns of all join tables. If several relationships have the same name and
  /// destination, the column of the first entity by name has no number.
  private mutating func nameColumns() {
    var used: Set<String> = []
    let owners = model.entities.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    for owner in owners {
      for property in owner.ownProperties {
        guard let (here, there) = sides(of: property, in: owner), !here.isSame(as: there) else {
          continue
        }
        columns[owner.index, default: [:]][property.name] = Self.unique(
          "Z_\(there.number)\(here.upperName)", in: &used)
      }
    }
  }

  private mutating func addJoin(of property: CompiledProperty, in entity: CompiledEntity) {
    guard let (here, there) = sides(of: property, in: entity),
      result.sides[entity.index]?[property.name] == nil
    else { return }
    if here.isSame(as: there) { return addReflexive(here) }
    let naming = chosen(here, there)
    add(naming, naming.isSame(as: here) ? there : here)
  }

  /// Returns the relationship that determines the name of the table.
  private func chosen(_ here: Side, _ there: Side) -> Side {
    let preferred = preferredSide(here, there)
    guard let existing, existing[preferred.tableName] == nil else { return preferred }
    for side in [here, there] where existing[side.tableName] != nil { return side }
    return preferred
  }

  private func preferredSide(_ here: Side, _ there: Side) -> Side {
    if here.entity === there.entity {
      let isFirst = PropertyBuckets(of: here.entity)
        .isFirst(here.property.name, before: there.property.name)
      return isFirst ? here : there
    }
    let isParent = here.entity.subtree.count > 1
    if isParent != (there.entity.subtree.count > 1) { return isParent ? here : there }
    return here.entity.index < there.entity.index ? here : there
  }

  private mutating func addReflexive(_ side: Side) {
    let table = Self.unique(side.tableName, in: &usedTables)
    let columns = actualColumns(of: table, [table, "REFLEXIVE"])
    let order = orderColumn(of: side, columns[0])
    addTable(table, side, columns, [order])
    result.sides[side.entity.index, default: [:]][side.property.name] = .init(
      table: table, source: columns[0], destination: columns[1],
      orderColumn: present(order, in: table), isReflexive: true)
  }

  private mutating func add(_ naming: Side, _ other: Side) {
    let table = Self.unique(naming.tableName, in: &usedTables)
    let wanted = [column(of: other), column(of: naming)]
    let columns = actualColumns(of: table, wanted)
    let orders = [orderColumn(of: other, columns[0]), orderColumn(of: naming, columns[1])]
    addTable(table, naming, columns, orders)
    result.sides[naming.entity.index, default: [:]][naming.property.name] = .init(
      table: table, source: columns[0], destination: columns[1],
      orderColumn: present(orders[1], in: table), isReflexive: false)
    result.sides[other.entity.index, default: [:]][other.property.name] = .init(
      table: table, source: columns[1], destination: columns[0],
      orderColumn: present(orders[0], in: table), isReflexive: false)
  }

  private mutating func addTable(
    _ name: String, _ naming: Side, _ columns: [String], _ orders: [String?]
  ) {
    result.tables.append(
      JoinTable(
        name: name, namingEntity: naming.entity.index, columns: columns,
        orderColumns: orders.compactMap { $0 }))
  }

  /// Returns the column of the members' positions, whose name is derived from the column of the
  /// members' keys.
  private func orderColumn(of side: Side, _ column: String) -> String? {
    side.relationship.isOrdered ? "Z_FOK_" + column.dropFirst(2) : nil
  }

  /// Returns a column, or nil if the table in the file does not contain it.
  private func present(_ column: String?, in table: String) -> String? {
    column.flatMap { existing?[table]?.contains($0) == false ? nil : $0 }
  }

  private func column(of side: Side) -> String {
    columns[side.entity.index]?[side.property.name] ?? ""
  }

  /// Returns the two key columns of a table. If the table in the file does not contain the expected
  /// names, the columns are identified by their order.
  private func actualColumns(of table: String, _ wanted: [String]) -> [String] {
    guard let columns = existing?[table]?.filter({ !$0.hasPrefix("Z_FOK_") }), columns.count >= 2,
      !wanted.allSatisfy(columns.contains)
    else { return wanted }
    return Array(columns.prefix(2))
  }

  private static func unique(_ wanted: String, in used: inout Set<String>) -> String {
    var name = wanted
    var suffix = 0
    while !used.insert(name).inserted {
      suffix += 1
      name = wanted + String(suffix)
    }
    return name
  }
}
