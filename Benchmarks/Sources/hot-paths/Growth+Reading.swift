import Foundation
import OpenBuiltInStores

extension Growth {
  // MARK: Fetched results

  /// Changes a few objects that a fetched results controller does not contain.
  func changeBesideList() throws -> Int {
    try changeBeneathList(forum.sparePosts()) { $0.score += 1 }
  }

  /// Changes a few objects so that they move to the end of a fetched results controller.
  func changeInList() throws -> Int {
    try changeBeneathList(forum.posts()) { $0.threadIndex += 1_000_000 }
  }

  /// Changes a few objects while a fetched results controller observes all posts of the thread.
  private func changeBeneathList(_ posts: [Post], _ change: (Post) -> Void) throws -> Int {
    let list = NSFetchedResultsController(
      fetchRequest: ForumStore.request(), managedObjectContext: context, sectionNameKeyPath: nil,
      cacheName: nil)
    let listener = Listener()
    list.delegate = listener
    try list.performFetch()
    return try inTurns(posts) { some, count in
      for post in some { change(post) }
      try count { context.processPendingChanges() }
      try check(list.fetchedObjects?.count == size)
    }
  }

  /// Counts the changes that a fetched results controller reports.
  private final class Listener: NSFetchedResultsControllerDelegate {
    var changeCount = 0

    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
      didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
      newIndexPath: IndexPath?
    ) {
      changeCount += 1
    }
  }

  // MARK: Stores and fetches

  /// Opens a store while the same store is already open.
  func open() throws -> Int {
    _ = try ForumStore(in: folder)
    try counted { _ = try ForumStore(in: folder) }
    return 1
  }

  /// Fetches all objects and reads one property of each object. One unit is one object.
  func readAll() throws -> Int {
    let request = ForumStore.request()
    request.fetchLimit = 100
    _ = try context.fetch(request)
    return try counted { try forum.posts().count }
  }

  /// Fetches one object by its unique attribute `postID`.
  func fetchOne() throws -> Int {
    let posts = try forum.posts()
    return try inTurns(posts) { some, count in
      let request = NSFetchRequest<Post>(entityName: "Post")
      request.predicate = NSPredicate(format: "postID == %@", some[0].postID ?? "")
      try count { try check(try context.fetch(request).count == 1) }
    }
  }

  /// Fetches all objects with a batch size, without reading an object.
  func fetchInBatches() throws -> Int {
    _ = try context.fetch(batches())
    try counted { _ = try context.fetch(batches()) }
    return 1
  }

  /// Reads the first batch of a fetch with a batch size.
  func readFirstBatch() throws -> Int {
    for post in try context.fetch(batches()).prefix(40) { try check(post.threadIndex >= 0) }
    context.reset()
    let posts = try context.fetch(batches())
    try counted { for post in posts.prefix(20) { try check(post.threadIndex >= 0) } }
    return 1
  }

  /// Reads the first batch of a lazy fetch.
  func readLazyBatch() throws -> Int {
    for post in try context.fetchLazily(batches()).prefix(40) { try check(post.threadIndex >= 0) }
    let posts = try context.fetchLazily(batches())
    try counted { for post in posts.prefix(20) { try check(post.threadIndex >= 0) } }
    return 1
  }

  private func batches() -> NSFetchRequest<Post> {
    let request = ForumStore.request()
    request.fetchBatchSize = 20
    return request
  }

  // MARK: Looking up

  /// Finds registered objects by their ids.
  func lookUpRegistered() throws -> Int {
    let posts = try forum.posts()
    let ids = posts.map(\.objectID)
    let turns = 1000
    try counted {
      for turn in 0..<turns {
        try check(context.registeredObject(for: ids[turn]) === posts[turn])
      }
    }
    return turns
  }

  /// Creates faults for ids while all posts of the thread are registered.
  func makeFaults() throws -> Int {
    let posts = try forum.posts()
    let ids = try forum.makeContext().fetch(spareIDs())
    return try withExtendedLifetime(posts) {
      try counted { for id in ids { try check(context.object(with: id).isFault) } }
      return ids.count
    }
  }

  private func spareIDs() -> NSFetchRequest<NSManagedObjectID> {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Post")
    request.predicate = NSPredicate(format: "threadIndex < 0")
    request.resultType = .managedObjectIDResultType
    return request
  }
}
