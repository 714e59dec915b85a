import Foundation
import OpenObjectModel
import OpenPredicates
import Testing

/// A model with everything that enters version hashes, and changes to it.
enum HashedShelf {
  /// One change of the model, with its name for test output.
  struct Change: Sendable, CustomTestStringConvertible {
    let name: String
    let apply: @Sendable (NSManagedObjectModel) throws -> Void

    init(_ name: String, _ apply: @escaping @Sendable (NSManagedObjectModel) throws -> Void) {
      self.name = name
      self.apply = apply
    }

    var testDescription: String { name }
  }

  struct Missing: Error {}

  static func model() -> NSManagedObjectModel {
    let item = Make.entity(
      "Item", [Make.attribute("Zeta", .string), Make.attribute("code", .uuid, optional: false)])
    item.isAbstract = true
    item.versionHashModifier = "v2"
    let shelf = Make.entity("Shelf", [])
    let volume = Make.entity("Volume", [kept])
    item.subentities = [shelf]
    let (volumes, back) = (NSRelationshipDescription(), NSRelationshipDescription())
    (volumes.name, volumes.destinationEntity, volumes.isOrdered) = ("volumes", volume, true)
    (back.name, back.destinationEntity, back.isOptional) = ("shelf", shelf, false)
    (back.minCount, back.maxCount, back.versionHashModifier) = (1, 1, "m")
    (volumes.inverseRelationship, back.inverseRelationship) = (back, volumes)
    shelf.properties = [place, cover, volumes, volumesCount, transient, fetched]
    volume.properties.append(back)
    shelf.uniquenessConstraints = [["cover", "code"], ["code"]]
    return Make.model([volume, shelf, item])
  }

  private static var kept: NSAttributeDescription {
    let attribute = Make.attribute("kept", .date)
    attribute.preservesValueInHistoryOnDeletion = true
    return attribute
  }

  private static var cover: NSAttributeDescription {
    let attribute = Make.attribute("cover", .binaryData)
    attribute.preservesValueInHistoryOnDeletion = true
    attribute.allowsExternalBinaryDataStorage = true
    return attribute
  }

  private static var place: NSAttributeDescription {
    let composite = NSCompositeAttributeDescription()
    composite.name = "place"
    composite.elements = [
      Make.attribute("row", .integer32), Make.attribute("column", .integer32),
    ]
    return composite
  }

  private static var volumesCount: NSAttributeDescription {
    let derived = NSDerivedAttributeDescription()
    derived.name = "volumesCount"
    derived.type = .integer64
    derived.derivationExpression = try? .parsing("volumes.@count")
    return derived
  }

  private static var transient: NSAttributeDescription {
    let attribute = Make.attribute("cached", .undefined)
    attribute.isTransient = true
    return attribute
  }

  private static var fetched: NSPropertyDescription {
    let fetched = NSFetchedPropertyDescription()
    fetched.name = "neighbours"
    return fetched
  }

  // MARK: Changes

  private static func entity(
    _ name: String, _ change: @escaping @Sendable (NSEntityDescription) throws -> Void
  ) -> @Sendable (NSManagedObjectModel) throws -> Void {
    { model in
      guard let entity = model.entitiesByName[name] else { throw Missing() }
      try change(entity)
    }
  }

  private static func attribute(
    _ entityName: String, _ name: String,
    _ change: @escaping @Sendable (NSAttributeDescription) throws -> Void
  ) -> @Sendable (NSManagedObjectModel) throws -> Void {
    entity(entityName) { entity in
      guard let attribute = entity.attributesByName[name] else { throw Missing() }
      try change(attribute)
    }
  }

  private static func relationship(
    _ entityName: String, _ name: String,
    _ change: @escaping @Sendable (NSRelationshipDescription) throws -> Void
  ) -> @Sendable (NSManagedObjectModel) throws -> Void {
    entity(entityName) { entity in
      guard let relationship = entity.relationshipsByName[name] else { throw Missing() }
      try change(relationship)
    }
  }

