internal import Foundation
internal import OpenPredicates

/// Checks whether a model can be used: names, parents, types, relationships and indexes.
///
/// The check relies on no relation between descriptions, so that a checked model can be laid out.
struct ModelCheck {
  private let entities: [NSEntityDescription]
  private let known: Set<ObjectIdentifier>

  init(_ entities: [NSEntityDescription]) {
    self.entities = entities
    known = Set(entities.map { ObjectIdentifier($0) })
  }

  func run() throws(ModelError) {
    try checkNames()
    for entity in entities { try checkParents(entity) }
    for entity in entities { try checkChildren(entity) }
    for entity in entities {
      try checkProperties(entity)
      try checkIndexes(entity)
    }
  }

  // MARK: Entities

  private func checkNames() throws(ModelError) {
    var seen: Set<String> = []
    for entity in entities {
      guard let name = entity.name, !name.isEmpty else {
        throw ModelError(.missingName, "An entity has no name. Name every entity.")
      }
      // Stores do not distinguish uppercase and lowercase letters in table names.
      if !seen.insert(name.uppercased()).inserted {
        throw ModelError(
          .duplicateName,
          "Two entities have the same name, or names that differ in case only. Rename one.",
          entityName: name)
      }
    }
  }

  private func checkParents(_ entity: NSEntityDescription) throws(ModelError) {
    var seen: Set<ObjectIdentifier> = []
    var current: NSEntityDescription? = entity
    while let ancestor = current {
      if !seen.insert(ObjectIdentifier(ancestor)).inserted {
        throw ModelError(
          .cyclicParents, "The entity is its own ancestor. Break the circle of parents.",
          entityName: entity.name)
      }
      current = ancestor.superentity
    }
    if let parent = entity.superentity, !known.contains(ObjectIdentifier(parent)) {
      throw ModelError(
        .unknownEntity, "The parent entity is not in the model. Add it to the model.",
        entityName: entity.name)
    }
  }

  private func checkChildren(_ entity: NSEntityDescription) throws(ModelError) {
    for child in entity.subentities {
      guard known.contains(ObjectIdentifier(child)) else {
        throw ModelError(
          .unknownEntity,
          "The sub-entity \(child.name ?? "without name") is not in the model. Add it to the model.",
          entityName: entity.name)
      }
      guard child.superentity === entity else {
        throw ModelError(
          .sharedDescription,
          "The sub-entity \(child.name ?? "without name") also has another parent. Remove it from one.",
          entityName: entity.name)
      }
    }
    let children = Set(entity.subentities.map { ObjectIdentifier($0) })
    if children.count < entity.subentities.count {
      throw ModelError(
        .duplicateName, "A sub-entity is listed twice. Remove it once.", entityName: entity.name)
    }
  }

  // MARK: Properties

  private func checkProperties(_ entity: NSEntityDescription) throws(ModelError) {
    var seen: Set<String> = []
    for property in entity.properties {
      guard !property.name.isEmpty else {
        throw ModelError(
          .missingName, "A property has no name. Name every property.", entityName: entity.name)
      }
      if !seen.insert(property.name).inserted {
        throw error(
          .duplicateName, "Two properties have the same name. Rename one.", entity, property)
      }
    }
    for property in entity.ownProperties {
      guard property.owner === entity else {
        throw error(
          .sharedDescription, "The property belongs to another entity too. Give each its own copy.",
          entity, property)
      }
      if let attribute = property as? NSAttributeDescription { try check(attribute, entity) }
      if let relationship = property as? NSRelationshipDescription {
        try check(relationship, entity)
      }
    }
  }

  private func error(
    _ code: ModelError.Code, _ message: String, _ entity: NSEntityDescription,
    _ property: NSPropertyDescription
  ) -> ModelError {
    ModelError(code, message, entityName: entity.name, propertyName: property.name)
  }

