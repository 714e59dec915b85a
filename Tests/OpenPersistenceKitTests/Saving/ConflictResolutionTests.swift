import CoreData
import Foundation
import OpenPersistenceKit
import OpenStoreContract
import Testing

@Suite("Saves that settle conflicts")
struct ConflictResolutionTests {
  /// The values of a track that the two sides change.
  private typealias Values = (title: String, playCount: Int32, rating: Int16)

  private static func values(of track: Track) -> Values {
    (track.title, track.playCount, track.rating)
  }

  /// The values of a track after a save in a context that conflicts with another context's save.
  ///
  /// Both sides change the title; the context also changes the play count, the other side the
  /// rating.
  private static func outcome(
    of resolution: ConflictResolution, _ persistence: PersistenceController,
    in mine: NSManagedObjectContext
  ) throws -> (object: Values, stored: Values) {
    let (track, id) = try mine.performAndWait { () throws in
      let track = Track(title: "Original", context: mine)
      try mine.save()
      return (track, track.objectID)
    }
    try persistence.performBatchOperation { context in
      let copy = try #require(context.object(with: id) as? Track)
      (copy.title, copy.rating) = ("Theirs", 4)
    }
    let policy = mine.performAndWait { (mine.mergePolicy as? NSMergePolicy)?.mergeType }
    let object = try mine.performAndWait { () throws -> Values in
      (track.title, track.playCount) = ("Mine", 7)
      #expect(try mine.saveWithConflictResolution(resolution) == [id])
      #expect(!mine.hasChanges)
      #expect((mine.mergePolicy as? NSMergePolicy)?.mergeType == policy)
      return values(of: track)
    }
    let stored = try persistence.performBatchOperation { context in
      values(of: try #require(context.existingObject(with: id) as? Track))
    }
    return (object, stored)
  }

  @Test("each conflict resolution keeps the expected values", arguments: [true, false])
  func resolutions(inMemory: Bool) throws {
    let folder = try Folder()
    func check(
      _ resolution: ConflictResolution, _ title: String, _ playCount: Int32, _ rating: Int16
    ) throws {
      let persistence = inMemory ? PersistenceController(inMemory: true) : folder.open()
      let outcome = try Self.outcome(
        of: resolution, persistence, in: persistence.container.newBackgroundContext())
      #expect(outcome.stored == (title, playCount, rating))
    }
    try check(.newerVersion, "Theirs", 0, 4)
    try check(.storedValues, "Theirs", 7, 4)
    try check(.objectValues, "Mine", 7, 4)
    try check(.wholeObject, "Mine", 7, 0)
    try check(.custom { ($0.sourceObject as? Track)?.title = "Both" }, "Both", 7, 4)
  }

  @Test("on the contexts of a controller, whose policy would settle conflicts, the resolution wins")
  func kitContexts() throws {
    let folder = try Folder()
    let persistence = folder.open()
    func check(
      _ resolution: ConflictResolution, _ title: String, _ playCount: Int32, _ rating: Int16
    ) throws {
      let mine = persistence.newBackgroundContext()
      let policy = mine.mergePolicy as? NSMergePolicy
      #expect(policy?.mergeType == .mergeByPropertyObjectTrumpMergePolicyType)
      let outcome = try Self.outcome(of: resolution, persistence, in: mine)
      #expect(outcome.object == (title, playCount, rating))
      #expect(outcome.stored == (title, playCount, rating))
    }
    try check(.newerVersion, "Theirs", 0, 4)
    try check(.storedValues, "Theirs", 7, 4)
    try check(.objectValues, "Mine", 7, 4)
    try check(.wholeObject, "Mine", 7, 0)
  }

  @Test("the context's policy handles uniqueness constraints, alone and with other conflicts")
  func constraints() throws {
    for isMixed in [false, true] {
      let persistence = PersistenceController(inMemory: true)
      let mine = persistence.newBackgroundContext()
      let track = try mine.performAndWait { () throws in
        let track = Track(title: "Original", context: mine)
        try mine.save()
        return track
      }
      let id = track.objectID
      try persistence.performBatchOperation { context in
        Track(title: "Stored", context: context).filePath = "/a"
        if isMixed { (context.object(with: id) as? Track)?.title = "Theirs" }
      }
      try mine.performAndWait { () throws in
        Track(title: "Inserted", context: mine).filePath = "/a"
        track.title = "Mine"
        let ids = try mine.saveWithConflictResolution(.newerVersion)
        #expect(ids == (isMixed ? [id] : []))
        let titles = try BaseRepository<Track>(context: mine).fetch().map(\.title)
        #expect(Set(titles) == [isMixed ? "Theirs" : "Mine", "Inserted"])
      }
      let plain = persistence.container.newBackgroundContext()
      try plain.performAndWait { () throws in
        Track(title: "Again", context: plain).filePath = "/a"
        let error = #expect(throws: CocoaError.self) { try plain.saveWithConflictResolution() }
        #expect(error?.code == .managedObjectConstraintMerge)
      }
    }
  }

  @Test("the resolution applies to a version conflict that follows a resolved constraint conflict")
  func conflictAfterConstraint() throws {
    let persistence = PersistenceController(inMemory: true)
    let mine = persistence.container.newBackgroundContext()
    try mine.performAndWait { () throws in
      let track = Track(title: "Original", context: mine)
      try mine.save()
      let id = track.objectID
      try persistence.performBatchOperation { Track(title: "Stored", context: $0).filePath = "/a" }
      // The other context saves its change while the constraint conflict is resolved.
      mine.mergePolicy = InterferingPolicy {
        try persistence.performBatchOperation { ($0.object(with: id) as? Track)?.title = "Theirs" }
      }
      Track(title: "Inserted", context: mine).filePath = "/a"
      track.title = "Mine"
      #expect(try mine.saveWithConflictResolution(.newerVersion) == [id])
      #expect(track.title == "Theirs")
    }
  }

  @Test("a policy that overrides only resolve(mergeConflicts:) resolves constraint conflicts")
  func overriddenPolicy() throws {
    let persistence = PersistenceController(inMemory: true)
    try persistence.performBatchOperation { Track(title: "Stored", context: $0).filePath = "/a" }
    let mine = persistence.container.newBackgroundContext()
    try mine.performAndWait { () throws in
      mine.mergePolicy = ForwardingPolicy(merge: .errorMergePolicyType)
      Track(title: "Inserted", context: mine).filePath = "/a"
      #expect(try mine.saveWithConflictResolution() == [])
      #expect(try BaseRepository<Track>(context: mine).fetch().map(\.title) == ["Inserted"])
    }
  }

  @Test("a custom resolution that throws saves nothing, and keeps the changes")
  func refusing() throws {
    struct Refusal: Error {}
    let persistence = PersistenceController(inMemory: true)
    #expect(throws: Refusal.self) {
      try Self.outcome(
        of: .custom { _ in throw Refusal() }, persistence,
        in: persistence.container.newBackgroundContext())
    }
  }

