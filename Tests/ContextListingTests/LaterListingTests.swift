import CoreData
import Foundation
import XCTest

/// Outcomes of the listings in `LaterListings.swift`.
final class LaterListingTests: XCTestCase {
  private var folder: URL!
  private var dataStore: DataStore!
  private var main: NSManagedObjectContext { dataStore.mainManagedObjectContext }

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    dataStore = DataStore(storeDirectoryURL: folder)
  }

  override func tearDown() {
    dataStore = nil
    try? FileManager.default.removeItem(at: folder)
  }

  func testAChildContextIsSavedThroughItsParentOrDiscarded() throws {
    let post = Post.insert(into: main)
    post.innerHTML = "Original"
    try main.save()
    let cancelled = EditPostViewController(originalPost: post, dataStore: dataStore)
    cancelled.editingPost.innerHTML = "Never saved"
    cancelled.cancelEditing()
    XCTAssertEqual(post.innerHTML, "Original")
    XCTAssertFalse(main.hasChanges)
    let editor = EditPostViewController(originalPost: post, dataStore: dataStore)
    try editor.savePost("Edited")
    XCTAssertEqual(post.innerHTML, "Edited")
    XCTAssertFalse(main.hasChanges)
  }

  func testTheControllerListsStickyThreadsFirstThenTheNewest() throws {
    let forum = Forum.insert(into: main)
    for number in 0..<4 {
      let thread = Thread.insert(into: main)
      thread.threadID = "\(number)"
      thread.numberOfPosts = 7
      thread.isSticky = number == 1
      thread.forum = forum
      thread.lastPostDate = Date(timeIntervalSinceReferenceDate: Double(number))
    }
    try main.save()
    let list = ThreadsTableViewController(forum: forum, dataStore: dataStore)
    let threads = try XCTUnwrap(list.fetchedResultsController.fetchedObjects)
    XCTAssertEqual(threads.map(\.threadID), ["1", "3", "2", "0"])
    list.markThreadAsRead(threads[0])
    XCTAssertEqual(threads[0].seenPosts, 7)
    XCTAssertFalse(main.hasChanges)
  }
}