  static let invisibleChanges = [
    Change("class name", entity("Shelf") { $0.managedObjectClassName = "Other" }),
    Change("user info", entity("Shelf") { $0.userInfo = ["a": "b"] }),
    Change("renaming identifier", entity("Shelf") { $0.renamingIdentifier = "Board" }),
    Change(
      "fetch index",
      entity("Volume") { volume in
        guard let kept = volume.propertiesByName["kept"] else { throw Missing() }
        volume.indexes = [
          NSFetchIndexDescription(
            name: "byKept",
            elements: [NSFetchIndexElementDescription(property: kept, collationType: .binary)])
        ]
      }),
    Change("indexed flag", attribute("Volume", "kept") { $0.isIndexed = true }),
    Change("default value", attribute("Volume", "kept") { $0.defaultValue = Date.distantPast }),
    Change(
      "validation",
      attribute("Item", "Zeta") {
        $0.setValidationPredicates(
          [NSPredicate(format: "length > 3")], withValidationWarnings: ["short"])
      }),
    Change(
      "transformer",
      attribute("Item", "Zeta") { $0.valueTransformerName = "T" }),
    Change("value class", attribute("Item", "Zeta") { $0.attributeValueClassName = "C" }),
    Change("Spotlight", attribute("Item", "Zeta") { $0.isIndexedBySpotlight = true }),
    Change("cloud encryption", attribute("Item", "Zeta") { $0.allowsCloudEncryption = true }),
    Change(
      "attribute's renaming identifier", attribute("Item", "Zeta") { $0.renamingIdentifier = "Z" }),
    Change("attribute's user info", attribute("Item", "Zeta") { $0.userInfo = ["k": "v"] }),
    Change("transient property", attribute("Shelf", "cached") { $0.name = "kept" }),
    Change(
      "fetched property", entity("Shelf") { $0.propertiesByName["neighbours"]?.name = "others" }),
    Change("delete rule", relationship("Shelf", "volumes") { $0.deleteRule = .cascadeDeleteRule }),
    Change("name of a composite", attribute("Shelf", "place") { $0.name = "plaice" }),
    Change("type of a derived value", attribute("Shelf", "volumesCount") { $0.type = .integer16 }),
    Change(
      "order of constraints",
      entity("Shelf") { $0.uniquenessConstraints = [["code"], ["cover", "code"]] }),
    Change("order of entities", { $0.entities = $0.entities.reversed() }),
    Change("order of properties", entity("Item") { $0.properties = $0.properties.reversed() }),
    Change("version identifiers", { $0.versionIdentifiers = ["7"] }),
    Change(
      "configuration", { $0.setEntities($0.entities, forConfigurationName: "All") }),
  ]

  static let visibleChanges = [
    Change("entity name", entity("Shelf") { $0.name = "Board" }),
    Change("abstract", entity("Shelf") { $0.isAbstract = true }),
    Change("entity modifier", entity("Shelf") { $0.versionHashModifier = "1" }),
    Change("parent", entity("Item") { $0.subentities = [] }),
    Change("parent's property", attribute("Item", "Zeta") { $0.isOptional = false }),
    Change("constraint", entity("Shelf") { $0.uniquenessConstraints = [["code"]] }),
    Change(
      "order in a constraint",
      entity("Shelf") { $0.uniquenessConstraints = [["code", "cover"], ["code"]] }),
    Change("new attribute", entity("Volume") { $0.properties.append(Make.attribute("n", .float)) }),
    Change("attribute name", attribute("Volume", "kept") { $0.name = "held" }),
    Change("attribute type", attribute("Volume", "kept") { $0.type = .double }),
    Change("optional", attribute("Volume", "kept") { $0.isOptional = false }),
    Change("transient", attribute("Volume", "kept") { $0.isTransient = true }),
    Change("attribute modifier", attribute("Volume", "kept") { $0.versionHashModifier = "1" }),
    Change(
      "history", attribute("Volume", "kept") { $0.preservesValueInHistoryOnDeletion = false }),
    Change(
      "external storage", attribute("Item", "Zeta") { $0.allowsExternalBinaryDataStorage = true }),
    Change("relationship name", relationship("Shelf", "volumes") { $0.name = "books" }),
    Change(
      "destination",
      relationship("Shelf", "volumes") { $0.destinationEntity = $0.entity }),
    Change("inverse", relationship("Shelf", "volumes") { $0.inverseRelationship = nil }),
    Change("least count", relationship("Shelf", "volumes") { $0.minCount = 2 }),
    Change("greatest count", relationship("Shelf", "volumes") { $0.maxCount = 9 }),
    Change("ordered", relationship("Shelf", "volumes") { $0.isOrdered = false }),
    Change(
      "composite's element",
      attribute("Shelf", "place") {
        ($0 as? NSCompositeAttributeDescription)?.elements[0].name = "line"
      }),
    Change(
      "derivation",
      attribute("Shelf", "volumesCount") {
        ($0 as? NSDerivedAttributeDescription)?.derivationExpression = try .parsing("Zeta")
      }),
  ]
}
