import Dispatch
import Foundation
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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

  @Test("replacing a store leaves the values of a store that another program creates meanwhile")
  func replacementDuringCreation() throws {
    let (shop, source) = (try Shop(), try Shop())
    for (place, picture) in [(shop, Shop.large), (source, Shop.large + [2])] {
      let store = try place.open()
      _ = try place.insertPicture(picture, into: store)
      store.close()
    }
    var configuration = StoreConfiguration(url: shop.file)
    configuration.timeout = 60
    // The replacement locks the destination, and then waits for the source.
    let lock = try StoreLock(of: source.file.path, for: .copy, besides: .users, timeout: 1)
    let failure = Mutex<(any Error)?>(nil)
    let ended = DispatchSemaphore(value: 0)
    DispatchQueue(label: "replacement").async { [configuration] in
      defer { ended.signal() }
      do {
        try SQLiteStore.replace(configuration, withStoreAt: source.file, isForced: false)
      } catch {
        failure.withLock { $0 = error }
      }
    }
    while !isLocked(shop.file), failure.withLock({ $0 == nil }) {}
    let twin = shop.folder.appendingPathComponent("shop.db")
    let store = try shop.open { $0.url = twin }
    _ = try shop.insertPicture(Shop.large + [1], into: store)
    store.close()
    lock.release()
    ended.wait()
    #expect(failure.withLock { $0 } == nil)
    #expect(try shop.pictures(at: twin) == [Shop.large + [1]])
    #expect(try shop.pictures(at: shop.file) == [Shop.large + [2]])
  }

  /// Returns whether an operation has locked a store.
  private func isLocked(_ url: URL) -> Bool {
    do {
      try StoreLock.waitForOperations(on: url.path, timeout: 0)
      return false
    } catch {
      return true
    }
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

  /// Adds the mark of a copy that another program is making under another extension.
  ///
  /// - Returns: The mark, which is locked until the handle is closed or deallocated.
  private func addMarkOfCopy(to shop: Shop) throws -> FileHandle {
    let mark = shop.externalFolder().deletingLastPathComponent()
      .appendingPathComponent("shop.db-values-\(UUID().uuidString)")
    try Data().write(to: mark)
    let handle = try FileHandle(forUpdating: mark)
    #expect(flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    return handle
  }

  @Test(
    "looking for orphaned files leaves the values of a copy until the copy has its name or its program was killed"
  )
  func unfinishedCopy() throws {
    let shop = try Shop()
    let store = try shop.open()
    defer { store.close() }
    _ = try shop.insertPicture(Shop.large, into: store)
    let value = try shop.addStrayFile()
    let mark = try addMarkOfCopy(to: shop)
    _ = try store.checkpoint(.emptyingLog)
    #expect(shop.externalNames.contains(value))
    #expect(shop.externalNames.count == 2)
    #expect(try store.damage() == [])
    // The system does this when the program is killed. The mark remains.
    try mark.close()
    #expect(try store.damage().map(\.detail) == [value])
    _ = try store.checkpoint(.emptyingLog)
    #expect(!shop.externalNames.contains(value))
    #expect(try shop.pictures(in: store) == [Shop.large])
  }

  @Test("destroying a store leaves the values of a copy that does not have its name yet")
  func destructionBesideUnfinishedCopy() throws {
    let shop = try Shop()
    let store = try shop.open()
    _ = try shop.insertPicture(Shop.large, into: store)
    let value = try shop.addStrayFile()
    let mark = try addMarkOfCopy(to: shop)
    #expect(try store.damage() == [])
    store.close()
    try SQLiteStore.destroy(configuration(shop.file), isForced: false)
    #expect(shop.externalNames == [value])
    #expect(shop.marks.count == 1)
    try mark.close()
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
