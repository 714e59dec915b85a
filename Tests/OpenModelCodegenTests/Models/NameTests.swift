import Foundation
import OpenModelCodegen
import OpenObjectModel
import OpenSourceRewriter
import Testing

/// Names of models that are no ordinary names in Swift.
@Suite struct NameTests {
  @Test("words of the language are written in backticks", arguments: ["class", "default", "self"])
  func keywords(_ word: String) throws {
    let model = try ModelOnDisk(
      entity("Book", "", relationship(word == "self" ? "in" : word, to: "Type"))
        + entity("Type", "", relationship("repeat", to: "Book", "toMany=\"YES\"")))
    let source = try model.source()
    #expect(source.contains("public var `\(word == "self" ? "in" : word)`: `Type`?"))
    #expect(source.contains("public class `Type`: NSManagedObject {}"))
    #expect(source.contains("@ManagedAccessor public func addToRepeat(_ value: Book)"))
    _ = try SourceRewriter.rewrite([SourceText(path: "Model.swift", text: source)])
  }

  @Test(
    "names of classes that are not identifiers are rejected",
    arguments: [
      "Bo ok", "Book;", "Book {}", "1Book", "_", "A.", "Bo&quot;ok", "Bo&#10;ok", "Book`", "Self",
      "self",
    ])
  func hostileClass(_ name: String) throws {
    let failure = try ModelOnDisk(entity("Book", "representedClassName=\"\(name)\"")).failure
    #expect(failure?.code == .unusableName)
    #expect(failure?.entityName == "Book")
    #expect(failure?.line == 3)
  }

  @Test(
    "property names that are not identifiers, or that every managed object has, are rejected",
    arguments: [
      "a b", "a: Int; var b", "9", "a-b", "a.b", "\u{1F600}", "a`", "&#10;a", "description", "hash",
      "a\u{20E3}", "a\u{E0041}", "\u{2460}", "objectID", "isDeleted", "self", "Self",
      "objectReference", "customMirror",
    ])
  func hostileProperty(_ name: String) throws {
    let attribute = "<attribute name=\"\(name)\" attributeType=\"String\"/>"
    let failure = try ModelOnDisk(entity("Book", "", attribute)).failure
    #expect(failure?.code == .unusableName)
    #expect(failure?.propertyName != nil)
  }

  @Test("entity names that could end a string literal are rejected")
  func hostileEntity() throws {
    let failure = try ModelOnDisk(
      entity("\\(exit(1))", "representedClassName=\"Book\"")
    ).failure
    #expect(failure?.code == .unusableName)
  }

  @Test("a model class can have the name of a type that generated source uses")
  func hidingClasses() throws {
    let attributes = """
      <attribute name="title" attributeType="String"/><attribute name="at" attributeType="Date"/>
      <attribute name="count" attributeType="Integer 16" usesScalarValueType="YES"/>
      """
    let hiding = [
      "String", "Set", "Date", "Int16", "NSSet", "Int", "NSFetchRequest", "Identifiable",
    ]
    let model = try ModelOnDisk(
      entity("Book", "", attributes + relationship("sets", to: "Set", "toMany=\"YES\""))
        + hiding.map { entity($0) }.joined())
    let source = try model.source()
    #expect(source.contains("@Managed public var title: Swift.String?\n"))
    #expect(source.contains("@Managed public var at: Foundation.Date?\n"))
    #expect(source.contains("@Managed public var count: Swift.Int16\n"))
    #expect(source.contains("public func addToSets(_ value: Set)\n"))
    #expect(source.contains("public func addToSets(_ values: Foundation.NSSet)\n"))
    #expect(source.contains("class func fetchRequest() -> CoreData.NSFetchRequest<Set> {"))
    #expect(source.contains("extension Set: Swift.Identifiable {}"))
  }

  @Test(
    "a class that would hide a module is rejected", arguments: ["Swift", "Foundation", "CoreData"])
  func hiddenModules(_ name: String) throws {
    #expect(try ModelOnDisk(entity(name)).failure?.code == .unusableName)
  }

