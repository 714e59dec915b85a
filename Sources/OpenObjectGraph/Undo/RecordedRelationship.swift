internal import OpenObjectModel

/// How undo records a to-many relationship.
///
/// A value.
struct RecordedRelationship {
  /// Whether a to-one inverse determines the members, so that only their order is recorded.
  let followsInverse: Bool
  let isOrdered: Bool

  /// Creates the description; nil if the property is not a to-many relationship or if its to-one
  /// inverse records everything.
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
