import Foundation
import OpenObjectModel
import OpenPredicates
import Testing

@Suite("Model documents")
struct ModelReaderTests {
  private static let entities = """
    <entity name="Shelf" representedClassName=".Shelf" isAbstract="YES" elementID="Rack" versionHashModifier="m">
      <attribute name="label" attributeType="String" defaultValueString="" minValueString="1" maxValueString="8" regularExpressionString="[a-z]*"/>
      <attribute name="height" optional="YES" attributeType="Double" defaultValueString="1.5" minValueString="0.5"/>
      <attribute name="built" optional="YES" attributeType="Date" defaultDateTimeInterval="-978307200" maxDateTimeInterval="10"/>
      <attribute name="open" attributeType="Boolean" defaultValueString="YES"/>
      <attribute name="weight" attributeType="Decimal" defaultValueString="0.10"/>
      <attribute name="identifier" attributeType="UUID" defaultValueString="E621E1F8-C36C-495A-93FC-0C247A3E6E5F"/>
      <attribute name="home" optional="YES" attributeType="URI" defaultValueString="https://example.org"/>
      <attribute name="tint" optional="YES" attributeType="Transformable" valueTransformerName="Tint" customClassName="Color"/>
      <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES" renamingIdentifier="image"/>
      <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="books.@count"/>
      <attribute name="cache" optional="YES" transient="YES" attributeType="Undefined" defaultValueString=""/>
      <attribute name="old" optional="YES" attributeType="Integer 16" defaultValueString="" indexed="YES"/>
      <relationship name="books" optional="YES" toMany="YES" ordered="YES" minCount="1" maxCount="5" deletionRule="Cascade" destinationEntity="Book" inverseName="shelf" inverseEntity="Book"/>
      <fetchedProperty name="recent" optional="YES"><fetchRequest name="fetchedPropertyFetchRequest" entity="Book" predicateString="shelf == $FETCH_SOURCE"/></fetchedProperty>
      <fetchIndex name="byLabel"><fetchIndexElement property="label" type="Binary" order="descending"/></fetchIndex>
      <fetchIndex name="byExpression"><fetchIndexElement expression="length:(label)" expressionType="String" type="Binary"/></fetchIndex>
      <uniquenessConstraints><uniquenessConstraint><constraint value="label"/><constraint value="weight"/></uniquenessConstraint></uniquenessConstraints>
      <userInfo><entry key="a" value="b"/></userInfo>
    </entity>
    <entity name="Cabinet" parentEntity="Shelf"/>
    <entity name="Book" representedClassName="Book">
      <relationship name="shelf" maxCount="1" deletionRule="Deny" destinationEntity="Shelf" inverseName="books" inverseEntity="Shelf"/>
    </entity>
    <configuration name="Local"><memberEntity name="Book"/></configuration>
    <elements><element name="Shelf" positionX="0"/></elements>
    """

  private func shelf() throws -> (NSManagedObjectModel, NSEntityDescription) {
    let model = try ModelFolder.model(Self.entities)
    return (model, try #require(model.entitiesByName["Shelf"]))
  }

  @Test("entities have class, parent, modifiers, user info and configuration")
  func entities() throws {
    let (model, shelf) = try shelf()
    #expect(model.versionIdentifiers == ["7"])
    #expect(model.entities.map(\.name) == ["Shelf", "Cabinet", "Book"])
    #expect(shelf.managedObjectClassName == "Shelf")
    #expect(shelf.isAbstract)
    #expect(shelf.renamingIdentifier == "Rack")
    #expect(shelf.versionHashModifier == "m")
    #expect(shelf.userInfo?["a"] as? String == "b")
    #expect(shelf.subentities.map(\.name) == ["Cabinet"])
    #expect(model.entitiesByName["Cabinet"]?.managedObjectClassName == "NSManagedObject")
    #expect(model.entities(forConfigurationName: "Local")?.map(\.name) == ["Book"])
  }

  @Test("attributes have types, flags and defaults")
  func attributes() throws {
    let (model, shelf) = try shelf()
    let attributes = shelf.attributesByName
    #expect(attributes["label"]?.isOptional == false)
    #expect(attributes["height"]?.isOptional == true)
    #expect(attributes["tint"]?.valueTransformerName == "Tint")
    #expect(attributes["tint"]?.attributeValueClassName == "Color")
    #expect(attributes["photo"]?.allowsExternalBinaryDataStorage == true)
    #expect(attributes["photo"]?.preservesValueInHistoryOnDeletion == true)
    #expect(attributes["photo"]?.renamingIdentifier == "image")
    #expect(attributes["cache"]?.isTransient == true)
    #expect(attributes["old"]?.isIndexed == true)
    #expect(
      (attributes["count"] as? NSDerivedAttributeDescription)?.derivationExpression?.description
        == "books.@count")
    let compiled = try #require(try model.compiled().entity(named: "Shelf"))
    let defaults = Dictionary(
      uniqueKeysWithValues: compiled.properties.map { ($0.name, $0.attribute?.defaultValue) })
    #expect(defaults["label"] == .string(""))
    #expect(defaults["height"] == .double(1.5))
    #expect(defaults["built"] == .date(-978_307_200))
    #expect(defaults["open"] == .bool(true))
    #expect(defaults["weight"] == .decimal(DecimalValue(Decimal(1) / 10)))
    #expect(
      defaults["identifier"]
        == UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F").map { .uuid($0) })
    #expect(defaults["home"] == URL(string: "https://example.org").map { .url($0) })
    #expect(defaults["old"] == .null)
  }

