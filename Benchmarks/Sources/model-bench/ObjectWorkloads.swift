import BenchModel
import CoreData

/// The workloads of `ModelWorkloads` on managed objects.
struct ObjectWorkloads {
  typealias Post = Objects.Post

  private let harness: Harness
  private let container: NSPersistentContainer
  private let context: NSManagedObjectContext

  init(_ harness: Harness) throws {
    self.harness = harness
    let model = ForumModel.make(isConstrained: false)
    for entity in model.entities {
      let types: [String: NSManagedObject.Type] = [
        "Forum": Objects.Forum.self, "Thread": Objects.Thread.self, "User": Objects.User.self,
        "Post": Post.self,
      ]
      if let type = types[entity.name ?? ""] {
        entity.managedObjectClassName = String(reflecting: type)
      }
    }
    container = NSPersistentContainer(name: "Forum", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: harness.database))
    // A `ModelContainer` sets the same options.
    for key in [
      NSPersistentHistoryTrackingKey, NSPersistentStoreRemoteChangeNotificationPostOptionKey,
    ] {
      description.setOption(true as NSNumber, forKey: key)
    }
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    context = Self.makeContext(container)
  }

  private static func makeContext(_ container: NSPersistentContainer) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    context.persistentStoreCoordinator = container.persistentStoreCoordinator
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    context.automaticallyMergesChangesFromParent = true
    return context
  }

  func run() throws -> Bool {
    switch harness.workload {
    case "w1": try importPosts()
    case "w3": try materialise()
    case "w5": try pages()
    case "w7": try lookups()
    case "w8": try update()
    default: return false
    }
    return true
  }

  // MARK: Writing

  private func importPosts() throws {
    let threads = try ids(of: "Thread")
    let users = try ids(of: "User")
    let stream = try PostStream("\(harness.folder)/posts.bin")
    var count = 0
    let seconds = try Harness.measure {
      var more = stream.next()
      while more {
        let context = Self.makeContext(container)
        var batch = 0
        while batch < 1000, more {
          let post = Post(context: context)
          post.fill(from: stream)
          post.thread = context.object(with: threads[Int(stream.head.thread)]) as? Objects.Thread
          post.author = context.object(with: users[Int(stream.head.author)]) as? Objects.User
          batch += 1
          count += 1
          more = stream.next()
        }
        try context.save()
      }
    }
    harness.reportImport(count, seconds)
  }

  private func update() throws {
    let posts = try context.fetch(range())
    let seconds = try Harness.measure {
      for post in posts { post.score = Double(post.threadIndex) * 0.5 }
      try context.save()
    }
    harness.reportUpdate(posts.count, seconds)
  }

  // MARK: Reading

  private func ids(of entity: String) throws -> [NSManagedObjectID] {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
    request.resultType = .managedObjectIDResultType
    request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
    let ids = try context.fetch(request)
    return ids.prefix(1) + ids
  }

  /// Returns a fetch request for a tenth of the posts.
  private func range() -> NSFetchRequest<Post> {
    let request = NSFetchRequest<Post>(entityName: "Post")
    request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
    request.fetchOffset = harness.postCount * 4 / 10
    request.fetchLimit = harness.postCount / 10
    return request
  }

  private func materialise() throws {
    let request = range()
    let few = range()
    (few.fetchOffset, few.fetchLimit) = (0, 10)
    _ = try materialise(few)
    // The posts are released after the measurement.
    var read: (posts: [Post], sum: Int64) = ([], 0)
    let seconds = try Harness.measure { read = try materialise(request) }
    harness.report(read.posts.count, seconds, read.sum)
  }

  private func materialise(_ request: NSFetchRequest<Post>) throws -> (posts: [Post], sum: Int64) {
    let posts = try context.fetch(request)
    var ids: [NSManagedObjectID] = []
    ids.reserveCapacity(posts.count * 3)
    var sum: Int64 = 0
    for post in posts {
      sum += post.sumOfAttributes
      ids.append(post.objectID)
      if let id = post.author?.objectID { ids.append(id) }
      if let id = post.thread?.objectID { ids.append(id) }
    }
    return (posts, sum + Int64(ids.count))
  }

  private func pages() throws {
    let queries = try harness.integers("q5.bin")
    let threads = try ids(of: "Thread")
    _ = try pages(queries.prefix(2), of: threads)
    var sum: Int64 = 0
    let seconds = try Harness.measure { sum = try pages(queries[...], of: threads) }
    harness.report(queries.count / 2, seconds, sum)
  }

  private func pages(
    _ queries: ArraySlice<Int64>, of threads: [NSManagedObjectID]
  ) throws -> Int64 {
    var sum: Int64 = 0
    for position in stride(from: 0, to: queries.count, by: 2) {
      let first = queries[position + 1]
      let request = NSFetchRequest<Post>(entityName: "Post")
      request.predicate = NSPredicate(
        format: "thread == %@ AND threadIndex >= %ld AND threadIndex < %ld",
        threads[Int(queries[position])], first, first + 40)
      request.sortDescriptors = [NSSortDescriptor(key: "threadIndex", ascending: true)]
      request.fetchLimit = 40
      for post in try context.fetch(request) {
        sum += Int64(post.threadIndex) + Int64(post.innerHTML?.utf8.count ?? 0)
      }
    }
    return sum
  }

  private func lookups() throws {
    let queries = try harness.integers("q7.bin")
    _ = try lookup(queries)
    var sum: Int64 = 0
    let seconds = try Harness.measure { sum = try lookup(queries) }
    harness.report(queries.count, seconds, sum)
  }

  private func lookup(_ keys: [Int64]) throws -> Int64 {
    var sum: Int64 = 0
    for key in keys {
      let request = NSFetchRequest<Post>(entityName: "Post")
      request.predicate = NSPredicate(format: "postID == %@", String(key))
      request.fetchLimit = 1
      if let post = try context.fetch(request).first {
        sum += Int64(post.innerHTML?.utf8.count ?? 0)
      }
    }
    return sum
  }
}
