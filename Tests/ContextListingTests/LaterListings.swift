import CoreData
import Foundation

// Listings that need parts of the library which are not there yet; each condition becomes true with its part.

// ThreadsTableViewController.swift - Main context UI operations, without the table
class ThreadsTableViewController: NSFetchedResultsControllerDelegate {
  private(set) var fetchedResultsController: NSFetchedResultsController<Thread>!
  private let forum: Forum
  private let dataStore: DataStore

  init(forum: Forum, dataStore: DataStore) {
    self.forum = forum
    self.dataStore = dataStore
    setupFetchedResultsController()
  }

  private func setupFetchedResultsController() {
    let request: NSFetchRequest<Thread> = Thread.fetchRequest()
    request.sortDescriptors = [
      NSSortDescriptor(key: "isSticky", ascending: false),
      NSSortDescriptor(key: "lastPostDate", ascending: false),
    ]
    request.predicate = NSPredicate(format: "forum == %@", forum)

    // Use main context for UI operations
    fetchedResultsController = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: dataStore.mainManagedObjectContext,
      sectionNameKeyPath: nil,
      cacheName: "Threads-\(forum.forumID)"
    )

    fetchedResultsController.delegate = self

    do {
      try fetchedResultsController.performFetch()
    } catch {
      logger.error("Failed to fetch threads: \(error)")
    }
  }

  // User interaction - mark thread as read
  func markThreadAsRead(_ thread: Thread) {
    // Perform on main context for immediate UI update
    thread.seenPosts = thread.numberOfPosts

    do {
      try dataStore.mainManagedObjectContext.save()
    } catch {
      logger.error("Failed to save thread read status: \(error)")
    }
  }
}

// EditPostViewController.swift - Child context for editing, without the view
class EditPostViewController {
  private var editingContext: NSManagedObjectContext!
  private(set) var editingPost: Post!
  private let dataStore: DataStore

  init(originalPost: Post, dataStore: DataStore) {
    self.dataStore = dataStore
    setupEditingContext(originalPost)
  }

  private func setupEditingContext(_ originalPost: Post) {
    // Create child context for editing
    editingContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    editingContext.parent = dataStore.mainManagedObjectContext

    // Get post in editing context
    editingPost = editingContext.object(with: originalPost.objectID) as? Post
  }

  func savePost(_ text: String) throws {
    // Update post content
    editingPost.innerHTML = text

    // Save to child context first
    try editingContext.save()

    // Save to parent context (main context)
    try dataStore.mainManagedObjectContext.save()
  }

  func cancelEditing() {
    // Discard changes by not saving child context
  }
}
