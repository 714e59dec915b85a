import COpenSQLite
import Foundation
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite("Files of deleted values stay as long as a state of the store refers to them")
struct ExternalRemovalTests {
  /// A plain connection, as another program has it.
  private final class Reader {
    private var database: OpaquePointer?

    init(_ url: URL) throws {
      guard sqlite3_open(url.path, &database) == SQLITE_OK else {
        throw Shop.Failure(message: "open")
      }
    }

    deinit { sqlite3_close_v2(database) }

    func run(_ sql: String) throws {
      guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
        throw Shop.Failure(message: String(cString: sqlite3_errmsg(database)))
      }
    }
  }

  @Test("the file of a replaced value stays until a checkpoint made its replacement durable")
  func durability() throws {
    let shop = try Shop()
    let store = try shop.open()
    let row = try shop.insertPicture(Shop.large, into: store)
    let old = shop.externalNames
    let new = try shop.replacePicture(of: row, with: Shop.large + [1], in: store)
    #expect(shop.externalNames.count == 2)
    #expect(Set(shop.externalNames).isSuperset(of: old))
    #expect(try store.damage() == [])
    #expect(try store.checkpoint(.emptyingLog).isComplete)
    #expect(shop.externalNames.count == 1)
    #expect(shop.externalNames != old)
    #expect(try shop.pictures(in: store) == [Shop.large + [1]])
    try shop.delete(new, in: store)
    #expect(shop.externalNames.count == 1)
    store.close()
    #expect(shop.externalNames == [])
    #expect(shop.marks == [])
  }

  @Test("saves delete waiting files by themselves when there are many")
  func manySaves() throws {
    let shop = try Shop()
    let store = try shop.open()
    defer { store.close() }
    var row = try shop.insertPicture(Shop.large, into: store)
    for number in 0..<40 {
      row = try shop.replacePicture(of: row, with: Shop.large + [UInt8(number)], in: store)
      #expect(shop.externalNames.count <= 18)
    }
    #expect(try shop.pictures(in: store) == [Shop.large + [39]])
  }

  @Test("a pinned state of the store keeps the files of its rows")
  func pinned() throws {
    let shop = try Shop()
    let store = try shop.open()
    let row = try shop.insertPicture(Shop.large, into: store)
    let state = try #require(try store.pinned())
    var newer = row
    for number in 0..<40 {
      newer = try shop.replacePicture(of: newer, with: Shop.large + [UInt8(number)], in: store)
    }
    _ = try store.checkpoint(.passive)
    #expect(throws: StoreError.self) { try store.checkpoint(.emptyingLog) }
    #expect(try shop.pictures(in: state) == [Shop.large])
    #expect(try shop.pictures(in: store) == [Shop.large + [39]])
    state.close()
    store.close()
    #expect(shop.externalNames.count == 1)
    #expect(shop.marks == [])
  }

  @Test("another program that reads an older state keeps its files, also beyond the store's end")
  func otherReader() throws {
    let shop = try Shop()
    let store = try shop.open()
    let row = try shop.insertPicture(Shop.large, into: store)
    let old = shop.externalNames
    let reader = try Reader(shop.file)
    try reader.run("BEGIN; SELECT * FROM ZPRODUCT")
    try shop.replacePicture(of: row, with: Shop.large + [1], in: store)
    store.close()
    #expect(Set(shop.externalNames).isSuperset(of: old))
    #expect(shop.marks.count == 1)
    // The next to have the store alone finds the file, but the reader still has its state.
    try shop.open().close()
    #expect(shop.externalNames.count == 2)
    try reader.run("COMMIT")
    try shop.open().close()
    #expect(shop.externalNames.count == 1)
    #expect(shop.externalNames != old)
    #expect(shop.marks == [])
  }

  @Test("files of a killed program are deleted by the next one that has the store alone")
  func killed() throws {
    let live = try Shop()
    let store = try live.open()
    let row = try live.insertPicture(Shop.large, into: store)
    _ = try live.insertPicture(Shop.large, code: "b", into: store)
    try live.replacePicture(of: row, with: Shop.large + [1], in: store)
    let shop = try Shop()
    try shop.takeFiles(of: live)
    try shop.takeExternalFiles(of: live)
    store.close()
    // Of a transaction that was not committed.
    let stray = try shop.addStrayFile()
    #expect(shop.externalNames.count == 4)
    #expect(shop.marks.count == 1)
    let next = try shop.open()
    #expect(shop.externalNames.count == 2)
    #expect(!shop.externalNames.contains(stray))
    #expect(try shop.pictures(in: next) == [Shop.large + [1], Shop.large])
    next.close()
    #expect(shop.marks == [])
  }

  @Test("no file is searched for while another store may be about to commit it")
  func company() throws {
    let shop = try Shop()
    let store = try shop.open()
    _ = try shop.insertPicture(Shop.large, into: store)
    let stray = try shop.addStrayFile()
    let other = try shop.open()
    #expect(shop.externalNames.contains(stray))
    other.close()
    #expect(shop.externalNames.contains(stray))
    #expect(shop.marks.count == 1)
    _ = try store.checkpoint(.emptyingLog)
    #expect(!shop.externalNames.contains(stray))
    #expect(shop.externalNames.count == 1)
    store.close()
  }

  @Test("opening a properly closed store does not search for files")
  func closedInOrder() throws {
    let shop = try Shop()
    let store = try shop.open()
    _ = try shop.insertPicture(Shop.large, into: store)
    store.close()
    let stray = try shop.addStrayFile()
    try shop.open().close()
    #expect(shop.externalNames.contains(stray))
    let unnamed = try shop.addStrayFile("notes")
    let again = try shop.open()
    _ = try again.checkpoint(.emptyingLog)
    again.close()
    #expect(shop.externalNames.count == 2)
    #expect(shop.externalNames.contains(unnamed))
  }

  @Test("a store without a log deletes the files when no reader can see the older state")
  func withoutLog() throws {
    let shop = try Shop()
    let store = try shop.open { $0.settings = ["journal_mode": "delete"] }
    let row = try shop.insertPicture(Shop.large, into: store)
    try shop.replacePicture(of: row, with: Shop.large + [1], in: store)
    #expect(try shop.pictures(in: store) == [Shop.large + [1]])
    store.close()
    #expect(shop.externalNames.count == 1)
    #expect(shop.marks == [])
  }

  @Test("a commit that fails because of the disk leaves files to be decided on later")
  func failedCommit() throws {
    let shop = try Shop()
    // Without a log, a reader prevents commits.
    let store = try shop.open { $0.settings = ["journal_mode": "delete"] }
    let row = try shop.insertPicture(Shop.large, into: store)
    let old = shop.externalNames
    let reader = try Reader(shop.file)
    try reader.run("BEGIN; SELECT * FROM ZPRODUCT")
    #expect(throws: StoreError.self) {
      try shop.replacePicture(of: row, with: Shop.large + [1], in: store)
    }
    #expect(Set(shop.externalNames).isSuperset(of: old))
    try reader.run("COMMIT")
    #expect(try shop.pictures(in: store) == [Shop.large])
    store.close()
    #expect(shop.externalNames == old)
    #expect(shop.marks == [])
  }

  @Test("a store that was replaced by force while it was open deletes no file of its successor")
  func displaced() throws {
    let shop = try Shop()
    let store = try shop.open()
    let row = try shop.insertPicture(Shop.large, into: store)
    let copy = try Shop()
    try SQLiteStore.replace(
      StoreConfiguration(url: copy.file), withStoreAt: shop.file, isForced: false)
    try shop.replacePicture(of: row, with: Shop.large + [1], in: store)
    // The successor has the file that waits to be deleted.
    try SQLiteStore.replace(
      StoreConfiguration(url: shop.file), withStoreAt: copy.file, isForced: true)
    store.close()
    #expect(try shop.pictures(at: shop.file) == [Shop.large])
  }
}
