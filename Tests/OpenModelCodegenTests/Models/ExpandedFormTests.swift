import ExpandedModel
import Foundation
import OpenCoreData
import OpenModelCodegen
import OpenObjectModel
import Testing

/// Classes with their accessors in full, which need no macros.
@Suite("Classes without macros") struct ExpandedFormTests {
  private static let elements =
    entity(
      "Chest", "",
      """
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="charts" optional="YES" toMany="YES" ordered="YES" destinationEntity="Chart" inverseName="chest"
        inverseEntity="Chart" deletionRule="Cascade"/>
      """)
    + entity(
      "Chart", "",
      """
      <attribute name="title" attributeType="String" defaultValueString="Untitled"/>
      <attribute name="pages" attributeType="Integer 32" defaultValueString="0" usesScalarValueType="YES"/>
      <attribute name="primitiveNumber" optional="YES" attributeType="Double" usesScalarValueType="NO"/>
      <relationship name="chest" optional="YES" maxCount="1" destinationEntity="Chest" inverseName="charts"
        inverseEntity="Chest" deletionRule="Nullify"/>
      <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Seal" inverseName="charts"
        inverseEntity="Seal" deletionRule="Nullify"/>
      """)
    + entity(
      "Seal", "",
      """
      <attribute name="word" optional="YES" attributeType="String"/>
      <relationship name="charts" optional="YES" toMany="YES" destinationEntity="Chart" inverseName="tags"
        inverseEntity="Chart" deletionRule="Nullify"/>
      """)
    + entity(
      "Portolan", "parentEntity=\"Chart\"",
      "<attribute name=\"genre\" optional=\"YES\" attributeType=\"String\"/>")

  @Test("the source is the one that this test is compiled with")
  func source() throws {
    let model = try ModelOnDisk(["Chest": Self.elements])
    let source = try ModelCodegen.source(ofModelAt: model.url, form: .expanded)
    let compiled = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().appendingPathComponent("../../ExpandedModel/Classes.swift")
    let expected = try String(contentsOf: compiled, encoding: .utf8)
    #expect(source == expected.replacing("the model Chest.", with: "the model Library."))
  }

  @Test("a file whose public declarations use nothing of Foundation does not import it")
  func imports() throws {
    let model = try ModelOnDisk(
      entity(
        "Label", "",
        """
        <attribute name="text" optional="YES" attributeType="String"/>
        <attribute name="isPinned" attributeType="Boolean" usesScalarValueType="YES"/>
        <relationship name="next" optional="YES" maxCount="1" destinationEntity="Label"/>
        """))
    let source = try ModelCodegen.source(ofModelAt: model.url, form: .expanded)
    // The compile matrix compiles it in both language modes with warnings as errors.
    let compiled = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().appendingPathComponent(
        "../../CompileMatrix/Generated/Labels.swift")
    let expected = try String(contentsOf: compiled, encoding: .utf8)
    #expect(source == expected.replacing("the model Labels.", with: "the model Library."))
  }

  @Test(
    "a file imports Foundation for custom classes of it, not for those of the program",
    arguments: [
      ("URLComponents", true), ("[String: Date]", true), ("NSAttributedString", true),
      ("Foundation.Thread", true), ("Colour", false), ("[Paint.Colour]", false), ("Label", false),
    ])
  func customClasses(_ type: String, needsFoundation: Bool) throws {
    let model = try ModelOnDisk(
      entity(
        "Label", "",
        """
        <attribute name="custom" optional="YES" attributeType="Transformable"
          customClassName="\(type)"/>
        """))
    let source = try ModelCodegen.source(ofModelAt: model.url, form: .expanded)
    #expect(source.contains("public import Foundation\n") == needsFoundation)
  }

  @Test("values, relationships and their inverses are read, changed, saved and fetched")
  func use() throws {
    let model = try ModelOnDisk(["Chest": Self.elements])
    let context = try Self.context(model)

    let chest = Chest(context: context)
    chest.name = "Sea"
    let (first, second) = (Portolan(context: context), Chart(context: context))
    first.genre = "Adventure"
    first.pages = 635
    first.primitiveNumber = 1.5
    second.title = "Knots"
    chest.addToCharts(second)
    chest.insertIntoCharts(first, at: 0)
    let tag = Seal(context: context)
    tag.addToCharts(NSSet(array: [first, second]))
    try context.save()
    context.reset()

    let charts = try context.fetch(Chart.fetchRequest())
    #expect(Set(charts.map(\.title)) == ["Untitled", "Knots"])
    let request: NSFetchRequest<Portolan> = Portolan.fetchRequest()
    let portolan = try #require(try context.fetch(request).first)
    #expect(
      portolan.genre == "Adventure" && portolan.pages == 635 && portolan.primitiveNumber == 1.5)
    #expect(portolan.tags?.count == 1)
    let stored = try #require(portolan.chest)
    #expect(stored.charts?.map { ($0 as? Chart)?.title } == ["Untitled", "Knots"])
    stored.removeFromCharts(at: 0)
    #expect(portolan.chest == nil)
    #expect(stored.charts?.count == 1)
  }

  @Test("a missing required value makes the save throw, as with macros")
  func validation() throws {
    let context = try Self.context(try ModelOnDisk(["Chest": Self.elements]))
    let chart = Chart(context: context)
    chart.title = nil
    #expect {
      try context.save()
    } throws: { error in
      (error as? CocoaError)?.code.rawValue == NSValidationMissingMandatoryPropertyError
    }
  }

  private static func context(_ document: ModelOnDisk) throws -> NSManagedObjectContext {
    let model = try NSManagedObjectModel.reading(document.url)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }
}
