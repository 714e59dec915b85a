import Foundation
import OpenObjectModel
import OpenPredicates
import Testing

/// Models of real applications from outside the package; without them, the tests are skipped.
enum RealModels {
  static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["OPENCOREDATA_SHARED"] ?? "../shared"
  ).appendingPathComponent("data")

  static let areMissing = !FileManager.default.fileExists(atPath: folder.path)

  /// All versions in an `.xcdatamodeld` folder.
  static func versions(_ path: String) throws -> [URL] {
    let document = folder.appendingPathComponent(path)
    return try FileManager.default.contentsOfDirectory(
      at: document, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "xcdatamodel" }.sorted { $0.path < $1.path }
  }
}

@Suite(
  "Models of real applications",
  .disabled(if: RealModels.areMissing, "the folder named by OPENCOREDATA_SHARED is absent"))
struct RealModelTests {
  @Test(
    "every version is read and can be used",
    arguments: [
      ("models/Awful.xcdatamodeld", 7), ("stores/coredataplus/SampleModel.xcdatamodeld", 3),
      ("stores/cartkit/CartStorage.xcdatamodeld", 1),
    ])
  func versions(_ path: String, _ count: Int) throws {
    let versions = try RealModels.versions(path)
    #expect(versions.count == count)
    for version in versions {
      let compiled = try NSManagedObjectModel(reading: version).compiled()
      #expect(!compiled.entities.isEmpty, "\(version.lastPathComponent)")
      for (index, entity) in compiled.entities.enumerated() {
        #expect(entity.index == index)
        #expect(entity.slots.count <= entity.nullWordCount * 64)
      }
    }
  }

  @Test("the forum reader's current version has its entities, defaults and inverses")
  func forumReader() throws {
    let model = try NSManagedObjectModel(
      reading: RealModels.folder.appendingPathComponent("models/Awful.xcdatamodeld"))
    let compiled = try model.compiled()
    let forum = try #require(compiled.entity(named: "Forum"))
    let index = try #require(forum.ordinal(of: "index"))
    #expect(forum.properties[index].attribute?.defaultValue == .int(-1))
    let tags = try #require(forum.ordinal(of: "threadTags"))
    let relationship = try #require(forum.properties[tags].relationship)
    #expect(relationship.isToMany && relationship.isOrdered)
    #expect(compiled.entities[relationship.destinationIndex].name == "ThreadTag")
    #expect(forum.fetchIndexes.map(\.name) == ["byForumIDIndex"])
    #expect(
      compiled.entities.map { $0.name.lowercased() }
        == compiled.entities.map { $0.name.lowercased() }.sorted())
  }

  @Test("the sample model's inheritance is numbered depth first")
  func sampleModel() throws {
    let model = try NSManagedObjectModel(
      reading: RealModels.folder.appendingPathComponent(
        "stores/coredataplus/SampleModel.xcdatamodeld/SampleModel.xcdatamodel"))
    let compiled = try model.compiled()
    #expect(compiled.entities.map(\.name) == ["Car", "SportCar", "ExpensiveSportCar", "Person"])
    #expect(compiled.entities[0].uniquenessConstraints == [["numberPlate"]])
    #expect(compiled.entities[3].uniquenessConstraints == [["firstName", "lastName"]])
    #expect(model.versionIdentifiers == ["1"])
  }

  @Test(
    "every version is written, read back equal, and written identically again",
    arguments: [
      "models/Awful.xcdatamodeld", "stores/coredataplus/SampleModel.xcdatamodeld",
      "stores/cartkit/CartStorage.xcdatamodeld",
    ])
  func fixedPoint(_ path: String) throws {
    let folder = try ModelFolder()
    for version in try RealModels.versions(path) {
      let model = try NSManagedObjectModel(reading: version)
      let copy = folder.url.appendingPathComponent(version.lastPathComponent)
      try model.write(to: copy)
      let read = try NSManagedObjectModel(reading: copy)
      #expect(ModelDump.lines(read) == ModelDump.lines(model))
      #expect(try read.documentContents() == model.documentContents())
      #expect(read.versionChecksum == model.versionChecksum)
    }
  }

  @Test("written documents differ from Xcode's only in settings that models do not contain")
  func asXcode() throws {
    for version in try RealModels.versions("stores/coredataplus/SampleModel.xcdatamodeld") {
      let original = try String(
        contentsOf: version.appendingPathComponent("contents"), encoding: .utf8)
      let model = try NSManagedObjectModel(reading: version)
      let written = String(decoding: try model.documentContents(), as: UTF8.self)
      #expect(
        written.split(separator: "\n").dropFirst(2) == original.split(separator: "\n").dropFirst(2))
    }
  }
}