  private func check(
    _ attribute: NSAttributeDescription, _ entity: NSEntityDescription
  ) throws(ModelError) {
    if let composite = attribute as? NSCompositeAttributeDescription {
      return try check(composite, entity)
    }
    if let derived = attribute as? NSDerivedAttributeDescription { try check(derived, entity) }
    if !attribute.isTransient {
      if attribute.valueType == .undefined {
        throw error(
          .undefinedType, "A stored attribute has no type. Give it one, or make it transient.",
          entity, attribute)
      }
      if attribute.valueType.slotKind == nil {
        throw error(
          .unsupportedType,
          "An attribute of this type cannot be stored. Use other types, or make it transient.",
          entity, attribute)
      }
    }
    if TextPrefixLengths.named(by: attribute) == nil {
      throw error(
        .unusablePrefixLengths,
        "OpenTextPrefixLengths in the user info needs up to 31 numbers from 1 to 999, such as \"2,3\".",
        entity, attribute)
    }
    if attribute.convertedDefault == nil {
      throw error(
        .mismatchedDefault,
        attribute.valueType == .transformable
          ? "The default value cannot be archived and read back. Use values of Foundation, a class that adopts "
            + "NSCoding and is the attribute's class, or a value transformer that is registered before the model is used."
          : "The default value is not of the attribute's type, or out of its range. Change one of them.",
        entity, attribute)
    }
  }

  private func check(
    _ composite: NSCompositeAttributeDescription, _ entity: NSEntityDescription
  ) throws(ModelError) {
    var paths: Set<String> = []
    for leaf in composite.leaves {
      if leaf.attribute.name.isEmpty || !paths.insert(leaf.path).inserted {
        throw error(
          .duplicateName, "Two elements of a composite attribute have the same name, or none.",
          entity, composite)
      }
      try check(leaf.attribute, entity)
    }
    if paths.isEmpty {
      throw error(
        .unsupportedType, "A composite attribute has no elements. Give it some.", entity, composite)
    }
  }

  private func check(
    _ derived: NSDerivedAttributeDescription, _ entity: NSEntityDescription
  ) throws(ModelError) {
    guard let expression = derived.derivationExpression, Derivation(expression.node) == nil else {
      return
    }
    throw error(
      .unsupportedType,
      "Stores cannot compute \(expression). Use a key path, canonical:, uppercase:, lowercase:, @count, @sum or now().",
      entity, derived)
  }

  private func check(
    _ relationship: NSRelationshipDescription, _ entity: NSEntityDescription
  ) throws(ModelError) {
    guard let destination = relationship.destinationEntity,
      known.contains(ObjectIdentifier(destination))
    else {
      throw error(
        .unknownEntity,
        "The destination of a relationship is not in the model. Set destinationEntity.",
        entity, relationship)
    }
    guard let inverse = relationship.inverseRelationship else { return }
    guard inverse.inverseRelationship === relationship,
      destination.properties.contains(where: { $0 === inverse })
    else {
      throw error(
        .danglingInverse,
        "The inverse of a relationship does not point back. Set inverseRelationship on both.",
        entity, relationship)
    }
  }

  // MARK: Indexes

  private func checkIndexes(_ entity: NSEntityDescription) throws(ModelError) {
    try checkIndexNames(entity)
    let indexed = entity.indexes.map { index in
      index.elements.filter { !($0.property is NSExpressionDescription) }
        .map { $0.propertyName ?? "" }
    }
    let groups = entity.constraintNames + indexed
    if groups.isEmpty { return }
    var names = Set(entity.properties.map(\.name))
    for case let composite as NSCompositeAttributeDescription in entity.properties {
      names.formUnion(composite.leaves.map(\.path))
    }
    for name in groups.joined() where !names.contains(name) {
      throw ModelError(
        .unknownProperty,
        "An index or uniqueness constraint names a property that the entity does not have. Correct it.",
        entityName: entity.name, propertyName: name)
    }
  }

  /// Requires distinct names of the indexes of uniqueness constraints and of fetch indexes,
  /// ignoring case. A constraint's index is named after its properties.
  private func checkIndexNames(_ entity: NSEntityDescription) throws(ModelError) {
    var seen: Set<String> = []
    for constraint in entity.constraintNames {
      if Set(constraint).count < constraint.count {
        throw ModelError(
          .duplicateName, "A uniqueness constraint lists a property twice. Remove it once.",
          entityName: entity.name, propertyName: constraint.first)
      }
      if !seen.insert("UNIQUE_" + constraint.joined(separator: "_").uppercased()).inserted {
        throw ModelError(
          .duplicateName, "A uniqueness constraint is listed twice. Remove it once.",
          entityName: entity.name, propertyName: constraint.joined(separator: ", "))
      }
    }
    // Models of shipped programs may repeat an index; an identical index is created once.
    var indexes: Set<CompiledIndex> = []
    for index in entity.indexes where indexes.insert(index.compiled).inserted {
      if seen.insert(index.name.uppercased()).inserted { continue }
      throw ModelError(
        .duplicateName,
        "Two fetch indexes have the same name, or one has that of a uniqueness constraint. Rename one.",
        entityName: entity.name, propertyName: index.name)
    }
  }
}
