extension CompiledModel {
  /// The inverse of a relationship, as its destination has it.
  package func inverse(of relationship: CompiledRelationship) -> CompiledProperty? {
    relationship.inverseOrdinal.map { entities[relationship.destinationIndex].properties[$0] }
  }
}
