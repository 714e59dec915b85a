import Foundation
import OpenStoreTool
import Testing

@Suite("Files are distinguished and not changed")
struct InspectedStoreTests {
  @Test(
    "a file that is not a store is reported as unreadable",
    arguments: ["", "no store at all", "SQLite format 3\u{0}"])
  func notAStore(_ content: String) throws {
    let sample = try Sample()
    try Data(content.utf8).write(to: sample.file)
    let error = #expect(throws: ToolError.self) { try sample.open() }
    #expect(error?.status == .unreadable)
    #expect(error?.message.contains("sample.sqlite") == true)
    #expect(try Data(contentsOf: sample.file) == Data(content.utf8))
  }

  @Test("a missing file, and a folder without a store")
  func missing() throws {
    let sample = try Sample()
    let error = #expect(throws: ToolError.self) { try sample.open() }
    #expect(error?.status == .unreadable)
    let folder = #expect(throws: ToolError.self) {
      try InspectedStore(at: sample.folder.path, modelPath: nil)
    }
    #expect(folder?.status == .usage)
  }

  @Test(
    "a folder that cannot be read is reported as unreadable, not as a folder without a store",
    .enabled(if: getuid() != 0, "root can read every folder"))
  func unreadableFolder() throws {
    let sample = try Sample()
    try sample.writeItems(1)
    let (manager, path) = (FileManager.default, sample.folder.path)
    try manager.setAttributes([.posixPermissions: 0o300], ofItemAtPath: path)
    defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path) }
    let error = #expect(throws: ToolError.self) { try InspectedStore(at: path, modelPath: nil) }
    #expect(error?.status == .unreadable)
  }

  @Test("a model that cannot be read")
  func badModel() throws {
    let sample = try Sample()
    try sample.writeItems(1)
    let path = sample.folder.appendingPathComponent("bad.mom")
    try Data("bad".utf8).write(to: path)
    let error = #expect(throws: ToolError.self) {
      try InspectedStore(at: sample.file.path, modelPath: path.path)
    }
    #expect(error?.status == .unreadable)
  }

  @Test("no command changes the file or other files in its folder")
  func unchanged() throws {
    let sample = try Sample()
    try sample.writeItems(5)
    let before = try Self.contents(of: sample)
    _ = try StoreReport.facts(ofStoreAt: sample.file.path, modelPath: nil)
    _ = try StoreReport(sample.open()).list()
    _ = try StoreReport(sample.open()).statistics()
    _ = try sample.rows(includesToMany: true)
    _ = try Explanation(StoreQuery(entity: "Item"), storeAt: sample.file.path, modelPath: nil)
    #expect(try Self.contents(of: sample) == before)
  }

  @Test("the sizes of a store at a symbolic link are those of the store")
  func link() throws {
    let sample = try Sample()
    try sample.writeItems(5)
    let link = sample.folder.appendingPathComponent("link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: sample.file)
    let facts = try StoreReport.facts(ofStoreAt: sample.file.path, modelPath: nil)
    let linked = try StoreReport.facts(ofStoreAt: link.path, modelPath: nil)
    #expect(facts["bytes"] != .integer(0))
    #expect(linked["bytes"] == facts["bytes"])
    #expect(linked["logBytes"] == facts["logBytes"])
  }

  @Test("a copy contains the same rows, and replaces no file")
  func backup() throws {
    let sample = try Sample()
    try sample.writeItems(5)
    let copy = try Sample()
    try BackupReport.copy(storeAt: sample.file.path, to: copy.file.path)
    #expect(try copy.rows(includesToMany: true) == sample.rows(includesToMany: true))
    let error = #expect(throws: ToolError.self) {
      try BackupReport.copy(storeAt: sample.file.path, to: copy.file.path)
    }
    #expect(error?.status == .unreadable)
  }

  @Test("the error for a copy in a missing folder names the copy and the remedy")
  func missingFolder() throws {
    let sample = try Sample()
    try sample.writeItems(1)
    let place = sample.folder.appendingPathComponent("missing/copy.sqlite").path
    let error = #expect(throws: ToolError.self) {
      try BackupReport.copy(storeAt: sample.file.path, to: place)
    }
    #expect(
      error?.message == "\(place): The folder for the store does not exist. Create it first.")
  }

  private static func contents(of sample: Sample) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: sample.folder.path) {
      files[name] = try Data(contentsOf: sample.folder.appendingPathComponent(name))
    }
    return files
  }
}
