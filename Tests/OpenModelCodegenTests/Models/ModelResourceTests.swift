import Foundation
import OpenModelCodegen
import OpenObjectModel
import Testing

@Suite("Compiled models as resources")
struct ModelResourceTests {
  private static func entity(_ name: String, _ attribute: String) -> String {
    """
    <entity name="\(name)" representedClassName="\(name)">
      <attribute name="\(attribute)" optional="YES" attributeType="String"/>
    </entity>
    """
  }

  private static let broken =
    "<entity name=\"Book\"><attribute name=\"x\" attributeType=\"Rope\"/></entity>"

  private func names(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test("a document becomes a folder with all its versions and the current one marked")
  func folder() throws {
    let model = try ModelOnDisk(
      ["One": Self.entity("Book", "title"), "Two": Self.entity("Book", "name")], current: "One")
    let result = model.url.deletingPathExtension().appendingPathExtension("momd")
    #expect(try ModelResource.write(modelAt: model.url, to: result) == [])
    #expect(try names(result) == ["One.mom", "Two.mom", "VersionInfo.plist"])
    let read = try #require(NSManagedObjectModel(contentsOf: result))
    #expect(read.entitiesByName["Book"]?.attributesByName.keys.sorted() == ["title"])
    let source = try #require(NSManagedObjectModel(contentsOf: model.url))
    #expect(read.entityVersionHashesByName == source.entityVersionHashesByName)
  }

  @Test("equal versions do not blur which one is current")
  func equalVersions() throws {
    let same = Self.entity("Book", "title")
    let model = try ModelOnDisk(["A": same, "B": same, "C": same], current: "B")
    let result = model.url.deletingPathExtension().appendingPathExtension("momd")
    _ = try ModelResource.write(modelAt: model.url, to: result)
    let list = try Data(contentsOf: result.appendingPathComponent("VersionInfo.plist"))
    let plist =
      try PropertyListSerialization.propertyList(from: list, format: nil) as? [String: Any]
    #expect(plist?["NSManagedObjectModel_CurrentVersionName"] as? String == "B")
  }

  @Test("a single version becomes a file")
  func file() throws {
    let model = try ModelOnDisk(Self.entity("Book", "title"))
    let version = model.url.appendingPathComponent("Library.xcdatamodel")
    let result = model.url.appendingPathComponent("Library.mom")
    #expect(try ModelResource.write(modelAt: version, to: result) == [])
    #expect(NSManagedObjectModel(contentsOf: result)?.entities.map(\.name) == ["Book"])
  }

  @Test(
    "a mapping model is compiled for the models in its folder; without them, it is rejected")
  func mappingModel() throws {
    let model = try ModelOnDisk(
      ["One": Self.entity("Book", "title"), "Two": Self.entity("Book", "name")], current: "Two")
    let folder = model.url.deletingLastPathComponent()
    let mapping = folder.appendingPathComponent("Mappings/OneToTwo.xcmappingmodel")
    try FileManager.default.createDirectory(at: mapping, withIntermediateDirectories: true)
    func write(_ modelName: String) throws {
      let text = """
        <database><object type="XDDEVMAPPINGMODEL" id="z1">
        <attribute name="sourcemodelpath">App/\(modelName).xcdatamodeld/One.xcdatamodel</attribute>
        <attribute name="destinationmodelpath">App/\(modelName).xcdatamodeld/Two.xcdatamodel</attribute>
        <relationship name="entitymappings" idrefs="z2"/></object>
        <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename">Book</attribute>
        <attribute name="destinationname">Book</attribute></object></database>
        """
      try Data(text.utf8).write(to: mapping.appendingPathComponent("xcmapping.xml"))
    }
    let result = folder.appendingPathComponent("OneToTwo.cdm")
    try write("Library")
    #expect(try ModelResource.write(modelAt: mapping, to: result) == [])
    let records = try MappingArchive.read(Data(contentsOf: result), path: result.path)
    #expect(records.map(\.name) == ["BookToBook"])
    let old = try #require(
      NSManagedObjectModel(contentsOf: model.url.appendingPathComponent("One.xcdatamodel")))
    #expect(records.first?.sourceEntityVersionHash == old.entitiesByName["Book"]?.versionHash)
    try write("Other")
    let error = #expect(throws: CodegenError.self) {
      try ModelResource.write(modelAt: mapping, to: result)
    }
    #expect(error?.code == .unreadableModel && error?.path == mapping.path)
  }

  @Test("writing again replaces only changed files, and removes old versions")
  func again() throws {
    let model = try ModelOnDisk(
      ["One": Self.entity("Book", "title"), "Two": Self.entity("Book", "name")], current: "One")
    let result = model.url.deletingPathExtension().appendingPathExtension("momd")
    _ = try ModelResource.write(modelAt: model.url, to: result)
    let kept = result.appendingPathComponent("One.mom")
    let inode = try FileManager.default.attributesOfItem(atPath: kept.path)[.systemFileNumber]
    try FileManager.default.removeItem(at: model.url.appendingPathComponent("Two.xcdatamodel"))
    _ = try ModelResource.write(modelAt: model.url, to: result)
    #expect(try names(result) == ["One.mom", "VersionInfo.plist"])
    let now = try FileManager.default.attributesOfItem(atPath: kept.path)[.systemFileNumber]
    #expect(now as? Int == inode as? Int)
    #expect(
      try names(result.deletingLastPathComponent()) == ["Library.momd", "Library.xcdatamodeld"])
  }

  @Test("only a .momd folder loses other files when a model is compiled into it")
  func otherFolder() throws {
    let model = try ModelOnDisk(Self.entity("Book", "title"))
    let folder = model.url.deletingLastPathComponent().appendingPathComponent("Resources")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("text".utf8).write(to: folder.appendingPathComponent("Readme.txt"))
    #expect(try ModelResource.write(modelAt: model.url, to: folder) == [])
    #expect(try names(folder) == ["Library.mom", "Readme.txt", "VersionInfo.plist"])
  }

  @Test(
    "an unreadable older version is omitted with a warning; the current version is an error")
  func unreadable() throws {
    let versions = ["Good": Self.entity("Book", "title"), "Bad": Self.broken]
    let model = try ModelOnDisk(versions, current: "Good")
    let result = model.url.deletingPathExtension().appendingPathExtension("momd")
    let warnings = try ModelResource.write(modelAt: model.url, to: result)
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("Bad.xcdatamodel/contents:") == true)
    #expect(warnings.first?.contains(" warning: ") == true)
    #expect(try names(result) == ["Good.mom", "VersionInfo.plist"])
    let bad = try ModelOnDisk(versions, current: "Bad")
    #expect(throws: CodegenError.self) {
      try ModelResource.write(modelAt: bad.url, to: bad.url.appendingPathComponent("X.momd"))
    }
  }
}
