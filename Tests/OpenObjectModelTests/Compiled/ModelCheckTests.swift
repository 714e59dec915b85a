import Foundation
import OpenObjectModel
import Testing

@Suite("Checks of a model")
struct ModelCheckTests {
  private let library = LibraryModel()

  private func failure(_ model: NSManagedObjectModel? = nil) -> ModelError? {
    let model = model ?? library.model
    return ModelFolder.error { () throws(ModelError) in _ = try model.compiled() }
  }

  @Test("an entity without a name is rejected")
  func namelessEntity() {
    library.note.name = nil
    #expect(failure()?.code == .missingName)
  }

  @Test("a property without a name is rejected")
  func namelessProperty() {
    #expect(failure(LibraryModel.item([NSAttributeDescription()]))?.code == .missingName)
  }

  @Test("two entities with the same name are rejected")
  func duplicateEntity() {
    library.note.name = "book"
    #expect(failure()?.code == .duplicateName)
    #expect(failure()?.entityName == "book")
  }

  @Test(
    "entities whose names differ only in case are rejected", arguments: ["BOOK", "Book", "bOOk"])
  func sameNameButForCase(_ name: String) {
    library.note.name = name
    #expect(failure()?.code == .duplicateName)
  }

  @Test("a uniqueness constraint that is listed twice, or lists a property twice, is rejected")
  func repeatedConstraint() {
    library.publication.uniquenessConstraints = [["ISBN"], ["title"], ["ISBN"]]
    let error = failure()
    #expect(error?.code == .duplicateName)
    #expect(error?.entityName == "Publication")
    #expect(error?.propertyName == "ISBN")
    library.publication.uniquenessConstraints = [["title", "ISBN"], ["title", "ISBN"]]
    #expect(failure()?.code == .duplicateName)
    library.publication.uniquenessConstraints = [["title", "title"]]
    #expect(failure()?.code == .duplicateName)
    library.publication.uniquenessConstraints = [["title", "ISBN"], ["ISBN", "title"], ["ISBN"]]
    #expect(failure() == nil)
  }

  @Test("two fetch indexes with the same name, ignoring case, are rejected")
  func repeatedIndex() {
    func index(_ name: String) -> NSFetchIndexDescription {
      let element = NSFetchIndexElementDescription(
        property: library.publication.properties[0], collationType: .binary)
      return NSFetchIndexDescription(name: name, elements: [element])
    }
    library.publication.indexes = [index("byTitle"), index("bytitle")]
    #expect(failure()?.code == .duplicateName)
    library.publication.indexes = [index("byTitle"), index("byTitles")]
    #expect(failure() == nil)
  }

  @Test("a property with the name of an inherited property is rejected")
  func duplicateProperty() {
    library.atlas.properties += [LibraryModel.attribute("title", .string)]
    let error = failure()
    #expect(error?.code == .duplicateName)
    #expect(error?.entityName == "Atlas")
    #expect(error?.propertyName == "title")
  }

  @Test("an entity that is its own ancestor is rejected")
  func circle() {
    library.atlas.subentities = [library.publication]
    #expect(failure()?.code == .cyclicParents)
    library.atlas.subentities = []
    library.note.subentities = [library.note]
    #expect(failure()?.code == .cyclicParents)
  }

  @Test("a subentity of two parents is rejected")
  func twoParents() {
    library.note.subentities = [library.atlas]
    let error = failure()
    #expect(error?.code == .sharedDescription)
    #expect(error?.entityName == "book")
  }

  @Test("a cycle hidden by a newer parent is rejected")
  func staleCircle() {
    library.atlas.subentities = [library.publication]
    library.note.subentities = [library.publication]
    #expect(failure()?.code == .sharedDescription)
  }

  @Test("a subentity listed twice is rejected")
  func repeatedChild() {
    library.note.subentities = [library.person, library.person]
    #expect(failure()?.code == .duplicateName)
  }

  @Test("parents and subentities must be in the model")
  func missingRelatives() {
    library.model.entities.removeAll { $0 === library.publication }
    #expect(failure()?.code == .unknownEntity)
    library.model.entities = [library.publication, library.person]
    #expect(failure()?.code == .unknownEntity)
  }

  @Test("the destination must be in the model")
  func missingDestination() {
    library.author.destinationEntity = nil
    let error = failure()
    #expect(error?.code == .unknownEntity)
    #expect(error?.propertyName == "author")
  }

  @Test("an inverse set on only one side is rejected")
  func oneSidedInverse() {
    library.works.inverseRelationship = nil
    let error = failure()
    #expect(error?.code == .danglingInverse)
    #expect(error?.entityName == "Publication")
  }

  @Test("an inverse outside the destination is rejected")
  func foreignInverse() {
    library.works.destinationEntity = library.note
    #expect(failure()?.code == .danglingInverse)
  }

  @Test("a relationship can be its own inverse or have none")
  func unusualInverses() throws {
    let friends = LibraryModel.relationship("friends", maxCount: 0)
    friends.destinationEntity = library.note
    friends.inverseRelationship = friends
    let seen = LibraryModel.relationship("seen", maxCount: 0)
    seen.destinationEntity = library.person
    library.note.properties = [friends, seen]
    let note = try #require(try library.model.compiled().entity(named: "Note"))
    #expect(note.properties[0].relationship?.inverseOrdinal == 0)
    #expect(note.properties[1].relationship?.inverseOrdinal == nil)
  }

