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
    // Key paths follow relationships, so all relationships are checked first.
    for entity in entities { try checkDerivations(entity) }
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
          "Two entities have the same name, or names that differ only in case. Rename one of them.",
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
          .cyclicParents, "The entity is its own ancestor. Remove the cycle of parent entities.",
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
          "The subentity \(child.name ?? "without a name") is not in the model. Add it to the model.",
          entityName: entity.name)
      }
      guard child.superentity === entity else {
        throw ModelError(
          .sharedDescription,
          "The subentity \(child.name ?? "without a name") also has another parent. Remove it from one of the parents.",
          entityName: entity.name)
      }
    }
    let children = Set(entity.subentities.map { ObjectIdentifier($0) })
    if children.count < entity.subentities.count {
      throw ModelError(
        .duplicateName, "A subentity is listed twice. Remove one of the two entries.",
        entityName: entity.name)
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
          .duplicateName, "Two properties have the same name. Rename one of them.", entity, property
        )
      }
    }
    for property in entity.ownProperties {
      guard property.owner === entity else {
        throw error(
          .sharedDescription,
          "The property also belongs to another entity. Give each entity its own copy.",
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
          .undefinedType,
          "A stored attribute has no type. Set a type, or make the attribute transient.",
          entity, attribute)
      }
      if attribute.valueType.slotKind == nil {
        throw error(
          .unsupportedType,
          "An attribute of this type cannot be stored. Use another type, or make the attribute transient.",
          entity, attribute)
      }
    }
    if TextPrefixLengths.named(by: attribute) == nil {
      throw error(
        .unusablePrefixLengths,
        "The value of OpenTextPrefixLengths in the user info must be a list of up to 31 numbers from 1 to 999, such as \"2,3\".",
        entity, attribute)
    }
    if attribute.convertedDefault == nil {
      throw error(
        .mismatchedDefault,
        attribute.valueType == .transformable
          ? "The default value cannot be archived and unarchived. Use values of Foundation's classes, or of the "
            + "attribute's class if it conforms to NSCoding, or register a value transformer before the model is used."
          : "The default value does not have the attribute's type, or is out of range for this type. Change the value or the type.",
        entity, attribute)
    }
  }

  private func check(
    _ composite: NSCompositeAttributeDescription, _ entity: NSEntityDescription
  ) throws(ModelError) {
    if composite.isTooDeep {
      throw error(
        .unsupportedType,
        "A composite attribute contains itself, or composite attributes are nested more than 16 levels deep. Remove the inner attributes.",
        entity, composite)
    }
    var paths: Set<String> = []
    for leaf in composite.leaves {
      if leaf.attribute.name.isEmpty || !paths.insert(leaf.path).inserted {
        throw error(
          .duplicateName,
          "An element of a composite attribute has no name, or the same name as another element. Give each element its own name.",
          entity, composite)
      }
      try check(leaf.attribute, entity)
    }
    if paths.isEmpty {
      throw error(
        .unsupportedType, "A composite attribute has no elements. Add elements to it.", entity,
        composite)
    }
  }

  private func check(
    _ derived: NSDerivedAttributeDescription, _ entity: NSEntityDescription
  ) throws(ModelError) {
    guard derived.filteringPredicate == nil else {
      throw error(
        .unsupportedType,
        "Stores cannot compute a derived attribute with a filter predicate. Remove the predicate from the model.",
        entity, derived)
    }
    guard let expression = derived.derivationExpression, Derivation(expression.node) == nil else {
      return
    }
    throw error(
      .unsupportedType,
      "Stores cannot compute the expression \(expression). Use a key path, canonical:, uppercase:, lowercase:, @count, @sum or now().",
      entity, derived)
  }

  private func checkDerivations(_ entity: NSEntityDescription) throws(ModelError) {
    for case let derived as NSDerivedAttributeDescription in entity.ownProperties {
      guard let expression = derived.derivationExpression,
        let derivation = Derivation(expression.node),
        !derivation.isResolvable(for: derived, of: entity)
      else { continue }
      throw error(
        .unsupportedType,
        "Stores cannot compute the expression \(expression), because its key path does not end at a stored attribute, or "
          + "ends at the derived attribute itself. Correct the key path, or use @count or @sum after a to-many relationship.",
        entity, derived)
    }
  }

  private func check(
    _ relationship: NSRelationshipDescription, _ entity: NSEntityDescription
  ) throws(ModelError) {
    guard let destination = relationship.destinationEntity,
      known.contains(ObjectIdentifier(destination))
    else {
      throw error(
        .unknownEntity,
        "The destination entity of a relationship is not in the model. Set destinationEntity.",
        entity, relationship)
    }
    guard let inverse = relationship.inverseRelationship else { return }
    guard inverse.inverseRelationship === relationship,
      destination.properties.contains(where: { $0 === inverse })
    else {
      throw error(
        .danglingInverse,
        "The inverse of a relationship does not refer back to the relationship. Set inverseRelationship for both relationships.",
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
        "An index or uniqueness constraint contains a property that the entity does not have. Correct the index or constraint.",
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
          .duplicateName,
          "A uniqueness constraint contains a property twice. Remove one of the two occurrences.",
          entityName: entity.name, propertyName: constraint.first)
      }
      if !seen.insert("UNIQUE_" + constraint.joined(separator: "_").uppercased()).inserted {
        throw ModelError(
          .duplicateName, "A uniqueness constraint is listed twice. Remove one of the two entries.",
          entityName: entity.name, propertyName: constraint.joined(separator: ", "))
      }
    }
    // Models of shipped programs may repeat an index; an identical index is created once.
    var indexes: Set<CompiledIndex> = []
    for index in entity.indexes where indexes.insert(index.compiled).inserted {
      if seen.insert(index.name.uppercased()).inserted { continue }
      throw ModelError(
        .duplicateName,
        "Two fetch indexes have the same name, or a fetch index has the same name as a uniqueness constraint. Rename the fetch index.",
        entityName: entity.name, propertyName: index.name)
    }
  }
}