  @Test("a save without conflicts succeeds; other errors are thrown, and recovery classifies them")
  func others() throws {
    let persistence = PersistenceController(inMemory: true)
    let context = persistence.newBackgroundContext()
    try context.performAndWait { () throws in
      _ = Track(title: "One", context: context)
      #expect(try context.saveWithConflictResolution().isEmpty)
      _ = Track(context: context)
      let error = #expect(throws: CocoaError.self) {
        try context.saveWithConflictResolution()
      }
      #expect(error?.code == .validationMissingMandatoryProperty)
      let kind = try persistence.recover(from: try #require(error), in: context)
      #expect(kind == .missingValue)
      #expect(!context.hasChanges)
    }
  }

  @Test("errors are classified by domain and code")
  func kinds() {
    func kind(_ code: Int, _ userInfo: [String: Any] = [:]) -> ErrorKind {
      ErrorKind(NSError(domain: NSCocoaErrorDomain, code: code, userInfo: userInfo))
    }
    #expect(kind(NSManagedObjectContextLockingError) == .locking)
    #expect(kind(NSPersistentStoreTimeoutError) == .locking)
    #expect(kind(NSManagedObjectMergeError) == .conflict)
    #expect(kind(NSManagedObjectConstraintMergeError) == .constraint)
    #expect(kind(NSValidationMissingMandatoryPropertyError) == .missingValue)
    #expect(kind(NSValidationNumberTooSmallError) == .validation)
    #expect(kind(NSPersistentStoreOpenError) == .store)
    // Foundation's codes for files also report files other than stores.
    for code in [256, 259, 260, 512] {
      #expect(kind(code, [OpenStoreErrorKey: "error"]) == .store)
      #expect(kind(code) == .other)
    }
    #expect(kind(4) == .other)
    #expect(ErrorKind(CancellationError()) == .other)
    #expect(ErrorKind(NSError(domain: "other", code: 133020)) == .other)
  }

