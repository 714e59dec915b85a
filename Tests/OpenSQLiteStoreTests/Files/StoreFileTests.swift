import Foundation
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreConformance
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

  @Test("a copy has the rows of the log, the external values and the identifier")
  func copy() throws {
    let source = try Shop.killed(["b", "c"], pictureOf: "a")
    let named = source.externalNames
    _ = try source.addStrayFile()
    let before = try FolderContents(source.folder)
    let copy = try Shop()
    try SQLiteStore.replace(configuration(copy), withStoreAt: source.file, isForced: false)
    #expect(try FolderContents(source.folder) == before)
    #expect(try FolderContents(copy.folder).names == ["shop.sqlite"])
    #expect(named.count == 1)
    #expect(copy.externalNames == named)
    #expect(copy.marks == [])
    let identifier = try SQLiteStore.metadata(at: copy.file)["NSStoreUUID"] as? String
    #expect(try SQLiteStore.metadata(at: source.file)["NSStoreUUID"] as? String == identifier)
    #expect(try count(copy) == 3)
  }

  @Test("a copy replaces another store, with its log and external values")
  func replacement() throws {
    let source = try Shop()
    let store = try source.open()
    _ = try source.insert(["new"], into: store)
    let old = try Shop.killed(["a", "b"])
    _ = try old.addStrayFile()
    // The source is in use during the replacement.
    try SQLiteStore.replace(configuration(old), withStoreAt: source.file, isForced: false)
    store.close()
    #expect(try FolderContents(old.folder).names == ["shop.sqlite"])
    #expect(old.externalNames == [])
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

  @Test("a missing source is an error and creates no file")
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
    _ = try shop.addStrayFile()
    try SQLiteStore.destroy(configuration(shop), isForced: false)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: shop.folder.path) == ["shop.sqlite"])
    #expect(try shop.sqlite("SELECT count(*) FROM sqlite_master") == ["0"])
    #expect(try count(shop) == 0)
    try FileManager.default.removeItem(at: shop.file)
    try SQLiteStore.destroy(configuration(shop), isForced: false)
    #expect(try FolderContents(shop.folder).names == [])
  }

  @Test("a damaged store is deleted, a file of another kind is not")
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
    try FileManager.default.removeItem(at: shop.file)
    try shop.execute("CREATE TABLE friend (name)")
    #expect(throws: StoreError.self) {
      try SQLiteStore.destroy(configuration(shop), isForced: false)
    }
    #expect(try shop.sqlite("SELECT name FROM sqlite_master") == ["friend"])
  }

  @Test("metadata is written at once; versions, type and identifier stay")
  func metadata() throws {
    let shop = try Shop()
    try shop.open().close()
    let before = try SQLiteStore.metadata(at: shop.file)
    try SQLiteStore.setMetadata(
      ["SmilieVersion": 7, "NSStoreUUID": "other", "flag": true, "one": 1, "half": 1.0],
      configuration(shop))
    let after = try SQLiteStore.metadata(at: shop.file)
    #expect(after["SmilieVersion"] as? Int == 7)
    #expect(after["NSStoreUUID"] as? String == before["NSStoreUUID"] as? String)
    #expect(
      after["NSStoreModelVersionHashes"] as? [String: Data]
        == before["NSStoreModelVersionHashes"] as? [String: Data])
    #expect(after["NSStoreModelVersionHashesVersion"] as? Int == 3)
    try SQLiteStore.setMetadata(after, configuration(shop))
    let again = try SQLiteStore.metadata(at: shop.file)
    #expect(again["flag"].map { type(of: $0) == Bool.self } == true)
    #expect(again["one"].map { type(of: $0) == Int.self } == true)
    #expect(again["half"] as? Double == 1)
    #expect(again["half"].map { type(of: $0) == Double.self } == true)
    try shop.open().close()
  }

  @Test("metadata of a missing file is not written")
  func missingMetadata() throws {
    let shop = try Shop()
    #expect(throws: StoreError.self) { try SQLiteStore.setMetadata([:], configuration(shop)) }
    #expect(try FolderContents(shop.folder).names == [])
  }

  @Test("metadata of a save keeps the file's own entries")
  func savedMetadata() throws {
    let shop = try Shop()
    let store = try shop.open()
    let before = try store.metadata()
    _ = try store.commit(reserving: [:]) { _ in
      var changes = ChangeSet()
      changes.metadata = ["color": "red", "NSStoreModelVersionHashesVersion": 4]
      return changes
    }
    let after = try store.metadata()
    #expect(Set(after.keys) == Set(before.keys).union(["color"]))
    #expect(after["NSStoreModelVersionHashesVersion"] as? Int == 3)
    store.close()
  }

  @Test("a trigger that calls an unknown function makes writes throw")
  func unknownFunction() throws {
    let shop = try Shop()
    try shop.open().close()
    try shop.execute(
      "CREATE TRIGGER t AFTER INSERT ON ZPRODUCT BEGIN SELECT NSCoreDataUnknown(new.Z_PK); END")
    let store = try shop.open()
    let error = try #require(throws: StoreError.self) { try shop.insert(["a"], into: store) }
    #expect(error.code == .statement)
    #expect(error.message.contains("NSCoreDataUnknown"))
    #expect(try store.count(matching: shop.plan()) == 0)
    store.close()
  }

  @Test("a file with a legacy journal gets a log, unless a pragma asks for the journal")
  func journalMode() throws {
    let shop = try Shop()
    try shop.open { $0.settings = ["journal_mode": "DELETE"] }.close()
    #expect(try shop.sqlite("PRAGMA journal_mode") == ["delete"])
    let before = try FolderContents(shop.folder)
    try shop.open { $0.isReadOnly = true }.close()
    #expect(try FolderContents(shop.folder) == before)
    try shop.open().close()
    #expect(try shop.sqlite("PRAGMA journal_mode") == ["wal"])
  }

  @Test("foreign tables, indexes and triggers, and the cached model stay")
  func foreignParts() throws {
    let shop = try Shop()
    try shop.open().close()
    try shop.execute(
      """
      CREATE TABLE other (x);
      CREATE INDEX own ON ZPRODUCT (ZSTOCK);
      CREATE TRIGGER t AFTER INSERT ON ZPRODUCT BEGIN INSERT INTO other VALUES (new.Z_PK); END;
      UPDATE Z_MODELCACHE SET Z_CONTENT = x'00';
      """)
    let store = try shop.open()
    _ = try shop.insert(["a"], into: store)
    store.close()
    #expect(try shop.sqlite("SELECT x FROM other") == ["1"])
    #expect(try shop.sqlite("SELECT hex(Z_CONTENT) FROM Z_MODELCACHE") == ["00"])
    #expect(
      try shop.sqlite("SELECT count(*) FROM sqlite_master WHERE name IN ('own', 't')") == ["2"])
  }
}
