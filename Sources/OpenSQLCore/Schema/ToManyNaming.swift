import OpenObjectModel

/// Finds the storage of each to-many relationship.
struct ToManyNaming {
  let model: CompiledModel
  let entities: [EntityMap]
  let columns: ColumnNaming.Columns
  let joins: JoinNaming.Joins
  /// The columns of the file's tables; nil for a new file.
  let existing: [String: [String]]?

  /// Returns the storage of every to-many relationship, by declaring entity and name.
  func storage() -> [Int: [String: ToManyStorage]] {
    var storage: [Int: [String: ToManyStorage]] = [:]
    for entity in model.entities {
      for property in entity.ownProperties {
        guard let relationship = property.relationship, relationship.isToMany else { continue }
        if let side = joins.sides[entity.index]?[property.name] {
          storage[entity.index, default: [:]][property.name] = .join(side)
        } else {
          storage[entity.index, default: [:]][property.name] = foreignKey(
            property, relationship, of: entity)
        }
      }
    }
    return storage
  }

  private func foreignKey(
    _ property: CompiledProperty, _ relationship: CompiledRelationship, of owner: CompiledEntity
  ) -> ToManyStorage? {
    let destination = entities[relationship.destinationIndex]
    guard let inverse = model.inverse(of: relationship) else {
      guard let name = columns.pointers[owner.index]?[property.name] else { return nil }
      return .foreignKey(
        .init(
          table: destination.table, column: name,
          orderColumn: orderColumn(of: relationship, destination.table, name), isHidden: true))
    }
    guard let slot = inverse.slot else { return nil }
    let column = destination.columns[slot].name
    return .foreignKey(
      .init(
        table: destination.table, column: column,
        orderColumn: orderColumn(of: relationship, destination.table, column),
        discriminator: inverse.relationship?.discriminatorSlot.map { destination.columns[$0].name },
        isHidden: false))
  }

  /// Returns the column of the members' positions, or nil if the file does not contain it.
  private func orderColumn(
    of relationship: CompiledRelationship, _ table: String, _ key: String
  ) -> String? {
    guard relationship.isOrdered, let name = columns.orderColumns[table]?[key] else { return nil }
    return existing?[table]?.contains(name) == false ? nil : name
  }
}
