import Foundation
import OpenCoreData
import OpenObjectModel
import OpenSwiftData
import Testing

/// Models for testing how schemas interpret declarations.
enum Garden {
  struct Place: Codable {
    var bed: Int
    var note: String?
  }

  @Model
  class Plant {
    #Unique<Plant>([\.name, \.year])
    #Index<Plant>([\.kind])
    @Attribute(originalName: "title", hashModifier: "2") var name: String = "none"
    var year: Int16 = 3
    var kind: Mood = Mood.happy
    var place: Place?
    @Attribute(.codable) var whole: Place?
    @Attribute(.ephemeral) var height: Double = 1
    @Attribute(.externalStorage, .preserveValueOnDeletion) var photo: Data?
    @Attribute(.transformable(by: "Colors")) var color: String?
    var tags: [String] = ["new"]
    @Relationship(deleteRule: .deny, minimumModelCount: 1, maximumModelCount: 9) var bugs: [Bug] =
      []

    init() {}
  }

  /// A subclass with the metadata that `@Model` would generate.
  final class Tree: Plant {
    var rings: Int {
      get { 0 }
      set {}
    }

    override class var schemaMetadata: [Schema.PropertyMetadata] {
      super.schemaMetadata + [.init(name: "rings", keypath: \Tree.rings, defaultValue: 0)]
    }
  }

  @Model
  final class Bug {
    var plant: Plant?
    var friends: [Bug] = []
    var colonies: [Colony] = []
    init() {}
  }

  @Model
  final class Colony {
    var bugs: [Bug] = []
    var queen: Bug?
    init() {}
  }

  @Model
  final class Owner {
    var pets: [Pet] = []
    var house: House
    init(_ house: House) { self.house = house }
  }

  @Model
  final class Pet {
    var owner: Owner
    init(_ owner: Owner) { self.owner = owner }
  }

  @Model
  final class House {
    var owners: [Owner] = []
    init() {}
  }
}

@Model
final class Outer {
  var inner: Inner? = Inner()
  init() {}
}

@Model
final class Inner {
  var outer: Outer?
  init() {}
}

/// Models that cannot be stored.
enum Wrong {
  @Model
  final class Bug {
    var name: String = ""
    init() {}
  }

  @Model
  final class Source {
    @Relationship(inverse: \Stranger.target) var target: Target?
    init() {}
  }

  @Model
  final class Target {
    var source: Source?
    init() {}
  }

  @Model
  final class Stranger {
    var target: Target?
    init() {}
  }

  @Model
  final class Counted {
    @Relationship(minimumModelCount: 3, maximumModelCount: 2) var bugs: [Bug] = []
    init() {}
  }

  @Model
  final class Negative {
    @Relationship(minimumModelCount: -1) var bugs: [Bug] = []
    init() {}
  }

  @Model
  final class Single {
    @Relationship(maximumModelCount: 1) var bugs: [Bug] = []
    init() {}
  }

  @Model
  final class Lists {
    @Attribute(.unique) var names: [String] = []
    init() {}
  }

  @Model
  final class Marked {
    @Attribute(.externalStorage) var bug: Bug?
    init() {}
  }

  @Model
  final class Structured {
    @Attribute(.unique) var place: Garden.Place?
    init() {}
  }

  @Model
  final class Encoded {
    @Attribute(.unique, .codable) var place: Garden.Place?
    init() {}
  }

  @Model
  final class External {
    @Attribute(.unique, .externalStorage) var place: Data?
    init() {}
  }
}

@Model
private final class EncodedLists {
  #Index<EncodedLists>([\.places], [\.name, \.tags])
  var name = ""
  var tags: [String] = []
  var places: [Garden.Place] = []
  init() {}
}

@Suite("Schemas of model types")
struct SchemaTests {
  private let schema = Schema([Garden.Tree.self, Garden.Bug.self])

  // MARK: Types

  @Test("the parts of a schema can be passed to other tasks, and describe themselves")
  func sendableParts() async throws {
    let entity = try #require(Library.schema.entitiesByName["Book"])
    let attribute = try #require(entity.attributesByName["isbn"])
    let relationship = try #require(entity.relationshipsByName["chapters"])
    let texts = await Task.detached {
      [entity.debugDescription, attribute.debugDescription, relationship.debugDescription]
    }.value
    #expect(texts[0].contains("name: \"Book\""), "\(texts[0])")
    #expect(texts[1].contains("name: \"isbn\""), "\(texts[1])")
    #expect(texts[2].contains("deleteRule: cascade"), "\(texts[2])")
  }

  @Test("superclasses and destinations are added, subclasses only if they are listed")
  func types() {
    #expect(Set(schema.entities.map(\.name)) == ["Plant", "Tree", "Bug", "Colony"])
    #expect(Set(Schema(Garden.Plant.self).entities.map(\.name)) == ["Plant", "Bug", "Colony"])
    #expect(Schema.entityName(for: Garden.Bug.self) == "Bug")
    #expect(schema.entity(for: Garden.Tree.self)?.superentityName == "Plant")
    #expect(schema.entity(for: Garden.Owner.self) == nil)
    #expect(schema.entity(for: Wrong.Bug.self) == nil)
    #expect(schema.entity(for: Garden.Tree.self)?.storedProperties.map(\.name) == ["rings"])
    #expect(schema.entity(for: Garden.Tree.self)?.attributesByName["name"]?.originalName == "title")
  }