  @Test("relationships have counts, order, delete rule and both sides")
  func relationships() throws {
    let (model, shelf) = try shelf()
    let books = try #require(shelf.relationshipsByName["books"])
    let back = try #require(model.entitiesByName["Book"]?.relationshipsByName["shelf"])
    #expect(books.isToMany && books.isOrdered && books.isOptional)
    #expect(books.minCount == 1)
    #expect(books.maxCount == 5)
    #expect(books.deleteRule == .cascadeDeleteRule)
    #expect(books.inverseRelationship === back)
    #expect(!back.isToMany && !back.isOptional)
    #expect(back.deleteRule == .denyDeleteRule)
    #expect(back.inverseRelationship === books)
  }

  @Test("indexes, also those over expressions, and constraints are read")
  func indexes() throws {
    let (_, shelf) = try shelf()
    #expect(shelf.indexes.map(\.name) == ["byLabel", "byExpression"])
    let column = shelf.indexes.last?.elements.first?.property as? NSExpressionDescription
    #expect(column?.expression?.description == "length:(label)")
    #expect(column?.resultType == .string)
    #expect(shelf.indexes.first?.elements.map(\.isAscending) == [false])
    #expect(shelf.uniquenessConstraints as? [[String]] == [["label", "weight"]])
  }

  @Test("limits become predicates on the value, with Apple's codes")
  func validation() throws {
    let (model, _) = try shelf()
    let entity = try #require(try model.compiled().entity(named: "Cabinet"))
    func refusals(_ name: String, _ value: Any) throws -> [Int] {
      let ordinal = try #require(entity.ordinal(of: name))
      let validations = try #require(entity.properties[ordinal].attribute?.validations)
      return validations.filter { !$0.accepts(value) }.map(\.code)
    }
    #expect(try refusals("label", "abc").isEmpty)
    #expect(try refusals("label", "") == [1670])
    #expect(try refusals("label", "abcdefghi") == [1660])
    #expect(try refusals("label", "A") == [1680])
    // Five characters, but ten UTF-16 code units.
    #expect(try refusals("label", "😀😀😀😀😀") == [1660, 1680])
    #expect(try refusals("height", 0.25) == [1620])
    #expect(try refusals("height", 0.5).isEmpty)
    #expect(try refusals("built", Date(timeIntervalSinceReferenceDate: 11)) == [1630])
    #expect(try refusals("built", Date(timeIntervalSinceReferenceDate: 10)).isEmpty)
  }

  @Test("composite types are read; a composite attribute has their elements")
  func composites() throws {
    let model = try ModelFolder.model(
      """
      <entity name="Quake"><attribute name="size" optional="YES" attributeType="Composite" composite="Size"/></entity>
      <composite name="Size"><attribute name="richter" optional="YES" attributeType="Double"/></composite>
      """)
    let size = model.entitiesByName["Quake"]?.attributesByName["size"]
    let composite = try #require(size as? NSCompositeAttributeDescription)
    #expect(composite.elements.map(\.name) == ["richter"])
    #expect(composite.attributeType == .compositeAttributeType)
  }

  @Test("characters outside ASCII and escaped ones are kept")
  func characters() throws {
    let model = try ModelFolder.model(
      """
      <entity name="Büro"><attribute name="x" optional="YES" attributeType="String" defaultValueString="a&lt;&amp;&quot;ü😀"/></entity>
      """)
    #expect(
      model.entitiesByName["Büro"]?.attributesByName["x"]?.defaultValue as? String
        == "a<&\"ü😀")
  }

  @Test("an empty renaming identifier is ignored, so that it pairs no two properties")
  func emptyRenamingIdentifier() throws {
    func model(_ name: String) throws -> NSManagedObjectModel {
      let attributes = ["same", name].map {
        "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\" elementID=\"\"/>"
      }
      return try ModelFolder.model(
        "<entity name=\"A\" elementID=\"\">\(attributes.joined())</entity>")
    }
    let difference = ModelDifference(from: try model("old"), to: try model("new"))
    let changes = difference.changes.map { "\($0.action.rawValue) \($0.name ?? "")" }
    #expect(changes.sorted() == ["added new", "removed old"])
    #expect(try model("old").entitiesByName["A"]?.renamingIdentifier == "A")
  }
}
