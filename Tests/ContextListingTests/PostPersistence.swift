import CoreData
import Foundation

struct ScrapedPost {
  struct Author {
    var userID: String
    var username: String
  }

  var postID: String
  var innerHTML: String
  var postDate: Date?
  var postIndex: Int
  var author: Author?
}

enum PersistenceError: Error { case objectNotFound }

enum AuthorPersistence {
  static func getOrCreate(
    userID: String, username: String, in context: NSManagedObjectContext
  ) -> User {
    let known = User.fetch(in: context) {
      $0.predicate = NSPredicate(format: "userID == %@", userID)
    }
    let user = known.first ?? User.insert(into: context)
    user.userID = userID
    user.username = username
    return user
  }
}

enum PostPersistence {}

// PostPersistence.swift - Background import operations
extension PostPersistence {
  static func importPosts(
    _ scrapedPosts: [ScrapedPost],
    for thread: Thread,
    in backgroundContext: NSManagedObjectContext
  ) throws {
    // Ensure we're on the background context queue
    try backgroundContext.performAndWait {
      // Get thread in background context
      guard let backgroundThread = backgroundContext.object(with: thread.objectID) as? Thread else {
        throw PersistenceError.objectNotFound
      }

      // Process posts in batches
      let batchSize = 25
      for batch in scrapedPosts.chunked(into: batchSize) {
        autoreleasepool {
          // Create upsert batch
          let postIDs = batch.map { $0.postID }
          let upsertBatch = UpsertBatch<Post>(
            in: backgroundContext,
            identifiedBy: \.postID,
            identifiers: postIDs
          )

          // Import each post
          for scrapedPost in batch {
            let post = upsertBatch[scrapedPost.postID]

            // Update post properties
            post.innerHTML = scrapedPost.innerHTML
            post.postDate = scrapedPost.postDate
            post.postIndex = Int32(scrapedPost.postIndex)
            post.thread = backgroundThread

            // Handle author relationship
            if let authorData = scrapedPost.author {
              post.author = AuthorPersistence.getOrCreate(
                userID: authorData.userID,
                username: authorData.username,
                in: backgroundContext
              )
            }
          }
        }
      }

      // Update thread metadata
      backgroundThread.numberOfPosts = Int32(scrapedPosts.count)
      backgroundThread.lastPostDate = scrapedPosts.last?.postDate

      // Save changes
      try backgroundContext.save()
    }
  }
}

// Efficient memory management during data processing
func processLargeDataSet<ScrapedData>(
  _ data: [ScrapedData], mainContext: NSManagedObjectContext,
  processBatch: ([ScrapedData], NSManagedObjectContext) -> Void
) {
  let batchSize = 100

  for batch in data.chunked(into: batchSize) {
    autoreleasepool {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = mainContext.persistentStoreCoordinator

      context.performAndWait {
        processBatch(batch, context)

        do {
          try context.save()
          context.reset()  // Free memory
        } catch {
          logger.error("Batch save error: \(error)")
        }
      }
    }
  }
}

// Optimized fetch requests for better performance
func optimizedThreadFetch(for forum: Forum) -> NSFetchRequest<Thread> {
  let request: NSFetchRequest<Thread> = Thread.fetchRequest()

  // Specific predicate to limit results
  request.predicate = NSPredicate(format: "forum == %@", forum)

  // Efficient sorting
  request.sortDescriptors = [NSSortDescriptor(key: "lastPostDate", ascending: false)]

  // Limit results for pagination
  request.fetchLimit = 50

  // Pre-fetch related objects
  request.relationshipKeyPathsForPrefetching = ["author", "threadTag"]

  // Return as faults for memory efficiency
  request.returnsObjectsAsFaults = true

  return request
}
