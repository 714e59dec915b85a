import CoreData
import Foundation
import OpenPersistenceKit
import OpenTestSupport
import Testing

@Suite("Asynchronous batch requests")
struct AsynchronousBatchTests {
  @MainActor
  private static func fill(_ persistence: PersistenceController) throws -> [Track] {
    let tracks = (0..<6).map { number in
      let track = Track(title: "\(number)", context: persistence.viewContext)
      track.playCount = Int32(number)
      return track
    }
    try persistence.saveViewContext()
    return tracks
  }

  @Test("a batch deletion is one statement, and the main actor sees the deletion when it continues")
  @MainActor
  func deletion() async throws {
    let folder = try Folder()
    let recorder = StatementRecorder()
    let persistence = folder.open(observer: recorder.observer)
    let tracks = try Self.fill(persistence)
    let request: NSFetchRequest<Track> = Track.fetchRequest()
    let predicate = NSPredicate(format: "playCount < 4")
    request.predicate = predicate
    let start = recorder.all.count
    let ids = try await persistence.batchDelete(fetchRequest: request)
    #expect(Set(ids) == Set(tracks[..<4].map(\.objectID)))
    #expect(recorder.all[start...].count { $0.hasPrefix("DELETE FROM ZTRACK") } == 1)
    let deleted = tracks.filter { $0.isDeleted || $0.managedObjectContext == nil }
    #expect(deleted.count == 4)
    #expect(request.predicate === predicate, "the request is as it was")
    #expect(try await persistence.batchDelete(fetchRequest: request).isEmpty)
  }

  @Test("the main actor sees an update when it continues")
  @MainActor
  func update() async throws {
    let persistence = PersistenceController(inMemory: true)
    let tracks = try Self.fill(persistence)
    let request = NSBatchUpdateRequest(entityName: "Track")
    request.predicate = NSPredicate(format: "playCount < 2")
    request.propertiesToUpdate = ["rating": 3]
    let ids = try await persistence.batchUpdate(request: request)
    #expect(Set(ids) == Set(tracks[..<2].map(\.objectID)))
    #expect(tracks.map(\.rating) == [3, 3, 0, 0, 0, 0])
  }

  @Test("an already cancelled task deletes nothing; a request without an entity throws")
  @MainActor
  func refusals() async throws {
    let persistence = PersistenceController(inMemory: true)
    _ = try Self.fill(persistence)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await persistence.batchDelete(
        fetchRequest: NSFetchRequest<Track>(entityName: "Track"))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    await #expect(throws: (any Error).self) {
      try await persistence.batchDelete(
        fetchRequest: NSFetchRequest<Track>(entityName: "Nothing"))
    }
    let tracks: NSFetchRequest<Track> = Track.fetchRequest()
    #expect(try persistence.viewContext.count(for: tracks) == 6)
  }

  // MARK: Settings of requests

  /// Fifty tracks with an album each, and a context that has read none of them.
  private static func store(
    in folder: Folder, _ recorder: StatementRecorder
  ) throws -> NSManagedObjectContext {
    try folder.open().performInPieces(of: 0..<50) { numbers, context in
      for number in numbers {
        let album = Album(context: context)
        album.title = "Album \(number)"
        Track(title: "\(number)", context: context).album = album
      }
    }
    return folder.open(observer: recorder.observer).newBackgroundContext()
  }

  /// The statements that read tracks and albums; the store may also read its history.
  private static func rowReads(_ statements: [String]) -> [String] {
    statements.filter { $0.hasPrefix("SELECT") && ($0.contains("ZTRACK") || $0.contains("ZALBUM")) }
  }

  @Test(
    "a request optimized for performance reads rows and related objects with one statement each")
  func performance() throws {
    let folder = try Folder()
    let recorder = StatementRecorder()
    let context = try Self.store(in: folder, recorder)
    try context.performAndWait {
      let request: NSFetchRequest<Track> = Track.fetchRequest()
      request.includesSubentities = true
      request.optimizeForPerformance(prefetching: ["album"])
      #expect(request.fetchBatchSize == 20)
      #expect(!request.returnsObjectsAsFaults && request.includesPropertyValues)
      #expect(request.includesSubentities, "what is fetched stays as it is")
      let found = try recorder.recording { try context.fetch(request) }
      let used = recorder.recording {
        found.result.reduce(0) { $0 + $1.title.count + ($1.album?.title.count ?? 0) }
      }
      #expect(used.result == 2 * (10 + 80) + 50 * 6)
      let reads = Self.rowReads(found.statements + used.statements)
      #expect(reads.count == 2, "\(reads)")
    }
  }

  @Test(
    "a request optimized for memory reads a batch of 10 rows when an object of the batch is used")
  func memory() throws {
    let folder = try Folder()
    let recorder = StatementRecorder()
    let context = try Self.store(in: folder, recorder)
    try context.performAndWait {
      let request: NSFetchRequest<Track> = Track.fetchRequest()
      request.optimizeForMemory()
      #expect(request.fetchBatchSize == 10)
      let found = try context.fetch(request)
      #expect(found.count == 50)
      let realized = found.filter { !$0.isFault }
      #expect(realized.isEmpty)
      let first = recorder.recording { found[0].title }
      #expect(Self.rowReads(first.statements).count == 1, "\(first.statements)")
      #expect(found.filter { !$0.isFault }.count <= 10)
    }
  }
}