  @Test("an attribute called like a primitive value names itself")
  func primitiveType() throws {
    let model = try ModelOnDisk(
      entity("Book", "", "<attribute name=\"primitiveType\" attributeType=\"String\"/>"))
    #expect(
      try model.source().contains("@Managed(\"primitiveType\") public var primitiveType: String?"))
  }

  @Test("the name of the folder cannot leave its comment")
  func hostileFolder() throws {
    let model = try ModelOnDisk(["x\nimport Evil": entity("Book")])
    let source = try ModelCodegen.source(
      ofModelAt: model.url.appendingPathComponent("x\nimport Evil.xcdatamodel"))
    #expect(source.hasPrefix("// Generated from the model ximport Evil. Changes"))
  }

  @Test("accessors specify their relationship if their name does not imply it")
  func accessorKeys() throws {
    let names = ["URLs", "_tags", "größen"]
    let model = try ModelOnDisk(
      entity(
        "Book", "",
        names.map { relationship($0, to: "Book", "toMany=\"YES\"") }.joined()))
    let source = try model.source()
    #expect(source.contains("@ManagedAccessor(\"URLs\") public func addToURLs(_ value: Book)"))
    #expect(source.contains("@ManagedAccessor(\"_tags\") public func addTo_tags(_ value: Book)"))
    #expect(source.contains("@ManagedAccessor public func addToGrößen(_ value: Book)"))
  }

  @Test("two entities with one class, and two relationships with the same accessors, are rejected")
  func clashes() throws {
    let shared = try ModelOnDisk(
      entity("A", "representedClassName=\"Book\"") + entity("B", "representedClassName=\"Book\""))
    #expect(shared.failure?.code == .sharedClass)
    #expect(shared.failure?.entityName == "B")
    let relationships = ["tags", "Tags"].map { relationship($0, to: "Book", "toMany=\"YES\"") }
    let accessors = try ModelOnDisk(entity("Book", "", relationships.joined()))
    #expect(accessors.failure?.code == .clashingNames)
    let attribute = "<attribute name=\"a\" attributeType=\"String\"/>"
    let twice = try ModelOnDisk(entity("Book", "", attribute + attribute))
    #expect(twice.failure != nil)
  }

  @Test("a property that an entity also inherits from a model class is rejected")
  func inheritedProperty() throws {
    let name = "<attribute name=\"name\" attributeType=\"String\"/>"
    let redeclared =
      entity("Book", "parentEntity=\"Item\"", name) + entity("Item", "parentEntity=\"Thing\"")
    let failure = try ModelOnDisk(redeclared + entity("Thing", "", name)).failure
    #expect(failure?.code == .clashingNames)
    #expect(failure?.entityName == "Book")
    #expect(failure?.propertyName == "name")
    #expect(failure?.line == 3)
    // Without a class, the entity Thing declares no property in Swift.
    let plain = entity("Thing", "representedClassName=\"\"", name)
    #expect(try ModelOnDisk(redeclared + plain).failure == nil)
  }

  @Test("the advice for two entities of one class is true for the requested entities")
  func sharedClassAdvice() throws {
    let model = try ModelOnDisk(
      ["A", "B"].map { entity($0, "representedClassName=\"Book\" codeGenerationType=\"\"") }
        .joined())
    #expect(model.failure == nil)
    let failure = #expect(throws: CodegenError.self) { try model.source(.all) }
    #expect(failure?.code == .sharedClass)
    #expect(failure?.message.contains("Manual/None") == false)
  }

  @Test("the error of an unreadable document contains the location")
  func brokenDocuments() throws {
    let open = try ModelOnDisk("<entity name=\"Book\">").failure
    #expect(open?.code == .unreadableModel)
    #expect(open?.line != nil)
    let dangling = try ModelOnDisk(entity("Book", "", relationship("x", to: "Nowhere"))).failure
    #expect(dangling?.underlying is ModelError)
    #expect(dangling?.propertyName == "x")
    #expect(dangling?.description.contains("contents:3: error: ") == true)
    let missing = try ModelOnDisk([:]).failure
    #expect(missing?.code == .unreadableModel)
  }
}
