import CoreData
import Foundation
import OpenPersistenceKit
import Synchronization
import Testing

@Suite("Asynchronous pruning")
struct AsynchronousPruningTests {
  private static let now = Date(timeIntervalSinceReferenceDate: 100 * 86_400)

  /// Tracks of one day each, the first the oldest.
  private static func fill(_ persistence: PersistenceController, _ count: Int) throws {
    try persistence.performInPieces(of: 0..<count, size: 500) { numbers, context in
      for number in numbers {
        let track = Track(title: "\(number)", context: context)
        track.addedAt = now.addingTimeInterval(Double(number - count) * 86_400)
      }
    }
  }

  private static func makePruning() -> StorePruning {
    let rule = PruningRule(entityName: "Track", dateKeyPath: "addedAt")
    var pruning = StorePruning(rules: [rule], now: { now })
    pruning.stepSize = 10
    return pruning
  }

  private static func count(in persistence: PersistenceController) throws -> Int {
    try persistence.performBatchOperation { try BaseRepository<Track>(context: $0).count() }
  }

  @Test("the report equals the synchronous report, and the main actor sees the deletions")
  @MainActor
  func report() async throws {
    let (one, two) = (try Folder(), try Folder())
    let (first, second) = (one.open(), two.open())
    for persistence in [first, second] { try Self.fill(persistence, 60) }
    let tracks = try first.viewContext.fetch(Track.fetchRequest())
    #expect(tracks.count == 60)
    let protected = try #require(tracks.first { $0.title == "7" }).objectID
    let report = try await Self.makePruning().prune(first, protecting: [protected])
    #expect(report.deletedCounts == ["Track": 29])
    let deleted = tracks.filter { $0.isDeleted || $0.managedObjectContext == nil }
    #expect(deleted.count == 29)
    let others = try second.viewContext.fetch(Track.fetchRequest())
    let other = try #require(others.first { $0.title == "7" }).objectID
    #expect(try Self.pruneAndWait(second, other) == report)
  }

  /// The form for callers that wait.
  private static func pruneAndWait(
    _ persistence: PersistenceController, _ protected: NSManagedObjectID
  ) throws -> PruningReport {
    try makePruning().prune(persistence, protecting: [protected])
  }

  @Test("a cancelled task stops before the next step and reports the deletions")
  func cancellation() async throws {
    let cancel = Mutex<(@Sendable () -> Void)?>(nil)
    let steps = Atomic(0)
    let folder = try Folder()
    let persistence = folder.open(
      observer: StatementObserver { statement in
        guard statement.hasPrefix("DELETE FROM ZTRACK") else { return }
        if steps.add(1, ordering: .relaxed).newValue == 2 { cancel.withLock { $0?() } }
      })
    try Self.fill(persistence, 60)
    let (start, begin) = AsyncStream<Void>.makeStream()
    let task = Task {
      for await _ in start { break }
      return try await Self.makePruning().prune(persistence)
    }
    cancel.withLock { $0 = { task.cancel() } }
    begin.yield()
    let error = await #expect(throws: CancelledWork<PruningReport>.self) { try await task.value }
    #expect(error?.completed.deletedCounts == ["Track": 20])
    #expect(error?.completed.bytesBefore != nil)
    #expect(try Self.count(in: persistence) == 40)
  }

  @Test("a rule without an entity throws and deletes nothing")
  func badRule() async throws {
    let persistence = PersistenceController(inMemory: true)
    try Self.fill(persistence, 60)
    let rule = PruningRule(entityName: "Nothing", dateKeyPath: "addedAt")
    await #expect(throws: (any Error).self) {
      try await StorePruning(rules: [rule]).prune(persistence)
    }
    #expect(try Self.count(in: persistence) == 60)
  }
}
