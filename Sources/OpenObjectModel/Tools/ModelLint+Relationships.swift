extension ModelLint {
  mutating func checkInverse(
    of relationship: NSRelationshipDescription, _ entity: NSEntityDescription
  ) {
    guard let inverse = relationship.inverseRelationship else {
      return add(
        .missingInverse, .warning, entity.name, relationship.name,
        "The relationship has no inverse, so the objects at the other end are not updated when an object is deleted.",
        "Add a relationship to the destination entity, and set each relationship as the inverse of the other."
      )
    }
    if inverse.inverseRelationship !== relationship {
      add(
        .oneSidedInverse, .error, entity.name, relationship.name,
        "The inverse, \(inverse.name), does not have this relationship as its inverse.",
        "Set the inverse of both relationships.")
    }
    if relationship.deleteRule == .nullifyDeleteRule, !inverse.isOptional, !inverse.isToMany,
      !inverse.isTransient, !relationship.isTransient
    {
      add(
        .nullifiesRequired, .warning, entity.name, relationship.name,
        "Deleting an object sets the required relationship \(inverse.name) of its destinations to nil, so the destinations cannot be saved.",
        "Set the delete rule to cascade or deny, or make the inverse optional.")
    }
  }

  mutating func checkCounts(
    of relationship: NSRelationshipDescription, _ entity: NSEntityDescription
  ) {
    if relationship.maxCount > 0, relationship.minCount > relationship.maxCount {
      add(
        .impossibleCount, .error, entity.name, relationship.name,
        "The minimum count, \(relationship.minCount), is greater than the maximum count, \(relationship.maxCount).",
        "Correct the counts.")
    }
    if relationship.isToMany, !relationship.isOptional, relationship.minCount <= 0 {
      add(
        .emptyRequiredToMany, .advice, entity.name, relationship.name,
        "The relationship is required, but it can be empty, because it has no minimum count.",
        "Set the minimum count to 1, or make the relationship optional.")
    }
    if relationship.isOptional, relationship.minCount > 0, !relationship.isTransient {
      add(
        .optionalMinimum, .advice, entity.name, relationship.name,
        "The minimum count of an optional relationship applies only if there are destinations.",
        "Make the relationship required, or set the minimum count to 0.")
    }
  }
}
