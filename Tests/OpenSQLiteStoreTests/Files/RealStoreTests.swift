import Foundation
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Testing

/// A store of the collection, and the known facts about it.
struct RealStore: Sendable, CustomTestStringConvertible {
  var path: String
  var identifier: String
  var frameworkVersion: Int
  var rows: [String: Int]

  static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["OPENCOREDATA_SHARED"] ?? "../shared"
  ).appendingPathComponent("data/stores")

  var url: URL { Self.folder.appendingPathComponent(path) }
  var testDescription: String { path }

  /// Empty if the collection is not available.
  static let all: [RealStore] = {
    guard let data = try? Data(contentsOf: folder.appendingPathComponent("facts.json")),
      let facts = try? JSONSerialization.jsonObject(with: data) as? [String: [String: Any]]
    else { return [] }
    return facts.sorted { $0.key < $1.key }.map { path, fact in
      RealStore(
        path: path, identifier: fact["storeUUID"] as? String ?? "",
        frameworkVersion: fact["frameworkVersion"] as? Int ?? 0,
        rows: fact["rowsByExactEntity"] as? [String: Int] ?? [:])
    }
  }()
}

@Suite(
  "Apple's stores are read without changing a byte",
  .enabled(if: !RealStore.all.isEmpty, "the collection of Apple's files is not here"))
struct RealStoreTests {
  @Test("their metadata contains the known values", arguments: RealStore.all)
  func metadata(_ real: RealStore) throws {
    let before = try FolderContents(real.url.deletingLastPathComponent())
    let metadata = try SQLiteStore.metadata(at: real.url)
    #expect(metadata["NSStoreUUID"] as? String == real.identifier)
    #expect(metadata["NSPersistenceFrameworkVersion"] as? Int == real.frameworkVersion)
    #expect(try FolderContents(real.url.deletingLastPathComponent()) == before)
  }

  @Test(
    "they are opened with the models in them, and all rows are read",
    arguments: RealStore.all)
  func opening(_ real: RealStore) throws {
    let before = try FolderContents(real.url.deletingLastPathComponent())
    guard let model = try ModelCache.model(inStoreAt: real.url) else {
      #expect(real.path.contains("kik"))
      return
    }
    var configuration = StoreConfiguration(url: real.url)
    configuration.isReadOnly = true
    // The hash of one entity in this file differs from the hash of its model.
    configuration.ignoresModelVersion = real.path.contains("Photos")
    let compiled = try model.compiled()
    let store = try SQLiteStore.open(configuration, model: compiled)
    var rows: [String: Int] = [:]
    for root in compiled.entities where root.superIndex == nil {
      try store.forEachChunk(matching: FetchPlan(shape: FetchShape(entity: root))) { chunk in
        chunk.forEachRow { rows[compiled.entities[$0.entityIndex].name, default: 0] += 1 }
      }
    }
    store.close()
    #expect(rows == Self.renamed(real.rows.filter { $0.value > 0 }, by: compiled))
    #expect(try FolderContents(real.url.deletingLastPathComponent()) == before)
  }

  /// Counts by the entity names in the model; a file may still have former names.
  private static func renamed(_ rows: [String: Int], by model: CompiledModel) -> [String: Int] {
    var names: [String: String] = [:]
    for entity in model.entities {
      if let former = entity.entityDescription.renamingIdentifier { names[former] = entity.name }
    }
    return Dictionary(
      rows.map { (model.entity(named: $0.key) == nil ? names[$0.key] ?? $0.key : $0.key, $0.value) }
    ) { first, _ in first }
  }
}
