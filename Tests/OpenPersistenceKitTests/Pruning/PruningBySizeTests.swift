import CoreData
import Foundation
import OpenPersistenceKit
import Synchronization
import Testing

@Suite("Pruning by size")
struct PruningBySizeTests {
  private static let now = Date(timeIntervalSinceReferenceDate: 1000 * 86_400)

  /// Tracks of one hour each, the last one an hour old.
  private static func fill(_ persistence: PersistenceController, _ count: Int) throws {
    try persistence.performInPieces(of: 0..<count, size: 1000) { numbers, context in
      for number in numbers {
        let track = Track(title: "Track \(number)", context: context)
        track.addedAt = now.addingTimeInterval(Double(number - count) * 3600)
        track.playCount = Int32(number)
      }
    }
  }

  /// Pruning that is allowed to delete every object but keeps all of the history.
  private static func pruning(_ sizeLimit: Int64?) -> StorePruning {
    let rule = PruningRule(entityName: "Track", dateKeyPath: "addedAt", maximumAge: .infinity)
    var pruning = StorePruning(rules: [rule], sizeLimit: sizeLimit, now: { now })
    pruning.minimumAge = 0
    pruning.minimumHistoryAge = .infinity
    return pruning
  }

  /// Returns the size that pruning compares with a limit, without deleting objects.
  private static func usedBytes(_ persistence: PersistenceController) throws -> Int64 {
    try #require(try pruning(nil).prune(persistence).bytesBefore)
  }

  private static func numbers(_ persistence: PersistenceController) throws -> [Int32] {
    try persistence.performBatchOperation { context in
      try BaseRepository<Track>(context: context).fetch().map(\.playCount).sorted()
    }
  }

  @Test("history does not count: a store whose objects fit into its limit keeps all of them")
  func historyIsNoUse() throws {
    let folder = try Folder()
    let persistence = folder.open()
    try Self.fill(persistence, 5000)
    let report = try Self.pruning(nil).prune(persistence)
    let bytes = try #require(report.bytesBefore)
    #expect(try #require(report.historyBytesAfter) > 100_000)
    #expect(try Self.pruning(bytes).prune(persistence).deletedCount == 0)
    #expect(try Self.numbers(persistence).count == 5000)
  }

  @Test("if the store is one byte over the limit, only the oldest object is deleted")
  func proportion() throws {
    let folder = try Folder()
    let persistence = folder.open()
    try Self.fill(persistence, 3000)
    let bytes = try Self.usedBytes(persistence)
    #expect(try Self.pruning(bytes - 1).prune(persistence).deletedCounts == ["Track": 1])
    #expect(try Self.numbers(persistence) == Array(1..<3000))
    let report = try Self.pruning(bytes * 9 / 10).prune(persistence)
    #expect(try #require(report.bytesAfter) <= bytes * 9 / 10)
    #expect((200..<400).contains(report.deletedCount), "about a tenth")
  }

  @Test("a negative limit is treated as 0")
  func negativeLimit() throws {
    let folder = try Folder()
    let persistence = folder.open()
    try Self.fill(persistence, 300)
    let report = try Self.pruning(.min).prune(persistence)
    #expect(report.deletedCount > 0)
  }

  @Test("the limit deletes no objects of stores without a size")
  func otherStores() throws {
    let folder = try Folder()
    let persistence = folder.open()
    try Self.fill(persistence, 300)
    let memory = try persistence.container.persistentStoreCoordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    try persistence.performBatchOperation { context in
      let track = Track(title: "In memory", context: context)
      context.assign(track, to: memory)
      (track.addedAt, track.playCount) = (.distantPast, -1)
    }
    #expect(try Self.pruning(0).prune(persistence).deletedCount > 0)
    #expect(try Self.numbers(persistence).contains(-1))
  }

  @Test("objects of different sizes: no more go than needed")
  func unevenSizes() throws {
    let folder = try Folder()
    let persistence = folder.open()
    try persistence.performInPieces(of: 0..<600, size: 100) { numbers, context in
      for number in numbers {
        let length = number < 100 ? 20_000 : 20
        let track = Track(title: String(repeating: "x", count: length), context: context)
        track.addedAt = Self.now.addingTimeInterval(Double(number - 1000) * 3600)
      }
    }
    let bytes = try Self.usedBytes(persistence)
    let limit = bytes - 200_000
    let report = try Self.pruning(limit).prune(persistence)
    let after = try #require(report.bytesAfter)
    #expect(after <= limit)
    #expect((10...12).contains(report.deletedCount), "ten of the large ones are enough")
  }

