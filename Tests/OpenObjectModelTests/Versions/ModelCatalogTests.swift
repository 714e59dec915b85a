import Foundation
import OpenObjectModel
import Testing

@Suite("Versions of models found by their hashes")
struct ModelCatalogTests {
  private let folder: ModelFolder

  init() throws { folder = try ModelFolder() }

  /// A model of one entity with an attribute of the given name.
  private static func model(_ attribute: String) -> NSManagedObjectModel {
    LibraryModel.item([LibraryModel.attribute(attribute, .string)])
  }

  private static func name(_ number: Int) -> String { "V\(10_000 + number)" }

  private func write(_ names: [String: String], _ path: String = "Library.momd") throws -> URL {
    let url = folder.url.appendingPathComponent(path)
    try NSManagedObjectModel.write(
      names.mapValues { Self.model($0) }, current: names.keys.sorted()[0], to: url)
    return url
  }

  private func metadata(_ attribute: String) -> [String: Any] {
    ["NSStoreModelVersionHashes": Self.model(attribute).entityVersionHashesByName]
  }

  private func damage(_ url: URL, except kept: Set<String>) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path)
    where name.hasSuffix(".mom") && !kept.contains(String(name.dropLast(4))) {
      try Data("damaged".utf8).write(to: url.appendingPathComponent(name))
    }
  }

  @Test("the list finds one of a thousand versions without reading the others")
  func thousand() throws {
    let names = Dictionary(uniqueKeysWithValues: (0..<1_000).map { (Self.name($0), "a\($0)") })
    let url = try write(names)
    let wanted = [0, 417, 999]
    try damage(url, except: Set(wanted.map(Self.name)))
    let bundle = try #require(Bundle(url: folder.url))
    for number in wanted {
      let model = NSManagedObjectModel.mergedModel(
        from: [bundle], forStoreMetadata: metadata("a\(number)"))
      #expect(model?.entities.first?.attributesByName.keys.sorted() == ["a\(number)"])
    }
    #expect(
      NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata("a1")) == nil)
    let catalog = ModelCatalog([bundle])
    #expect(catalog.versions.map(\.name) == names.keys.sorted())
    let hashes = catalog.versions.map { catalog.hashes(of: $0) }
    #expect(Set(hashes.compactMap { $0?["Item"] }).count == 1_000)
  }

  @Test("of two versions with the same hashes, the first by name is used and read once")
  func equalHashes() throws {
    let url = try write(["B": "same", "A": "same", "C": "other"])
    let catalog = ModelCatalog(files: [url])
    let hashes = Self.model("same").entityVersionHashesByName
    let model = try #require(catalog.model(fitting: hashes))
    #expect(model === catalog.model(of: catalog.versions[0]))
    #expect(catalog.versions[0].name == "A")
    try damage(url, except: [])
    #expect(catalog.model(fitting: hashes) === model)
    #expect(catalog.model(of: catalog.versions[2]) == nil)
  }

  @Test("versions that cannot be read are reported with their files and the reasons")
  func failures() throws {
    let url = try write(["A": "a", "B": "b"])
    #expect(ModelCatalog(files: [url]).failures.isEmpty)
    try damage(url, except: ["B"])
    let failures = ModelCatalog(files: [url]).failures
    #expect(failures.map(\.url.lastPathComponent) == ["A.mom"])
    #expect(failures.first?.error.message.isEmpty == false)
  }

  @Test("without a list, and in documents, versions are read for their hashes")
  func unlisted() throws {
    let compiled = try write(["A": "a", "B": "b"])
    try FileManager.default.removeItem(at: compiled.appendingPathComponent("VersionInfo.plist"))
    let document = try write(["C": "c"], "Other.xcdatamodeld")
    let single = folder.url.appendingPathComponent("Single.mom")
    try Self.model("d").write(to: single)
    let catalog = ModelCatalog(files: [
      folder.url.appendingPathComponent("Missing.momd"), compiled, document, single,
    ])
    #expect(catalog.versions.map(\.name) == ["A", "B", "C", "Single"])
    for attribute in ["a", "b", "c", "d"] {
      let hashes = Self.model(attribute).entityVersionHashesByName
      #expect(
        catalog.model(fitting: hashes)?.entities.first?.attributesByName[attribute] != nil)
    }
    #expect(catalog.model(fitting: [:]) == nil)
  }

  @Test("an incorrect list does not return the wrong model")
  func wrongList() throws {
    let url = try write(["A": "a", "B": "b"])
    try Self.model("x").write(to: url.appendingPathComponent("A.mom"))
    let catalog = ModelCatalog(files: [url])
    #expect(catalog.model(fitting: Self.model("a").entityVersionHashesByName) == nil)
    #expect(catalog.model(fitting: Self.model("b").entityVersionHashesByName) != nil)
  }
}
