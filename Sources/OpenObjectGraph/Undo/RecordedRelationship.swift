internal import OpenObjectModel

/// What undo records of a to-many relationship.
///
/// A value.
struct RecordedRelationship {
  /// Whether a to-one inverse says what the members are, so that only their order is recorded.
  let followsInverse: Bool
  let isOrdered: Bool

  /// What is recorded of a property; nil when it is no to-many relationship, or its to-one inverse says everything.
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
