internal import Foundation
internal import OpenPredicates

/// Converts archived properties to properties that are not connected yet.
///
/// The reader counts the properties that it creates, so that an archive whose objects share their
/// parts cannot grow without bound.
struct PropertyArchiveReader {
  var predicates = ArchivedPredicates()
  private var contents = ArchivedContents()
  private var remaining = 100_000

  /// Counts one property.
  ///
  /// - Throws: `ModelError` with code `.malformed` if there are too many.
  mutating func count() throws(ModelError) {
    remaining -= 1
    guard remaining > 0 else { throw .damaged("it contains too many properties") }
  }

  /// Returns the user info of an entity or a property.
  mutating func userInfo(of object: ArchivedObject) throws(ModelError) -> [AnyHashable: Any] {
    try contents.userInfo("NSUserInfo", of: object)
  }

  /// Reads a property of the class that the archive names.
  ///
  /// - Throws: `ModelError` with the names of the entity and the property.
  mutating func property(
    _ object: ArchivedObject, named name: String, in entityName: String
  ) throws(ModelError) -> NSPropertyDescription {
    do {
      return try property(object, named: name, depth: 0)
    } catch {
      var located = error
      located.entityName = entityName
      located.propertyName = name
      throw located
    }
  }

  private mutating func property(
    _ object: ArchivedObject, named name: String, depth: Int
  ) throws(ModelError) -> NSPropertyDescription {
    try count()
    let property: NSPropertyDescription
    if object.isKind(of: "NSAttributeDescription") {
      property = try attribute(object, depth: depth)
    } else if object.isKind(of: "NSRelationshipDescription") {
      property = try relationship(object)
    } else if object.isKind(of: "NSFetchedPropertyDescription") {
      property = try fetchedProperty(object)
    } else {
      throw .damaged("the property class \(object.className) is unknown")
    }
    property.name = name
    property.isOptional = try object.flag("NSIsOptional")
    property.isTransient = try object.flag("NSIsTransient")
    property.isIndexed = try object.flag("NSIsIndexed")
    property.isIndexedBySpotlight = try object.flag("NSIndexedBySpotlight")
    property.versionHashModifier = try object.string("NSVersionHashModifier")
    let renaming = try object.string("NSRenamingIdentifier")
    if renaming != name { property.renamingIdentifier = renaming }
    property.userInfo = try userInfo(of: object)
    try readValidation(object, into: property)
    return property
  }

  private mutating func readValidation(
    _ object: ArchivedObject, into property: NSPropertyDescription
  ) throws(ModelError) {
    var conditions: [NSPredicate] = []
    for value in try object.members("NSValidationPredicates") ?? [] {
      guard let condition = value.object else { throw object.mismatch("NSValidationPredicates") }
      conditions.append(.from(try predicates.predicate(condition)))
    }
    var warnings: [Any] = []
    for value in try object.members("NSValidationWarnings") ?? [] {
      warnings.append(try contents.any(value) ?? "")
    }
    property.adoptValidation(conditions, warnings)
  }

  // MARK: Attributes

  private mutating func attribute(
    _ object: ArchivedObject, depth: Int
  ) throws(ModelError) -> NSAttributeDescription {
    let attribute: NSAttributeDescription
    if object.isKind(of: "NSDerivedAttributeDescription") {
      attribute = try derivedAttribute(object)
    } else if object.isKind(of: "NSCompositeAttributeDescription") {
      attribute = try compositeAttribute(object, depth: depth)
    } else {
      attribute = NSAttributeDescription()
    }
    let type = try object.integer("NSAttributeType") ?? 0
    attribute.type = .init(rawValue: UInt(bitPattern: type))
    let className = try object.string("NSAttributeValueClassName")
    if className != attribute.usualClassName { attribute.attributeValueClassName = className }
    attribute.valueTransformerName = try object.string("NSValueTransformerName")
    let flags = try object.integer("NSFlagsKey") ?? 0
    attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
    attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
    attribute.allowsCloudEncryption = try object.flag("NSAllowsCloudEncryption")
    if let value = try object.value("NSDefaultValue") {
      attribute.defaultValue = try contents.any(value)
    }
    return attribute
  }

  private mutating func compositeAttribute(
    _ object: ArchivedObject, depth: Int
  ) throws(ModelError) -> NSCompositeAttributeDescription {
    guard depth < NSCompositeAttributeDescription.depthLimit else {
      throw .damaged("its composite attributes are nested too deeply")
    }
    let attribute = NSCompositeAttributeDescription()
    for value in try object.members("NSCompositeElements") ?? [] {
      guard let member = value.object, let name = try member.string("NSPropertyName"),
        let element = try property(member, named: name, depth: depth + 1)
          as? NSAttributeDescription
      else { throw object.mismatch("NSCompositeElements") }
      attribute.elements.append(element)
    }
    return attribute
  }

  // MARK: Relationships

  private func relationship(
    _ object: ArchivedObject
  ) throws(ModelError) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.minCount = try object.integer("NSMinCount") ?? 0
    relationship.maxCount = try object.integer("NSMaxCount") ?? 0
    let rule = try object.integer("NSDeleteRule") ?? 1
    relationship.deleteRule = NSDeleteRule(rawValue: UInt(bitPattern: rule)) ?? .nullifyDeleteRule
    relationship.isOrdered = try object.flag("NSIsOrdered")
    return relationship
  }
}

extension NSAttributeDescription {
  /// The class that archives name for the attribute's type if the model names no other class.
  var usualClassName: String? {
    if type == .composite { return "NSDictionary" }
    let plain = NSAttributeDescription()
    plain.type = type
    return plain.attributeValueClassName
  }
}
