import Foundation
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite("A read-only store does not change its files")
struct ReadingTests {
  private func read(_ shop: Shop) throws -> Int {
    let store = try shop.open { $0.isReadOnly = true }
    defer { store.close() }
    return try store.count(matching: shop.plan())
  }

  @Test("a file without log")
  func plain() throws {
    let shop = try Shop()
    let store = try shop.open()
    _ = try shop.insert(["a", "b"], into: store)
    store.close()
    let before = try FolderContents(shop.folder)
    #expect(before.names == ["shop.sqlite"])
    #expect(try read(shop) == 2)
    #expect(try FolderContents(shop.folder) == before)
  }

  @Test("a file whose rows are in a log without index")
  func log() throws {
    let shop = try Shop.killed(["a", "b", "c"])
    let before = try FolderContents(shop.folder)
    #expect(try read(shop) == 3)
    #expect(try SQLiteStore.metadata(at: shop.file)["NSStoreUUID"] != nil)
    #expect(try FolderContents(shop.folder) == before)
  }

  @Test("a file with a log and an index that no process uses")
  func index() throws {
    let live = try Shop()
    let store = try live.open()
    _ = try live.insert(["a"], into: store)
    let shop = try Shop()
    try shop.takeFiles(of: live, suffixes: ["", "-wal", "-shm"])
    store.close()
    let before = try FolderContents(shop.folder)
    #expect(try read(shop) == 1)
    #expect(try FolderContents(shop.folder) == before)
  }

  @Test("while a file with an unused index is read, a store that is opened later can write")
  func writingAfterReading() throws {
    let live = try Shop()
    let store = try live.open()
    _ = try live.insert(["a"], into: store)
    let shop = try Shop()
    try shop.takeFiles(of: live, suffixes: ["", "-wal", "-shm"])
    store.close()
    let reader = try shop.open { $0.isReadOnly = true }
    #expect(try reader.count(matching: shop.plan()) == 1)
    let writer = try shop.open()
    _ = try shop.insert(["b"], into: writer)
    #expect(try reader.count(matching: shop.plan()) == 2)
    reader.close()
    _ = try shop.insert(["c"], into: writer)
    writer.close()
    #expect(try read(shop) == 3)
  }

  @Test("a file with an unused index and a log without frames, as a killed process leaves it")
  func begunLog() throws {
    let shop = try Shop()
    let store = try shop.open()
    _ = try shop.insert(["a", "b"], into: store)
    store.close()
    let other = try Shop.killed(["c"])
    let log = try Data(contentsOf: URL(fileURLWithPath: other.file.path + "-wal"))
    try log.prefix(32).write(to: URL(fileURLWithPath: shop.file.path + "-wal"))
    try Data(count: 32_768).write(to: URL(fileURLWithPath: shop.file.path + "-shm"))
    let before = try FolderContents(shop.folder)
    #expect(try read(shop) == 2)
    #expect(try SQLiteStore.metadata(at: shop.file)["NSStoreUUID"] != nil)
    #expect(try FolderContents(shop.folder) == before)
    let writer = try shop.open()
    _ = try shop.insert(["d"], into: writer)
    writer.close()
    #expect(try read(shop) == 3)
  }

  @Test("a store in use is followed, not copied")
  func inUse() throws {
    let shop = try Shop()
    let writer = try shop.open()
    let reader = try shop.open { $0.isReadOnly = true }
    #expect(try reader.count(matching: shop.plan()) == 0)
    _ = try shop.insert(["a"], into: writer)
    #expect(try reader.count(matching: shop.plan()) == 1)
    reader.close()
    _ = try shop.insert(["b"], into: writer)
    #expect(try writer.count(matching: shop.plan()) == 2)
    writer.close()
  }

  @Test("later writes of other processes are visible", arguments: [false, true])
  func laterWrites(_ hasLog: Bool) throws {
    let shop = try hasLog ? Shop.killed([]) : Shop()
    if !hasLog { try shop.open().close() }
    let reader = try shop.open { $0.isReadOnly = true }
    #expect(try reader.count(matching: shop.plan()) == 0)
    let writer = try shop.open()
    _ = try shop.insert(["a"], into: writer)
    #expect(try reader.count(matching: shop.plan()) == 1)
    writer.close()
    #expect(try reader.count(matching: shop.plan()) == 1)
    let second = try shop.open()
    _ = try shop.insert(["b"], into: second)
    #expect(try reader.count(matching: shop.plan()) == 2)
    second.close()
    reader.close()
  }

  @Test("a read throws if another connection changes the file during the read, and can be repeated")
  func changeDuringRead() throws {
    let shop = try Shop()
    let store = try shop.open()
    _ = try shop.insert((0..<20_000).map { "old \($0)" }, into: store)
    store.close()
    let reader = try shop.open { $0.isReadOnly = true }
    defer { reader.close() }
    var isWritten = false
    let error = try #require(throws: StoreError.self) {
      try reader.forEachChunk(matching: shop.plan()) { _ in
        if isWritten { return }
        isWritten = true
        do {
          let writer = try shop.open()
          _ = try shop.insert((0..<20_000).map { "new \($0)" }, into: writer)
          writer.close()
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(error.code == .locked)
    #expect(try reader.count(matching: shop.plan()) == 40_000)
  }

  @Test("a file name with characters that mean something in URIs")
  func strangeName() throws {
    let shop = try Shop()
    let strange = shop.folder.appendingPathComponent("a?b#c%20 é.sqlite")
    try shop.open { $0.url = strange }.close()
    let store = try shop.open {
      $0.url = strange
      $0.isReadOnly = true
    }
    #expect(try store.count(matching: shop.plan()) == 0)
    store.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: shop.folder.path).count == 1)
  }

  @Test("a store with history is read-only unless history tracking is enabled")
  func history() throws {
    let shop = try Shop()
    try shop.open().close()
    try shop.execute("CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)")
    let closed = try shop.open()
    #expect(closed.isReadOnly)
    #expect(throws: StoreError.self) { try shop.insert(["a"], into: closed) }
    closed.close()
    let open = try shop.open { $0.tracksHistory = true }
    #expect(!open.isReadOnly)
    open.close()
  }
}

@Suite("The log of another store is rejected, and never written to the file")
struct LogIdentityTests {
  @Test("a file that replaced another file next to its log")
  func foreignLog() throws {
    let shop = try Shop.killed(["old", "older"])
    let migrated = try Shop()
    let store = try migrated.open()
    _ = try migrated.insert(["new"], into: store)
    store.close()
    try shop.takeFiles(of: migrated, suffixes: [""])
    let before = try FolderContents(shop.folder)
    let error = try #require(throws: StoreError.self) { try shop.open() }
    #expect(error.code == .obstructed)
    #expect(error.message.contains("shop.sqlite-wal"))
    #expect(try FolderContents(shop.folder) == before)
    try FileManager.default.removeItem(atPath: shop.file.path + "-wal")
    let opened = try shop.open()
    #expect(try opened.count(matching: shop.plan()) == 1)
    opened.close()
  }

  @Test("a file's own log is written into it")
  func ownLog() throws {
    let shop = try Shop.killed(["a", "b"])
    let store = try shop.open()
    #expect(try store.count(matching: shop.plan()) == 2)
    store.close()
    #expect(try FolderContents(shop.folder).names == ["shop.sqlite"])
  }
}
