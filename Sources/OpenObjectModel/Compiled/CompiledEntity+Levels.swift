extension CompiledEntity {
  /// Returns whether a property is optional, for each level of its path, from the attribute inward.
  ///
  /// An element of a composite attribute has one level for the attribute, one for each composite
  /// element that contains the element, and one for the element itself. Any other property has one
  /// level.
  package func optionality(of property: CompiledProperty) -> [Bool] {
    guard property.isElement else { return [property.isOptional] }
    var names = property.name.split(separator: ".").map(String.init)[...]
    var attribute = names.popFirst().flatMap { entityDescription.attributesByName[$0] }
    var levels: [Bool] = []
    while let current = attribute {
      levels.append(current.isOptional)
      let next = names.popFirst()
      let elements = (current as? NSCompositeAttributeDescription)?.elements ?? []
      attribute = elements.first { $0.name == next }
    }
    return levels
  }

  /// Returns the elements of the innermost optional composite attribute that contains a property;
  /// nil if there is none.
  ///
  /// A required element must have a value only if one of these elements has a value.
  package func optionalGroup(of property: CompiledProperty) -> ArraySlice<CompiledProperty>? {
    property.optionalGroup.map { properties[$0] }
  }
}
