import CoreData
import Foundation
import XCTest

/// The outcomes that the listings about contexts and data flow promise.
final class ContextUsageTests: XCTestCase {
  private var folder: URL!
  private var dataStore: DataStore!

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    dataStore = DataStore(storeDirectoryURL: folder)
  }

  override func tearDown() {
    dataStore = nil
    try? FileManager.default.removeItem(at: folder)
  }

  private var main: NSManagedObjectContext { dataStore.mainManagedObjectContext }

  /// Waits until what the queues of two contexts have to do is done.
  private func settle(_ background: NSManagedObjectContext?) {
    for _ in 0..<2 {
      background?.performAndWait {}
      let reached = expectation(description: "the main queue is done")
      DispatchQueue.main.async { reached.fulfill() }
      wait(for: [reached], timeout: 5)
    }
  }

  private func makeThread(_ id: String, title: String? = nil) throws -> Thread {
    let thread = Thread.insert(into: main)
    thread.threadID = id
    thread.title = title
    try main.save()
    return thread
  }

  func testTheMainContextIsSavedInTheBackgroundOfTheApp() throws {
    Thread.insert(into: main).threadID = "1"
    NotificationCenter.default.post(name: .didEnterBackground, object: nil)
    XCTAssertFalse(main.hasChanges)
    let other = dataStore.backgroundContext
    XCTAssertEqual(other.performAndWait { Thread.fetch(in: other).map(\.threadID) }, ["1"])
  }

  func testBackgroundSavesReachTheMainContextAndBack() throws {
    let client = ForumsClient()
    let instant = Date(timeIntervalSinceReferenceDate: 1000)
    client.now = { instant }
    client.managedObjectContext = main
    let thread = try makeThread("1", title: "Old")
    let background = try XCTUnwrap(client.backgroundManagedObjectContext)
    let id = thread.objectID
    try background.performAndWait {
      let copy = background.object(with: id) as? Thread
      copy?.title = "New"
      try background.save()
    }
    settle(background)
    XCTAssertEqual(thread.title, "New")
    XCTAssertEqual(thread.lastModifiedDate, instant, "the observer of the background context")
    XCTAssertFalse(main.hasChanges)

    background.performAndWait {
      XCTAssertEqual((background.object(with: id) as? Thread)?.title, "New")
    }
    thread.title = "From the user"
    try main.save()
    settle(background)
    XCTAssertEqual(
      background.performAndWait { (background.object(with: id) as? Thread)?.title },
      "From the user")
    XCTAssertEqual(thread.lastModifiedDate, instant, "the main context is not observed")
  }

  func testAClientWithoutMainContextHasNoBackgroundContext() {
    let client = ForumsClient()
    client.managedObjectContext = main
    XCTAssertNotNil(client.backgroundManagedObjectContext)
    client.managedObjectContext = nil
    XCTAssertNil(client.backgroundManagedObjectContext)
  }

  func testScrapedDataIsImportedInTheBackgroundAndReportedOnTheMainQueue() throws {
    let client = ForumsClient()
    client.managedObjectContext = main
    let done = expectation(description: "done")
    client.processScrapedData(["1", "2"]) { ids, context in
      for id in ids { Thread.insert(into: context).threadID = id }
    } completion: { result in
      XCTAssertTrue(Foundation.Thread.isMainThread)
      XCTAssertEqual(try? result.get(), ["1", "2"])
      done.fulfill()
    }
    wait(for: [done], timeout: 5)
    XCTAssertEqual(Thread.fetch(in: main).count, 2)

    let failed = expectation(description: "failed")
    client.processScrapedData(0) { _, _ in
      throw ScrapingError.missing("table.post")
    } completion: { result in
      if case .failure(ScrapingError.missing) = result { failed.fulfill() }
    }
    wait(for: [failed], timeout: 5)
  }

  func testTheBackgroundPrefersItsValuesAndTheMainContextRaisesAnError() throws {
    let thread = try makeThread("1", title: "Original")
    configureContextMergePolicy(main, isBackground: false)
    let background = dataStore.backgroundContext
    configureContextMergePolicy(background, isBackground: true)
    let id = thread.objectID
    let copy = background.performAndWait { () -> Thread? in
      let copy = background.object(with: id) as? Thread
      copy?.title = "From the site"
      return copy
    }
    thread.title = "From the user"
    try main.save()
    try background.performAndWait { try background.save() }
    XCTAssertEqual(background.performAndWait { copy?.title }, "From the site")

    thread.title = "Again from the user"
    XCTAssertThrowsError(try main.save()) { error in
      XCTAssertEqual((error as NSError).code, NSManagedObjectMergeError)
    }
  }

  func testPostsAreImportedInBatchesAndUpdatedByTheNextImport() throws {
    let thread = try makeThread("1")
    let posts = (0..<60).map { number in
      ScrapedPost(
        postID: "\(number)", innerHTML: "<p>\(number)</p>",
        postDate: Date(timeIntervalSinceReferenceDate: Double(number)), postIndex: number + 1,
        author: .init(userID: "\(number % 3)", username: "User \(number % 3)"))
    }
    for _ in 0..<2 {
      try PostPersistence.importPosts(posts, for: thread, in: dataStore.backgroundContext)
    }
    main.refreshAllObjects()
    XCTAssertEqual(thread.numberOfPosts, 60)
    XCTAssertEqual(thread.lastPostDate, Date(timeIntervalSinceReferenceDate: 59))
    XCTAssertEqual(thread.posts.count, 60)
    XCTAssertEqual(Post.fetch(in: main).count, 60)
    XCTAssertEqual(User.fetch(in: main).count, 3)
  }

  func testALargeImportUsesAContextForEachBatch() throws {
    var contexts: Set<ObjectIdentifier> = []
    var kept: [NSManagedObjectContext] = []
    processLargeDataSet(Array(0..<250), mainContext: main) { batch, context in
      contexts.insert(ObjectIdentifier(context))
      kept.append(context)
      XCTAssertLessThanOrEqual(batch.count, 100)
      for number in batch { Thread.insert(into: context).threadID = "\(number)" }
    }
    XCTAssertEqual(contexts.count, 3)
    XCTAssertTrue(kept.allSatisfy { $0.registeredObjects.isEmpty })
    XCTAssertEqual(Thread.fetch(in: main).count, 250)
  }

  func testAnOptimizedFetchOfThreads() throws {
    let forum = Forum.insert(into: main)
    for number in 0..<60 {
      let thread = Thread.insert(into: main)
      thread.threadID = "\(number)"
      thread.forum = forum
      thread.lastPostDate = Date(timeIntervalSinceReferenceDate: Double(number))
    }
    try main.save()
    let threads = try main.fetch(optimizedThreadFetch(for: forum))
    XCTAssertEqual(threads.map(\.threadID), (10..<60).reversed().map { "\($0)" })
  }

  func testABatchDeletionIsSeenByItsContext() throws {
    let old = try makeThread("old")
    _ = try makeThread("new")
    let result = try main.performBatchDelete(
      entity: Thread.self, predicate: NSPredicate(format: "threadID == %@", "old"))
    XCTAssertEqual((result.result as? [NSManagedObjectID])?.count, 1)
    XCTAssertEqual(Thread.fetch(in: main).map(\.threadID), ["new"])
    XCTAssertTrue(old.isDeleted || old.managedObjectContext == nil)
  }

  func testAMemoryManagedOperationSavesAndForgets() throws {
    for number in 0..<250 { Thread.insert(into: main).threadID = "\(number)" }
    try main.save()
    let context = dataStore.backgroundContext
    var sizes: [Int] = []
    let operation = MemoryManagedOperation(context: context) { batch in
      sizes.append(batch.count)
      for thread in batch { thread.seenPosts = 1 }
    }
    let queue = OperationQueue()
    queue.addOperation(operation)
    queue.waitUntilAllOperationsAreFinished()
    XCTAssertEqual(sizes, [100, 100, 50])
    XCTAssertTrue(context.registeredObjects.isEmpty)
    main.reset()
    XCTAssertEqual(Set(Thread.fetch(in: main).map(\.seenPosts)), [1])
  }

  func testThreadingIsValidatedAndErrorsComeOutOfBlocks() throws {
    main.validateThreading()
    let background = dataStore.backgroundContext
    background.performAndWait { background.validateThreading() }
    try background.performSafely {}
    XCTAssertThrowsError(
      try background.performSafely { throw ScrapingError.missing("body") })
  }

  func testErrorsAreToldApart() throws {
    let errors = DataFlowErrors()
    errors.handleNetworkError(URLError(.notConnectedToInternet), for: "posts")
    errors.handleNetworkError(URLError(.timedOut), for: "posts")
    errors.handleNetworkError(URLError(.badURL), for: "posts")
    errors.handleNetworkError(ScrapingError.missing("body"), for: "posts")
    errors.handleNetworkError(CocoaError(.fileNoSuchFile), for: "posts")
    XCTAssertEqual(
      errors.journal.entries, ["offline", "retry posts", "present", "report", "present"])

    let data = DataFlowErrors()
    data.handleCoreDataError(
      NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectContextLockingError), context: main)
    let thread = try makeThread("1", title: "Original")
    let id = thread.objectID
    let background = dataStore.backgroundContext
    try background.performAndWait {
      (background.object(with: id) as? Thread)?.title = "Background"
      try background.save()
    }
    thread.title = "Main"
    XCTAssertThrowsError(try main.save()) { data.handleCoreDataError($0, context: main) }
    XCTAssertEqual(thread.title, "Background")
    Thread.insert(into: main).setValue(nil, forKey: "threadID")
    XCTAssertThrowsError(try main.save()) { data.handleCoreDataError($0, context: main) }
    XCTAssertFalse(main.hasChanges, "rolling back leaves a clean context")
    XCTAssertEqual(
      data.journal.entries, ["Core Data threading violation", "resolved", "rolled back"])
  }

  func testACacheThatIsTooLargeIsPrunedAndForgotten() throws {
    let thread = try makeThread("1", title: "Title")
    var pruned = 0
    manageCacheSize(10, maxCacheSize: 100, mainContext: main) { pruned += 1 }
    XCTAssertEqual(pruned, 0)
    manageCacheSize(101, maxCacheSize: 100, mainContext: main) { pruned += 1 }
    settle(nil)
    XCTAssertEqual(pruned, 1)
    XCTAssertTrue(thread.isFault)
  }

  @MainActor
  func testBothLayersAndTheDataSourceSaveAsynchronously() async throws {
    let layer = CoreDataLayer(dataStore: dataStore)
    Thread.insert(into: layer.mainContext()).threadID = "1"
    try await layer.save(layer.mainContext())
    XCTAssertFalse(main.hasChanges)
    let source = SwiftUIDataSource(
      mainContext: main, backgroundContext: layer.backgroundContext())
    let count = try await source.performBackgroundOperation { Thread.fetch(in: $0).count }
    XCTAssertEqual(count, 1)
  }
}
