import CoreData
import OpenPersistenceKit
import XCTest

/// What batch work, fetch settings and caches of a forum reader promise.
final class SeedBatchTests: XCTestCase {
  private var folder: URL!
  private var controller: PersistenceController!

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The default store is in the user's data folder; the test uses a separate folder.
    setenv("XDG_DATA_HOME", folder.path, 1)
    controller = PersistenceController()
    _ = controller.persistentContainer
  }

  override func tearDown() {
    unsetenv("XDG_DATA_HOME")
    controller = nil
    try? FileManager.default.removeItem(at: folder)
  }

  private func makeThreads(_ count: Int32) throws -> [Thread] {
    let threads = (0..<count).map { number in
      let thread = Thread(context: controller.viewContext)
      thread.id = number
      thread.title = "Thread \(number)"
      return thread
    }
    try controller.viewContext.save()
    return threads
  }

  func testBatchInsertCopiesObjectsInChunksInTheBackground() throws {
    let originals = try makeThreads(25)
    let saved = expectation(forNotification: .NSManagedObjectContextDidSave, object: nil)
    saved.expectedFulfillmentCount = 3
    controller.batchInsert(entities: originals, batchSize: 10)
    wait(for: [saved], timeout: 30)
    let ids = ThreadsRepository(context: controller.viewContext).fetch().map(\.id).sorted()
    XCTAssertEqual(ids, (0..<50).map { Int32($0 / 2) })
  }

  func testBatchDeleteIsSeenByTheMainContext() throws {
    let threads = try makeThreads(4)
    controller.batchDelete(
      entityName: "Thread", predicate: NSPredicate(format: "id < %d", 3))
    XCTAssertEqual(ThreadsRepository(context: controller.viewContext).fetch(), [threads[3]])
    XCTAssertTrue(threads[0].isDeleted || threads[0].managedObjectContext == nil)
  }

  func testBatchUpdateIsSeenByTheMainContext() throws {
    let threads = try makeThreads(4)
    controller.batchUpdate(
      entityName: "Thread", predicate: NSPredicate(format: "id < %d", 3),
      propertiesToUpdate: ["isSticky": true])
    XCTAssertEqual(threads.map(\.isSticky), [true, true, true, false])
  }

  func testFetchSettings() throws {
    _ = try makeThreads(50)
    controller.viewContext.reset()
    let request: NSFetchRequest<Thread> = Thread.fetchRequest()
    request.optimizeForPerformance()
    XCTAssertFalse(request.includesSubentities)
    XCTAssertEqual(request.relationshipKeyPathsForPrefetching, ["forum", "posts"])
    XCTAssertEqual(try controller.viewContext.fetch(request).count, 50)
    controller.viewContext.reset()
    let lean: NSFetchRequest<Thread> = Thread.fetchRequest()
    lean.optimizeForMemory()
    let threads = try controller.viewContext.fetch(lean)
    XCTAssertEqual(threads.count, 50)
    XCTAssertEqual(threads.filter { $0.title.hasPrefix("Thread") }.count, 50)
  }

  func testTheMemoryCacheIsEmptiedWhenMemoryRunsShort() {
    let pressure = ManualMemoryPressure()
    let manager = CacheManager(caches: folder, pressure: pressure)
    manager.memoryCache.setObject("value" as NSString, forKey: "key")
    XCTAssertNotNil(manager.memoryCache.object(forKey: "key"))
    pressure.send(.warning)
    XCTAssertNil(manager.memoryCache.object(forKey: "key"))
    XCTAssertTrue(
      FileManager.default.fileExists(atPath: folder.appendingPathComponent("DataCache").path))
  }

  func testOldThreadsGoWithTheirPosts() throws {
    let context = controller.viewContext
    for (number, days) in [(Int32(1), 40.0), (2, 10)] {
      let thread = Thread(context: context)
      thread.id = number
      thread.lastRefresh = Date().addingTimeInterval(-days * 86_400)
      for _ in 0..<3 { thread.addPost(Post(context: context)) }
    }
    try context.save()
    CacheManager(caches: folder, pressure: ManualMemoryPressure()).cleanupOldData(in: context)
    context.reset()
    XCTAssertEqual(ThreadsRepository(context: context).fetch().map(\.id), [2])
    XCTAssertEqual(PostsRepository(context: context).fetch().count, 3)
  }
}
