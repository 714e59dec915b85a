import Foundation
import OpenMigration
import OpenObjectModel
import OpenPredicates
import Testing

import class OpenPredicates.NSExpression

/// Documents of mapping models, as Xcode's editor writes them.
@Suite("Documents of mapping models")
struct MappingDocumentTests {
  private let folder: MappingFolder
  private let old: NSManagedObjectModel
  private let new: NSManagedObjectModel

  init() throws {
    folder = try MappingFolder()
    old = Self.model(isNew: false)
    new = Self.model(isNew: true)
  }

  /// Books with pages and authors; the newer model has a title in place of a name.
  static func model(isNew: Bool) -> NSManagedObjectModel {
    Models.make { models in
      let page = models.entity("Page").attribute("number", .integer32)
      let author = models.entity("Author").attribute("name")
      models.entity("Poet", parent: author)
      let book = models.entity("Book").attribute(isNew ? "title" : "name")
      book.relationship("pages", to: page, isToMany: true)
      book.relationship("author", to: author)
      if isNew { models.entity("Shelf").attribute("place") } else { models.entity("Note") }
    }
  }

  /// An object of a document, with attributes and relationships by name.
  private func object(
    _ type: String, _ id: String, _ attributes: [String: String] = [:],
    _ references: [String: String] = [:]
  ) -> String {
    let lines =
      attributes.sorted { $0.key < $1.key }
      .map { "<attribute name=\"\($0)\" type=\"string\">\($1)</attribute>" }
      + references.sorted { $0.key < $1.key }
      .map { "<relationship name=\"\($0)\" type=\"0/0\" idrefs=\"\($1)\"></relationship>" }
    return "<object type=\"XDDEV\(type)\" id=\"\(id)\">\(lines.joined(separator: "\n"))</object>"
  }

  private func document(_ objects: [String]) -> String {
    """
    <?xml version="1.0" standalone="yes"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
    <database><databaseInfo><version>134481920</version></databaseInfo>
    \(objects.joined(separator: "\n"))
    </database>
    """
  }

  private func write(_ text: String, as name: String = "M.xcmappingmodel") throws -> URL {
    try folder.write(Data(text.utf8), to: name + "/xcmapping.xml").deletingLastPathComponent()
  }

  private func compile(_ objects: [String]) throws -> NSMappingModel {
    try NSMappingModel.reading(
      try write(document(objects)), forSourceModel: old, destinationModel: new)
  }

  private func error(_ text: String) throws -> MigrationError? {
    let url = try write(text)
    return mappingError { () throws(MigrationError) in
      try NSMappingModel.reading(url, forSourceModel: old, destinationModel: new)
    }
  }

  /// A document with one mapping from books to books.
  private func books(
    _ mapping: [String: String] = [:], attribute: [String: String] = [:],
    relationship: [String: String] = [:], others: [String] = []
  ) -> [String] {
    let names = ["sourcename": "Book", "destinationname": "Book", "mappingnumber": "1"]
    return [
      object("MAPPINGMODEL", "z1", [:], ["entitymappings": "z2 " + (others.isEmpty ? "" : "z9")]),
      object(
        "ENTITYMAPPING", "z2", names.merging(mapping) { $1 },
        ["attributemappings": "z3", "relationshipmappings": "z4"]),
      object("ATTRIBUTEMAPPING", "z3", ["name": "title"].merging(attribute) { $1 }),
      object("RELATIONSHIPMAPPING", "z4", ["name": "author"].merging(relationship) { $1 }),
    ] + others
  }

  /// An expression as documents have it.
  private func encoded(_ format: String) throws -> String {
    // A compiled mapping model has the expression inside; its archive becomes the expression's.
    try MappingFileTests.model(try NSExpression.parsing(format)).write(to: folder["E.cdm"])
    let list = try BinaryPropertyList(Data(contentsOf: folder["E.cdm"]))
    var nodes = list.nodes
    var expression = 0
    for case .dictionary(let keys, let values) in nodes {
      for (key, value) in zip(keys, values) where nodes[key] == .string("NSValueExpression") {
        expression = value
      }
    }
    let top = try #require(list.value("$top", in: list.root))
    guard case .dictionary(let keys, _) = nodes[top] else { return "" }
    nodes[top] = .dictionary(keys: keys, values: [expression])
    return BinaryPropertyList(of: nodes, root: list.root).encoded()
      .base64EncodedString(options: .lineLength64Characters)
  }

