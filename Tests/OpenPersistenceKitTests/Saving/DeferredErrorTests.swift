import CoreData
import Foundation
import OpenPersistenceKit
import Testing

@Suite("Saves after a mistake in a call that cannot throw")
struct DeferredErrorTests {
  private let persistence = PersistenceController(inMemory: true)

  init() throws { try persistence.performBatchOperation { _ = Track(title: "One", context: $0) } }

  /// Assigns a value of the wrong type, in a call that cannot throw. The context then has no
  /// changes.
  private static func misuse(_ context: NSManagedObjectContext) throws -> Track {
    let request: NSFetchRequest<Track> = Track.fetchRequest()
    let track = try #require(try context.fetch(request).first)
    track.setValue(Date(timeIntervalSinceReferenceDate: 0), forKey: "playCount")
    #expect(!context.hasChanges)
    return track
  }

  @Test("each method that saves throws the error once, even if the context has no changes")
  func saves() throws {
    let context = persistence.newBackgroundContext()
    try context.performAndWait { () throws in
      let tracks = BaseRepository<Track>(context: context)
      let saves: [(Track) throws -> Void] = [
        { _ in try persistence.save(context: context) },
        { _ in try persistence.saveWithParent(context: context) },
        { try tracks.save($0) },
        { _ in try tracks.batchDelete([]) },
      ]
      for save in saves {
        let track = try Self.misuse(context)
        #expect(throws: ObjectError.self) { try save(track) }
        try save(track)
      }
    }
  }

  @Test("work in pieces and in an operation fails, although the context is then reset")
  func resettingWork() throws {
    #expect(throws: ObjectError.self) {
      try persistence.performInPieces(of: 0..<1) { _, context in _ = try Self.misuse(context) }
    }
    let operation = MemoryManagedOperation(context: persistence.newBackgroundContext()) {
      _ = try Self.misuse($0)
    }
    OperationQueue().addOperations([operation], waitUntilFinished: true)
    #expect(operation.error is ObjectError)
  }

  @Test("asynchronous saves throw the error")
  func asynchronousSaves() async throws {
    let context = persistence.newBackgroundContext()
    try await context.perform { _ = try Self.misuse(context) }
    await #expect(throws: ObjectError.self) { try await context.asyncSave() }
    await #expect(throws: ObjectError.self) {
      try await persistence.performBackgroundTask { _ = try Self.misuse($0) }
    }
  }
}
