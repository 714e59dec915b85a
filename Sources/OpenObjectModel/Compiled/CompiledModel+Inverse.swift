extension CompiledModel {
  /// Returns the property of the destination entity that is the inverse of a relationship; nil if
  /// the relationship has no inverse.
  package func inverse(of relationship: CompiledRelationship) -> CompiledProperty? {
    relationship.inverseOrdinal.map { entities[relationship.destinationIndex].properties[$0] }
  }
}
