import CoreData
import Dispatch
import Foundation
import OpenPersistenceKit
import Testing

/// The listings of a document about a Core Data stack, with the outcomes that it promises.
@Suite("Listings about a stack", .serialized)
struct StackListingTests {
  @Test("there is one shared stack; the preview is another stack, with sample data")
  @MainActor
  func singletons() throws {
    let persistence = PersistenceController.shared
    #expect(persistence === PersistenceController.shared)
    let preview = PersistenceController.preview
    #expect(preview !== persistence)
    let titles = try preview.viewContext.fetch(Track.fetchRequest()).map { $0.title }
    #expect(Set(titles) == ["Come Together", "Something"])
    #expect(!preview.viewContext.hasChanges)
  }

  @Test("the main context is named, merges automatically, and prefers its own edits")
  func viewContext() throws {
    let folder = try Folder()
    let persistence = folder.open()
    let viewContext: NSManagedObjectContext = persistence.viewContext
    #expect(viewContext.concurrencyType == .mainQueueConcurrencyType)
    #expect(viewContext.automaticallyMergesChangesFromParent)
    let policy = viewContext.mergePolicy as? NSMergePolicy
    #expect(policy?.mergeType == .mergeByPropertyObjectTrumpMergePolicyType)
    #expect(viewContext.name == "ViewContext")
    let container: NSPersistentContainer = persistence.container
    let description = try #require(container.persistentStoreDescriptions.first)
    #expect(description.shouldMigrateStoreAutomatically)
    #expect(description.shouldInferMappingModelAutomatically)
    #expect(description.options[NSPersistentHistoryTrackingKey] == NSNumber(value: true))
    #expect(
      description.options[NSPersistentStoreRemoteChangeNotificationPostOptionKey]
        == NSNumber(value: true))
    #expect(persistence.loadErrors.isEmpty)
  }

  @Test("a background context and the convenience method save background work")
  @MainActor
  func background() async throws {
    let persistence = PersistenceController(inMemory: true)
    await withCheckedContinuation { done in
      // Create a new background context
      let context = persistence.newBackgroundContext()
      context.perform {
        // Perform work here
        _ = Track(title: "One", context: context)
        try? context.save()
        done.resume()
      }
    }
    await withCheckedContinuation { done in
      // Or use the convenience method
      persistence.performBackgroundTask { context in
        // Perform work here
        _ = Track(title: "Two", context: context)
        try? context.save()
        done.resume()
      }
    }
    let tracks: NSFetchRequest<Track> = Track.fetchRequest()
    #expect(try persistence.viewContext.count(for: tracks) == 2)
  }

  @Test("saving works for any context, and does nothing without changes")
  @MainActor
  func saving() throws {
    let folder = try Folder()
    let persistence = folder.open()
    // Save view context
    try persistence.saveViewContext()
    _ = Track(title: "One", context: persistence.viewContext)
    try persistence.saveViewContext()
    #expect(!persistence.viewContext.hasChanges)

    // Save any context
    let backgroundContext = persistence.newBackgroundContext()
    try backgroundContext.performAndWait {
      _ = Track(title: "Two", context: backgroundContext)
      try persistence.save(context: backgroundContext)
      // A context without parent is the end of the hierarchy.
      _ = Track(title: "Three", context: backgroundContext)
      try persistence.saveWithParent(context: backgroundContext)
    }
    let again = folder.open()
    let tracks: NSFetchRequest<Track> = Track.fetchRequest()
    #expect(try again.viewContext.count(for: tracks) == 3)
  }

  @Test("a child's save changes the main context, whose next save writes to disk")
  @MainActor
  func children() throws {
    let folder = try Folder()
    let persistence = folder.open()
    let childContext = persistence.newChildContext()
    // Make changes
    _ = Track(title: "One", context: childContext)
    try? childContext.save()  // Saves to parent (viewContext)
    let tracks: NSFetchRequest<Track> = Track.fetchRequest()
    let other = persistence.newBackgroundContext()
    #expect(try other.performAndWait { try other.count(for: tracks) } == 0)
    #expect(persistence.viewContext.hasChanges)
    try? persistence.saveViewContext()  // Persists to disk
    #expect(try other.performAndWait { try other.count(for: tracks) } == 1)

    let inner = persistence.newChildContext(of: persistence.newChildContext())
    _ = Track(title: "Two", context: inner)
    try persistence.saveWithParent(context: inner)
    #expect(try other.performAndWait { try other.count(for: tracks) } == 2)
  }

  @Test("a batch deletion is seen by the main context")
  @MainActor
  func batchDelete() throws {
    let folder = try Folder()
    let persistence = folder.open()
    let played = Track(title: "Played", context: persistence.viewContext)
    played.playCount = 3
    let unplayed = Track(title: "Unplayed", context: persistence.viewContext)
    try persistence.saveViewContext()

    // The cast in the listing is an identity on Apple systems; here, the call accepts any request.
    let fetchRequest: NSFetchRequest<Track> = Track.fetchRequest()
    fetchRequest.predicate = NSPredicate(format: "playCount == 0")

    try persistence.batchDelete(fetchRequest: fetchRequest)
    #expect(unplayed.isDeleted || unplayed.managedObjectContext == nil)
    let tracks: NSFetchRequest<Track> = Track.fetchRequest()
    #expect(try persistence.viewContext.fetch(tracks) == [played])
  }

  @Test("a batch update is seen by the main context")
  @MainActor
  func batchUpdates() throws {
    let folder = try Folder()
    let persistence = folder.open()
    let track = Track(title: "One", context: persistence.viewContext)
    (track.playCount, track.rating) = (2, 4)
    try persistence.saveViewContext()
    let batchUpdate = NSBatchUpdateRequest(entityName: "Track")
    batchUpdate.predicate = NSPredicate(format: "playCount < 5")
    batchUpdate.propertiesToUpdate = ["rating": 0]

    try persistence.batchUpdate(request: batchUpdate)
    #expect(track.rating == 0)
  }

  @Test("a large import saves and resets the context every 100 objects")
  func largeImport() async throws {
    let persistence = PersistenceController(inMemory: true)
    let largeDataset = (0..<1050).map { "Track \($0)" }
    let most = await withCheckedContinuation { done in
      persistence.performBackgroundTask { context in
        var most = 0
        for item in largeDataset {
          _ = Track(title: item, context: context)
          most = max(most, context.registeredObjects.count)

          // Save periodically to limit memory
          if context.insertedObjects.count >= 100 {
            try? context.save()
            context.reset()
          }
        }

        try? context.save()
        done.resume(returning: most)
      }
    }
    #expect(most == 100)
    let count = try persistence.performBatchOperation { context in
      try BaseRepository<Track>(context: context).count()
    }
    #expect(count == 1050)
  }

  @Test("the main context merges background changes automatically")
  @MainActor
  func updateFromBackground() async throws {
    let persistence = PersistenceController(inMemory: true)
    let track = Track(title: "One", context: persistence.viewContext)
    try persistence.saveViewContext()
    let objectID = track.objectID
    let rating = await withCheckedContinuation { done in
      persistence.performBackgroundTask { context in
        // Do work
        let track = context.object(with: objectID) as? Track
        track?.analyze()

        try? context.save()

        // Update UI on main thread
        DispatchQueue.main.async {
          // View context automatically merges changes
          let seen = persistence.viewContext.object(with: objectID) as? Track
          done.resume(returning: seen?.rating)
        }
      }
    }
    #expect(rating == 5)
    // The object was registered all the time, so only a merge can have changed it.
    #expect(track.rating == 5)
  }

  @Test("changes made on the main context's queue are saved on that queue")
  @MainActor
  func updateOnMain() async throws {
    let persistence = PersistenceController(inMemory: true)
    let track = Track(title: "One", context: persistence.viewContext)
    try persistence.saveViewContext()
    Self.countPlay(of: track, persistence)
    await withCheckedContinuation { done in
      persistence.performMainQueueTask { _ in done.resume() }
    }
    #expect(track.playCount == 1)
    #expect(!persistence.viewContext.hasChanges)
  }

  /// In an asynchronous function, the call without `await` would select another overload.
  @MainActor
  private static func countPlay(of track: Track, _ persistence: PersistenceController) {
    let id = track.objectID
    persistence.viewContext.perform {
      guard let track = persistence.viewContext.object(with: id) as? Track else { return }
      track.playCount += 1
      try? persistence.saveViewContext()
    }
  }

  @Test("user actions are undone and redone on the main context")
  @MainActor
  func undo() throws {
    let persistence = PersistenceController(inMemory: true)
    let track = Track(title: "One", context: persistence.viewContext)
    persistence.viewContext.processPendingChanges()
    track.title = "Two"
    persistence.viewContext.processPendingChanges()
    // Undo manager is enabled on view context
    persistence.viewContext.undoManager?.undo()
    #expect(track.title == "One")
    persistence.viewContext.undoManager?.redo()
    #expect(track.title == "Two")
  }

  @Test("sample data has no issues; damaged data returns a list of issues")
  func integrity() throws {
    let persistence = PersistenceController(inMemory: true)
    let context = persistence.newBackgroundContext()
    try context.performAndWait {
      CoreDataTestUtilities.createSampleData(in: context)
      try context.save()
      #expect(CoreDataTestUtilities.verifyDataIntegrity(in: context).isEmpty)
      let track = Track(title: "Lost", context: context)
      let issues = CoreDataTestUtilities.verifyDataIntegrity(in: context)
      if !issues.isEmpty {
        print("Data integrity issues found:")
        issues.forEach { print("  - \($0)") }
      }
      let uri = track.objectID.uriRepresentation().absoluteString
      #expect(issues == ["\(uri): The track has no album."])
    }
  }

  @Test("resetting deletes all data, and the stack remains usable", arguments: [true, false])
  @MainActor
  func reset(inMemory: Bool) throws {
    let folder = try Folder()
    let persistence = inMemory ? PersistenceController(inMemory: true) : folder.open()
    CoreDataTestUtilities.createSampleData(in: persistence.viewContext)
    try persistence.saveViewContext()
    _ = Track(title: "Unsaved", context: persistence.viewContext)
    try persistence.reset()
    let tracks: NSFetchRequest<Track> = Track.fetchRequest()
    #expect(try persistence.viewContext.count(for: tracks) == 0)
    #expect(!persistence.viewContext.hasChanges)
    let track = Track(title: "New", context: persistence.viewContext)
    try persistence.saveViewContext()
    #expect(track.objectID.uriRepresentation().lastPathComponent == "p1")
    #expect(try persistence.viewContext.fetch(tracks) == [track])
  }

  @Test("resetting keeps every in-memory store at the same URL")
  @MainActor
  func resetOfSeveralStores() throws {
    let persistence = PersistenceController(inMemory: true)
    let coordinator = persistence.container.persistentStoreCoordinator
    for _ in 0..<2 {
      try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
    }
    try persistence.reset()
    #expect(coordinator.persistentStores.count == 3)
  }
}
