import Foundation
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite("A store is opened with the version of the model that it was written with")
struct ModelVersionTests {
  private func open(
    _ shop: Shop, _ model: NSManagedObjectModel,
    _ change: (inout StoreConfiguration) -> Void = { _ in }
  ) throws -> SQLiteStore {
    var configuration = StoreConfiguration(url: shop.file)
    change(&configuration)
    return try SQLiteStore.open(configuration, model: model.compiled())
  }

  private func changedModel() -> NSManagedObjectModel {
    let model = Shop.makeModel()
    model.entitiesByName["Product"]?.versionHashModifier = "2"
    return model
  }

  @Test("different hashes are rejected, and the error names both sides")
  func mismatch() throws {
    let shop = try Shop()
    try shop.open().close()
    let before = try Data(contentsOf: shop.file)
    let error = try #require(throws: StoreError.self) { try open(shop, changedModel()) }
    #expect(error.code == .incompatibleSchema)
    let mismatch = try #require(error.underlying as? ModelVersionMismatch)
    #expect(mismatch.storeEntities == ["Offer", "Product"])
    #expect(mismatch.modelEntities == ["Offer", "Product"])
    #expect(error.message.contains("Offer, Product"))
    #expect(try Data(contentsOf: shop.file) == before)
  }

  @Test("an additional entity on either side is rejected")
  func missingEntity() throws {
    let shop = try Shop()
    try shop.open().close()
    let error = try #require(throws: StoreError.self) {
      try open(shop, Shop.makeModel(withVariants: false))
    }
    let mismatch = try #require(error.underlying as? ModelVersionMismatch)
    #expect(mismatch.storeEntities == ["Offer"])
    #expect(mismatch.modelEntities.isEmpty)
  }

  @Test("the comparison can be disabled")
  func ignored() throws {
    let shop = try Shop()
    try shop.open().close()
    try open(shop, changedModel()) { $0.ignoresModelVersion = true }.close()
  }

  @Test("a store without fingerprints is judged by its tables and columns")
  func noHashes() throws {
    let shop = try Shop()
    try shop.open().close()
    try shop.sqlite("UPDATE Z_METADATA SET Z_PLIST = NULL")
    try open(shop, changedModel()).close()
    try shop.sqlite("ALTER TABLE ZPRODUCT RENAME COLUMN ZSTOCK TO ZSTORED")
    let error = try #require(throws: StoreError.self) { try open(shop, changedModel()) }
    #expect(error.code == .incompatibleSchema)
    #expect(error.underlying == nil)
  }

  @Test("entities are found by name, by former name, and by number; further rows do not matter")
  func numbers() throws {
    let shop = try Shop()
    try shop.open().close()
    try shop.execute(
      """
      UPDATE Z_PRIMARYKEY SET Z_NAME = 'Stale' WHERE Z_NAME = 'Offer';
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 5);
      """)
    try shop.open().close()
    try shop.sqlite("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Stale'")
    let error = try #require(throws: StoreError.self) { try shop.open() }
    #expect(error.code == .incompatibleSchema)
    #expect(error.entityName == "Offer")
  }

  @Test("a new store has the metadata that Apple's framework writes, and its model")
  func creation() throws {
    let shop = try Shop()
    try shop.open().close()
    let metadata = try SQLiteStore.metadata(at: shop.file)
    #expect(metadata["NSPersistenceFrameworkVersion"] as? Int == 1344)
    #expect(metadata["_NSAutoVacuumLevel"] as? String == "2")
    #expect(metadata["NSStoreType"] as? String == "SQLite")
    #expect(metadata["NSStoreModelVersionHashesVersion"] as? Int == 3)
    let model = Shop.makeModel()
    #expect(
      metadata["NSStoreModelVersionHashes"] as? [String: Data] == model.entityVersionHashesByName)
    #expect(metadata["NSStoreModelVersionChecksumKey"] as? String == model.versionChecksum)
    #expect(metadata["NSStoreModelVersionHashesDigest"] as? String == model.versionHashesDigest)
    let cached = try #require(try ModelCache.model(inStoreAt: shop.file))
    #expect(cached.entityVersionHashesByName == model.entityVersionHashesByName)
    try SQLiteStore.open(StoreConfiguration(url: shop.file), model: cached.compiled()).close()
  }

  @Test("damaged metadata and damaged models cause errors", arguments: [0, 1, 2, 3, 4])
  func damage(_ kind: Int) throws {
    let shop = try Shop()
    try shop.open().close()
    let scripts = [
      "UPDATE Z_METADATA SET Z_PLIST = x'62706C6973743030FFFFFFFFFF'",
      "UPDATE Z_METADATA SET Z_UUID = NULL",
      "UPDATE Z_MODELCACHE SET Z_CONTENT = zeroblob(100)",
      "UPDATE Z_MODELCACHE SET Z_CONTENT = substr(Z_CONTENT, 1, length(Z_CONTENT) / 2)",
      "UPDATE Z_MODELCACHE SET Z_CONTENT = randomblob(500)",
    ]
    try shop.sqlite(scripts[kind])
    let error = try #require(throws: StoreError.self) {
      if kind < 2 { _ = try shop.open() } else { _ = try ModelCache.model(inStoreAt: shop.file) }
    }
    #expect(error.code == .corrupt)
    if kind >= 2 { try shop.open().close() }
  }

  @Test("metadata with a set of dictionaries, for which Foundation stops the program, is read")
  func metadataWithSet() throws {
    let shop = try Shop()
    try shop.open().close()
    let list =
      "62706C6973743030D10102516BC103D0080B0D0F00000000000001010000000000000004"
      + "00000000000000000000000000000010"
    try shop.sqlite("UPDATE Z_METADATA SET Z_PLIST = x'\(list)'")
    let metadata = try SQLiteStore.metadata(at: shop.file)
    #expect((metadata["k"] as? [any Sendable])?.count == 1)
  }

  @Test("a model that would unpack to gigabytes is rejected")
  func bomb() throws {
    let shop = try Shop()
    try shop.open().close()
    // Zeros packed a thousandfold: a block of fixed codes, "0" and then copies of the last 258 bytes.
    let packed = Bomb.zeros(copies: 400_000)
    let digits = Array("0123456789ABCDEF")
    let hex = String(packed.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    try shop.sqlite("UPDATE Z_MODELCACHE SET Z_CONTENT = x'\(hex)'")
    #expect(throws: StoreError.self) { try ModelCache.model(inStoreAt: shop.file) }
  }

  @Test("a header with flipped bits causes an error or an open store, but never a trap")
  func flippedHeader() throws {
    let shop = try Shop()
    try shop.open().close()
    let bytes = try Data(contentsOf: shop.file)
    for position in 0..<100 {
      var damaged = bytes
      damaged[position] ^= 0x55
      try damaged.write(to: shop.file)
      do {
        try shop.open { $0.isReadOnly = true }.close()
      } catch let error as StoreError {
        #expect(!error.message.isEmpty)
      }
      _ = try? ModelCache.model(inStoreAt: shop.file)  // must return
    }
  }
}

/// A handmade DEFLATE stream, because the compressor is private to the store.
private enum Bomb {
  /// A zero byte and copies of 258 bytes, of 13 bits each: every 13 bytes repeat.
  static func zeros(copies: Int) -> Data {
    var bits: [UInt8] = [1, 1, 0]  // the last block, of fixed codes
    bits += [0, 0, 1, 1, 0, 0, 0, 0]  // a zero byte
    for _ in 0..<16 {
      bits += [1, 1, 0, 0, 0, 1, 0, 1]  // a copy of 258 bytes
      bits += [0, 0, 0, 0, 0]  // from distance 1
    }
    let bytes = (0..<15).map { index in
      (0..<8).reduce(UInt8(0)) { $0 | bits[index * 8 + $1] << UInt8($1) }
    }
    var data = Data(bytes[..<2])
    for _ in 0..<copies / 8 { data.append(contentsOf: bytes[2...]) }
    return data
  }
}
