import CoreData
import Foundation
import OpenPersistenceKit
import Testing

@Suite("Work in pieces")
struct PiecesTests {
  @Test("an import keeps the objects of at most one batch in memory")
  func boundedImport() throws {
    let persistence = PersistenceController(inMemory: true)
    var most = 0
    var progress: [Int] = []
    let elements = (0..<1030).lazy.map { "Track \($0)" }
    let count = try persistence.performInPieces(of: elements, progress: { progress.append($0) }) {
      titles, context in
      for title in titles { _ = Track(title: title, context: context) }
      most = max(most, context.registeredObjects.count)
    }
    #expect(count == 1030)
    #expect(most == 100)
    #expect(progress == Array(stride(from: 100, through: 1000, by: 100)) + [1030])
    #expect(try Self.count(in: persistence) == 1030)
  }

  @Test("the objects of a request are changed piece by piece, in order")
  func boundedChange() throws {
    let folder = try Folder()
    let persistence = folder.open()
    try persistence.performInPieces(of: 0..<250) { numbers, context in
      for number in numbers {
        let track = Track(title: "\(number)", context: context)
        track.playCount = Int32(number)
      }
    }
    let request: NSFetchRequest<Track> = Track.fetchRequest()
    request.predicate = NSPredicate(format: "playCount >= 40")
    request.sortDescriptors = [NSSortDescriptor(key: "playCount", ascending: false)]
    var sizes: [Int] = []
    var seen: [Int32] = []
    let count = try persistence.performInPieces(of: request, size: 64) { tracks, context in
      sizes.append(tracks.count)
      seen += tracks.map(\.playCount)
      for track in tracks { track.playCount = 0 }
      #expect(context.registeredObjects.count == tracks.count)
    }
    #expect(count == 210)
    #expect(sizes == [64, 64, 64, 18])
    #expect(seen == Array((40..<250).reversed()))
    let changed = try persistence.performBatchOperation { context in
      try BaseRepository<Track>(context: context)
        .count(predicate: NSPredicate(format: "playCount == 0"))
    }
    #expect(changed == 211)
  }

  @Test("saved pieces stay; a failing piece saves nothing")
  func failure() throws {
    struct Refusal: Error {}
    let persistence = PersistenceController(inMemory: true)
    #expect(throws: Refusal.self) {
      try persistence.performInPieces(of: 0..<25, size: 10) { numbers, context in
        for number in numbers {
          _ = Track(title: "\(number)", context: context)
          if number == 17 { throw Refusal() }
        }
      }
    }
    #expect(try Self.count(in: persistence) == 10)
    #expect(try persistence.performInPieces(of: [Int](), size: 0) { _, _ in } == 0)
    #expect(try persistence.performInPieces(of: [1, 2], size: -3) { _, _ in } == 2)
  }

  @Test("a cancelled task stops between pieces")
  func cancellation() async throws {
    let persistence = PersistenceController(inMemory: true)
    let work = { @Sendable () throws in
      try persistence.performInPieces(of: 0..<100, size: 10) { numbers, context in
        for number in numbers { _ = Track(title: "\(number)", context: context) }
        if numbers.contains(25) { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    let task = Task { try work() }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try Self.count(in: persistence) == 30)
  }

  @Test("a memory-managed operation saves at the end, and always releases its objects")
  func operations() throws {
    struct Refusal: Error {}
    let persistence = PersistenceController(inMemory: true)
    let context = persistence.newBackgroundContext()
    let good = MemoryManagedOperation(context: context) { context in
      for number in 0..<5 { _ = Track(title: "\(number)", context: context) }
    }
    let bad = MemoryManagedOperation(context: context) { context in
      _ = Track(title: "never", context: context)
      throw Refusal()
    }
    let invalid = MemoryManagedOperation(context: context) { _ = Track(context: $0) }
    let cancelled = MemoryManagedOperation(context: context) { context in
      _ = Track(title: "cancelled", context: context)
    }
    cancelled.cancel()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.addOperations([good, bad, invalid, cancelled], waitUntilFinished: true)
    #expect(good.error == nil)
    #expect(bad.error is Refusal)
    #expect((invalid.error as NSError?)?.code == NSValidationMissingMandatoryPropertyError)
    #expect(cancelled.error is CancellationError)
    good.cancel()
    #expect(good.error == nil)
    #expect(context.performAndWait { context.registeredObjects.isEmpty && !context.hasChanges })
    #expect(try Self.count(in: persistence) == 5)
  }

  @Test("a batch deletion by class is seen by its own context")
  func batchDeletion() throws {
    let persistence = PersistenceController(inMemory: true)
    let context = persistence.newBackgroundContext()
    try context.performAndWait { () throws in
      let tracks = (0..<4).map { Track(title: "\($0)", context: context) }
      tracks[1].playCount = 1
      try context.save()
      let result = try context.performBatchDelete(
        entity: Track.self, predicate: NSPredicate(format: "playCount == 0"))
      let ids = try #require(result.result as? [NSManagedObjectID])
      #expect(Set(ids) == Set([tracks[0], tracks[2], tracks[3]].map(\.objectID)))
      #expect(try context.fetch(Track.fetchRequest()).count == 1)
    }
    #expect(try Self.count(in: persistence) == 1)
  }

  private static func count(in persistence: PersistenceController) throws -> Int {
    try persistence.performBatchOperation { context in
      try BaseRepository<Track>(context: context).count()
    }
  }
}
