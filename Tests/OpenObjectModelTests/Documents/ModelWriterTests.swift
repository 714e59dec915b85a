import Foundation
import OpenObjectModel
import OpenPredicates
import Testing

@Suite("Writing model documents")
struct ModelWriterTests {
  /// A document with every feature, in Xcode's layout.
  private static let document = #"""
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="1" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="7">
        <entity name="Base" representedClassName=".Base" isAbstract="YES" elementID="Root" versionHashModifier="m" syncable="YES">
            <attribute name="built" optional="YES" attributeType="Date" minDateTimeInterval="-5" maxDateTimeInterval="10.5" defaultDateTimeInterval="-978307200" usesScalarValueType="NO"/>
            <attribute name="cache" optional="YES" transient="YES" attributeType="Undefined"/>
            <attribute name="height" optional="YES" attributeType="Double" minValueString="0.5" defaultValueString="1.5" usesScalarValueType="YES"/>
            <attribute name="home" optional="YES" attributeType="URI" defaultValueString="https://example.org/?a=1&amp;b=2"/>
            <attribute name="identifier" attributeType="UUID" defaultValueString="E621E1F8-C36C-495A-93FC-0C247A3E6E5F" usesScalarValueType="NO"/>
            <attribute name="label" attributeType="String" minValueString="1" maxValueString="8" regularExpressionString="[a-z&lt;]*" defaultValueString="">
                <userInfo>
                    <entry key="a" value="b&#10;c"/>
                </userInfo>
            </attribute>
            <attribute name="number" attributeType="Integer 16" minValueString="-3" maxValueString="3" defaultValueString="-1" usesScalarValueType="YES"/>
            <attribute name="open" attributeType="Boolean" defaultValueString="YES" usesScalarValueType="YES"/>
            <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES" allowsCloudEncryption="YES" indexed="YES" spotlightIndexingEnabled="YES" storedInTruthFile="YES" versionHashModifier="2" elementID="image"/>
            <attribute name="ratio" optional="YES" attributeType="Float" defaultValueString="0.1" usesScalarValueType="YES"/>
            <attribute name="tint" optional="YES" attributeType="Transformable" valueTransformerName="Tint" customClassName="Color"/>
            <attribute name="weight" attributeType="Decimal" defaultValueString="10.0"/>
            <fetchedProperty name="recent" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Child" predicateString="base == $FETCH_SOURCE" fetchLimit="5" includeSubentities="NO"/>
                <userInfo>
                    <entry key="search" value="x"/>
                </userInfo>
            </fetchedProperty>
            <compoundIndexes>
                <compoundIndex>
                    <index value="label"/>
                    <index value="weight"/>
                </compoundIndex>
            </compoundIndexes>
            <fetchIndex name="byExpression">
                <fetchIndexElement expression="length:(label)" expressionType="Integer 64" type="Binary" order="ascending"/>
            </fetchIndex>
            <fetchIndex name="byLabel" partialIndexPredicate="open == 1">
                <fetchIndexElement property="label" type="Binary" order="descending"/>
                <fetchIndexElement property="height" type="RTree" order="ascending"/>
            </fetchIndex>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="label"/>
                    <constraint value="weight"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
            <userInfo>
                <entry key="k" value=""/>
                <entry key="ü" value="😀 &quot;&lt;&gt;"/>
            </userInfo>
        </entity>
        <entity name="Child" parentEntity="Base" syncable="YES">
            <attribute name="count" optional="YES" attributeType="Integer 64" usesScalarValueType="YES" derived="YES" derivationExpression="parts.@count"/>
            <attribute name="Place" optional="YES" attributeType="Composite" composite="Place"/>
            <attribute name="rest" optional="YES" attributeType="Composite" composite="Place"/>
            <relationship name="base" optional="YES" maxCount="1" deletionRule="No Action" destinationEntity="Base"/>
            <relationship name="parts" optional="YES" toMany="YES" minCount="1" maxCount="5" deletionRule="Cascade" ordered="YES" destinationEntity="Part" inverseName="whole" inverseEntity="Part" versionHashModifier="r" elementID="pieces">
                <userInfo>
                    <entry key="x" value="y"/>
                </userInfo>
            </relationship>
            <fetchIndex name="byRow">
                <fetchIndexElement property="Place.row" type="Binary" order="ascending"/>
            </fetchIndex>
        </entity>
        <entity name="Part" syncable="YES">
            <relationship name="whole" maxCount="1" deletionRule="Deny" destinationEntity="Child" inverseName="parts" inverseEntity="Child"/>
        </entity>
        <fetchRequest name="All" entity="Part"/>
        <fetchRequest name="Some" entity="Child" predicateString="label CONTAINS[cd] $TEXT AND height &gt; 1" fetchLimit="10" fetchOffset="2" fetchBatchSize="20" resultType="2" includeSubentities="YES" includePropertyValues="YES" includesPendingChanges="YES" returnObjectsAsFaults="YES" returnDistinctResults="YES"/>
        <configuration name="Cloud">
            <memberEntity name="Base"/>
            <memberEntity name="Child"/>
        </configuration>
        <composite name="Inner">
            <attribute name="depth" optional="YES" attributeType="Double" defaultValueString="0.0" usesScalarValueType="YES"/>
        </composite>
        <composite name="Place">
            <attribute name="inner" optional="YES" attributeType="Composite" composite="Inner"/>
            <attribute name="row" attributeType="Integer 32" usesScalarValueType="YES" versionHashModifier="1" elementID="line">
                <userInfo>
                    <entry key="e" value="f"/>
                </userInfo>
            </attribute>
        </composite>
    </model>
    """#

  private let folder: ModelFolder

  init() throws { folder = try ModelFolder() }

  /// Writes a model, and reads it back.
  private func rewritten(_ model: NSManagedObjectModel) throws -> NSManagedObjectModel {
    let url = folder.url.appendingPathComponent("\(UUID().uuidString).xcdatamodel")
    try model.write(to: url)
    return try NSManagedObjectModel(reading: url)
  }

  private func text(_ model: NSManagedObjectModel) throws -> String {
    String(decoding: try model.documentContents(), as: UTF8.self)
  }

  @Test("a document with every feature is written unchanged")
  func everything() throws {
    let url = folder.url.appendingPathComponent("A.xcdatamodel")
    try folder.write(Self.document, to: "A.xcdatamodel/contents")
    let model = try NSManagedObjectModel(reading: url)
    let written = try text(model)
    for (line, expected) in zip(
      written.split(separator: "\n"), Self.document.split(separator: "\n"))
    {
      #expect(line == expected)
    }
    #expect(written == Self.document)
    #expect(try ModelDump.lines(rewritten(model)) == ModelDump.lines(model))
    #expect(try rewritten(model).versionChecksum == model.versionChecksum)
  }

  @Test("models in code are read back equal, and written identically again")
  func modelsInCode() throws {
    for model in [HashedShelf.model(), LibraryModel().model, NSManagedObjectModel()] {
      let read = try rewritten(model)
      #expect(ModelDump.lines(read) == ModelDump.lines(model))
      #expect(try text(read) == text(model))
      #expect(read.entityVersionHashesByName == model.entityVersionHashesByName)
    }
  }

  @Test("limits of decimal and floating-point numbers keep their digits")
  func limits() throws {
    let attributes = """
      <attribute name="a" attributeType="Decimal" minValueString="0.12345678901234567891"/>
      <attribute name="b" attributeType="Decimal" maxValueString="12345678901234567890.5"/>
      <attribute name="c" attributeType="Decimal" minValueString="9007199254740993.5"/>
      <attribute name="d" attributeType="Double" minValueString="0.30000000000000004"
      <attribute name="e" attributeType="Double" maxValueString="1.7976931348623157e+308"
      <attribute name="f" attributeType="Float" maxValueString="3.4028235e+38"
      """.split(separator: "\n").map { String($0) }
    let elements = attributes.map { $0.hasSuffix(">") ? $0 : $0 + "/>" }
    let model = try ModelFolder.model("<entity name=\"A\">\(elements.joined())</entity>")
    let written = try text(model)
    for attribute in attributes { #expect(written.contains(attribute), "\(attribute)") }
    let limit = model.entitiesByName["A"]?.attributesByName["d"]?.validationPredicates.first
    #expect(limit?.evaluate(with: 0.30000000000000004) == true)
  }

  @Test("constraints and indexes on elements of composite attributes are read back")
  func compositeElements() throws {
    let zip = Make.attribute("zip", .integer32)
    let address = NSCompositeAttributeDescription()
    (address.name, address.elements) = ("address", [zip, Make.attribute("city", .string)])
    let home = Make.entity("Home", [address])
    let element = NSFetchIndexElementDescription(property: zip, collationType: .binary)
    home.indexes = [NSFetchIndexDescription(name: "byZip", elements: [element])]
    home.uniquenessConstraints = [[zip, "address.city"]]
    let read = try rewritten(Make.model([home]))
    let compiled = try #require(try read.compiled().entity(named: "Home"))
    #expect(compiled.uniquenessConstraints == [["address.zip", "address.city"]])
    #expect(compiled.fetchIndexes.flatMap(\.elements).map(\.propertyName) == ["address.zip"])
  }

  @Test("order in the model does not matter to the text")
  func stable() throws {
    let (one, other) = (HashedShelf.model(), HashedShelf.model())
    other.entities.reverse()
    for entity in other.entities where entity.name != "Shelf" { entity.properties.reverse() }
    #expect(try text(one) == text(other))
  }

  @Test("a folder of versions gets its current version, and keeps other versions")
  func folders() throws {
    let url = folder.url.appendingPathComponent("M.xcdatamodeld")
    let (first, second) = (
      Make.model([Make.entity("A", [])]), Make.model([Make.entity("B", [])])
    )
    try first.write(to: url)
    #expect(try NSManagedObjectModel(reading: url).entities.map(\.name) == ["A"])
    try NSManagedObjectModel.write(["M 2": second], current: "M 2", to: url)
    #expect(try NSManagedObjectModel(reading: url).entities.map(\.name) == ["B"])
    #expect(try ModelVersions.read(url).map(\.name) == ["M", "M 2"])
    #expect(
      try NSManagedObjectModel.checksumsForVersionedModel(at: url)
        == ["M": first.versionChecksum, "M 2": second.versionChecksum])
  }

  @Test("compiled forms are written by their file extension", arguments: ["mom", "momd"])
  func compiled(_ ending: String) throws {
    let url = folder.url.appendingPathComponent("M.\(ending)")
    let model = HashedShelf.model()
    try model.write(to: url)
    let read = try NSManagedObjectModel(reading: url)
    #expect(read.entityVersionHashesByName == model.entityVersionHashesByName)
    let checksums = try NSManagedObjectModel.checksumsForVersionedModel(at: url)
    #expect(checksums == ["M": model.versionChecksum])
  }

  @Test("an invalid location or extension is rejected")
  func unwritable() throws {
    let model = HashedShelf.model()
    for name in ["M.omo", "M", "file/M.xcdatamodel", "file/M.momd", "file/M.mom"] {
      try folder.write("x", to: "file")
      let error = ModelFolder.error { () throws(ModelError) in
        try model.write(to: folder.url.appendingPathComponent(name))
      }
      #expect(error?.code == .unwritable, "\(name)")
    }
    for name in ["", "a/b", "..", "."] {
      let error = ModelFolder.error { () throws(ModelError) in
        try NSManagedObjectModel.write(
          [name: model], current: name, to: folder.url.appendingPathComponent("M.xcdatamodeld"))
      }
      #expect(error?.code == .unwritable, "\(name)")
    }
    let error = ModelFolder.error { () throws(ModelError) in
      try NSManagedObjectModel.write(
        ["a": model], current: "b", to: folder.url.appendingPathComponent("M.momd"))
    }
    #expect(error?.code == .unwritable)
  }

  /// Changes after which a document cannot represent the model.
  static let unsayableChanges: [HashedShelf.Change] = [
    .init("two identifiers") { $0.versionIdentifiers = ["1", "2"] },
    .init("identifier that is no text") { $0.versionIdentifiers = [1] },
    .init("user info that is no text") { $0.entities[0].userInfo = ["a": 1] },
    .init("control character") { $0.entities[0].versionHashModifier = "a\u{1}" },
    .init("default of a transformable attribute") {
      $0.entities[0].properties.append(Make.attribute("t", .transformable))
      $0.entities[0].attributesByName["t"]?.defaultValue = Data([1])
    },
    .init("condition with a text") {
      $0.entities[0].attributesByName["kept"]?.setValidationPredicates(
        [NSPredicate(format: "SELF > 3")], withValidationWarnings: ["small"])
    },
    .init("condition on a relationship") {
      $0.entities[0].relationshipsByName["shelf"]?.setValidationPredicates(
        [NSPredicate(format: "SELF != nil")], withValidationWarnings: ["none"])
    },
    .init("sort order") {
      var template = FetchTemplate(entityName: "Shelf")
      template.sortKeys = [FetchTemplate.SortKey(key: "code", isAscending: true)]
      $0.fetchTemplates = ["a": template]
    },
    .init("block") {
      $0.fetchTemplates = [
        "a": FetchTemplate(entityName: "Shelf", predicate: NSPredicate { _, _ in true })
      ]
    },
    .init("composite in itself") {
      let shelf = $0.entitiesByName["Shelf"]
      let place = shelf?.attributesByName["place"] as? NSCompositeAttributeDescription
      place?.elements.append(contentsOf: [place].compactMap { $0 })
    },
  ]

  @Test("unsupported features are rejected, never omitted", arguments: unsayableChanges)
  func unsayable(_ change: HashedShelf.Change) throws {
    let model = HashedShelf.model()
    try change.apply(model)
    let error = ModelFolder.error { () throws(ModelError) in _ = try model.documentContents() }
    #expect(error?.code == .unarchivable)
  }
}
