import Foundation
import OpenObjectModel
import Testing

@Suite("Damaged archives of models")
struct ModelArchiveDamageTests {
  private typealias Item = HandMadeArchive.Item

  private func error(_ data: Data) -> ModelError? {
    do {
      _ = try ModelArchive.read(data, path: "M.mom")
      return nil
    } catch {
      return error
    }
  }

  /// A model of one entity; further objects have references from 4.
  private func model(_ entity: [String: HandMadeArchive.Entry], _ more: [Item] = []) -> Data {
    HandMadeArchive.data(
      [
        .object("NSManagedObjectModel", ["NSEntities": .reference(2)]),
        .object(
          "NSMutableDictionary", ["NS.keys": .references([4]), "NS.objects": .references([3])]),
        .object("NSEntityDescription", entity.merging(["NSEntityName": .reference(4)]) { $1 }),
        .text("Item"),
      ] + more)
  }

  @Test("an archive of another object is rejected with its class name")
  func otherRoot() {
    let data = HandMadeArchive.data([.object("NSMappingModel", [:])])
    #expect(error(data)?.code == .malformed)
    #expect(error(data)?.message.contains("NSMappingModel") == true)
    #expect(error(data)?.path == "M.mom")
    #expect(error(BinaryPropertyList(of: [.array([])], root: 0).encoded())?.code == .malformed)
  }

  @Test("an archive truncated or changed at any byte is read or rejected, without a trap")
  func corruption() throws {
    let data = try ModelArchive.write(
      LibraryModel.item([LibraryModel.attribute("a", .string)]), dialect: .cache)
    for length in 0..<data.count { #expect(error(data.prefix(length)) != nil) }
    for place in data.indices {
      for change in [UInt8(0x01), 0x80, 0xFF] {
        var changed = data
        changed[place] ^= change
        _ = error(changed)
      }
    }
  }

  @Test("properties and values of unknown classes are rejected or omitted")
  func unknownClasses() throws {
    let named: [Item] = [
      .object(
        "NSMutableDictionary", ["NS.keys": .references([6]), "NS.objects": .references([7])]),
      .text("a"),
    ]
    let property = model(
      ["NSProperties": .reference(5)],
      named + [.object("EvilDescription", ["NSPropertyName": .reference(6)])])
    #expect(error(property)?.code == .malformed)
    #expect(error(property)?.entityName == "Item")
    #expect(error(property)?.propertyName == "a")
    let value = model(
      ["NSProperties": .reference(5)],
      named + [
        .object(
          "NSAttributeDescription",
          [
            "NSPropertyName": .reference(6), "NSAttributeType": .number(1800),
            "NSDefaultValue": .reference(8),
          ]),
        .object("Evil", ["text": .reference(6)]),
      ])
    let read = try ModelArchive.read(value, path: "M.mom")
    let attribute = read.entities.first?.attributesByName["a"]
    #expect(attribute?.type == .transformable)
    #expect(attribute?.defaultValue == nil)
  }

  @Test("values of the wrong kind are rejected")
  func wrongKinds() {
    #expect(error(model(["NSProperties": .number(3)]))?.code == .malformed)
    #expect(error(model(["NSProperties": .reference(99)]))?.code == .malformed)
    #expect(error(model(["NSIsAbstract": .reference(4)]))?.code == .malformed)
    #expect(error(model(["NSSuperentity": .reference(4)]))?.code == .malformed)
    #expect(error(model(["NSUniqueTuples": .reference(3)]))?.code == .malformed)
    #expect(error(model(["NSUserInfo": .reference(3)]))?.code == .malformed)
    #expect(error(model([:])) == nil)
  }

  @Test("entities that are their own ancestors are rejected")
  func cyclicParents() {
    let data = model(["NSSuperentity": .reference(3)])
    #expect(error(data)?.code == .cyclicParents)
    #expect(error(data)?.entityName == "Item")
  }

  @Test("an entity with more than 1,000 ancestors is rejected")
  func deepParents() throws {
    let chain = (0...1001).map { Make.entity("E\($0)", []) }
    for (parent, child) in zip(chain, chain.dropFirst()) { parent.subentities = [child] }
    let deep = try ModelArchive.write(Make.model(chain), dialect: .mom)
    #expect(error(deep)?.code == .malformed)
    chain[1000].subentities = []
    let allowed = try ModelArchive.write(Make.model(Array(chain.dropLast())), dialect: .mom)
    #expect(error(allowed) == nil)
  }

  @Test("entities and inverses that are not in the model are named")
  func missingEntities() {
    let more: [Item] = [
      .object(
        "NSMutableDictionary", ["NS.keys": .references([6]), "NS.objects": .references([7])]),
      .text("r"),
      .object(
        "NSRelationshipDescription",
        [
          "NSPropertyName": .reference(6), "_NSDestinationEntityName": .reference(6),
          "_NSInverseRelationshipName": .reference(8),
        ]),
      .text("gone"),
    ]
    #expect(error(model(["NSProperties": .reference(5)], more))?.code == .unknownEntity)
    #expect(
      error(
        model(
          ["NSSuperentity": .reference(6)],
          [
            .text("x"), .object("NSEntityDescription", ["NSEntityName": .reference(5)]),
          ]))?.code == .unknownEntity)
  }

  @Test("values nested in themselves are rejected")
  func nesting() {
    let data = model(
      ["NSUserInfo": .reference(5)],
      [
        .object("NSDictionary", ["NS.keys": .references([4]), "NS.objects": .references([6])]),
        .object("NSArray", ["NS.objects": .references([6, 6])]),
      ])
    #expect(error(data)?.code == .malformed)
  }

  @Test("a predicate nested in itself is rejected")
  func predicateNesting() {
    let data = model(
      ["NSFetchIndexDescriptions": .reference(5)],
      [
        .object("NSArray", ["NS.objects": .references([6])]),
        .object(
          "NSFetchIndexDescription",
          ["NSIndexName": .reference(4), "NSPartialIndexPredicate": .reference(7)]),
        .object(
          "NSCompoundPredicate",
          ["NSCompoundPredicateType": .number(1), "NSSubpredicates": .reference(8)]),
        .object("NSArray", ["NS.objects": .references([7, 7])]),
      ])
    #expect(error(data)?.code == .malformed)
  }
}
