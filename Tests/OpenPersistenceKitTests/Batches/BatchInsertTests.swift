import CoreData
import Foundation
import OpenPersistenceKit
import OpenTestSupport
import Testing

@Suite("Insertion of copies")
struct BatchInsertTests {
  private static func tracks(
    _ count: Int, in context: NSManagedObjectContext
  ) -> [Track] {
    (0..<count).map { number in
      let track = Track(title: "\(number)", context: context)
      track.playCount = Int32(number)
      track.addedAt = Date(timeIntervalSinceReferenceDate: Double(number))
      return track
    }
  }

  private static func copies(
    _ ids: [NSManagedObjectID], in persistence: PersistenceController
  ) throws -> [String] {
    try persistence.performBatchOperation { context in
      try ids.map { id in
        let track = try #require(try context.existingObject(with: id) as? Track)
        return
          "\(track.title) \(track.playCount) \(track.addedAt?.timeIntervalSinceReferenceDate ?? -1)"
      }
    }
  }

  @Test("stored attributes are copied, including unsaved values, in one transaction for each batch")
  @MainActor
  func copying() throws {
    let folder = try Folder()
    let recorder = StatementRecorder()
    let persistence = folder.open(observer: recorder.observer)
    let originals = Self.tracks(25, in: persistence.viewContext)
    try persistence.saveViewContext()
    originals[3].addedAt = nil
    let (ids, statements) = try recorder.recording {
      try persistence.batchInsert(entities: originals, batchSize: 10)
    }
    #expect(statements.count { $0.hasPrefix("COMMIT") } == 3)
    #expect(!statements.contains { $0.hasPrefix("SELECT") && $0.contains("FROM ZTRACK") })
    let expected = (0..<25).map { "\($0) \($0) \($0 == 3 ? -1.0 : Double($0))" }
    #expect(try Self.copies(ids, in: persistence) == expected)
    #expect(Set(ids).isDisjoint(with: originals.map(\.objectID)))
    #expect(try persistence.batchInsert(entities: [Track]()).isEmpty)
  }

  @Test("the id of a copy that violates a uniqueness constraint is the id of the updated object")
  @MainActor
  func mergedCopies() throws {
    let folder = try Folder()
    let persistence = folder.open()
    let saved = Track(title: "Saved", context: persistence.viewContext)
    saved.filePath = "/a"
    try persistence.saveViewContext()
    let source = PersistenceController(inMemory: true)
    let originals = Self.tracks(4, in: source.viewContext)
    for (track, path) in zip(originals, ["/a", "/b", "/b", "/c"]) { track.filePath = path }
    let ids = try persistence.batchInsert(entities: originals)
    #expect(ids[0] == saved.objectID)
    #expect(ids[1] == ids[2])
    #expect(try Self.copies(ids, in: persistence) == ["0 0 0.0", "2 2 2.0", "2 2 2.0", "3 3 3.0"])
  }

  @Test("objects of another stack are copied without blocking; the main context follows")
  @MainActor
  func asynchronous() async throws {
    let (source, destination) = (
      PersistenceController(inMemory: true), PersistenceController(inMemory: true)
    )
    let originals = Self.tracks(12, in: source.viewContext)
    let ids = try await destination.batchInsert(entities: originals, batchSize: 5)
    #expect(
      try Self.copies(ids, in: destination) == (0..<12).map { "\($0) \($0) \(Double($0))" })
    let tracks: NSFetchRequest<Track> = Track.fetchRequest()
    #expect(try destination.viewContext.count(for: tracks) == 12)
    #expect(originals.allSatisfy { $0.managedObjectContext === source.viewContext })
  }

  @Test("a cancelled task reports which copies are saved")
  @MainActor
  func cancellation() async throws {
    let persistence = PersistenceController(inMemory: true)
    let originals = Self.tracks(12, in: persistence.viewContext)
    let (saves, continuation) = AsyncStream.makeStream(of: Void.self)
    // Not a notification sequence, which would retain the contexts of all other tests during this test.
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
    ) { [coordinator = persistence.container.persistentStoreCoordinator] save in
      let context = save.object as? NSManagedObjectContext
      if context?.persistentStoreCoordinator === coordinator { continuation.yield() }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let task = Task { @MainActor in
      try await persistence.batchInsert(entities: originals, batchSize: 5)
    }
    for await _ in saves {
      task.cancel()
      break
    }
    let completed: [NSManagedObjectID]
    do { completed = try await task.value } catch let error as CancelledWork<[NSManagedObjectID]> {
      completed = error.completed
    }
    #expect([5, 10, 12].contains(completed.count))
    let stored = try persistence.performBatchOperation {
      try BaseRepository<Track>(context: $0).count()
    }
    #expect(stored == completed.count)
  }

  @Test("an object that cannot be read, and an invalid one, are errors; earlier batches stay")
  func failures() throws {
    let persistence = PersistenceController(inMemory: true)
    let context = persistence.newBackgroundContext()
    try context.performAndWait {
      let originals = Self.tracks(4, in: context)
      try context.save()
      let gone = originals[3].objectID
      try persistence.performBatchOperation { other in
        other.delete(try other.existingObject(with: gone))
      }
      context.refresh(originals[3], mergeChanges: false)
      let missing = #expect(throws: CocoaError.self) {
        try persistence.batchInsert(entities: originals, batchSize: 3)
      }
      #expect(missing?.errorCode == 133000)
      #expect(try BaseRepository<Track>(context: context).count() == 3 + 3)
      let error = #expect(throws: (any Error).self) {
        try persistence.batchInsert(entities: [Track(context: context)])
      }
      #expect(error.map { ErrorKind($0) } == .missingValue)
    }
  }

  @Test("an entity that is not in the stack is rejected")
  func otherModels() throws {
    let other = try KitStack.make().newBackgroundContext()
    let persistence = PersistenceController(inMemory: true)
    other.performAndWait {
      let error = #expect(throws: CocoaError.self) {
        try persistence.batchInsert(entities: [KitUser(context: other)])
      }
      #expect(error?.errorCode == 134060)
      #expect(error?.localizedDescription.contains("KitUser") == true)
    }
  }
}