  @Test("a stored attribute needs a type that can be stored")
  func types() {
    let item = { LibraryModel.item([LibraryModel.attribute("value", $0)]) }
    #expect(failure(item(.undefined))?.code == .undefinedType)
    #expect(failure(item(.objectID))?.code == .unsupportedType)
    #expect(failure(LibraryModel.item([composite()])) == nil)
    let empty = composite()
    empty.elements = []
    #expect(failure(LibraryModel.item([empty]))?.code == .unsupportedType)
    let twice = composite()
    twice.elements += [LibraryModel.attribute("city", .string)]
    #expect(failure(LibraryModel.item([twice]))?.code == .duplicateName)
  }

  private func composite() -> NSCompositeAttributeDescription {
    let composite = NSCompositeAttributeDescription()
    composite.name = "place"
    composite.elements = [LibraryModel.attribute("city", .string)]
    return composite
  }

  @Test("a composite attribute in more than 16 levels, or in itself, is rejected (D-477)")
  func deepComposite() throws {
    func nested(_ levels: Int) -> NSCompositeAttributeDescription {
      let outer = composite()
      if levels > 1 { outer.elements.append(nested(levels - 1)) }
      return outer
    }
    let deep = LibraryModel.item([nested(16)])
    #expect(failure(deep) == nil)
    let archive = try ModelArchive.write(deep, dialect: .mom)
    #expect(try ModelArchive.read(archive, path: "").entities.map(\.name) == ["Item"])
    #expect(failure(LibraryModel.item([nested(17)]))?.code == .unsupportedType)

    let endless = composite()
    endless.elements.append(endless)
    let model = LibraryModel.item([endless])
    #expect(failure(model)?.code == .unsupportedType)
    let writing = ModelFolder.error { () throws(ModelError) in
      _ = try ModelArchive.write(model, dialect: .mom)
    }
    #expect(writing?.code == .unarchivable)
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    let place = copy.entities.first?.attributesByName["place"] as? NSCompositeAttributeDescription
    #expect(place?.elements.last === place)
    endless.elements = []
    place?.elements = []
  }

  @Test("a derived attribute with a filter predicate is rejected (D-460)")
  func filteredDerivation() {
    let derived = NSDerivedAttributeDescription()
    derived.name = "shouted"
    derived.type = .string
    library.note.properties += [derived]
    derived.filteringPredicate = NSPredicate(value: true)
    #expect(failure()?.code == .unsupportedType)
    #expect(failure()?.propertyName == "shouted")
    derived.filteringPredicate = nil
    #expect(failure() == nil)
  }

  @Test("a property of two entities is rejected")
  func sharedProperty() {
    library.note.properties = [LibraryModel.attribute("text", .string)]
    library.person.properties += [library.note.properties[0]]
    #expect(failure()?.code == .sharedDescription)
  }

  @Test("constraints and indexes must name properties of the entity")
  func unknownProperties() {
    library.note.uniquenessConstraints = [["text", "missing"]]
    #expect(failure()?.code == .unknownProperty)
    #expect(failure()?.propertyName == "missing")
    library.note.uniquenessConstraints = []
    let foreign = NSFetchIndexElementDescription(property: library.author, collationType: .binary)
    library.note.indexes = [NSFetchIndexDescription(name: "odd", elements: [foreign])]
    #expect(failure()?.code == .unknownProperty)
  }

  /// Apple, NSFetchIndexElementDescription.init(property:collationType:) and uniquenessConstraints:
  /// both accept descriptions of properties.
  @Test("an index and a constraint may contain an element of a composite as a description")
  func describedElements() throws {
    let zip = LibraryModel.attribute("zip", .integer32)
    let place = NSCompositeAttributeDescription()
    (place.name, place.elements) = ("place", [zip, LibraryModel.attribute("city", .string)])
    let address = NSCompositeAttributeDescription()
    (address.name, address.elements) = ("address", [place])
    let model = LibraryModel.item([address])
    let item = try #require(model.entities.first)
    let element = NSFetchIndexElementDescription(property: zip, collationType: .binary)
    item.indexes = [NSFetchIndexDescription(name: "byZip", elements: [element])]
    item.uniquenessConstraints = [[zip]]
    #expect(element.propertyName == "address.place.zip")
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    for model in [model, copy] {
      let compiled = try #require(try model.compiled().entity(named: "Item"))
      let indexed = compiled.fetchIndexes.flatMap(\.elements).map(\.propertyName)
      #expect(indexed == ["address.place.zip"])
      #expect(compiled.uniquenessConstraints == [["address.place.zip"]])
    }
  }

  @Test("a rejected model can be corrected and used")
  func correction() throws {
    library.works.inverseRelationship = nil
    #expect(failure() != nil)
    #expect(!library.model.isFrozen)
    library.works.inverseRelationship = library.author
    #expect(try library.model.compiled().entities.count == 6)
  }

  @Test("an error contains the problem, the location and the remedy")
  func description() {
    library.works.inverseRelationship = nil
    #expect(
      failure()?.description
        == "The inverse of a relationship does not refer back to the relationship. Set inverseRelationship for "
        + "both relationships. Entity: Publication. Property: author.")
  }
}
