import Foundation
import OpenSQLiteStore
import OpenStoreContract
import Testing

/// Automatic checkpoints after commits, also if the commits wake other processes.
@Suite("Checkpoints after commits")
struct AutomaticCheckpointTests {
  @Test(
    "the log is checkpointed at the configured number of pages", arguments: [true, false])
  func moving(_ hasHistory: Bool) throws {
    for (pages, isMoved) in [("1", true), ("0", false), ("1000", false)] {
      let shop = try Shop()
      let store = try shop.open {
        $0.settings = ["wal_autocheckpoint": pages]
        $0.tracksHistory = hasHistory
      }
      _ = try store.checkpoint(.emptyingLog)
      for code in ["a", "b", "c"] { _ = try shop.insert([code], into: store) }
      let alone = shop.folder.appendingPathComponent("without-log.sqlite")
      try FileManager.default.copyItem(at: shop.file, to: alone)
      let rows = try shop.sqlite("SELECT ZCODE FROM ZPRODUCT ORDER BY 1", in: alone)
      #expect(rows == (isMoved ? ["a", "b", "c"] : []), "\(pages)")
      #expect(try shop.sqlite("SELECT count(*) FROM ZPRODUCT") == ["3"])
      store.close()
    }
  }

  @Test("without settings, the log grows to at most a thousand pages plus one commit")
  func limit() throws {
    let shop = try Shop()
    let store = try shop.open { $0.tracksHistory = true }
    let log = URL(fileURLWithPath: shop.file.path + "-wal")
    var largest = 0
    for round in 0..<60 {
      let codes = (0..<400).map { "\(round)-\($0)-" + String(repeating: "x", count: 400) }
      _ = try shop.insert(codes, into: store)
      let size = try FileManager.default.attributesOfItem(atPath: log.path)[.size] as? NSNumber
      largest = max(largest, size?.intValue ?? 0)
    }
    let pageSize = try #require(Int(try shop.sqlite("PRAGMA page_size")[0]))
    #expect(largest > 500 * pageSize)
    #expect(largest < 2_500 * pageSize, "\(largest)")
    store.close()
  }
}
