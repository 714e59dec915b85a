import Foundation
import OpenObjectModel
import Testing

@Suite("Faulty model documents")
struct ModelReaderErrorTests {
  /// A faulty document, and the location of the fault. Entities start in line 3.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: ModelError.Code
    let line: Int
    let entities: String
  }

  static let faults = [
    Fault(
      testDescription: "unknown attribute type", code: .unknownType, line: 4,
      entities: """
        <entity name="A">
          <attribute name="x" attributeType="Integer 128"/>
        </entity>
        """),
    Fault(
      testDescription: "dangling inverse", code: .danglingInverse, line: 4,
      entities: """
        <entity name="A">
          <relationship name="x" maxCount="1" destinationEntity="A" inverseName="y" inverseEntity="A"/>
        </entity>
        """),
    Fault(
      testDescription: "cyclic parents", code: .cyclicParents, line: 3,
      entities: """
        <entity name="A" parentEntity="B"/>
        <entity name="B" parentEntity="A"/>
        """),
    Fault(
      testDescription: "unknown parent", code: .unknownEntity, line: 3,
      entities: "<entity name=\"A\" parentEntity=\"B\"/>"),
    Fault(
      testDescription: "unknown destination", code: .unknownEntity, line: 3,
      entities: "<entity name=\"A\"><relationship name=\"x\" destinationEntity=\"B\"/></entity>"),
    Fault(
      testDescription: "entity without name", code: .missingName, line: 3, entities: "<entity/>"),
    Fault(
      testDescription: "attribute without name", code: .missingName, line: 3,
      entities: "<entity name=\"A\"><attribute attributeType=\"String\"/></entity>"),
    Fault(
      testDescription: "entity twice", code: .duplicateName, line: 4,
      entities: """
        <entity name="A"/>
        <entity name="A"/>
        """),
    Fault(
      testDescription: "default of another type", code: .mismatchedDefault, line: 3,
      entities: """
        <entity name="A"><attribute name="x" attributeType="Integer 32" defaultValueString="many"/></entity>
        """),
    Fault(
      testDescription: "limit that is no number", code: .malformed, line: 3,
      entities: """
        <entity name="A"><attribute name="x" attributeType="Integer 32" minValueString="few"/></entity>
        """),
    Fault(
      testDescription: "faulty pattern", code: .malformed, line: 3,
      entities: """
        <entity name="A"><attribute name="x" attributeType="String" regularExpressionString="("/></entity>
        """),
    Fault(
      testDescription: "constraint on an unknown property", code: .unknownProperty, line: 3,
      entities: """
        <entity name="A"><uniquenessConstraints><uniquenessConstraint><constraint value="x"/></uniquenessConstraint></uniquenessConstraints></entity>
        """),
    Fault(
      testDescription: "index on an unknown property", code: .unknownProperty, line: 4,
      entities: """
        <entity name="A"><fetchIndex name="i">
          <fetchIndexElement property="x"/>
        </fetchIndex></entity>
        """),
    Fault(
      testDescription: "composite that contains itself", code: .unknownType, line: 4,
      entities: """
        <entity name="A"><attribute name="x" attributeType="Composite" composite="C"/></entity>
        <composite name="C"><attribute name="y" attributeType="Composite" composite="C"/></composite>
        """),
    Fault(
      testDescription: "configuration of an unknown entity", code: .unknownEntity, line: 3,
      entities: "<configuration name=\"C\"><memberEntity name=\"A\"/></configuration>"),
    Fault(
      testDescription: "broken XML", code: .malformed, line: 4,
      entities: """
        <entity name="A">
          <attribute name="x" attributeType="String">
        """),
    Fault(
      testDescription: "elements nested too deeply", code: .malformed, line: 3,
      entities: String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)),
  ]

  @Test("a fault is reported with its code, file and line", arguments: faults)
  func reported(_ fault: Fault) throws {
    let error = try #require(try ModelFolder.error(fault.entities))
    #expect(error.code == fault.code)
    if fault.testDescription == "broken XML" {
      // Where a missing end tag is noticed is the parser's choice.
      #expect((error.line ?? 0) >= fault.line)
    } else {
      #expect(error.line == fault.line)
    }
    #expect(error.path?.hasSuffix("A.xcdatamodel/contents") == true)
  }

  @Test("an inverse that does not point back is found when the model is used")
  func oneSidedInverse() throws {
    let error = try ModelFolder.error(
      """
      <entity name="A"><relationship name="x" maxCount="1" destinationEntity="A" inverseName="y" inverseEntity="A"/>
      <relationship name="y" maxCount="1" destinationEntity="A"/></entity>
      """)
    #expect(error?.code == .danglingInverse)
  }

  @Test("a document of another kind is rejected")
  func otherRoot() throws {
    let owner = try ModelFolder()
    let folder = try owner.write("<plist/>", to: "A.xcdatamodel/contents")
      .deletingLastPathComponent()
    let error = ModelFolder.error { () throws(ModelError) in
      _ = try NSManagedObjectModel(reading: folder)
    }
    #expect(error?.code == .malformed)
    #expect(
      NSManagedObjectModel(contentsOf: owner.url.appendingPathComponent("A.xcdatamodel")) == nil)
  }

  @Test(
    "XML that is truncated or closes the wrong element is rejected",
    arguments: [
      "<model>", "<model><entity name=\"A\"/>", "<model><entity name=\"A\"></model>",
      "<model></entity></model>", "<model><entity name=A/></model>", "<model/><model/>",
      "<model><entity name=\"A\" name=\"B\"/></model>", "<model>&nothing;</model>",
    ])
  func brokenXML(_ text: String) throws {
    let folder = try ModelFolder()
    let file = try folder.write(text, to: "A.xcdatamodel/contents")
    let error = withExtendedLifetime(folder) {
      ModelFolder.error { () throws(ModelError) in
        _ = try NSManagedObjectModel(reading: file.deletingLastPathComponent())
      }
    }
    #expect(error?.code == .malformed)
    #expect(error?.line == 1)
  }

  @Test("text, an empty document, and endlessly expanding entities are rejected")
  func noModels() throws {
    let bomb = """
      <?xml version="1.0"?><!DOCTYPE model [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
      <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&e;">]>
      <model><entity name="&e;"/></model>
      """
    let folder = try ModelFolder()
    for (name, text) in [("text", "hello"), ("nothing", ""), ("bomb", bomb)] {
      let file = try folder.write(text, to: "\(name).xcdatamodel/contents")
      let error = ModelFolder.error { () throws(ModelError) in
        _ = try NSManagedObjectModel(reading: file.deletingLastPathComponent())
      }
      #expect(error != nil, "\(name)")
    }
    withExtendedLifetime(folder) {}
  }
}
