import OpenObjectModel

/// Names the tables of many-to-many relationships as Apple's framework does.
struct JoinNaming {
  /// What naming a model's tables of pairs gives.
  struct Joins {
    var tables: [JoinTable] = []
    /// A table seen from a relationship, by declaring entity and name.
    var sides: [Int: [String: ToManyStorage.JoinSide]] = [:]
  }

  /// One relationship of a pair.
  private struct Side {
    var property: CompiledProperty
    var relationship: CompiledRelationship
    var entity: CompiledEntity

    var number: Int { entity.index + 1 }
    var upperName: String { property.name.uppercased() }
    var tableName: String { "Z_\(number)\(upperName)" }
  }

  private let model: CompiledModel
  private let existing: [String: [String]]?
  private var result = Joins()
  private var usedColumns: Set<String> = []

  static func joins(of model: CompiledModel, existing: [String: [String]]?) -> Joins {
    var naming = JoinNaming(model: model, existing: existing)
    for entity in model.entities {
      let own = entity.properties.filter {
        $0.declaringEntityIndex == entity.index && !$0.isTransient
      }.sorted { $0.name < $1.name }
      for property in own { naming.addJoin(of: property, in: entity) }
    }
    return naming.result
  }

  private init(model: CompiledModel, existing: [String: [String]]?) {
    self.model = model
    self.existing = existing
  }

  private mutating func addJoin(of property: CompiledProperty, in entity: CompiledEntity) {
    guard let relationship = property.relationship, relationship.isToMany,
      let inverse = model.inverse(of: relationship), let back = inverse.relationship,
      back.isToMany, result.sides[entity.index]?[property.name] == nil
    else { return }
    let here = Side(property: property, relationship: relationship, entity: entity)
    let there = Side(
      property: inverse, relationship: back, entity: model.entities[inverse.declaringEntityIndex])
    if here.entity === there.entity, property.name == inverse.name {
      addReflexive(here)
    } else {
      let naming = chosen(here, there)
      add(
        naming,
        naming.property.name == here.property.name && naming.entity === here.entity ? there : here)
    }
  }

  /// The relationship that gives the table its name.
  private func chosen(_ here: Side, _ there: Side) -> Side {
    let preferred = preferredSide(here, there)
    guard let existing, existing[preferred.tableName] == nil else { return preferred }
    for side in [here, there] where existing[side.tableName] != nil { return side }
    return preferred
  }

  private func preferredSide(_ here: Side, _ there: Side) -> Side {
    if here.entity === there.entity {
      return here.property.name < there.property.name ? here : there
    }
    let isParent = here.entity.subtree.count > 1
    if isParent != (there.entity.subtree.count > 1) { return isParent ? here : there }
    return here.entity.index < there.entity.index ? here : there
  }

  private mutating func addReflexive(_ side: Side) {
    let name = side.tableName
    let columns = actualColumns(of: name) ?? [name, "REFLEXIVE"]
    result.tables.append(
      JoinTable(name: name, namingEntity: side.entity.index, columns: columns, orderColumns: []))
    result.sides[side.entity.index, default: [:]][side.property.name] = .init(
      table: name, source: columns[0], destination: columns[1], orderColumn: nil, isReflexive: true)
  }

  private mutating func add(_ naming: Side, _ other: Side) {
    let columns =
      actualColumns(of: naming.tableName) ?? [
        unique("Z_\(naming.number)\(other.upperName)"),
        unique("Z_\(other.number)\(naming.upperName)"),
      ]
    let firstOrder = other.relationship.isOrdered ? "Z_FOK_" + columns[0].dropFirst(2) : nil
    let secondOrder = naming.relationship.isOrdered ? "Z_FOK_" + columns[1].dropFirst(2) : nil
    result.tables.append(
      JoinTable(
        name: naming.tableName, namingEntity: naming.entity.index, columns: columns,
        orderColumns: [firstOrder, secondOrder].compactMap { $0 }))
    result.sides[naming.entity.index, default: [:]][naming.property.name] = .init(
      table: naming.tableName, source: columns[0], destination: columns[1],
      orderColumn: secondOrder, isReflexive: false)
    result.sides[other.entity.index, default: [:]][other.property.name] = .init(
      table: naming.tableName, source: columns[1], destination: columns[0],
      orderColumn: firstOrder, isReflexive: false)
  }

  /// The two key columns of a table of the file, by their place.
  private func actualColumns(of table: String) -> [String]? {
    guard let columns = existing?[table]?.filter({ !$0.hasPrefix("Z_FOK_") }), columns.count >= 2
    else { return nil }
    return Array(columns.prefix(2))
  }

  private mutating func unique(_ wanted: String) -> String {
    var name = wanted
    var suffix = 0
    while !usedColumns.insert(name).inserted {
      suffix += 1
      name = wanted + String(suffix)
    }
    return name
  }
}