  @Test("parts that a document omits are added: names, types, hashes and default expressions")
  func defaults() throws {
    let authors = object(
      "ENTITYMAPPING", "z9",
      ["sourcename": "Author", "destinationname": "Author", "mappingnumber": "0"])
    let model = try compile(books(attribute: ["sourcekeypath": "name"], others: [authors]))
    #expect(model.entityMappings.map(\.name) == ["AuthorToAuthor", "BookToBook"])
    let mapping = try #require(model.entityMappingsByName["BookToBook"])
    #expect(mapping.mappingType == .copyEntityMappingType)
    #expect(mapping.sourceEntityVersionHash == old.entitiesByName["Book"]?.versionHash)
    #expect(mapping.destinationEntityVersionHash == new.entitiesByName["Book"]?.versionHash)
    #expect(
      mapping.sourceExpression
        == NSExpression(
          format: """
            FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Book", \
            "TRUEPREDICATE"), $manager.sourceContext, NO)
            """))
    #expect(
      mapping.attributeMappings?.first?.valueExpression == NSExpression(format: "$source.name"))
    #expect(
      mapping.relationshipMappings?.first?.valueExpression
        == NSExpression(
          format: """
            FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", \
            "AuthorToAuthor", $source.author)
            """))
    #expect(model.isMapping(from: old, to: new))
  }

  @Test(
    "without a source property there is no value, without a mapping of the destinations no expression"
  )
  func noValues() throws {
    let mapping = try #require(try compile(books()).entityMappings.first)
    #expect(mapping.attributeMappings?.first?.valueExpression == nil)
    #expect(mapping.relationshipMappings?.first?.valueExpression == nil)
  }

  @Test("values in a document take precedence over derived values")
  func givenParts() throws {
    let policy = try compile(books(["migrationpolicyclassname": "App.Policy"])).entityMappings.first
    #expect(policy?.mappingType == .customEntityMappingType)
    #expect(policy?.entityMigrationPolicyClassName == "App.Policy")
    let mapping = try compile(
      books(
        [
          "name": "Mine", "mappingtypename": "Transform",
          "sourcefilterpredicatestring": "name != nil",
        ],
        attribute: [
          "valueexpressiondata": try encoded("FUNCTION($entityPolicy, 'titleOf:', $source)"),
          "autogenerateexpression": "1",
        ],
        relationship: ["sourcemappingname": "Poets"])
    ).entityMappings.first
    #expect(mapping?.name == "Mine" && mapping?.mappingType == .transformEntityMappingType)
    #expect(mapping?.sourceExpression?.description.contains("name != nil") == true)
    #expect(
      mapping?.attributeMappings?.first?.valueExpression
        == NSExpression(format: "FUNCTION($entityPolicy, 'titleOf:', $source)"))
    #expect(
      mapping?.relationshipMappings?.first?.valueExpression?.description.contains("Poets") == true)
  }

  @Test("entities without a counterpart are added or removed")
  func addedAndRemoved() throws {
    let model = try compile([
      object("MAPPINGMODEL", "z1", [:], ["entitymappings": "z2 z3"]),
      object("ENTITYMAPPING", "z2", ["destinationname": "Shelf"]),
      object("ENTITYMAPPING", "z3", ["sourcename": "Note"]),
    ])
    #expect(model.entityMappings.map(\.name) == ["Shelf", "Note"])
    #expect(
      model.entityMappings.map(\.mappingType) == [.addEntityMappingType, .removeEntityMappingType])
    #expect(model.entityMappings.first?.sourceExpression == nil)
  }

  @Test("names that a model lacks are errors with their place")
  func foreignNames() throws {
    let entity = try error(document(books(["sourcename": "Tome"])))
    #expect(entity?.code == .foreignMapping && entity?.entityName == "Tome")
    let attribute = try error(document(books(attribute: ["name": "subtitle"])))
    #expect(attribute?.code == .foreignMapping)
    #expect(attribute?.entityName == "Book" && attribute?.propertyName == "subtitle")
    // A relationship is no attribute.
    #expect(try error(document(books(attribute: ["name": "author"])))?.code == .foreignMapping)
    let relationship = try error(document(books(relationship: ["name": "title"])))
    #expect(relationship?.code == .foreignMapping && relationship?.propertyName == "title")
  }

  @Test("other files and damaged documents are rejected")
  func damage() throws {
    let good = document(books())
    for text in [
      "", "no XML", "<plist></plist>", "<database>", document([]),
      document([object("MAPPINGMODEL", "z1"), object("MAPPINGMODEL", "z2")]),
      document([object("MAPPINGMODEL", "z1"), object("ENTITYMAPPING", "z1")]),
      document([object("MAPPINGMODEL", "z1", [:], ["entitymappings": "z2"])]),
      document([
        object("MAPPINGMODEL", "z1", [:], ["entitymappings": "z2"]), object("ENTITYMAPPING", "z2"),
      ]),
      document(books(attribute: ["name": " "])),
      document(books(attribute: ["valueexpressiondata": "AAAA"])),
      document(books(attribute: ["valueexpressiondata": "A"])),
      document(books(["userinfodata": try encoded("$source.name")])),
      good.replacing("<!DOCTYPE database", with: "<!DOCTYPE d [<!ENTITY a \"b\">] "),
    ] {
      let error = try error(text)
      #expect(error?.code == .malformedMapping, "\(text.prefix(300))")
      #expect(error?.path?.hasPrefix(folder.url.path) == true)
    }
    #expect(try error(good) == nil)
  }

  @Test("a truncated document is rejected, and a changed document is read or rejected")
  func corruption() throws {
    let good = Data(document(books(["migrationpolicyclassname": "P"])).utf8)
    for length in stride(from: 0, to: good.count - 10, by: 5) {
      let text = String(decoding: good.prefix(length), as: UTF8.self)
      #expect(try error(text)?.code == .malformedMapping)
    }
    for place in good.indices {
      var damaged = good
      damaged[place] ^= 0x04
      let url = try folder.write(damaged, to: "M.xcmappingmodel/xcmapping.xml")
      let error = mappingError { () throws(MigrationError) in
        try NSMappingModel.reading(
          url.deletingLastPathComponent(), forSourceModel: old, destinationModel: new)
      }
      #expect(error == nil || [.malformedMapping, .foreignMapping].contains(error?.code))
    }
  }

  @Test(
    "a document's models are found in its folder or a parent folder, as documents or compiled")
  func models() throws {
    let paths = [
      "sourcemodelpath": "App/Models/Library.xcdatamodeld/Old.xcdatamodel",
      "destinationmodelpath": "App/Models/Library.xcdatamodeld/New.xcdatamodel",
    ]
    let objects = [
      object("MAPPINGMODEL", "z1", paths, ["entitymappings": "z2"]),
      object("ENTITYMAPPING", "z2", ["sourcename": "Book", "destinationname": "Book"]),
    ]
    let url = try write(document(objects), as: "Sub/Folder/M.xcmappingmodel")
    let missing = mappingError { () throws(MigrationError) in try NSMappingModel.reading(url) }
    #expect(missing?.code == .unreadableMapping)
    #expect(missing?.message.contains("Library.xcdatamodeld/Old.xcdatamodel") == true)
    for place in ["Models/Library.xcdatamodeld", "Library.momd"] {
      try NSManagedObjectModel.write(
        ["Old": old, "New": new], current: "New", to: folder["Sub/" + place])
      let model = try NSMappingModel.reading(url)
      #expect(model.isMapping(from: old, to: new))
      try FileManager.default.removeItem(at: folder["Sub/" + place])
    }
  }
}
