import CoreData
import Foundation
import OpenTestSupport
import XCTest

/// What the listings about contexts cost: statements, objects in memory, observers that have gone.
final class ContextCostTests: XCTestCase {
  private var folder: URL!
  private var dataStore: DataStore!
  private let recorder = StatementRecorder()
  private var main: NSManagedObjectContext { dataStore.mainManagedObjectContext }

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    dataStore = DataStore(storeDirectoryURL: folder)
    // The same file again, now with its statements recorded.
    let coordinator = try XCTUnwrap(main.persistentStoreCoordinator)
    let store = try XCTUnwrap(coordinator.persistentStores.first)
    let file = store.url
    try coordinator.remove(store)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: file,
      options: [OpenStatementObserverOption: recorder.observer])
  }

  override func tearDown() {
    dataStore = nil
    try? FileManager.default.removeItem(at: folder)
  }

  /// The statements of some work that read a table.
  private func reads(_ table: String, _ work: () throws -> Void) rethrows -> Int {
    try recorder.recording(work).statements.count {
      $0.hasPrefix("SELECT") && $0.contains("FROM Z\(table)")
    }
  }

  /// Waits until what the queues of two contexts have to do is done.
  private func settle(_ background: NSManagedObjectContext) {
    for _ in 0..<2 {
      background.performAndWait {}
      let reached = expectation(description: "the main queue is done")
      DispatchQueue.main.async { reached.fulfill() }
      wait(for: [reached], timeout: 5)
    }
  }

  func testTheStoreIsAwfulCacheInTheFolder() throws {
    let other = folder.appendingPathComponent("other")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    let fresh = DataStore(storeDirectoryURL: other)
    let urls = fresh.mainManagedObjectContext.persistentStoreCoordinator?.persistentStores.map(
      \.url)
    XCTAssertEqual(urls, [other.appendingPathComponent("AwfulCache.sqlite")])
    let file = other.appendingPathComponent("AwfulCache.sqlite")
    XCTAssertTrue(FileManager.default.fileExists(atPath: file.path))
  }

  func testAnotherMainContextGetsItsBackgroundContextAndTheOldOneIsNotObserved() throws {
    let client = ForumsClient()
    client.now = { Date(timeIntervalSinceReferenceDate: 1000) }
    let thread = Thread.insert(into: main)
    thread.title = "Stored"
    try main.save()
    let (id, modified) = (thread.objectID, thread.lastModifiedDate)
    client.managedObjectContext = main
    let old = try XCTUnwrap(client.backgroundManagedObjectContext)

    let other = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    other.persistentStoreCoordinator = main.persistentStoreCoordinator
    let shown = try XCTUnwrap(other.object(with: id) as? Thread)
    XCTAssertEqual(shown.title, "Stored")
    client.managedObjectContext = other
    let new = try XCTUnwrap(client.backgroundManagedObjectContext)
    XCTAssertFalse(new === old)

    // The old contexts are observed no more, in neither direction, and get no dates.
    try old.performAndWait {
      (old.object(with: id) as? Thread)?.title = "From the old background"
      try old.save()
    }
    settle(old)
    XCTAssertEqual(shown.title, "Stored")
    XCTAssertEqual(thread.title, "Stored")
    let copy = new.performAndWait { () -> Thread? in
      let copy = new.object(with: id) as? Thread
      XCTAssertEqual(copy?.title, "From the old background")
      XCTAssertEqual(copy?.lastModifiedDate, modified)
      return copy
    }
    main.refresh(thread, mergeChanges: false)
    thread.title = "From the old main context"
    try main.save()
    settle(new)
    new.performAndWait { XCTAssertEqual(copy?.title, "From the old background") }

    // The new ones are.
    try new.performAndWait {
      (new.object(with: id) as? Thread)?.title = "From the new background"
      try new.save()
    }
    settle(new)
    XCTAssertEqual(shown.title, "From the new background")
    XCTAssertEqual(shown.lastModifiedDate, client.now())
  }

  func testAnOptimizedFetchCostsThreeStatements() throws {
    let forum = Forum.insert(into: main)
    let authors = (0..<4).map { _ in User.insert(into: main) }
    let tags = (0..<3).map { _ in ThreadTag.insert(into: main) }
    for number in 0..<60 {
      let thread = Thread.insert(into: main)
      thread.title = "\(number)"
      (thread.forum, thread.author, thread.threadTag) = (
        forum, authors[number % 4], tags[number % 3]
      )
      thread.lastPostDate = Date(timeIntervalSinceReferenceDate: Double(number))
    }
    try main.save()
    let id = forum.objectID
    let context = dataStore.backgroundContext
    try context.performAndWait {
      let forum = try XCTUnwrap(context.object(with: id) as? Forum)
      let (threads, statements) = try recorder.recording {
        try context.fetch(optimizedThreadFetch(for: forum))
      }
      XCTAssertEqual(threads.count, 50)
      XCTAssertEqual(statements.count { $0.hasPrefix("SELECT") }, 3, "threads, authors, icons")
      XCTAssertTrue(threads.allSatisfy(\.isFault))
      let later = recorder.recording {
        for thread in threads {
          XCTAssertNotNil(thread.title)
          XCTAssertNotNil(thread.author?.userID)
          XCTAssertNotNil(thread.threadTag?.threadTagID)
        }
      }
      XCTAssertEqual(later.statements, [])
    }
  }

  func testALargeImportHoldsTheObjectsOfOneBatch() {
    final class Reference {
      weak var object: Thread?
      init(_ object: Thread) { self.object = object }
    }
    var references: [Reference] = []
    processLargeDataSet(Array(0..<1000), mainContext: main) { batch, context in
      XCTAssertEqual(references.count { $0.object != nil }, 0, "of earlier batches")
      for number in batch {
        let thread = Thread.insert(into: context)
        thread.threadID = "\(number)"
        references.append(Reference(thread))
      }
      XCTAssertEqual(references.count { $0.object != nil }, 100)
    }
    XCTAssertEqual(references.count, 1000)
    XCTAssertEqual(references.count { $0.object != nil }, 0)
  }

  func testAnImportLooksUpTwentyFivePostsAtATime() throws {
    let thread = Thread.insert(into: main)
    try main.save()
    for (count, batches) in [(1, 1), (25, 1), (26, 2), (50, 2), (51, 3)] {
      let posts = (0..<count).map { number in
        ScrapedPost(
          postID: "\(count)-\(number)", innerHTML: "", postDate: nil, postIndex: number,
          author: nil)
      }
      let context = dataStore.backgroundContext
      let lookUps = try reads("POST") {
        try PostPersistence.importPosts(posts, for: thread, in: context)
      }
      XCTAssertEqual(lookUps, batches, "\(count) posts")
    }
    XCTAssertEqual(Post.fetch(in: main).count, 153)
  }

  func testABatchUpdateIsSeenByItsContext() throws {
    let threads = (0..<3).map { number in
      let thread = Thread.insert(into: main)
      thread.threadID = "\(number)"
      return thread
    }
    try main.save()
    let result = try main.performBatchUpdate(
      entity: Thread.self, predicate: NSPredicate(format: "threadID != %@", "1"),
      propertiesToUpdate: ["seenPosts": 5, "title": "Seen"])
    let ids = try XCTUnwrap(result.result as? [NSManagedObjectID])
    XCTAssertEqual(Set(ids), [threads[0].objectID, threads[2].objectID])
    XCTAssertEqual(threads.map(\.seenPosts), [5, 0, 5])
    XCTAssertEqual(threads.map(\.title), ["Seen", nil, "Seen"])
    XCTAssertFalse(main.hasChanges)
  }

  func testThePrintedFetchReturnsFaults() throws {
    for number in 0..<3 { Thread.insert(into: main).threadID = "\(number)" }
    try main.save()
    let context = dataStore.backgroundContext
    context.performAndWait {
      let threads = Thread.fetch(in: context) {
        // The listing decides it afterwards.
        $0.returnsObjectsAsFaults = false
        $0.sortDescriptors = [NSSortDescriptor(key: "threadID", ascending: true)]
      }
      XCTAssertEqual(threads.map(\.isFault), [true, true, true])
      XCTAssertEqual(
        reads("THREAD") { XCTAssertEqual(threads.map(\.threadID), ["0", "1", "2"]) }, 0)
      XCTAssertEqual(threads.map(\.isFault), [false, false, false])
    }
  }
}
