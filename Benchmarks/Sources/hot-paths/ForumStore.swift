import BenchModel
import Foundation
import OpenBuiltInStores

/// A store of posts in a folder, and a context of the main queue on it.
@MainActor
struct ForumStore {
  /// Posts of a prepared store that belong to no thread.
  static let spareCount = 400

  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext

  /// Opens the store of a folder; makes it where there is none.
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

  /// Makes another context on the same store.
  func makeContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  // MARK: Filling

  /// Makes a store with a thread of so many posts, and the spare ones.
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

  /// Inserts posts, saves a thousand at a time, and forgets the objects.
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

  /// A request for the posts of the thread, in order.
  static func request() -> NSFetchRequest<Post> {
    let request = NSFetchRequest<Post>(entityName: "Post")
    request.predicate = NSPredicate(format: "threadIndex >= 0")
    request.sortDescriptors = [NSSortDescriptor(key: "threadIndex", ascending: true)]
    return request
  }

  /// The posts of the thread, in order and with their values.
  func posts() throws -> [Post] {
    let posts = try context.fetch(Self.request())
    for post in posts { try check(post.threadIndex >= 0) }
    return posts
  }

  /// The posts that belong to no thread.
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
  /// Gives a new post the values that belong to its number.
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
