import Foundation
import OpenObjectModel
import Testing

@Suite("Folders of model versions")
struct ModelFolderTests {
  private let folder: ModelFolder

  init() throws { folder = try ModelFolder() }

  private func error(_ path: String) -> ModelError? {
    ModelFolder.error { () throws(ModelError) in
      _ = try NSManagedObjectModel(reading: folder.url.appendingPathComponent(path))
    }
  }

  private func names(_ path: String) throws -> [String?] {
    try NSManagedObjectModel(reading: folder.url.appendingPathComponent(path)).entities.map(\.name)
  }

  @Test("the marked version is read")
  func marked() throws {
    _ = try folder.version("M.xcdatamodeld/M.xcdatamodel", entities: "<entity name=\"Old\"/>")
    _ = try folder.version("M.xcdatamodeld/M 2.xcdatamodel", entities: "<entity name=\"New\"/>")
    try folder.mark("M 2.xcdatamodel", in: "M.xcdatamodeld")
    #expect(try names("M.xcdatamodeld") == ["New"])
    #expect(
      NSManagedObjectModel(contentsOf: folder.url.appendingPathComponent("M.xcdatamodeld"))?
        .entities.map(\.name) == ["New"])
    #expect(try names("M.xcdatamodeld/M.xcdatamodel") == ["Old"])
  }

  @Test("the only version, or the one named as the folder, needs no mark")
  func unmarked() throws {
    _ = try folder.version("M.xcdatamodeld/First.xcdatamodel", entities: "<entity name=\"A\"/>")
    #expect(try names("M.xcdatamodeld") == ["A"])
    _ = try folder.version("M.xcdatamodeld/M.xcdatamodel", entities: "<entity name=\"B\"/>")
    #expect(try names("M.xcdatamodeld") == ["B"])
  }

  @Test("several versions without a current version are rejected")
  func ambiguous() throws {
    _ = try folder.version("M.xcdatamodeld/M 1.xcdatamodel", entities: "")
    _ = try folder.version("M.xcdatamodeld/M 2.xcdatamodel", entities: "")
    #expect(error("M.xcdatamodeld")?.code == .unreadable)
  }

  @Test("a missing file, folder or version is reported with its path")
  func missing() throws {
    #expect(error("None.xcdatamodeld")?.code == .unreadable)
    #expect(error("None.xcdatamodeld")?.path?.hasSuffix("None.xcdatamodeld") == true)
    try folder.mark("Gone.xcdatamodel", in: "M.xcdatamodeld")
    #expect(error("M.xcdatamodeld")?.code == .unreadable)
    try folder.write("", to: "Empty.xcdatamodeld/readme")
    #expect(error("Empty.xcdatamodeld")?.code == .unreadable)
  }

  @Test("a damaged mark is reported, and does not select the version with the folder's name")
  func damagedMark() throws {
    _ = try folder.version("M.xcdatamodeld/M.xcdatamodel", entities: "<entity name=\"Old\"/>")
    _ = try folder.version("M.xcdatamodeld/M 2.xcdatamodel", entities: "<entity name=\"New\"/>")
    try folder.mark("M 2.xcdatamodel</string>\n<<<<<<< HEAD\n<string>", in: "M.xcdatamodeld")
    #expect(error("M.xcdatamodeld")?.code == .unreadable)
    #expect(error("M.xcdatamodeld")?.path?.hasSuffix(".xccurrentversion") == true)
  }

  @Test("a mark cannot lead out of the folder")
  func escape() throws {
    _ = try folder.version("Other.xcdatamodel", entities: "<entity name=\"Outside\"/>")
    try folder.mark("../Other.xcdatamodel", in: "M.xcdatamodeld")
    #expect(error("M.xcdatamodeld")?.code == .unreadable)
  }

  @Test("compiled models are not read")
  func compiledModels() throws {
    try folder.write("", to: "M.momd/VersionInfo.plist")
    let url = folder.url.appendingPathComponent("M.momd")
    #expect(error("M.momd")?.code == .unreadable)
    #expect(NSManagedObjectModel(contentsOf: url) == nil)
  }

  @Test("models are found in bundles, by name and all together")
  func bundles() throws {
    _ = try folder.version(
      "Resources.bundle/A.xcdatamodeld/A.xcdatamodel", entities: "<entity name=\"One\"/>")
    _ = try folder.version("Resources.bundle/B.xcdatamodel", entities: "<entity name=\"Two\"/>")
    let bundle = try #require(Bundle(url: folder.url.appendingPathComponent("Resources.bundle")))
    let merged = NSManagedObjectModel.mergedModel(from: [bundle])
    #expect(merged?.entities.compactMap(\.name).sorted() == ["One", "Two"])
    #expect(merged?.versionIdentifiers == ["7"])
    #expect(
      try NSManagedObjectModel.model(named: "A", in: [bundle])?.entities.map(\.name) == ["One"])
    #expect(try NSManagedObjectModel.model(named: "C", in: [bundle]) == nil)
    #expect(NSManagedObjectModel.mergedModel(from: []) == nil)
  }
}
