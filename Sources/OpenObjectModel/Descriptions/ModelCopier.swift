internal import Foundation

/// Creates a mutable deep copy of a model.
final class ModelCopier {
  private var entities: [ObjectIdentifier: NSEntityDescription] = [:]
  private var properties: [ObjectIdentifier: NSPropertyDescription] = [:]

  func copy(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
    let copy = NSManagedObjectModel()
    for entity in model.entities { entities[ObjectIdentifier(entity)] = shell(of: entity) }
    for entity in model.entities { connect(entity) }
    for entity in model.entities { finish(entity) }
    copy.entities = model.entities.compactMap { entities[ObjectIdentifier($0)] }
    copy.versionIdentifiers = model.versionIdentifiers
    copy.localizationDictionary = model.localizationDictionary
    copy.fetchTemplates = model.fetchTemplates
    copy.origin = model.origin
    copy.adoptConfigurations(
      model.allConfigurations.mapValues { $0.compactMap { entities[ObjectIdentifier($0)] } })
    return copy
  }

  /// Returns a copy of one entity that belongs to no model.
  func detachedCopy(of entity: NSEntityDescription) -> NSEntityDescription {
    let copy = shell(of: entity)
    entities[ObjectIdentifier(entity)] = copy
    for case let relationship as NSRelationshipDescription in entity.ownProperties {
      let copied = properties[ObjectIdentifier(relationship)] as? NSRelationshipDescription
      copied?.adoptDestination(of: relationship)
    }
    finish(entity)
    return copy
  }

  /// Returns a copy of one property that belongs to no entity.
  func detachedCopy(of property: NSPropertyDescription) -> NSPropertyDescription {
    let copied = copy(property)
    if let relationship = property as? NSRelationshipDescription {
      (copied as? NSRelationshipDescription)?.adoptDestination(of: relationship)
    }
    return copied
  }

  private func shell(of entity: NSEntityDescription) -> NSEntityDescription {
    let copy = NSEntityDescription()
    copy.name = entity.name
    copy.isAbstract = entity.isAbstract
    if let className = entity.ownClassName { copy.managedObjectClassName = className }
    copy.userInfo = entity.userInfo
    copy.compoundIndexes = entity.names(in: entity.compoundIndexes)
    copy.versionHashModifier = entity.versionHashModifier
    copy.renamingIdentifier = entity.ownRenamingIdentifier
    copy.properties = entity.ownProperties.map(self.copy)
    return copy
  }

  private func copy(_ property: NSPropertyDescription) -> NSPropertyDescription {
    let copy: NSPropertyDescription
    switch property {
    case let attribute as NSAttributeDescription: copy = self.copy(attribute)
    case let relationship as NSRelationshipDescription: copy = self.copy(relationship)
    case let fetched as NSFetchedPropertyDescription: copy = self.copy(fetched)
    case let computed as NSExpressionDescription:
      let made = NSExpressionDescription()
      made.expression = computed.expression
      made.resultType = computed.resultType
      copy = made
    default: copy = NSPropertyDescription()
    }
    copy.name = property.name
    copy.isOptional = property.isOptional
    copy.isTransient = property.isTransient
    copy.isIndexed = property.isIndexed
    copy.isIndexedBySpotlight = property.isIndexedBySpotlight
    copy.isStoredInExternalRecord = property.isStoredInExternalRecord
    copy.userInfo = property.userInfo
    copy.versionHashModifier = property.versionHashModifier
    copy.renamingIdentifier = property.ownRenamingIdentifier
    copy.adoptValidation(property.validationPredicates, property.validationWarnings)
    properties[ObjectIdentifier(property)] = copy
    return copy
  }

  private func copy(_ attribute: NSAttributeDescription) -> NSAttributeDescription {
    let copy = emptyCopy(of: attribute)
    copy.type = attribute.type
    copy.allowsCloudEncryption = attribute.allowsCloudEncryption
    copy.defaultValue = attribute.defaultValue
    copy.looseDefaultText = attribute.looseDefaultText
    copy.valueTransformerName = attribute.valueTransformerName
    copy.attributeValueClassName = attribute.ownClassName
    copy.allowsExternalBinaryDataStorage = attribute.allowsExternalBinaryDataStorage
    copy.preservesValueInHistoryOnDeletion = attribute.preservesValueInHistoryOnDeletion
    return copy
  }

  private func emptyCopy(of attribute: NSAttributeDescription) -> NSAttributeDescription {
    if let derived = attribute as? NSDerivedAttributeDescription {
      let copy = NSDerivedAttributeDescription()
      copy.derivationExpression = derived.derivationExpression
      copy.filteringPredicate = derived.filteringPredicate
      return copy
    }
    guard let composite = attribute as? NSCompositeAttributeDescription else {
      return NSAttributeDescription()
    }
    let copy = NSCompositeAttributeDescription()
    // The copy of an attribute that contains itself also contains itself.
    properties[ObjectIdentifier(composite)] = copy
    copy.elements = composite.elements.compactMap { element in
      let copied = properties[ObjectIdentifier(element)]
      return (copied ?? self.copy(element as NSPropertyDescription)) as? NSAttributeDescription
    }
    return copy
  }

  private func copy(_ fetched: NSFetchedPropertyDescription) -> NSFetchedPropertyDescription {
    let copy = NSFetchedPropertyDescription()
    copy.template = fetched.template
    return copy
  }

  private func copy(_ relationship: NSRelationshipDescription) -> NSRelationshipDescription {
    let copy = NSRelationshipDescription()
    copy.minCount = relationship.minCount
    copy.maxCount = relationship.maxCount
    copy.deleteRule = relationship.deleteRule
    copy.isOrdered = relationship.isOrdered
    return copy
  }

  /// Returns the copy of the property or expression of an index element. A property that was not
  /// copied, such as an inherited property of a single entity, remains in the index.
  private func copied(_ property: NSPropertyDescription) -> NSPropertyDescription {
    if let computed = property as? NSExpressionDescription { return copy(computed) }
    return properties[ObjectIdentifier(property)] ?? property
  }

  private func connect(_ entity: NSEntityDescription) {
    guard let copy = entities[ObjectIdentifier(entity)] else { return }
    copy.subentities = entity.subentities.compactMap { entities[ObjectIdentifier($0)] }
    for case let relationship as NSRelationshipDescription in entity.ownProperties {
      let copied = properties[ObjectIdentifier(relationship)] as? NSRelationshipDescription
      copied?.destinationEntity = relationship.destinationEntity.flatMap {
        entities[ObjectIdentifier($0)]
      }
      copied?.inverseRelationship = relationship.inverseRelationship.flatMap {
        properties[ObjectIdentifier($0)] as? NSRelationshipDescription
      }
    }
  }

  private func finish(_ entity: NSEntityDescription) {
    guard let copy = entities[ObjectIdentifier(entity)] else { return }
    copy.uniquenessConstraints = entity.uniquenessConstraints
    copy.indexes = entity.indexes.map { $0.copy(replacing: copied) }
  }
}
