import Foundation
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite("Whole stores are copied, emptied and described without being opened for a model")
struct StoreFileTests {
  private func configuration(_ shop: Shop) -> StoreConfiguration {
    var configuration = StoreConfiguration(url: shop.file)
    configuration.timeout = 0
    return configuration
  }

  private func count(_ shop: Shop) throws -> Int {
    let store = try shop.open()
    defer { store.close() }
    return try store.count(matching: shop.plan())
  }

  private func external(_ shop: Shop) -> URL {
    shop.folder.appendingPathComponent(".shop_SUPPORT/_EXTERNAL_DATA")
  }

  private func addValue(_ name: String, to shop: Shop) throws {
    try FileManager.default.createDirectory(
      at: external(shop), withIntermediateDirectories: true)
    try Data(name.utf8).write(to: external(shop).appendingPathComponent(name))
  }

  @Test("a copy has the rows of the log, the external values and the identifier")
  func copy() throws {
    let source = try Shop.killed(["a", "b", "c"])
    try addValue("ONE", to: source)
    let before = try FolderContents(source.folder)
    let copy = try Shop()
    try SQLiteStore.replace(configuration(copy), withStoreAt: source.file, isForced: false)
    #expect(try FolderContents(source.folder) == before)
    #expect(try FolderContents(copy.folder).names == ["shop.sqlite"])
    #expect(try FolderContents(external(copy)).names == ["ONE"])
    let identifier = try SQLiteStore.metadata(at: copy.file)["NSStoreUUID"] as? String
    #expect(try SQLiteStore.metadata(at: source.file)["NSStoreUUID"] as? String == identifier)
    #expect(try count(copy) == 3)
  }

  @Test("a copy takes the place of another store, with its log and external values")
  func replacement() throws {
    let source = try Shop()
    let store = try source.open()
    _ = try source.insert(["new"], into: store)
    let old = try Shop.killed(["a", "b"])
    try addValue("OLD", to: old)
    // The source is in use meanwhile.
    try SQLiteStore.replace(configuration(old), withStoreAt: source.file, isForced: false)
    store.close()
    #expect(try FolderContents(old.folder).names == ["shop.sqlite"])
    #expect(try FolderContents(external(old)).names == [])
    #expect(try count(old) == 1)
  }

  @Test("a store in use is not replaced or emptied, unless that is forced")
  func inUse() throws {
    let source = try Shop()
    try source.open().close()
    let shop = try Shop()
    let store = try shop.open()
    _ = try shop.insert(["a"], into: store)
    for attempt in 0..<2 {
      let error = try #require(throws: StoreError.self) {
        if attempt == 0 {
          try SQLiteStore.destroy(configuration(shop), isForced: false)
        } else {
          try SQLiteStore.replace(configuration(shop), withStoreAt: source.file, isForced: false)
        }
      }
      #expect(error.code == .locked)
      #expect(try store.count(matching: shop.plan()) == 1)
    }
    try SQLiteStore.destroy(configuration(shop), isForced: true)
    store.close()
    #expect(try count(shop) == 0)
  }

  @Test("a missing source is an error and makes no file")
  func missingSource() throws {
    let shop = try Shop()
    let error = try #require(throws: StoreError.self) {
      try SQLiteStore.replace(
        configuration(shop), withStoreAt: shop.folder.appendingPathComponent("no.sqlite"),
        isForced: false)
    }
    #expect(error.code == .missingFile)
    #expect(try FolderContents(shop.folder).names == [])
    try SQLiteStore.replace(configuration(shop), withStoreAt: shop.file, isForced: false)
  }

  @Test("an emptied store is an empty database, and can be used again")
  func destruction() throws {
    let shop = try Shop.killed(["a", "b"])
    try addValue("OLD", to: shop)
    try SQLiteStore.destroy(configuration(shop), isForced: false)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: shop.folder.path) == ["shop.sqlite"])
    #expect(try shop.sqlite("SELECT count(*) FROM sqlite_master") == ["0"])
    #expect(try count(shop) == 0)
    try FileManager.default.removeItem(at: shop.file)
    try SQLiteStore.destroy(configuration(shop), isForced: false)
    #expect(try FolderContents(shop.folder).names == [])
  }

  @Test("a damaged store is deleted, a file of another kind is left")
  func damagedDestruction() throws {
    let shop = try Shop()
    try shop.open().close()
    let bytes = try Data(contentsOf: shop.file)
    try bytes.prefix(300).write(to: shop.file)
    try SQLiteStore.destroy(configuration(shop), isForced: false)
    #expect(try FolderContents(shop.folder).names == [])
    try Data("a letter to a friend".utf8).write(to: shop.file)
    let error = try #require(throws: StoreError.self) {
      try SQLiteStore.destroy(configuration(shop), isForced: false)
    }
    #expect(error.code == .foreignFile)
    #expect(try FolderContents(shop.folder).names == ["shop.sqlite"])
  }

  @Test("metadata is written at once; versions, type and identifier stay")
  func metadata() throws {
    let shop = try Shop()
    try shop.open().close()
    let before = try SQLiteStore.metadata(at: shop.file)
    try SQLiteStore.setMetadata(
      ["SmilieVersion": 7, "NSStoreUUID": "other", "flag": true, "one": 1], configuration(shop))
    let after = try SQLiteStore.metadata(at: shop.file)
    #expect(after["SmilieVersion"] as? Int == 7)
    #expect(after["NSStoreUUID"] as? String == before["NSStoreUUID"] as? String)
    #expect(
      after["NSStoreModelVersionHashes"] as? [String: Data]
        == before["NSStoreModelVersionHashes"] as? [String: Data])
    #expect(after["NSStoreModelVersionHashesVersion"] as? Int == 3)
    try SQLiteStore.setMetadata(after, configuration(shop))
    let list = try shop.sqlite("SELECT hex(Z_PLIST) FROM Z_METADATA")
    try SQLiteStore.setMetadata(SQLiteStore.metadata(at: shop.file), configuration(shop))
    #expect(try shop.sqlite("SELECT hex(Z_PLIST) FROM Z_METADATA").first?.count == list.first?.count)
    try shop.open().close()
  }

  @Test("metadata of a missing file is not written")
  func missingMetadata() throws {
    let shop = try Shop()
    #expect(throws: StoreError.self) { try SQLiteStore.setMetadata([:], configuration(shop)) }
    #expect(try FolderContents(shop.folder).names == [])
  }
}
