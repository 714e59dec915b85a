import Dispatch
import Foundation
import OpenSQLiteStore
import OpenStoreContract
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reading metadata, opening and closing one file on several threads, in any order.
@Suite("Metadata of a file that is opened and closed")
struct MetadataOfBusyFileTests {
  /// Runs work on separate threads, and returns the errors that they threw.
  private func failures(_ work: [@Sendable () throws -> Void]) -> [String] {
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: work.count) { index in
      do { try work[index]() } catch { failures.withLock { $0.append("\(index): \(error)") } }
    }
    return failures.withLock { $0 }
  }

  @Test(
    "metadata is complete while stores are opened, written and closed", arguments: [false, true])
  func openingAndClosing(writes: Bool) throws {
    let shop = try Shop()
    let first = try shop.open()
    let identifier = first.identifier
    first.close()
    let rounds = 150
    let open: @Sendable (Int) throws -> Void = { number in
      for round in 0..<rounds {
        let store = try shop.open { $0.timeout = 20 }
        if writes { _ = try shop.insert(["\(number)-\(round)"], into: store) }
        store.close()
      }
    }
    let read: @Sendable () throws -> Void = {
      for _ in 0..<2 * rounds {
        let metadata = try SQLiteStore.metadata(at: shop.file)
        guard metadata["NSStoreUUID"] as? String == identifier else {
          throw Shop.Failure(message: "metadata of another store")
        }
      }
    }
    let failures = failures([{ try open(1) }, { try open(2) }, read, read])
    #expect(failures == [])
    let rows = try shop.sqlite("SELECT count(*) FROM ZPRODUCT")
    #expect(rows == [writes ? "\(2 * rounds)" : "0"])
  }

  @Test("while a file is examined without SQLite, other files are opened as stores")
  func otherFiles() throws {
    let (examined, other) = (try Shop(), try Shop())
    try examined.open().close()
    let found = try OpenFiles.ifClosed(examined.file.path) { () throws(StoreError) in
      let store = try SQLiteStore.open(StoreConfiguration(url: other.file), model: other.model)
      defer { store.close() }
      let metadata = try SQLiteStore.metadata(at: other.file)
      return metadata["NSStoreUUID"] as? String == store.identifier
    }
    #expect(found == true)
  }

  @Test("a missing file is not examined")
  func missingFile() throws {
    let shop = try Shop()
    let missing = try OpenFiles.ifClosed(shop.file.path) { () throws(StoreError) in true }
    #expect(missing == nil)
    try shop.open().close()
    let closed = try OpenFiles.ifClosed(shop.file.path) { () throws(StoreError) in true }
    #expect(closed == true)
  }

  @Test("a store can be opened as read-only while other coordinators open and close it")
  func readOnly() throws {
    let shop = try Shop()
    let first = try shop.open()
    _ = try shop.insert(["a"], into: first)
    first.close()
    let plan = try shop.plan()
    let rounds = 100
    let failures = failures([
      { for _ in 0..<rounds { try shop.open { $0.timeout = 20 }.close() } },
      {
        for _ in 0..<rounds {
          let store = try shop.open {
            $0.isReadOnly = true
            $0.timeout = 20
          }
          guard try store.count(matching: plan) == 1 else {
            throw Shop.Failure(message: "a row is missing")
          }
          store.close()
        }
      },
    ])
    #expect(failures == [])
  }

  @Test("a file that a read-only store follows is not examined after its writer is closed")
  func followedFile() throws {
    let shop = try Shop()
    try shop.open().close()
    let plan = try shop.plan()
    let reader = try shop.open { $0.isReadOnly = true }
    let before = try reader.count(matching: plan)
    #expect(before == 0)
    let writer = try shop.open()
    _ = try shop.insert(["a"], into: writer)
    let after = try reader.count(matching: plan)
    #expect(after == 1)
    writer.close()
    let examined = try OpenFiles.ifClosed(shop.file.path) { () throws(StoreError) in true }
    #expect(examined == nil)
    reader.close()
    let closed = try OpenFiles.ifClosed(shop.file.path) { () throws(StoreError) in true }
    #expect(closed == true)
  }

  #if os(Linux)
    @Test("determining the journal mode of an open store does not release the store's locks")
    func journalMode() throws {
      let shop = try Shop()
      try shop.open().close()
      // Closing the descriptor would release the locks, so it stays open until the store is closed.
      let descriptor = open(shop.file.path, O_RDWR)
      try #require(descriptor >= 0)
      defer { _ = close(descriptor) }
      let store = try shop.open()
      defer { store.close() }
      #expect(isLocked(descriptor))
      #expect(StoreInspection.isLogged(shop.file))
      #expect(isLocked(descriptor))
    }

    /// Returns whether a SQLite connection of any process, including this one, has a file locked.
    private func isLocked(_ descriptor: Int32) -> Bool {
      var request = flock()
      request.l_type = Int16(F_WRLCK)
      request.l_whence = Int16(SEEK_SET)
      request.l_start = 0x4000_0002
      request.l_len = 1
      // F_OFD_GETLK, which also finds the locks of this process.
      return fcntl(descriptor, 36, &request) == 0 && request.l_type != Int16(F_UNLCK)
    }
  #endif
}
