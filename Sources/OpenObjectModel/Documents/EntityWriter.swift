internal import Foundation
internal import OpenPredicates

/// Writes an entity to a model document.
struct EntityWriter {
  let entity: NSEntityDescription
  let composites: CompositeNames

  func write(to document: inout DocumentText) throws(ModelError) {
    guard let name = entity.name, !name.isEmpty else {
      throw ModelError(.missingName, "An entity has no name.")
    }
    let attributes: DocumentText.Attributes = [
      ("name", name), ("representedClassName", entity.ownClassName),
      ("isAbstract", entity.isAbstract ? "YES" : nil),
      ("parentEntity", entity.superentity?.name),
      ("elementID", entity.ownRenamingIdentifier),
      ("versionHashModifier", entity.versionHashModifier), ("syncable", "YES"),
    ]
    try document.element("entity", attributes) { (document) throws(ModelError) in
      try writeProperties(to: &document)
      writeCompoundIndexes(to: &document)
      for index in entity.indexes { try write(index, to: &document) }
      writeConstraints(to: &document)
      try UserInfoWriter.write(entity.userInfo, entityName: name, to: &document)
    }
  }

  private func writeProperties(to document: inout DocumentText) throws(ModelError) {
    let properties = entity.ownProperties.sorted { ModelWriter.precedes($0.name, $1.name) }
    for case let attribute as NSAttributeDescription in properties {
      try AttributeWriter(attribute: attribute, entityName: entity.name, composites: composites)
        .write(to: &document)
    }
    for case let relationship as NSRelationshipDescription in properties {
      try write(relationship, to: &document)
    }
    for case let fetched as NSFetchedPropertyDescription in properties {
      try write(fetched, to: &document)
    }
    let other = properties.first {
      !($0 is NSAttributeDescription || $0 is NSRelationshipDescription
        || $0 is NSFetchedPropertyDescription)
    }
    if let other { throw unsayable("a property of this kind", other) }
  }

  private func unsayable(_ what: String, _ property: NSPropertyDescription) -> ModelError {
    ModelError(
      .unarchivable, "Model documents cannot contain \(what).", entityName: entity.name,
      propertyName: property.name)
  }

  // MARK: Relationships and fetched properties

  private func write(
    _ relationship: NSRelationshipDescription, to document: inout DocumentText
  ) throws(ModelError) {
    guard let destination = relationship.destinationEntity?.name else {
      throw ModelError(
        .unknownEntity, "A relationship has no destination entity. Set its destination entity.",
        entityName: entity.name, propertyName: relationship.name)
    }
    guard relationship.validationPredicates.isEmpty else {
      throw unsayable("validation conditions for a relationship", relationship)
    }
    let inverse = relationship.inverseRelationship
    let attributes: DocumentText.Attributes = [
      ("name", relationship.name), ("optional", relationship.isOptional ? "YES" : nil),
      ("transient", relationship.isTransient ? "YES" : nil),
      ("toMany", relationship.isToMany ? "YES" : nil),
      ("minCount", relationship.minCount == 0 ? nil : String(relationship.minCount)),
      ("maxCount", relationship.maxCount == 0 ? nil : String(relationship.maxCount)),
      ("deletionRule", Self.ruleNames[relationship.deleteRule]),
      ("ordered", relationship.isOrdered ? "YES" : nil), ("destinationEntity", destination),
      ("inverseName", inverse?.name),
      ("inverseEntity", inverse.map { $0.owner?.name ?? destination }),
    ]
    try writeElement("relationship", attributes, relationship, to: &document)
  }

  private static let ruleNames: [NSDeleteRule: String] = [
    .nullifyDeleteRule: "Nullify", .cascadeDeleteRule: "Cascade", .denyDeleteRule: "Deny",
    .noActionDeleteRule: "No Action",
  ]

  private func write(
    _ fetched: NSFetchedPropertyDescription, to document: inout DocumentText
  ) throws(ModelError) {
    guard fetched.validationPredicates.isEmpty else {
      throw unsayable("validation conditions for a fetched property", fetched)
    }
    let attributes: DocumentText.Attributes = [
      ("name", fetched.name), ("optional", fetched.isOptional ? "YES" : nil),
    ]
    try writeElement("fetchedProperty", attributes, fetched, to: &document) {
      (document) throws(ModelError) in
      guard let template = fetched.template else { return }
      try FetchWriter.write(
        template, named: "fetchedPropertyFetchRequest", .fetchedProperty, to: &document)
    }
  }

  private func writeElement(
    _ name: String, _ attributes: DocumentText.Attributes, _ property: NSPropertyDescription,
    to document: inout DocumentText,
    children: (inout DocumentText) throws(ModelError) -> Void = { _ throws(ModelError) in }
  ) throws(ModelError) {
    try document.element(name, attributes + property.commonAttributes) {
      (document) throws(ModelError) in
      try children(&document)
      try UserInfoWriter.write(
        property.userInfo, entityName: entity.name, propertyName: property.name, to: &document)
    }
  }

  // MARK: Indexes and constraints

  private func writeCompoundIndexes(to document: inout DocumentText) {
    let groups = entity.names(in: entity.compoundIndexes)
    guard !groups.isEmpty else { return }
    document.element("compoundIndexes") { document in
      for names in groups {
        document.element("compoundIndex") { document in
          for name in names { document.element("index", [("value", name)]) }
        }
      }
    }
  }

  private func write(
    _ index: NSFetchIndexDescription, to document: inout DocumentText
  ) throws(ModelError) {
    let condition = try index.partialIndexPredicate.map { (predicate) throws(ModelError) in
      try FetchWriter.text(of: predicate, entityName: entity.name)
    }
    let attributes = [(name: "name", value: index.name), ("partialIndexPredicate", condition)]
    document.element("fetchIndex", attributes) { document in
      for element in index.elements {
        document.element("fetchIndexElement", self.attributes(of: element))
      }
    }
  }

  private func attributes(
    of element: NSFetchIndexElementDescription
  ) -> DocumentText.Attributes {
    let computed = element.property as? NSExpressionDescription
    var column: DocumentText.Attributes = [("property", element.propertyName)]
    if let computed, !isElementOfComposite(computed) {
      column = [
        ("expression", computed.expression?.description),
        ("expressionType", AttributeReader.typeNames[computed.resultType]),
      ]
    }
    return column + [
      ("type", element.collationType == .rTree ? "RTree" : "Binary"),
      ("order", element.isAscending ? "ascending" : "descending"),
    ]
  }

  private func isElementOfComposite(_ computed: NSExpressionDescription) -> Bool {
    guard case .keyPath(let steps)? = computed.expression?.node, let first = steps.first,
      steps.count > 1, computed.name == steps.joined(separator: ".")
    else { return false }
    return entity.attributesByName[first] is NSCompositeAttributeDescription
  }

  private func writeConstraints(to document: inout DocumentText) {
    guard !entity.constraintNames.isEmpty else { return }
    document.element("uniquenessConstraints") { document in
      for names in entity.constraintNames {
        document.element("uniquenessConstraint") { document in
          for name in names { document.element("constraint", [("value", name)]) }
        }
      }
    }
  }
}

extension NSPropertyDescription {
  /// The XML attributes at the end of every kind of property.
  var commonAttributes: DocumentText.Attributes {
    [
      ("indexed", isIndexed ? "YES" : nil),
      ("spotlightIndexingEnabled", isIndexedBySpotlight ? "YES" : nil),
      ("storedInTruthFile", isStoredInExternalRecord ? "YES" : nil),
      ("versionHashModifier", versionHashModifier), ("elementID", ownRenamingIdentifier),
    ]
  }
}
