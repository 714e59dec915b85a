import Foundation
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Testing

/// Files that Apple's framework wrote; they are not part of the package, and the tests are skipped without them.
private enum AppleFiles {
  static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["OPENCOREDATA_SHARED"] ?? "../shared"
  ).appendingPathComponent("data/stores")

  static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path) }
}

@Suite(
  "Files that Apple's framework wrote",
  .enabled(if: AppleFiles.isPresent, "the collection of Apple's files is not here"))
struct AppleFileTests {
  /// A store with inheritance, and the model document from which it was created.
  private static let file = "coredataplus/SampleModel_V1.sqlite"
  private static let document = "coredataplus/SampleModel.xcdatamodeld/SampleModel.xcdatamodel"

  private func model(_ path: String) throws -> CompiledModel {
    let url = AppleFiles.folder.appendingPathComponent(path)
    return try #require(NSManagedObjectModel(contentsOf: url)).compiled()
  }

  private func copy(_ path: String, to shop: Shop) throws {
    for suffix in ["", "-wal"] {
      let source = AppleFiles.folder.appendingPathComponent(path + suffix)
      guard FileManager.default.fileExists(atPath: source.path) else { continue }
      try FileManager.default.copyItem(
        at: source, to: URL(fileURLWithPath: shop.file.path + suffix))
    }
  }

  @Test("open, and their rows are read and counted")
  func reading() throws {
    let shop = try Shop()
    try copy(Self.file, to: shop)
    let model = try model(Self.document)
    let store = try SQLiteStore.open(StoreConfiguration(url: shop.file), model: model)
    var total = 0
    for root in model.entities where root.superIndex == nil {
      let plan = FetchPlan(shape: FetchShape(entity: root))
      var rows = 0
      try store.forEachChunk(matching: plan) { rows += $0.rowCount }
      #expect(try store.count(matching: plan) == rows)
      #expect(try store.keys(matching: plan).count == rows)
      total += rows
    }
    #expect(total > 0)
  }

  @Test("have the tables and indexes that a new store of the same model gets")
  func schema() throws {
    let apple = try Shop()
    let ours = try Shop()
    try copy(Self.file, to: apple)
    try SQLiteStore.open(StoreConfiguration(url: ours.file), model: model(Self.document)).close()
    let statements =
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND type <> 'trigger' "
      + "AND name NOT LIKE 'A%' AND name NOT LIKE 'Z_TRANSACTION%' ORDER BY rowid"
    #expect(try ours.sqlite(statements) == apple.sqlite(statements))
  }

  @Test("of an older version of the model are rejected")
  func olderVersion() throws {
    let shop = try Shop()
    try copy("cartkit/CartStorage_v1.sqlite", to: shop)
    let model = try model("cartkit/CartStorage.xcdatamodeld/CartStorage.xcdatamodel")
    let error = try #require(throws: StoreError.self) {
      try SQLiteStore.open(StoreConfiguration(url: shop.file), model: model)
    }
    #expect(error.code == .incompatibleSchema)
  }
}
