import OpenObjectModel

/// Finds where the pairs of each to-many relationship are.
enum ToManyNaming {
  /// Storage of every to-many relationship, by declaring entity and name.
  static func storage(
    in model: CompiledModel, entities: [EntityMap], joins: JoinNaming.Joins
  ) -> [Int: [String: ToManyStorage]] {
    var storage: [Int: [String: ToManyStorage]] = [:]
    for entity in model.entities {
      for property in entity.properties
      where property.declaringEntityIndex == entity.index && !property.isTransient {
        guard let relationship = property.relationship, relationship.isToMany else { continue }
        if let side = joins.sides[entity.index]?[property.name] {
          storage[entity.index, default: [:]][property.name] = .join(side)
          continue
        }
        storage[entity.index, default: [:]][property.name] = foreignKey(
          property, relationship, of: entity, in: model, entities)
      }
    }
    return storage
  }

  private static func foreignKey(
    _ property: CompiledProperty, _ relationship: CompiledRelationship, of owner: CompiledEntity,
    in model: CompiledModel, _ entities: [EntityMap]
  ) -> ToManyStorage? {
    let destination = entities[relationship.destinationIndex]
    guard let inverse = model.inverse(of: relationship) else {
      let name = "Z\(owner.index + 1)" + property.name.uppercased()
      return .foreignKey(
        .init(
          table: destination.table, column: name,
          orderColumn: relationship.isOrdered ? "Z_FOK_" + name.dropFirst() : nil, isHidden: true))
    }
    guard let slot = inverse.slot else { return nil }
    let column = destination.columns[slot].name
    return .foreignKey(
      .init(
        table: destination.table, column: column,
        orderColumn: relationship.isOrdered ? "Z_FOK_" + column.dropFirst() : nil,
        companion: inverse.relationship?.companionSlot.map { destination.columns[$0].name },
        isHidden: false))
  }
}