  @Test("schemas with equal versions and entities are equal, regardless of the order of the types")
  func equality() {
    #expect(schema == Schema([Garden.Bug.self, Garden.Tree.self]))
    #expect(schema != Schema([Garden.Bug.self]))
    #expect(schema != Schema([Garden.Tree.self, Garden.Bug.self], version: .init(2, 0, 0)))
    #expect(Schema.Version(1, 2, 3) < Schema.Version(1, 10, 0))
  }

  @Test("equal schemas share one compiled model")
  func sharing() throws {
    let one = try schema.managedObjectModel()
    #expect(try Schema([Garden.Bug.self, Garden.Tree.self]).managedObjectModel() === one)
    #expect(try Schema.model(for: [Garden.Bug.self], version: .init(2, 0, 0)) !== one)
    #expect(one.isFrozen)
  }

  @Test("a schema is written to a file and read back with an equal model")
  func files() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    try schema.save(to: url)
    let read = try Schema.load(from: url)
    #expect(read == schema)
    let lines = facts(of: try read.managedObjectModel())
    #expect(lines == facts(of: try schema.managedObjectModel()))
    try Data("{".utf8).write(to: url)
    #expect(throws: DecodingError.self) { try Schema.load(from: url) }
  }

  @Test("a default value can be a model that refers back")
  func modelsAsDefaults() throws {
    let model = try Schema([Outer.self]).managedObjectModel()
    #expect(
      model.entitiesByName["Outer"]?.relationshipsByName["inner"]?.inverseRelationship?.name
        == "outer")
    #expect(Outer().inner != nil)
  }

  // MARK: Models

  private func attribute(_ name: String) throws -> NSAttributeDescription {
    let model = try schema.managedObjectModel()
    return try #require(model.entitiesByName["Plant"]?.attributesByName[name])
  }

  @Test("attributes have the types, defaults and options of their declarations")
  func attributes() throws {
    #expect(try attribute("name").renamingIdentifier == "title")
    #expect(try attribute("name").versionHashModifier == "2")
    #expect(try attribute("name").defaultValue as? String == "none")
    #expect(try attribute("year").type == .integer16)
    #expect(try attribute("year").defaultValue as? Int64 == 3)
    #expect(try attribute("kind").userInfo?["EnumType"] as? Bool == true)
    #expect(try attribute("kind").defaultValue == nil)
    let kind = try #require(try attribute("kind") as? NSCompositeAttributeDescription)
    #expect(kind.elements.map { $0.defaultValue as? String } == ["happy"])
    #expect(try attribute("whole").type == .binaryData)
    #expect(try attribute("height").isTransient)
    #expect(try attribute("photo").allowsExternalBinaryDataStorage)
    #expect(try attribute("photo").preservesValueInHistoryOnDeletion)
    #expect(try attribute("color").type == .transformable)
    #expect(try attribute("color").valueTransformerName == "Colors")
    #expect(try attribute("tags").attributeValueClassName == "Array<String>")
    #expect(try attribute("tags").valueTransformerName == "NSSecureUnarchiveFromData")
    let place = try #require(try attribute("place") as? NSCompositeAttributeDescription)
    #expect(place.elements.map(\.name) == ["bed", "note"])
    #expect(place.elements.map(\.isOptional) == [true, true])
  }

  @Test("constraints and indexes, of an enumeration by its element")
  func constraints() throws {
    let plant = try #require(try schema.managedObjectModel().entitiesByName["Plant"])
    #expect(plant.uniquenessConstraints as? [[String]] == [["name", "year"]])
    #expect(plant.indexes.map(\.name) == ["SwiftDataIndexOnBinarykind"])
    #expect(plant.indexes.first?.elements.map(\.propertyName) == ["kind.kind"])
    let tree = try #require(try schema.managedObjectModel().entitiesByName["Tree"])
    #expect(tree.superentity === plant)
    #expect(tree.uniquenessConstraints.isEmpty && tree.indexes.isEmpty)
  }

  @Test("unique attributes are uniqueness constraints of their entity")
  func uniqueAttributes() {
    #expect(Library.schema.entity(for: Book.self)?.uniquenessConstraints == [["isbn"]])
  }

  @Test("an index omits properties whose values are encoded")
  func encodedIndex() throws {
    let model = try Schema([EncodedLists.self]).managedObjectModel()
    let indexes = try #require(model.entitiesByName["EncodedLists"]).indexes
    #expect(indexes.map { $0.elements.map(\.propertyName) } == [["name"]])
  }

  private func inverse(_ entity: String, _ name: String, in schema: Schema) throws -> String? {
    let model = try schema.managedObjectModel()
    let relationship = model.entitiesByName[entity]?.relationshipsByName[name]
    return try #require(relationship).inverseRelationship?.name
  }

  @Test(
    "an inverse is inferred where it is unambiguous, to-one sides are optional, and one side is to-one"
  )
  func inverses() throws {
    #expect(try inverse("Plant", "bugs", in: schema) == "plant")
    #expect(try inverse("Bug", "plant", in: schema) == "bugs")
    #expect(try inverse("Bug", "friends", in: schema) == nil)
    // Two relationships of a colony lead to bugs.
    #expect(try inverse("Bug", "colonies", in: schema) == nil)
    let owners = Schema([Garden.Owner.self])
    #expect(try inverse("Owner", "pets", in: owners) == nil)
    #expect(try inverse("House", "owners", in: owners) == nil)
  }

  @Test("relationships have their counts and delete rules")
  func relationships() throws {
    let model = try schema.managedObjectModel()
    let bugs = try #require(model.entitiesByName["Plant"]?.relationshipsByName["bugs"])
    #expect(bugs.minCount == 1 && bugs.maxCount == 9 && bugs.deleteRule == .denyDeleteRule)
    #expect(!bugs.isOptional && !bugs.isOrdered)
    let plant = try #require(model.entitiesByName["Bug"]?.relationshipsByName["plant"])
    #expect(plant.maxCount == 1 && plant.isOptional && plant.deleteRule == .nullifyDeleteRule)
  }

  @Test("a Core Data stack gets an equal model, alone and merged with another one")
  func bridge() throws {
    let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: schema))
    #expect(!model.isFrozen)
    let hashes = try schema.managedObjectModel().entityVersionHashesByName
    #expect(model.entityVersionHashesByName == hashes)
    let merged = try NSManagedObjectModel.model(
      for: Schema(Lonely.self), mergedWith: model)
    #expect(merged.entitiesByName.keys.contains("Plant"))
    #expect(merged.entitiesByName.keys.contains("Lonely"))
    #expect(NSManagedObjectModel.makeManagedObjectModel(for: Wrong.Source.self) == nil)
  }

  // MARK: Errors

  private func error(_ types: any PersistentModel.Type...) -> SchemaError? {
    do {
      _ = try Schema(types).managedObjectModel()
      return nil
    } catch { return error }
  }

  @Test("an invalid declaration causes an error that names the entity and the property")
  func errors() {
    #expect(error(Garden.Bug.self, Wrong.Bug.self)?.code == .duplicateName)
    let inverse = error(Wrong.Source.self)
    #expect(inverse?.code == .wrongInverse)
    #expect(inverse?.entityName == "Source" && inverse?.propertyName == "target")
    for type in [Wrong.Counted.self, Wrong.Negative.self, Wrong.Single.self]
      as [any PersistentModel.Type]
    {
      let count = error(type)
      #expect(count?.code == .wrongCount)
      #expect(count?.entityName == "\(type)" && count?.propertyName == "bugs")
    }
    #expect(error(Wrong.Lists.self)?.code == .unsupportedConstraint)
    for type in [Wrong.Structured.self, Wrong.Encoded.self, Wrong.External.self]
      as [any PersistentModel.Type]
    {
      let column = error(type)
      #expect(column?.code == .unsupportedConstraint && column?.propertyName == "place")
    }
    let marked = error(Wrong.Marked.self)
    #expect(marked?.code == .wrongDeclaration && marked?.propertyName == "bug")
    let negative = Schema([Wrong.Bug.self], version: .init(-1, 0, 0))
    #expect(throws: SchemaError.self) { try negative.managedObjectModel() }
    let targets = Schema.Relationship(.unique)
    targets.name = "targets"
    targets.destination = "Manifold"
    targets.valueType = [Wrong.Target].self
    let manifold = Schema(Schema.Entity("Manifold", properties: targets))
    let refused = #expect(throws: SchemaError.self) { try manifold.managedObjectModel() }
    #expect(refused?.code == .unsupportedConstraint && refused?.propertyName == "targets")
    let missing = Schema.Relationship()
    missing.name = "other"
    missing.destination = "Nobody"
    missing.valueType = Wrong.Bug?.self
    let entity = Schema.Entity("Alone", properties: missing)
    #expect(throws: SchemaError.self) { try Schema(entity).managedObjectModel() }
  }

  @Test("a schema of entities has their model")
  func entities() throws {
    let name = Schema.Attribute(name: "name", options: [.unique], valueType: String.self)
    let child = Schema.Entity(
      "Child", properties: Schema.Attribute(name: "age", valueType: Int.self))
    let entity = Schema.Entity("Parent", subentities: child, properties: name)
    let model = try Schema(entity).managedObjectModel()
    #expect(model.entitiesByName["Child"]?.attributesByName.keys.sorted() == ["age", "name"])
    #expect(model.entitiesByName["Parent"]?.uniquenessConstraints as? [[String]] == [["name"]])
  }
}
