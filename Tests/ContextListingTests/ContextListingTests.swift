import CoreData
import Foundation
import OpenPersistenceKit
import XCTest

// TestContextManager.swift - Test context management
class TestContextManager {
  let testContainer: NSPersistentContainer
  let mainContext: NSManagedObjectContext
  let backgroundContext: NSManagedObjectContext

  init() {
    // Create in-memory store for testing
    testContainer = NSPersistentContainer(name: "Awful", managedObjectModel: DataStore.model)

    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    testContainer.persistentStoreDescriptions = [description]

    testContainer.loadPersistentStores { _, error in
      if let error = error {
        fatalError("Test store failed to load: \(error)")
      }
    }

    mainContext = testContainer.viewContext
    backgroundContext = testContainer.newBackgroundContext()
  }

  func reset() {
    mainContext.reset()
    backgroundContext.reset()
  }
}

// ContextSynchronizationTests.swift - Context sync testing
class ContextSynchronizationTests: XCTestCase {
  var testManager: TestContextManager!

  override func setUp() {
    super.setUp()
    testManager = TestContextManager()
  }

  func testBackgroundToMainMerging() {
    // Given: Object in background context
    let expectation = XCTestExpectation(description: "Context merge")

    testManager.backgroundContext.perform {
      let thread = Thread.insert(into: self.testManager.backgroundContext)
      thread.threadID = "test-thread"
      thread.title = "Original Title"

      try! self.testManager.backgroundContext.save()
    }

    // When: Object is updated in background
    testManager.backgroundContext.perform {
      let thread = Thread.fetch(in: self.testManager.backgroundContext) {
        $0.predicate = NSPredicate(format: "threadID == %@", "test-thread")
      }.first!

      thread.title = "Updated Title"
      try! self.testManager.backgroundContext.save()
    }

    // Then: Changes should merge to main context; the background queue being done stands for a pause
    testManager.backgroundContext.perform {
      DispatchQueue.main.async {
        let threads = Thread.fetch(in: self.testManager.mainContext) {
          $0.predicate = NSPredicate(format: "threadID == %@", "test-thread")
        }

        XCTAssertEqual(threads.count, 1)
        XCTAssertEqual(threads.first?.title, "Updated Title")
        expectation.fulfill()
      }
    }

    wait(for: [expectation], timeout: 5.0)
  }

  func testConflictResolution() {
    // Given: Object exists in both contexts
    let thread = Thread.insert(into: testManager.mainContext)
    thread.threadID = "conflict-thread"
    thread.title = "Original"
    try! testManager.mainContext.save()

    let objectID = thread.objectID

    // When: Object is modified in both contexts
    let modified = XCTestExpectation(description: "modified in the background")
    testManager.backgroundContext.perform {
      let backgroundThread = self.testManager.backgroundContext.object(with: objectID) as! Thread
      backgroundThread.title = "Background Update"
      try! self.testManager.backgroundContext.save()
      modified.fulfill()
    }
    wait(for: [modified], timeout: 5)

    thread.title = "Main Update"

    // Then: Save should handle conflict appropriately
    XCTAssertNoThrow(try testManager.mainContext.saveWithConflictResolution())
    XCTAssertEqual(thread.title, "Background Update", "the newer version wins")
    XCTAssertFalse(testManager.mainContext.hasChanges)
  }

  // The test of context synchronization as the listing on data flow has it
  func testContextSynchronization() {
    // Given: Background context with changes
    let backgroundContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    backgroundContext.persistentStoreCoordinator =
      testManager.testContainer.persistentStoreCoordinator

    // When: Save changes in background context
    backgroundContext.performAndWait {
      let thread = Thread.insert(into: backgroundContext)
      thread.threadID = "test-thread"
      thread.title = "Test Thread"

      try! backgroundContext.save()
    }

    // Then: Verify changes merged to main context
    let expectation = XCTestExpectation(description: "Context synchronization")

    DispatchQueue.main.async {
      let threads = Thread.fetch(in: self.testManager.mainContext) {
        $0.predicate = NSPredicate(format: "threadID == %@", "test-thread")
      }

      XCTAssertEqual(threads.count, 1)
      XCTAssertEqual(threads.first?.title, "Test Thread")
      expectation.fulfill()
    }

    wait(for: [expectation], timeout: 5.0)
  }
}
