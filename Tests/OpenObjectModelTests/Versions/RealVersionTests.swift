import Foundation
import OpenObjectModel
import Testing

@Suite(
  "Version hashes of real models",
  .disabled(if: RealModels.areMissing, "the folder named by OPENCOREDATA_SHARED is absent"))
struct RealVersionTests {
  private static let models = [
    "stores/coredataplus/SampleModel", "stores/cartkit/CartStorage",
  ]

  private func list(_ path: String) throws -> [String: Any] {
    let url = RealModels.folder.appendingPathComponent("\(path).momd/VersionInfo.plist")
    let plist = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: url), format: nil)
    return try #require(plist as? [String: Any])
  }

  @Test("model documents have the hashes and checksums that Xcode compiled", arguments: models)
  func documents(_ path: String) throws {
    let list = try list(path)
    let hashes = try #require(
      list["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
    let folder = RealModels.folder.appendingPathComponent("\(path).xcdatamodeld")
    let versions = try ModelVersions.read(folder)
    #expect(Set(versions.map(\.name)) == Set(hashes.keys))
    for version in versions {
      #expect(version.model.entityVersionHashesByName == hashes[version.name])
    }
    let recorded = list["NSManagedObjectModel_VersionChecksums"] as? [String: String] ?? [:]
    let checksums = try NSManagedObjectModel.checksumsForVersionedModel(at: folder)
    for (name, checksum) in recorded { #expect(checksums[name] == checksum) }
  }

  @Test("compiled models have the hashes of their list", arguments: models)
  func compiled(_ path: String) throws {
    let hashes = try #require(
      try list(path)["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
    let folder = RealModels.folder.appendingPathComponent("\(path).momd")
    for version in try ModelVersions.read(folder) {
      #expect(version.model.entityVersionHashesByName == hashes[version.name])
    }
    #expect(
      try Set(NSManagedObjectModel.checksumsForVersionedModel(at: folder).keys)
        == Set(hashes.keys))
  }

  @Test("compiled models become documents with the same hashes, and back", arguments: models)
  func converted(_ path: String) throws {
    let folder = try ModelFolder()
    let compiled = try ModelVersions.read(RealModels.folder.appendingPathComponent("\(path).momd"))
    let models = Dictionary(compiled.map { ($0.name, $0.model) }) { first, _ in first }
    let current = try #require(compiled.first?.name)
    for ending in ["xcdatamodeld", "momd"] {
      let url = folder.url.appendingPathComponent("Copy.\(ending)")
      try NSManagedObjectModel.write(models, current: current, to: url)
      let copies = try ModelVersions.read(url)
      #expect(copies.map(\.name) == compiled.map(\.name))
      for (copy, original) in zip(copies, compiled) {
        #expect(copy.model.entityVersionHashesByName == original.model.entityVersionHashesByName)
        #expect(ModelDifference(from: original.model, to: copy.model).description == "")
      }
    }
  }
}
