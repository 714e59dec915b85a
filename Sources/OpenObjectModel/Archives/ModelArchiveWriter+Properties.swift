internal import Foundation

extension ModelArchiveWriter {
  /// Writes a property with its reserved reference.
  mutating func write(
    _ property: NSPropertyDescription, of entity: NSEntityDescription, _ reference: Int
  ) throws(ModelError) {
    switch property {
    case let derived as NSDerivedAttributeDescription:
      let entries = try derivedEntries(derived) + attributeEntries(derived)
      try write(derived, "NSDerivedAttributeDescription", of: entity, reference, entries)
    case let composite as NSCompositeAttributeDescription:
      let entries = try compositeEntries(composite, of: entity) + attributeEntries(composite)
      try write(composite, "NSCompositeAttributeDescription", of: entity, reference, entries)
    case let attribute as NSAttributeDescription:
      let entries = try attributeEntries(attribute)
      try write(attribute, "NSAttributeDescription", of: entity, reference, entries)
    case let relationship as NSRelationshipDescription:
      let entries = relationshipEntries(relationship)
      try write(relationship, "NSRelationshipDescription", of: entity, reference, entries)
    case let fetched as NSFetchedPropertyDescription:
      let entries = try fetchedEntries(fetched)
      try write(fetched, "NSFetchedPropertyDescription", of: entity, reference, entries)
    default:
      throw .unarchivable(
        "A property of class \(type(of: property)) is not an attribute, a relationship or a fetched property."
      )
    }
  }

  /// Writes the entries that all properties have, and the entries of one kind of property.
  mutating func write(
    _ property: NSPropertyDescription, _ className: String, of entity: NSEntityDescription?,
    _ reference: Int, _ entries: [Entry]
  ) throws(ModelError) {
    let flags = PropertyFlags(property)
    let name = archive.add(property.name)
    let renaming = archive.add(property.renamingIdentifier)
    let modifier = property.versionHashModifier.map { archive.add($0) }
    var userInfo: Int?
    if let contents = property.userInfo, !contents.isEmpty {
      userInfo = try archive.add(any: contents)
    }
    let validation = try validationEntries(property)
    archive.set(
      reference, className,
      [
        ("_P", .int(flags.word)),
        ("NSPropertyName", .reference(name)),
        ("NSEntity", .reference(self.reference(toEntity: entity?.name))),
        ("NSRenamingIdentifier", .reference(renaming)),
        ("NSIsOptional", flags.isOptional ? .bool(true) : nil),
        ("NSIsTransient", flags.isTransient ? .bool(true) : nil),
        ("NSIsReadOnly", flags.isReadOnly ? .bool(true) : nil),
        ("NSIsIndexed", property.isIndexed ? .bool(true) : nil),
        ("NSIndexedBySpotlight", property.isIndexedBySpotlight ? .bool(true) : nil),
        ("NSUserInfo", userInfo.map { .reference($0) }),
        ("NSVersionHashModifier", modifier.map { .reference($0) }),
      ] + validation + entries)
  }

  private mutating func validationEntries(
    _ property: NSPropertyDescription
  ) throws(ModelError) -> [Entry] {
    var entries: [Entry] = []
    if !property.validationPredicates.isEmpty {
      var references: [Int] = []
      for predicate in property.validationPredicates {
        references.append(try archive.add(predicate))
      }
      entries.append(
        ("NSValidationPredicates", .reference(archive.add("NSArray", of: references))))
    }
    if !property.validationWarnings.isEmpty {
      var references: [Int] = []
      for warning in property.validationWarnings {
        references.append(try archive.add(any: warning))
      }
      entries.append(("NSValidationWarnings", .reference(archive.add("NSArray", of: references))))
    }
    return entries
  }

  // MARK: Attributes

  private mutating func attributeEntries(
    _ attribute: NSAttributeDescription
  ) throws(ModelError) -> [Entry] {
    let className = archive.add(attribute.ownClassName ?? attribute.usualClassName)
    let defaultValue = try archive.add(any: attribute.defaultValue)
    let transformer = archive.add(attribute.valueTransformerName)
    let flags =
      (attribute.allowsExternalBinaryDataStorage ? 4 : 0)
      + (attribute.preservesValueInHistoryOnDeletion ? 16 : 0)
    return [
      ("NSAttributeType", .int(Int(bitPattern: attribute.type.rawValue))),
      ("NSAttributeValueClassName", .reference(className)),
      ("NSDefaultValue", .reference(defaultValue)),
      ("NSValueTransformerName", .reference(transformer)),
      ("NSFlagsKey", .int(flags)),
      ("NSAllowsCloudEncryption", attribute.allowsCloudEncryption ? .bool(true) : nil),
    ]
  }

  private mutating func compositeEntries(
    _ attribute: NSCompositeAttributeDescription, of entity: NSEntityDescription
  ) throws(ModelError) -> [Entry] {
    guard !attribute.isTooDeep else {
      throw .unarchivable(
        "A composite attribute contains itself, or composite attributes are nested more than 16 levels deep."
      )
    }
    var references: [Int] = []
    for element in attribute.elements {
      let reference = archive.reserve()
      try write(element as NSPropertyDescription, of: entity, reference)
      references.append(reference)
    }
    return [("NSCompositeElements", .reference(archive.add("NSMutableArray", of: references)))]
  }

  // MARK: Relationships

  private mutating func relationshipEntries(_ relationship: NSRelationshipDescription) -> [Entry] {
    let destination = relationship.destinationEntity
    let inverse = relationship.inverseRelationship
    let inverseReference = destination.flatMap { destination in
      inverse.map { reference(toProperty: $0.name, of: destination) }
    }
    return [
      ("NSDestinationEntity", .reference(reference(toEntity: destination?.name))),
      ("_NSDestinationEntityName", .reference(archive.add(destination?.name))),
      ("NSInverseRelationship", .reference(inverseReference ?? KeyedArchiveWriter.null)),
      ("_NSInverseRelationshipName", .reference(archive.add(inverse?.name))),
      ("NSMinCount", .int(relationship.minCount)),
      ("NSMaxCount", .int(Int(Int32(truncatingIfNeeded: relationship.maxCount)))),
      ("NSDeleteRule", .int(Int(bitPattern: relationship.deleteRule.rawValue))),
      ("NSIsOrdered", relationship.isOrdered ? .bool(true) : nil),
    ]
  }
}