  @Test("a statement that exceeded the server's limit is not transient; a locked store is")
  func statementTimeout() {
    func error(_ underlying: (any Error)?) -> CocoaError {
      let error = StoreError(.locked, "It took too long.", underlying: underlying)
      return CocoaError(.persistentStoreTimeout, userInfo: [OpenStoreErrorKey: error])
    }
    #expect(ErrorKind.isTransient(error(nil)))
    let exceeded = error(StatementTimeout())
    #expect(!ErrorKind.isTransient(exceeded))
    #expect(ErrorKind(exceeded) == .store)
    #expect(ErrorReport(exceeded).suggestion == nil)
  }

  @Test("a batch deletion that a deny rule forbids is not transient")
  func forbiddenDeletion() throws {
    let configuration = PersistenceController.Configuration(
      name: "Kanora", storage: .inMemory,
      makeModel: {
        let model = MusicModel.make()
        let album = model.entitiesByName["Album"]
        album?.relationshipsByName["tracks"]?.deleteRule = .denyDeleteRule
        return model
      })
    let persistence = PersistenceController(opening: configuration)
    try persistence.performBatchOperation { context in
      let album = Album(context: context)
      album.title = "Abbey Road"
      Track(title: "Something", context: context).album = album
    }
    let error = #expect(throws: CocoaError.self) { () throws in
      _ = try persistence.batchDelete(fetchRequest: NSFetchRequest<Album>(entityName: "Album"))
    }
    let failure = try #require(error)
    #expect(failure.code == .managedObjectConstraintMerge)
    #expect(!ErrorKind.isTransient(failure))
    #expect(ErrorKind(failure) == .validation)
    #expect(ErrorReport(failure).suggestion == nil)
  }

  @Test("the thread check of a main-queue context throws off the main queue")
  @MainActor
  func threading() async throws {
    let persistence = PersistenceController(inMemory: true)
    try persistence.viewContext.checkThreading()
    _ = Track(title: "One", context: persistence.viewContext)
    try await persistence.viewContext.asyncSave()
    #expect(!persistence.viewContext.hasChanges)
    let code = try await persistence.performBackgroundTask { context -> CocoaError.Code? in
      try context.checkThreading()
      do {
        try persistence.viewContext.checkThreading()
        return nil
      } catch {
        return (error as? CocoaError)?.code
      }
    }
    #expect(code == .managedObjectContextLocking)
  }
}

/// A policy that lets the objects win, and calls a closure before it resolves constraint conflicts.
private final class InterferingPolicy: NSMergePolicy, @unchecked Sendable {
  private let interfere: @Sendable () throws -> Void

  init(_ interfere: @escaping @Sendable () throws -> Void) {
    self.interfere = interfere
    super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType)
  }

  override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    try interfere()
    try super.resolve(constraintConflicts: list)
  }
}

/// A policy that passes all conflicts to another policy, which lets the objects win.
private final class ForwardingPolicy: NSMergePolicy, @unchecked Sendable {
  override func resolve(mergeConflicts list: [Any]) throws {
    try NSMergePolicy.mergeByPropertyObjectTrump.resolve(mergeConflicts: list)
  }
}
