import Foundation
import OpenObjectModel
import Testing

@Suite("Descriptions")
struct DescriptionTests {
  private let library = LibraryModel()

  @Test("new descriptions have Apple's defaults")
  func defaults() {
    let attribute = NSAttributeDescription()
    #expect(attribute.isOptional)
    #expect(!attribute.isTransient)
    #expect(NSFetchedPropertyDescription().isTransient)
    #expect(attribute.userInfo?.isEmpty == true)
    #expect(attribute.attributeType == .undefinedAttributeType)
    let relationship = NSRelationshipDescription()
    #expect(relationship.deleteRule == .nullifyDeleteRule)
    #expect(relationship.isToMany)
    #expect(relationship.minCount == 0)
    let entity = NSEntityDescription()
    #expect(entity.managedObjectClassName == "NSManagedObject")
    #expect(entity.name == nil)
    #expect(entity.userInfo?.isEmpty == true)
  }

  @Test("both spellings of the attribute type agree")
  func typeSpellings() {
    let attribute = NSAttributeDescription()
    attribute.attributeType = .dateAttributeType
    #expect(attribute.type == .date)
    attribute.type = .uuid
    #expect(attribute.attributeType == .UUIDAttributeType)
    #expect(attribute.attributeValueClassName == "NSUUID")
  }

  @Test("a default value can be cast to any number type, whatever type it was given in")
  func numberDefaults() {
    let attribute = NSAttributeDescription()
    for value in [5, Int16(5), Int64(5), 5.0, Float(5), NSNumber(value: 5)] as [Any] {
      attribute.defaultValue = value
      #expect(attribute.defaultValue as? Int16 == 5, "\(type(of: value))")
      #expect(attribute.defaultValue as? Int32 == 5, "\(type(of: value))")
      #expect(attribute.defaultValue as? Double == 5, "\(type(of: value))")
      #expect(attribute.defaultValue is NSNumber, "\(type(of: value))")
    }
    attribute.defaultValue = true
    #expect(attribute.defaultValue as? Bool == true && attribute.defaultValue is NSNumber)
    attribute.defaultValue = "text"
    #expect(attribute.defaultValue as? String == "text")
    attribute.defaultValue = nil
    #expect(attribute.defaultValue == nil)
  }

  @Test("a missing class name means NSManagedObject")
  func className() {
    library.book.managedObjectClassName = nil
    #expect(library.book.managedObjectClassName == "NSManagedObject")
  }

  @Test("an entity has inherited and own properties, attributes and relationships by name")
  func inheritance() {
    #expect(
      Set(library.atlas.propertiesByName.keys)
        == ["title", "author", "ISBN", "pages", "price", "scale"])
    #expect(library.atlas.attributesByName["scale"]?.type == .double)
    #expect(library.atlas.relationshipsByName["author"]?.destinationEntity === library.person)
    #expect(library.atlas.superentity === library.book)
    #expect(library.publication.subentitiesByName.keys.sorted() == ["Magazine", "book"])
    #expect(library.atlas.isKindOf(entity: library.publication))
    #expect(!library.publication.isKindOf(entity: library.atlas))
    #expect(library.book.relationships(forDestination: library.person).map(\.name) == ["author"])
  }

  @Test("properties, entities and indexes refer to their owners")
  func owners() {
    let element = NSFetchIndexElementDescription(property: library.author, collationType: .rTree)
    let index = NSFetchIndexDescription(name: "index", elements: [element])
    library.publication.indexes = [index]
    #expect(library.author.entity === library.publication)
    #expect(library.book.managedObjectModel === library.model)
    #expect(index.entity === library.publication)
    #expect(element.indexDescription === index)
    #expect(element.propertyName == "author")
  }

  @Test("setting the properties drops the indexes")
  func droppedIndexes() {
    library.note.indexes = [NSFetchIndexDescription(name: "index", elements: nil)]
    library.note.properties = library.note.properties
    #expect(library.note.indexes.isEmpty)
  }

  @Test("constraints read back as names")
  func constraints() {
    library.publication.uniquenessConstraints = [[library.author, "title"]]
    #expect(library.publication.uniquenessConstraints as? [[String]] == [["author", "title"]])
  }

  @Test("renaming identifiers are the names unless they are set")
  func renaming() {
    #expect(library.book.renamingIdentifier == "book")
    library.book.renamingIdentifier = "Volume"
    #expect(library.book.renamingIdentifier == "Volume")
    #expect(library.author.renamingIdentifier == "author")
  }

  @Test("models have entities by name and configurations, including the default configuration")
  func configurations() {
    library.model.setEntities([library.note], forConfigurationName: "Local")
    #expect(library.model.entitiesByName["Note"] === library.note)
    #expect(library.model.configurations == ["Local", "PF_DEFAULT_CONFIGURATION_NAME"])
    for name in library.model.configurations {
      #expect(library.model.entities(forConfigurationName: name)?.isEmpty == false)
    }
    #expect(library.model.entities(forConfigurationName: "Local")?.map(\.name) == ["Note"])
    library.model.setEntities(
      [library.note], forConfigurationName: "PF_DEFAULT_CONFIGURATION_NAME")
    #expect(library.model.entities(forConfigurationName: nil)?.count == 6)
    #expect(
      library.model.entities(forConfigurationName: "PF_DEFAULT_CONFIGURATION_NAME")?.count == 6)
    #expect(library.model.configurations == ["Local", "PF_DEFAULT_CONFIGURATION_NAME"])
    #expect(library.model.entities(forConfigurationName: "Cloud") == nil)
  }

  @Test("validation predicates and their messages are kept in pairs")
  func validation() throws {
    let attribute = LibraryModel.attribute("pages", .integer32)
    attribute.setValidationPredicates(
      [NSPredicate { value, _ in (value as? Int ?? 0) > 0 }],
      withValidationWarnings: ["too thin"])
    #expect(attribute.validationWarnings as? [String] == ["too thin"])
    let compiled = try LibraryModel.item([attribute]).compiled()
    let validation = try #require(compiled.entities[0].properties[0].attribute?.validations.first)
    #expect(validation.accepts(3))
    #expect(!validation.accepts(0))
    #expect(validation.warning == "too thin")
    #expect(validation.code == 1550)
  }
}
