extension CompiledModel {
  /// Returns the inverse of a relationship, which is a property of the destination entity.
  package func inverse(of relationship: CompiledRelationship) -> CompiledProperty? {
    relationship.inverseOrdinal.map { entities[relationship.destinationIndex].properties[$0] }
  }
}
