extension CompiledModel {
  /// Returns the inverse of a relationship, a property of the destination entity; nil if there is
  /// none.
  package func inverse(of relationship: CompiledRelationship) -> CompiledProperty? {
    relationship.inverseOrdinal.map { entities[relationship.destinationIndex].properties[$0] }
  }
}
