internal import OpenObjectModel

/// A description of how undo records a to-many relationship.
struct RecordedRelationship {
  /// Whether a to-one inverse determines the members, so that only their order is recorded.
  let followsInverse: Bool
  let isOrdered: Bool

  /// Creates the description. The result is nil if the property is not a to-many relationship, or
  /// if the to-one inverse of an unordered relationship records all changes.
  init?(_ ordinal: Int, of entity: CompiledEntity) {
    guard let relationship = entity.properties[ordinal].relationship, relationship.isToMany else {
      return nil
    }
    let destination = entity.model.entities[relationship.destinationIndex]
    let inverse = relationship.inverseOrdinal.flatMap { destination.properties[$0].relationship }
    followsInverse = inverse?.isToMany == false
    isOrdered = relationship.isOrdered
    if followsInverse, !isOrdered { return nil }
  }
}
