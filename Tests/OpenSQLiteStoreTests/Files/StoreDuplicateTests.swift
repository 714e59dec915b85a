import Dispatch
import Foundation
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Synchronization
import Testing

@Suite("A copy of a store has the file of every value")
struct StoreDuplicateTests {
  private func configuration(_ shop: Shop) -> StoreConfiguration {
    var configuration = StoreConfiguration(url: shop.file)
    configuration.timeout = 5
    return configuration
  }

  @Test(
    "also while another thread replaces the values, by all ways to copy",
    arguments: ["wal", "delete"])
  func busySource(journal: String) throws {
    let source = try Shop()
    let store = try source.open {
      $0.settings = ["journal_mode": journal]
      $0.timeout = 10
    }
    defer { store.close() }
    let first = try source.insertPicture(Shop.large, into: store)
    let isDone = Mutex(false)
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue(label: "saves").async {
      defer { ended.signal() }
      var (row, number) = (first, 0)
      do {
        while !isDone.withLock({ $0 }) {
          number += 1
          let picture = Shop.large + [UInt8(truncatingIfNeeded: number)]
          row = try source.replacePicture(of: row, with: picture, in: store)
          // As often as it can be: what is not kept is deleted at once. A copy may be in the way.
          if journal == "wal" { _ = try? store.checkpoint(.emptyingLog) }
          if number == 1 { begun.signal() }
        }
      } catch {
        failure.withLock { $0 = error }
        begun.signal()
      }
    }
    begun.wait()
    defer {
      isDone.withLock { $0 = true }
      ended.wait()
      #expect(failure.withLock { $0 } == nil)
    }
    for round in 0..<12 {
      let copy = try Shop()
      if round.isMultiple(of: 2) {
        try SQLiteStore.replace(
          configuration(copy), withStoreAt: source.file, isForced: round == 4)
      } else {
        try StoreInspection.copy(storeAt: source.file, to: copy.file)
      }
      let pictures = try copy.pictures(at: copy.file)
      #expect(pictures.count == 1)
      #expect(pictures.first??.count ?? 0 >= Shop.large.count)
      #expect(copy.externalNames.count == 1)
    }
  }

  @Test("a copy that fails because a file is missing leaves no files")
  func missingFile() throws {
    let source = try Shop()
    let store = try source.open()
    _ = try source.insertPicture(Shop.large, into: store)
    _ = try source.insertPicture(Shop.large, code: "b", into: store)
    store.close()
    let name = try #require(source.externalNames.last)
    let path = source.externalFolder().appendingPathComponent(name).path
    try FileManager.default.removeItem(atPath: path)
    let copy = try Shop()
    for attempt in 0..<2 {
      let error = try #require(throws: StoreError.self) {
        if attempt == 0 {
          try SQLiteStore.replace(
            configuration(copy), withStoreAt: source.file, isForced: false)
        } else {
          try StoreInspection.copy(storeAt: source.file, to: copy.file)
        }
      }
      #expect(error.code == .missingFile)
      #expect(error.path == path)
    }
    #expect(try FolderContents(copy.folder).names == [])
    #expect(copy.externalNames == [])
    #expect(copy.marks == [])
    #expect(try FolderContents(source.folder).names.filter { $0.hasSuffix("-lock") } == [])
  }

  @Test("and the files of the replaced store are deleted afterward")
  func replacedFiles() throws {
    let source = try Shop()
    let store = try source.open()
    _ = try source.insertPicture(Shop.large, into: store)
    let place = try Shop()
    let old = try place.open()
    _ = try place.insertPicture(Shop.large + [1], into: old)
    old.close()
    try SQLiteStore.replace(configuration(place), withStoreAt: source.file, isForced: false)
    #expect(place.externalNames == source.externalNames)
    store.close()
    #expect(try place.pictures(at: place.file) == [Shop.large])
  }

  @Test("and replaces a truncated file of the same value when a backup is restored")
  func truncatedFile() throws {
    let shop = try Shop()
    let store = try shop.open()
    _ = try shop.insertPicture(Shop.large, into: store)
    store.close()
    let backup = try Shop()
    try StoreInspection.copy(storeAt: shop.file, to: backup.file)
    let name = try #require(shop.externalNames.first)
    let file = shop.externalFolder().appendingPathComponent(name)
    try Shop.large.prefix(1000).write(to: file)
    try SQLiteStore.replace(configuration(shop), withStoreAt: backup.file, isForced: false)
    #expect(try shop.pictures(at: shop.file) == [Shop.large])
    // A truncated file in the backup does not replace a complete file.
    try Shop.large.prefix(1000).write(to: backup.externalFolder().appendingPathComponent(name))
    try SQLiteStore.replace(configuration(shop), withStoreAt: backup.file, isForced: false)
    #expect(try shop.pictures(at: shop.file) == [Shop.large])
  }
}
