extension ModelLint {
  mutating func checkInverse(
    of relationship: NSRelationshipDescription, _ entity: NSEntityDescription
  ) {
    guard let inverse = relationship.inverseRelationship else {
      return add(
        .missingInverse, .warning, entity.name, relationship.name,
        "The relationship has no inverse, so nothing is undone at the other end when objects are deleted.",
        "Add a relationship to the destination entity, and make each the other's inverse.")
    }
    if inverse.inverseRelationship !== relationship {
      add(
        .oneSidedInverse, .error, entity.name, relationship.name,
        "The inverse, \(inverse.name), does not have this relationship as its inverse.",
        "Set the inverse on both relationships.")
    }
    if relationship.deleteRule == .nullifyDeleteRule, !inverse.isOptional, !inverse.isToMany,
      !inverse.isTransient, !relationship.isTransient
    {
      add(
        .nullifiesRequired, .warning, entity.name, relationship.name,
        "Deleting an object clears \(inverse.name) of its destinations, which is required, so that they cannot be saved.",
        "Choose the delete rule cascade or deny, or make the inverse optional.")
    }
  }

  mutating func checkCounts(
    of relationship: NSRelationshipDescription, _ entity: NSEntityDescription
  ) {
    if relationship.maxCount > 0, relationship.minCount > relationship.maxCount {
      add(
        .impossibleCount, .error, entity.name, relationship.name,
        "At least \(relationship.minCount) destinations are needed and at most \(relationship.maxCount) allowed.",
        "Correct the counts.")
    }
    if relationship.isToMany, !relationship.isOptional, relationship.minCount <= 0 {
      add(
        .emptyRequiredToMany, .advice, entity.name, relationship.name,
        "The relationship is required, but without a least count it may be empty all the same.",
        "Set the least count to 1, or make the relationship optional.")
    }
    if relationship.isOptional, relationship.minCount > 0, !relationship.isTransient {
      add(
        .optionalMinimum, .advice, entity.name, relationship.name,
        "The minimum count of an optional relationship applies only if there are destinations.",
        "Make the relationship required, or set the least count to 0.")
    }
  }
}
