import Foundation
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite("Stores find their external values, and do not change those of other stores")
struct SupportFolderTests {
  /// Two stores that differ in their extensions, with a picture each: their values are in one folder.
  private func twins() throws -> (shop: Shop, twin: URL) {
    let shop = try Shop()
    let twin = shop.folder.appendingPathComponent("shop.db")
    for (url, picture) in [(shop.file, Shop.large), (twin, Shop.large + [1])] {
      let store = try shop.open { $0.url = url }
      _ = try shop.insertPicture(picture, into: store)
      store.close()
    }
    #expect(shop.externalNames.count == 2)
    return (shop, twin)
  }

  private func configuration(_ url: URL) -> StoreConfiguration {
    var configuration = StoreConfiguration(url: url)
    configuration.timeout = 1
    return configuration
  }

  @Test(
    "destroying a store leaves the values of one that differs in its extension",
    arguments: [false, true])
  func destruction(isForced: Bool) throws {
    let (shop, twin) = try twins()
    try SQLiteStore.destroy(configuration(twin), isForced: isForced)
    #expect(try shop.pictures(at: shop.file) == [Shop.large])
    #expect(shop.externalNames.count == 1)
    try SQLiteStore.destroy(configuration(shop.file), isForced: isForced)
    #expect(shop.externalNames == [])
  }

  @Test("destroying a damaged store leaves the values of one that differs in its extension")
  func damagedDestruction() throws {
    let (shop, twin) = try twins()
    let bytes = try Data(contentsOf: twin)
    try bytes.prefix(300).write(to: twin)
    try SQLiteStore.destroy(configuration(twin), isForced: false)
    #expect(try shop.pictures(at: shop.file) == [Shop.large])
  }

  @Test("replacing a store leaves the values of one that differs in its extension")
  func replacement() throws {
    let (shop, twin) = try twins()
    let other = try Shop()
    let store = try other.open()
    _ = try other.insertPicture(Shop.large + [2], into: store)
    store.close()
    try SQLiteStore.replace(configuration(twin), withStoreAt: other.file, isForced: false)
    #expect(try shop.pictures(at: twin) == [Shop.large + [2]])
    #expect(try shop.pictures(at: shop.file) == [Shop.large])
    #expect(shop.externalNames.count == 2)
  }

  @Test("a copy in the same folder has its own files")
  func copyBeside() throws {
    let (shop, twin) = try twins()
    try SQLiteStore.replace(configuration(twin), withStoreAt: shop.file, isForced: false)
    #expect(shop.externalNames.count == 2)
    try SQLiteStore.destroy(configuration(shop.file), isForced: false)
    #expect(try shop.pictures(at: twin) == [Shop.large])
    let third = shop.folder.appendingPathComponent("shop.copy")
    try StoreInspection.copy(storeAt: twin, to: third)
    try SQLiteStore.destroy(configuration(twin), isForced: true)
    #expect(try shop.pictures(at: third) == [Shop.large])
    #expect(shop.externalNames.count == 1)
  }

  @Test(
    "looking for files of killed programs leaves the values of a store that differs in its extension"
  )
  func collection() throws {
    let (shop, twin) = try twins()
    let store = try shop.open()
    _ = try store.checkpoint(.emptyingLog)
    #expect(try store.damage() == [])
    store.close()
    #expect(shop.externalNames.count == 2)
    #expect(try shop.pictures(at: twin) == [Shop.large + [1]])
  }

  @Test("looking for orphaned files leaves the values of a copy that does not have its name yet")
  func unfinishedCopy() throws {
    let shop = try Shop()
    let store = try shop.open()
    defer { store.close() }
    _ = try shop.insertPicture(Shop.large, into: store)
    let value = try shop.addStrayFile()
    let mark = shop.externalFolder().deletingLastPathComponent()
      .appendingPathComponent("shop.db-values-\(UUID().uuidString)")
    try Data().write(to: mark)
    _ = try store.checkpoint(.emptyingLog)
    #expect(shop.externalNames.contains(value))
    #expect(shop.externalNames.count == 2)
    try FileManager.default.removeItem(at: mark)
    _ = try store.checkpoint(.emptyingLog)
    #expect(!shop.externalNames.contains(value))
    #expect(try shop.pictures(in: store) == [Shop.large])
  }

  @Test("a store that is opened through a link has its values next to its file")
  func links() throws {
    let shop = try Shop()
    let files = FileManager.default
    let folder = shop.folder.appendingPathComponent("links")
    try files.createDirectory(at: folder, withIntermediateDirectories: false)
    let link = folder.appendingPathComponent("other.sqlite")
    // The link exists before the file.
    try files.createSymbolicLink(atPath: link.path, withDestinationPath: "../shop.sqlite")
    let store = try shop.open { $0.url = link }
    _ = try shop.insertPicture(Shop.large, into: store)
    store.close()
    #expect(shop.externalNames.count == 1)
    #expect(try files.contentsOfDirectory(atPath: folder.path) == ["other.sqlite"])
    #expect(try shop.pictures(at: shop.file) == [Shop.large])
    #expect(try shop.pictures(at: link) == [Shop.large])
    let copy = try Shop()
    try SQLiteStore.replace(configuration(copy.file), withStoreAt: link, isForced: false)
    #expect(try copy.pictures(at: copy.file) == [Shop.large])
    try SQLiteStore.destroy(configuration(link), isForced: false)
    #expect(shop.externalNames == [])
    #expect(try files.destinationOfSymbolicLink(atPath: link.path) == "../shop.sqlite")
  }
}