  @Test("external values count as long as rows name them")
  func externalValues() throws {
    let folder = try Folder()
    let persistence = folder.open()
    try persistence.performBatchOperation { context in
      for number in 0..<4 {
        let track = Track(title: "\(number)", context: context)
        track.addedAt = Self.now.addingTimeInterval(Double(number - 10) * 86_400)
        let album = Album(context: context)
        album.title = "\(number)"
        album.tracks = [track]
        let cover = Cover(context: context)
        cover.image = Data(count: 500_000)
        album.cover = cover
      }
    }
    let before = try Self.usedBytes(persistence)
    #expect(before > 2_000_000)
    try persistence.performBatchOperation { context in
      try BaseRepository<Cover>(context: context).deleteAll()
    }
    let after = try Self.usedBytes(persistence)
    #expect(after < 200_000)
  }

  @Test("history is deleted before objects, but none that is fresh or that a consumer needs")
  func historyFirst() throws {
    let folder = try Folder()
    let persistence = folder.open()
    let coordinator = persistence.container.persistentStoreCoordinator
    try Self.fill(persistence, 2000)
    let read = coordinator.currentPersistentHistoryToken(fromStores: nil)
    try Self.fill(persistence, 1000)
    let start = try Self.pruning(nil).prune(persistence)
    let bytes = try #require(start.bytesBefore)
    let history = try #require(start.historyBytesAfter)

    var pruning = Self.pruning(bytes)
    pruning.minimumHistoryAge = 3600
    #expect(try pruning.prune(persistence).deletedTransactionCount == 0, "it is fresh")

    pruning.minimumHistoryAge = 0
    try coordinator.setHistoryToken(read, forConsumer: "widget")
    // The store records a consumer, which uses some bytes.
    pruning.sizeLimit = bytes + 4096
    let report = try pruning.prune(persistence)
    #expect(report.deletedTransactionCount > 0 && report.deletedCount == 0)
    #expect(try #require(report.historyBytesAfter) < history)
    #expect(try Self.changeCount(after: read, persistence) == 1000, "the widget misses nothing")

    try coordinator.setHistoryToken(nil, forConsumer: "widget")
    pruning.sizeLimit = bytes
    _ = try pruning.prune(persistence)
    #expect(try Self.numbers(persistence).count >= 2990)
  }

  private static func changeCount(
    after token: NSPersistentHistoryToken?, _ persistence: PersistenceController
  ) throws -> Int {
    try persistence.performBatchOperation { context in
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
      return transactions.reduce(0) { $0 + ($1.changes?.count ?? 0) }
    }
  }

  @Test("fresh objects stay regardless of the store's size")
  func minimumAge() throws {
    let folder = try Folder()
    let persistence = folder.open()
    try Self.fill(persistence, 100)
    var pruning = Self.pruning(1)
    pruning.minimumAge = 24 * 3600
    #expect(try pruning.prune(persistence).deletedCount == 77)
    #expect(try Self.numbers(persistence) == Array(77..<100))
    pruning.minimumAge = .infinity
    #expect(try pruning.prune(persistence).deletedCount == 0)
  }

  @Test("a round that frees nothing is the last one")
  func nothingFreed() throws {
    let folder = try Folder()
    let persistence = folder.open()
    try Self.fill(persistence, 1000)
    let bytes = try Self.usedBytes(persistence)
    // Another part of the program stores more than pruning deletes.
    let isStoring = Mutex(false)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange,
      object: persistence.container.persistentStoreCoordinator, queue: nil
    ) { _ in
      guard
        isStoring.withLock({ isStoring in
          defer { isStoring = true }
          return !isStoring
        })
      else { return }
      try? persistence.performBatchOperation { context in
        for _ in 0..<100 {
          _ = Track(title: String(repeating: "new", count: 200), context: context)
        }
      }
      isStoring.withLock { $0 = false }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let report = try Self.pruning(bytes * 19 / 20).prune(persistence)
    #expect((1...60).contains(report.deletedCount))
    #expect(try #require(report.bytesAfter) > bytes)
  }
}
