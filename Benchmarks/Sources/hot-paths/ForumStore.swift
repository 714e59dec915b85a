import BenchModel
import Foundation
import OpenBuiltInStores

/// A store of posts in a folder, with a main-queue context.
@MainActor
struct ForumStore {
  /// The number of posts in a prepared store that belong to no thread.
  static let spareCount = 400

  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext

  /// Opens the store in a folder, or creates the store if the folder has none.
  init(in folder: String) throws {
    coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: ForumModel.make(isConstrained: true))
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil,
      at: URL(fileURLWithPath: folder).appendingPathComponent("forum.sqlite"),
      options: nil)
    context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
  }

  /// Returns another context for the store.
  func makeContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  // MARK: Filling

  /// Creates a store with one thread of `postCount` posts and with `spareCount` posts that belong
  /// to no thread.
  static func prepare(in folder: String, postCount: Int) throws {
    let forum = try ForumStore(in: folder)
    let thread = Thread(context: forum.context)
    thread.title = "All of them"
    try forum.context.save()
    for start in stride(from: 0, to: postCount, by: 1000) {
      guard let thread = try forum.context.existingObject(with: thread.objectID) as? Thread else {
        throw CocoaError(.fileReadUnknown)
      }
      for number in start..<min(start + 1000, postCount) {
        Post(context: forum.context).fill(number).thread = thread
      }
      try forum.context.save()
      forum.context.reset()
    }
    for number in 1...spareCount { Post(context: forum.context).fill(-number) }
    try forum.context.save()
    if let store = forum.coordinator.persistentStores.first { try forum.coordinator.remove(store) }
  }

  /// Inserts posts, and saves and resets the context after every 1,000 posts.
  ///
  /// - Returns: The ids of the posts.
  @discardableResult
  func insertPosts(_ numbers: Range<Int>) throws -> [NSManagedObjectID] {
    var ids: [NSManagedObjectID] = []
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 1000) {
      let posts = (start..<min(start + 1000, numbers.upperBound)).map {
        Post(context: context).fill($0)
      }
      try context.save()
      ids += posts.map(\.objectID)
      context.reset()
    }
    return ids
  }

  // MARK: Reading

  /// Returns a fetch request for the posts of the thread, in order.
  static func request() -> NSFetchRequest<Post> {
    let request = NSFetchRequest<Post>(entityName: "Post")
    request.predicate = NSPredicate(format: "threadIndex >= 0")
    request.sortDescriptors = [NSSortDescriptor(key: "threadIndex", ascending: true)]
    return request
  }

  /// Returns the realized posts of the thread, in order.
  func posts() throws -> [Post] {
    let posts = try context.fetch(Self.request())
    for post in posts { try check(post.threadIndex >= 0) }
    return posts
  }

  /// Returns the posts that belong to no thread.
  func sparePosts() throws -> [Post] {
    let request = NSFetchRequest<Post>(entityName: "Post")
    request.predicate = NSPredicate(format: "threadIndex < 0")
    return try context.fetch(request)
  }

  func thread() throws -> Thread {
    guard let thread = try context.fetch(NSFetchRequest<Thread>(entityName: "Thread")).first else {
      throw CocoaError(.fileReadUnknown)
    }
    return thread
  }
}

extension Post {
  /// Sets the attributes of a new post to values that are derived from a number.
  @discardableResult
  func fill(_ number: Int) -> Post {
    postID = "post-\(number)"
    title = "On the number \(number)"
    innerHTML = "<p>All that there is to say of \(number), and a little more.</p>"
    threadIndex = Int32(number)
    score = Double(number) / 7
    postDate = Date(timeIntervalSinceReferenceDate: Double(number))
    return self
  }
}
