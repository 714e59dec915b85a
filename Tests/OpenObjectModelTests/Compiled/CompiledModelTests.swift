import Foundation
import OpenObjectModel
import OpenPredicates
import Synchronization
import Testing

@Suite("Compiled models")
struct CompiledModelTests {
  private let library = LibraryModel()

  @Test("entities are numbered depth first, siblings by name without regard to case")
  func numbering() throws {
    let compiled = try library.model.compiled()
    #expect(
      compiled.entities.map(\.name) == [
        "Note", "person", "Publication", "book", "Atlas", "Magazine",
      ])
    #expect(compiled.entities.map(\.index) == [0, 1, 2, 3, 4, 5])
    #expect(compiled.entities.map(\.superIndex) == [nil, nil, nil, 2, 3, 2])
    #expect(compiled.entities.map(\.rootIndex) == [0, 1, 2, 2, 2, 2])
    #expect(compiled.entities.map(\.subtree) == [0..<1, 1..<2, 2..<6, 3..<5, 4..<5, 5..<6])
  }

  @Test("properties are ordered by the bytes of their names, the inherited ones first")
  func ordinals() throws {
    let compiled = try library.model.compiled()
    let atlas = try #require(compiled.entity(named: "Atlas"))
    #expect(
      atlas.properties.map(\.name) == ["ISBN", "author", "title", "pages", "price", "scale"])
    #expect(atlas.properties.map(\.ordinal) == Array(0..<6))
    #expect(atlas.properties.map(\.declaringEntityIndex) == [2, 2, 2, 3, 3, 4])
    #expect(atlas.ordinal(of: "price") == 4)
    #expect(atlas.ordinal(of: "issue") == nil)
  }

  @Test("a superentity's ordinals, slots and offsets are a prefix of its subentities'")
  func prefixes() throws {
    let compiled = try library.model.compiled()
    for entity in compiled.entities {
      guard let parent = entity.superIndex.map({ compiled.entities[$0] }) else { continue }
      #expect(
        entity.properties.prefix(parent.properties.count).map(\.name)
          == parent.properties.map(\.name))
      #expect(Array(entity.slots.prefix(parent.slots.count)) == parent.slots)
      #expect(
        entity.properties.prefix(parent.properties.count).map(\.byteOffset)
          == parent.properties.map(\.byteOffset))
      #expect(entity.nullWordCount == parent.nullWordCount)
    }
  }

  /// 200 entities in trees that are 50 levels deep; each declares ten properties.
  private func deepModel() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = (0..<4).flatMap { tree in
      let chain = (0..<50).map { level in
        let entity = NSEntityDescription()
        entity.name = "Tree\(tree)Level\(level)"
        entity.properties = (0..<10).map { number in
          LibraryModel.attribute("value\(level * 10 + number + 1000)x", .string)
        }
        return entity
      }
      for (parent, child) in zip(chain, chain.dropFirst()) { parent.subentities = [child] }
      return chain
    }
    return model
  }

  @Test("a property is compiled once, however many entities inherit it")
  func sharedProperties() throws {
    let compiled = try deepModel().compiled()
    let distinct = Set(compiled.entities.flatMap { $0.properties.map(ObjectIdentifier.init) })
    #expect(distinct.count == 2000)
    for entity in compiled.entities {
      #expect(entity.properties.map(\.ordinal) == Array(entity.properties.indices))
      #expect(entity.slots.count == entity.properties.count)
    }
  }

  @Test("a property of a wide entity is found by its name in a few steps")
  func wideEntities() throws {
    let compiled = try deepModel().compiled()
    let widest = try #require(compiled.entity(named: "Tree0Level49"))
    #expect(widest.properties.count == 500)
    for property in widest.properties {
      #expect(widest.ordinal(of: property.name) == property.ordinal)
    }
    #expect(widest.ordinal(of: "value0x") == nil)
    #expect(compiled.entities.allSatisfy { $0.longestNameSearch <= 24 })
  }

  @Test("slots follow the header and the null bitmap, eight bytes each")
  func offsets() throws {
    let compiled = try library.model.compiled()
    let book = try #require(compiled.entity(named: "book"))
    #expect(book.nullWordCount == 1)
    #expect(book.properties.map(\.slot) == [0, 1, 2, 3, 4])
    #expect(book.properties.map(\.byteOffset) == [32, 40, 48, 56, 64])
    #expect(book.slots.map(\.kind) == [.text, .integer, .text, .integer, .decimal])
  }

  @Test("the null bitmap of a tree has room for its widest entity")
  func nullWords() throws {
    let parent = NSEntityDescription()
    parent.name = "Parent"
    let wide = NSEntityDescription()
    wide.name = "Wide"
    parent.subentities = [wide]
    parent.properties = [LibraryModel.attribute("first", .string)]
    wide.properties = (0..<64).map { LibraryModel.attribute("a\($0)", .integer64) }
    let model = NSManagedObjectModel()
    model.entities = [parent, wide]
    let compiled = try model.compiled()
    #expect(compiled.entities.map(\.nullWordCount) == [2, 2])
    #expect(compiled.entities[0].properties[0].byteOffset == 40)
  }

  @Test("a to-one relationship to an entity with subentities has an entity discriminator")
  func discriminators() throws {
    let origin = LibraryModel.relationship("origin", maxCount: 1)
    origin.destinationEntity = library.book
    library.note.properties += [origin]
    let compiled = try library.model.compiled()
    let note = try #require(compiled.entity(named: "Note"))
    #expect(note.properties.map(\.name) == ["origin", "text"])
    #expect(note.slots.map(\.isDiscriminator) == [false, true, false])
    #expect(note.slots.map(\.propertyOrdinal) == [0, 0, 1])
    #expect(note.properties[0].relationship?.discriminatorSlot == 1)
    #expect(note.properties[1].byteOffset == 24 + 8 + 16)
    let book = try #require(compiled.entity(named: "book"))
    #expect(book.properties[1].relationship?.discriminatorSlot == nil)
  }

  @Test("relationships know destination, inverse, counts and delete rule by position")
  func relationships() throws {
    let compiled = try library.model.compiled()
    let person = try #require(compiled.entity(named: "person"))
    let works = try #require(person.properties[1].relationship)
    #expect(person.properties[1].name == "works")
    #expect(person.properties[1].slot == nil)
    #expect(person.properties[1].byteOffset == 0)
    #expect(works.destinationIndex == 2)
    #expect(works.inverseOrdinal == 1)
    #expect(works.isToMany)
    #expect(works.deleteRule == .cascade)
    let author = try #require(compiled.entities[4].properties[1].relationship)
    #expect(author.destinationIndex == person.index)
    #expect(author.inverseOrdinal == 1)
    #expect(!author.isToMany)
    #expect(author.maxCount == 1)
  }

  @Test("an unlimited count is zero")
  func unlimited() throws {
    library.works.maxCount = .max
    let person = try #require(try library.model.compiled().entity(named: "person"))
    #expect(person.properties[1].relationship?.maxCount == 0)
  }

  @Test(
    "every type has its slot kind",
    arguments: [
      (NSAttributeDescription.AttributeType.integer16, SlotKind.integer), (.integer32, .integer),
      (.integer64, .integer), (.boolean, .integer), (.double, .real), (.float, .real),
      (.date, .real), (.string, .text), (.uri, .text), (.uuid, .blob), (.binaryData, .blob),
      (.transformable, .blob), (.decimal, .decimal),
    ])
  func slotKinds(_ type: NSAttributeDescription.AttributeType, _ kind: SlotKind) throws {
    let entity = try LibraryModel.item([LibraryModel.attribute("value", type)]).compiled().entities[
      0]
    #expect(entity.slots.map(\.kind) == [kind])
    #expect(entity.properties[0].attribute?.type.rawValue == type.rawValue)
  }

  @Test("transient properties have an ordinal and no slot")
  func transients() throws {
    let transient = LibraryModel.attribute("cache", .undefined)
    transient.isTransient = true
    let entity = try LibraryModel.item([transient, LibraryModel.attribute("name", .string)])
      .compiled().entities[0]
    #expect(entity.properties.map(\.slot) == [nil, 0])
    #expect(entity.properties[0].isTransient)
  }

  @Test("fetched properties are omitted")
  func fetchedProperties() throws {
    let fetched = NSFetchedPropertyDescription()
    fetched.name = "recent"
    let entity = try LibraryModel.item([fetched, LibraryModel.attribute("name", .string)])
      .compiled().entities[0]
    #expect(entity.properties.map(\.name) == ["name"])
  }

  @Test("tokens are unique in the process and never zero")
  func tokens() throws {
    let one = try library.model.compiled()
    let other = try LibraryModel().model.compiled()
    let tokens = (one.entities + other.entities).map(\.token)
    #expect(Set(tokens).count == tokens.count)
    #expect(!tokens.contains(0))
    #expect(one.entities[0] != other.entities[0])
  }

  @Test("an entity reaches its model and description after all other references are released")
  func lifetime() throws {
    var library: LibraryModel? = LibraryModel()
    let entity = try #require(try library?.model.compiled().entity(named: "Atlas"))
    library = nil
    #expect(entity.model.entities[entity.rootIndex].name == "Publication")
    #expect(entity.entityDescription.name == "Atlas")
  }

  @Test("constraints and indexes are kept by the entity that declares them")
  func constraints() throws {
    library.publication.uniquenessConstraints = [["ISBN"], [library.author, "title"]]
    let element = NSFetchIndexElementDescription(
      property: library.author, collationType: .binary)
    element.isAscending = false
    library.book.indexes = [NSFetchIndexDescription(name: "byAuthor", elements: [element])]
    let compiled = try library.model.compiled()
    #expect(compiled.entities[2].uniquenessConstraints == [["ISBN"], ["author", "title"]])
    #expect(compiled.entities[3].uniquenessConstraints.isEmpty)
    let index = try #require(compiled.entities[3].fetchIndexes.first)
    #expect(index.name == "byAuthor")
    #expect(index.elements.map(\.propertyName) == ["author"])
    #expect(index.elements.map(\.isAscending) == [false])
    #expect(compiled.entities[2].fetchIndexes.isEmpty)
  }

  @Test("threads that compile a model at the same time get the same model")
  func simultaneousCompilation() throws {
    for _ in 0..<50 {
      // The library holds the only references to the model until the threads use it.
      nonisolated(unsafe) let model = LibraryModel().model
      let compiled = Mutex<[CompiledModel]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        if let form = try? model.compiled() { compiled.withLock { $0.append(form) } }
      }
      let forms = compiled.withLock { $0 }
      #expect(forms.count == 8)
      #expect(forms.allSatisfy { $0 === forms[0] })
    }
  }

  @Test("compiling twice returns the same model")
  func caching() throws {
    let compiled = try library.model.compiled()
    #expect(try library.model.compiled() === compiled)
    #expect(library.book.compiled === compiled.entity(named: "book"))
  }

  @Test("an empty model compiles")
  func empty() throws {
    let compiled = try NSManagedObjectModel().compiled()
    #expect(compiled.entities.isEmpty)
    #expect(compiled.entity(named: "Book") == nil)
  }
}
