internal import Foundation

extension ModelReader {
  func readConstraints(_ element: DocumentElement) throws(ModelError) {
    guard let entity = element["name"].flatMap({ entities[$0] }) else { return }
    var constraints: [[String]] = []
    let groups = element.children("uniquenessConstraints")
      .flatMap { $0.children("uniquenessConstraint") }
    for group in groups {
      var names: [String] = []
      for child in group.children("constraint") {
        let name = child["value"] ?? ""
        let isPath = isElement(name, entity)
        names.append(try isPath ? name : property(child, "value", entity).name)
      }
      constraints.append(names)
    }
    entity.uniquenessConstraints = constraints
    entity.compoundIndexes = element.children("compoundIndexes")
      .flatMap { $0.children("compoundIndex") }
      .map { group in group.children("index").compactMap { $0["value"] } }
  }

  func readIndexes(_ element: DocumentElement) throws(ModelError) {
    guard let entity = element["name"].flatMap({ entities[$0] }) else { return }
    var indexes: [NSFetchIndexDescription] = []
    for index in element.children("fetchIndex") {
      guard let name = index["name"], !name.isEmpty else {
        throw error(.missingName, "A fetch index has no name.", index, entity: entity.name)
      }
      var elements: [NSFetchIndexElementDescription] = []
      for child in index.children("fetchIndexElement") {
        elements.append(try indexElement(child, entity))
      }
      let made = NSFetchIndexDescription(name: name, elements: elements)
      made.partialIndexPredicate = try predicate(
        index, "partialIndexPredicate", entity: entity.name)
      indexes.append(made)
    }
    entity.indexes = indexes
  }

  private func indexElement(
    _ element: DocumentElement, _ entity: NSEntityDescription
  ) throws(ModelError) -> NSFetchIndexElementDescription {
    let made = NSFetchIndexElementDescription(
      property: try indexColumn(element, entity),
      collationType: element["type"] == "RTree" ? .rTree : .binary)
    made.isAscending = element["order"] != "descending"
    return made
  }

  /// Returns the property of an index element: a property, an element of a composite attribute, or
  /// an expression.
  private func indexColumn(
    _ element: DocumentElement, _ entity: NSEntityDescription
  ) throws(ModelError) -> NSPropertyDescription {
    let path = element["property"] ?? ""
    if element["expression"] == nil, !isElement(path, entity) {
      return try property(element, "property", entity)
    }
    let column = NSExpressionDescription()
    column.name = element["expression"] ?? path
    column.expression = try expression(
      element, element["expression"] == nil ? "property" : "expression", entity: entity.name)
    column.resultType =
      element["expressionType"].flatMap { AttributeReader.types[$0] } ?? .undefined
    return column
  }

  /// Returns whether a path starts at a composite attribute.
  private func isElement(_ path: String, _ entity: NSEntityDescription) -> Bool {
    let first = path.prefix { $0 != "." }
    return first.count < path.count
      && property(String(first), of: entity) is NSCompositeAttributeDescription
  }

  /// Returns the property that an XML attribute names.
  private func property(
    _ element: DocumentElement, _ key: String, _ entity: NSEntityDescription
  ) throws(ModelError) -> NSPropertyDescription {
    let name = element[key] ?? ""
    guard let property = property(name, of: entity) else {
      throw error(
        .unknownProperty,
        "An index or uniqueness constraint contains a property that the entity does not have. Correct the index or constraint.",
        element, entity: entity.name, property: name)
    }
    return property
  }

  func readConfigurations(
    _ root: DocumentElement, into model: NSManagedObjectModel
  ) throws(ModelError) {
    for configuration in root.children("configuration") {
      guard let name = configuration["name"] else { continue }
      var members: [NSEntityDescription] = []
      for member in configuration.children("memberEntity") {
        guard let entity = member["name"].flatMap({ entities[$0] }) else {
          throw error(
            .unknownEntity,
            "The configuration \(name) contains an entity that is not in the model. Correct the configuration.",
            member, entity: member["name"])
        }
        members.append(entity)
      }
      model.setEntities(members, forConfigurationName: name)
    }
  }
}
