import Foundation
import OpenObjectModel
import Testing

@Suite("Folders of compiled models")
struct CompiledModelFolderTests {
  private let folder: ModelFolder

  init() throws { folder = try ModelFolder() }

  private func version(_ name: String) -> CompiledModelFolder.Version {
    let model = LibraryModel.item([LibraryModel.attribute(name, .string)])
    return CompiledModelFolder.Version(
      name: name, model: model, entityHashes: ["Item": Data(repeating: 7, count: 32)],
      checksum: "c\(name)")
  }

  private func writingError(
    _ versions: [CompiledModelFolder.Version], _ current: String, _ path: String
  ) -> ModelError? {
    do {
      try CompiledModelFolder.write(
        versions, current: current, to: folder.url.appendingPathComponent(path))
      return nil
    } catch {
      return error
    }
  }

  @Test("versions are read back, and the current one is the one that was named")
  func roundTrip() throws {
    let url = folder.url.appendingPathComponent("M.momd")
    try CompiledModelFolder.write([version("B"), version("A")], current: "B", to: url)
    #expect(try CompiledModelFolder.versions(at: url).map(\.name) == ["A", "B"])
    let current = try NSManagedObjectModel(reading: url)
    #expect(current.entities.first?.properties.map(\.name) == ["B"])
    let list = try Data(contentsOf: url.appendingPathComponent("VersionInfo.plist"))
    let plist =
      try PropertyListSerialization.propertyList(from: list, format: nil) as? [String: Any]
    #expect(plist?["NSManagedObjectModel_CurrentVersionName"] as? String == "B")
    let hashes = plist?["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]]
    #expect(hashes?["A"]?["Item"]?.count == 32)
    let checksums = plist?["NSManagedObjectModel_VersionChecksums"] as? [String: String]
    #expect(checksums == ["A": "cA", "B": "cB"])
  }

  @Test("without a list the only version counts, or the one named as the folder")
  func withoutList() throws {
    let url = folder.url.appendingPathComponent("A.momd")
    try CompiledModelFolder.write([version("B")], current: "B", to: url)
    try FileManager.default.removeItem(at: url.appendingPathComponent("VersionInfo.plist"))
    #expect(NSManagedObjectModel(contentsOf: url)?.entities.count == 1)
    try CompiledModelFolder.write([version("A"), version("B")], current: "B", to: url)
    try FileManager.default.removeItem(at: url.appendingPathComponent("VersionInfo.plist"))
    #expect(
      NSManagedObjectModel(contentsOf: url)?.entities.first?.properties.map(\.name) == ["A"])
    let other = folder.url.appendingPathComponent("C.momd")
    try FileManager.default.moveItem(at: url, to: other)
    #expect(NSManagedObjectModel(contentsOf: other) == nil)
  }

  @Test("a damaged list is reported, and does not select the version with the folder's name")
  func damagedList() throws {
    let url = folder.url.appendingPathComponent("A.momd")
    try CompiledModelFolder.write([version("A"), version("B")], current: "B", to: url)
    try folder.write("no list", to: "A.momd/VersionInfo.plist")
    let error = ModelFolder.error { () throws(ModelError) in
      _ = try NSManagedObjectModel(reading: url)
    }
    #expect(error?.code == .unreadable)
    #expect(error?.path?.hasSuffix("VersionInfo.plist") == true)
  }

  @Test("missing and damaged versions are distinguished")
  func missing() throws {
    let url = folder.url.appendingPathComponent("M.momd")
    try CompiledModelFolder.write([version("A"), version("B")], current: "B", to: url)
    try FileManager.default.removeItem(at: url.appendingPathComponent("B.mom"))
    #expect(throws: ModelError.self) { try NSManagedObjectModel(reading: url) }
    try folder.write("no archive", to: "M.momd/B.mom")
    let error = ModelFolder.error { () throws(ModelError) in
      _ = try NSManagedObjectModel(reading: url)
    }
    #expect(error?.code == .malformed)
    #expect(error?.path?.hasSuffix("B.mom") == true)
  }

  @Test("invalid file names and unwritable locations are rejected")
  func refused() throws {
    #expect(writingError([version("../A")], "../A", "M.momd")?.code == .unarchivable)
    #expect(writingError([version("A")], "B", "M.momd")?.code == .unarchivable)
    try folder.write("a file", to: "taken")
    #expect(writingError([version("A")], "A", "taken/M.momd")?.code == .unwritable)
  }
}
