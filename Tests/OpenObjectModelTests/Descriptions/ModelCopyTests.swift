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
