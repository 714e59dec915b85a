import Foundation
import OpenObjectModel
import OpenPredicates
import Testing

@Suite("Copies, merged models and frozen models")
struct ModelCopyTests {
  private let library = LibraryModel()

  @Test("a copy of a model in use can be changed and shares nothing")
  func deepCopy() throws {
    library.model.versionIdentifiers = ["2"]
    library.model.setEntities([library.note], forConfigurationName: "Local")
    library.publication.uniquenessConstraints = [["ISBN"]]
    let element = NSFetchIndexElementDescription(property: library.author, collationType: .binary)
    library.book.indexes = [NSFetchIndexDescription(name: "byAuthor", elements: [element])]
    let original = try library.model.compiled()
    let copy = try #require(library.model.copy() as? NSManagedObjectModel)
    #expect(!copy.isFrozen)
    copy.entitiesByName["Note"]?.name = "Memo"
    #expect(library.note.name == "Note")
    let compiled = try copy.compiled()
    #expect(
      compiled.entities.map(\.name) == [
        "Memo", "person", "Publication", "book", "Atlas", "Magazine",
      ])
    for (one, other) in zip(original.entities, compiled.entities) {
      #expect(one.properties.map(\.name) == other.properties.map(\.name))
      #expect(one.properties.map(\.byteOffset) == other.properties.map(\.byteOffset))
      #expect(one.uniquenessConstraints == other.uniquenessConstraints)
      #expect(one.fetchIndexes == other.fetchIndexes)
    }
    #expect(copy.versionIdentifiers == ["2"])
    #expect(copy.entities(forConfigurationName: "Local")?.map(\.name) == ["Memo"])
  }

  @Test("a copy keeps all properties of a description")
  func completeCopy() throws {
    let composite = NSCompositeAttributeDescription()
    composite.name = "place"
    composite.elements = [LibraryModel.attribute("city", .string)]
    let derived = NSDerivedAttributeDescription()
    derived.name = "pageCount"
    derived.type = .integer64
    derived.derivationExpression = try .parsing("pages.@count")
    let data = LibraryModel.attribute("cover", .binaryData)
    data.allowsExternalBinaryDataStorage = true
    data.preservesValueInHistoryOnDeletion = true
    data.isOptional = false
    data.isIndexed = true
    data.renamingIdentifier = "image"
    data.userInfo = ["key": "value"]
    let model = LibraryModel.item([composite, derived, data])
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    let item = try #require(copy.entitiesByName["Item"])
    let place = item.attributesByName["place"] as? NSCompositeAttributeDescription
    #expect(place?.elements.map(\.name) == ["city"])
    #expect(place?.elements.map(\.type) == [.string])
    let count = item.attributesByName["pageCount"] as? NSDerivedAttributeDescription
    #expect(count?.derivationExpression?.description == "pages.@count")
    let cover = try #require(item.attributesByName["cover"])
    #expect(cover !== data)
    #expect(cover.allowsExternalBinaryDataStorage && cover.preservesValueInHistoryOnDeletion)
    #expect(!cover.isOptional && cover.isIndexed)
    #expect(cover.renamingIdentifier == "image")
    #expect(cover.userInfo?["key"] as? String == "value")
  }

  @Test("copies of single descriptions have no owner")
  func detachedCopies() throws {
    let book = try #require(library.book.copy() as? NSEntityDescription)
    #expect(book.name == "book")
    #expect(book.properties.map(\.name) == ["pages", "price"])
    #expect(book.superentity == nil)
    #expect(book.subentities.isEmpty)
    let author = try #require(library.author.copy() as? NSRelationshipDescription)
    #expect(author.destinationEntity === library.person)
    #expect(author.inverseRelationship == nil)
    #expect(!author.isToMany)
  }

  @Test("copies of entities in a new model lead to each other, and are inverses by name")
  func modelOfCopies() throws {
    let copies = [library.person, library.publication].compactMap {
      $0.copy() as? NSEntityDescription
    }
    let model = NSManagedObjectModel()
    model.entities = copies
    let author = try #require(model.entitiesByName["Publication"]?.relationshipsByName["author"])
    #expect(author.destinationEntity === model.entitiesByName["person"])
    #expect(author.inverseRelationship?.inverseRelationship === author)
    #expect(
      model.entityVersionHashesByName["person"] == library.model.entityVersionHashesByName["person"]
    )
    let person = try #require(try model.compiled().entity(named: "person"))
    #expect(person.properties.compactMap(\.relationship?.inverseOrdinal).count == 1)
  }

  @Test("copies of two inverse relationships are inverses in each pair of entities")
  func copiedPairs() throws {
    let node = LibraryModel.relationship("node", maxCount: 1)
    let parts = LibraryModel.relationship("parts", maxCount: 0)
    (node.inverseRelationship, parts.inverseRelationship) = (parts, node)
    var entities: [NSEntityDescription] = []
    for name in ["Action", "Entity"] {
      let (owner, part) = (NSEntityDescription(), NSEntityDescription())
      (owner.name, part.name) = (name, name + "Part")
      (node.destinationEntity, parts.destinationEntity) = (owner, part)
      owner.properties = [parts.copy()].compactMap { $0 as? NSPropertyDescription }
      part.properties = [node.copy()].compactMap { $0 as? NSPropertyDescription }
      entities += [owner, part]
    }
    let model = NSManagedObjectModel()
    model.entities = entities
    for entity in try model.compiled().entities {
      let relationship = try #require(entity.properties.first?.relationship)
      #expect(relationship.inverseOrdinal == 0, "\(entity.name)")
    }
  }

  @Test("a copy of an index is separate, and keeps inherited properties")
  func copiedIndexes() throws {
    let element = NSFetchIndexElementDescription(property: library.author, collationType: .binary)
    element.isAscending = false
    library.book.indexes = [NSFetchIndexDescription(name: "byAuthor", elements: [element])]
    let book = try #require(library.book.copy() as? NSEntityDescription)
    #expect(book.indexes.first?.elements.map(\.propertyName) == ["author"])
    let index = try #require(library.book.indexes.first?.copy() as? NSFetchIndexDescription)
    index.name = "other"
    #expect(index.elements.map(\.isAscending) == [false])
    library.atlas.indexes = [index]
    #expect(library.book.indexes.map(\.name) == ["byAuthor"])
    #expect(library.book.indexes.first?.entity === library.book)
  }

  @Test("a merged entity keeps an index of a property that another model's entity now declares")
  func mergedIndexes() throws {
    let models = ["Book", "Magazine"].map { name in
      let (base, child) = (NSEntityDescription(), NSEntityDescription())
      (base.name, child.name) = ("Publication", name)
      let title = LibraryModel.attribute("title", .string)
      base.properties = [title]
      base.subentities = [child]
      let element = NSFetchIndexElementDescription(property: title, collationType: .binary)
      child.indexes = [NSFetchIndexDescription(name: "byTitle", elements: [element])]
      let model = NSManagedObjectModel()
      model.entities = [base, child]
      return model
    }
    let compiled = try #require(NSManagedObjectModel(byMerging: models)).compiled()
    for name in ["Book", "Magazine"] {
      let index = compiled.entity(named: name)?.fetchIndexes.first
      #expect(index?.elements.map(\.propertyName) == ["title"], "\(name)")
    }
  }

  @Test("merging joins entities and identifiers, and redirects relationships to merged entities")
  func merging() throws {
    let other = LibraryModel()
    other.model.versionIdentifiers = ["b"]
    library.model.versionIdentifiers = ["a"]
    let extra = LibraryModel.item([LibraryModel.attribute("name", .string)])
    let merged = try #require(
      NSManagedObjectModel(byMerging: [library.model, other.model, extra]))
    #expect(merged.versionIdentifiers == ["a", "b"])
    let compiled = try merged.compiled()
    #expect(
      compiled.entities.map(\.name) == [
        "Item", "Note", "person", "Publication", "book", "Atlas", "Magazine",
      ])
    #expect(compiled.entities[5].superIndex == 4)
    #expect(library.book.managedObjectModel === library.model)
  }

  @Test("different entities with the same name cannot be merged")
  func conflict() {
    let one = LibraryModel.item([LibraryModel.attribute("name", .string)])
    let other = LibraryModel.item([LibraryModel.attribute("name", .integer64)])
    #expect(NSManagedObjectModel(byMerging: [one, other]) == nil)
    #expect(NSManagedObjectModel(byMerging: [])?.entities.isEmpty == true)
  }

  @Test("changing an entity of a model in use stops the program")
  func frozenEntity() async {
    await #expect(processExitsWith: .failure) {
      let library = LibraryModel()
      // A thrown error would also be a failure of the process.
      guard (try? library.model.compiled()) != nil else { return }
      library.book.name = "Volume"
    }
  }

  @Test("changing a property of a model in use stops the program")
  func frozenProperty() async {
    await #expect(processExitsWith: .failure) {
      let library = LibraryModel()
      // A thrown error would also be a failure of the process.
      guard (try? library.model.compiled()) != nil else { return }
      library.author.deleteRule = .denyDeleteRule
    }
  }

  @Test("user info of a model in use can be changed")
  func mutableUserInfo() throws {
    _ = try library.model.compiled()
    library.author.userInfo?["key"] = 1
    #expect(library.author.userInfo?.count == 1)
  }
}
