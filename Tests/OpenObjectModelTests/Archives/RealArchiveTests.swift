import Foundation
import OpenObjectModel
import Testing

@Suite(
  "Compiled models of real applications",
  .disabled(if: RealModels.areMissing, "the folder named by OPENCOREDATA_SHARED is absent"))
struct RealArchiveTests {
  private static func folder(_ path: String) -> URL {
    RealModels.folder.appendingPathComponent("stores").appendingPathComponent(path)
  }

  @Test(
    "every version is read, and equal after writing and reading again",
    arguments: [
      ("cartkit/CartStorage.momd", ["CartStorage": 3]),
      (
        "coredataplus/SampleModel.momd",
        ["SampleModel": 4, "SampleModel2": 4, "SampleModel3": 5]
      ),
    ])
  func versions(_ path: String, _ counts: [String: Int]) throws {
    let versions = try CompiledModelFolder.versions(at: Self.folder(path))
    #expect(versions.map(\.name) == counts.keys.sorted())
    for (name, model) in versions {
      #expect(model.entities.count == counts[name])
      for dialect in ModelArchiveTests.dialects {
        let data = try ModelArchive.write(model, dialect: dialect)
        let again = try ModelArchive.read(data, path: name)
        #expect(ModelDump.lines(again) == ModelDump.lines(model))
      }
      #expect(try !model.compiled().entities.isEmpty)
    }
  }

  @Test("the initializers of Apple's framework read compiled models")
  func initializers() throws {
    let url = Self.folder("coredataplus/SampleModel.momd")
    let current = try #require(NSManagedObjectModel(contentsOf: url))
    #expect(current.versionIdentifiers == ["1"])
    let third = NSManagedObjectModel(contentsOf: url.appendingPathComponent("SampleModel3.mom"))
    #expect(third?.versionIdentifiers == ["3"])
    let optimized = NSManagedObjectModel(contentsOf: url.appendingPathComponent("SampleModel.omo"))
    #expect(optimized?.entityVersionHashesByName == current.entityVersionHashesByName)
  }

  @Test(
    "a compiled model equals its source", arguments: ["SampleModel2", "SampleModel3"])
  func sources(_ name: String) throws {
    let compiled = try NSManagedObjectModel(
      reading: Self.folder("coredataplus/SampleModel.momd/\(name).mom"))
    let source = try NSManagedObjectModel(
      reading: Self.folder("coredataplus/SampleModel.xcdatamodeld/\(name).xcdatamodel"))
    #expect(ModelDump.lines(compiled) == ModelDump.lines(source))
  }

  @Test(
    "a folder that is written has the list of the one that was read",
    arguments: [
      ("cartkit/CartStorage.momd", "CartStorage"), ("coredataplus/SampleModel.momd", "SampleModel"),
    ])
  func rewriting(_ path: String, _ current: String) throws {
    let folder = try ModelFolder()
    let url = folder.url.appendingPathComponent("M.momd")
    let versions = try CompiledModelFolder.versions(at: Self.folder(path))
    try CompiledModelFolder.write(
      versions.map { CompiledModelFolder.Version(name: $0.name, model: $0.model) },
      current: current, to: url)
    let (old, new) = (try list(Self.folder(path)), try list(url))
    let (hashes, checksums) = (
      "NSManagedObjectModel_VersionHashes", "NSManagedObjectModel_VersionChecksums"
    )
    #expect(new[hashes] as? [String: [String: Data]] == old[hashes] as? [String: [String: Data]])
    if let recorded = old[checksums] as? [String: String] {
      #expect(new[checksums] as? [String: String] == recorded)
    }
    let key = "NSManagedObjectModel_CurrentVersionName"
    #expect(new[key] as? String == old[key] as? String)
  }

  private func list(_ folder: URL) throws -> [String: Any] {
    let data = try Data(contentsOf: folder.appendingPathComponent("VersionInfo.plist"))
    let plist = try PropertyListSerialization.propertyList(from: data, format: nil)
    return try #require(plist as? [String: Any])
  }
}
