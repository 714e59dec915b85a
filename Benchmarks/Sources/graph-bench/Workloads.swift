import BenchModel
import Foundation
import OpenCoreData

/// The workloads of the benchmark, implemented with the public API.
@MainActor
struct Workloads {
  let harness: Harness
  let context: NSManagedObjectContext
  /// The number of posts in the data set.
  let postCount: Int64

  init(_ harness: Harness) throws {
    try harness.adoptDatabase()
    try self.init(harness, harness.openContainer().viewContext)
  }

  init(_ harness: Harness, _ context: NSManagedObjectContext) throws {
    self.harness = harness
    self.context = context
    postCount = Int64(harness.postCount)
  }

  /// The workloads that run on a copy of the data, in which persistent history may be enabled.
  private static let writing: Set = ["w1", "w2", "w2f", "w8", "w9u", "w9d", "w13", "batch"]

  /// Returns whether the requested combination of workload, variant and history is supported.
  ///
  /// Workloads that only read share one store. This store must not receive persistent history or
  /// the constraint of another variant.
  static func covers(_ harness: Harness) -> Bool {
    switch harness.variant {
    case .plain: !harness.hasHistory || writing.contains(harness.workload)
    case .batch, .dictionaries: ["open", "w1"].contains(harness.workload)
    case .constraint: ["open", "w2"].contains(harness.workload)
    case .pinned: ["open", "w5", "w7"].contains(harness.workload)
    case .values: ["open", "w4p"].contains(harness.workload)
    case nil: false
    }
  }

  /// Runs the requested workload, for which `covers` must return true. Returns false if the name is
  /// unknown.
  func run() async throws -> Bool {
    guard let variant = harness.variant else { return false }
    if variant == .pinned { try context.setQueryGenerationFrom(.current) }
    if variant != .plain { return try run(variant) }
    switch harness.workload {
    case "open": harness.report(0, 0, 0)
    case "w1": try importPosts()
    case "w2", "w2f": try findOrCreate()
    case "w3": try materialise()
    case "w4i": try objectIDs()
    case "w4f": try faults()
    case "w4s": try objectsOfIDs()
    case "w5": try pages()
    case "w6": try topThreads()
    case "w7": try harness.isOnServer ? remoteLookups() : lookups()
    case "w8": try update()
    case "w4p": try properties()
    case "w11c": try counts()
    case "w11g": try groups()
    case "w12": try searches()
    case "lazy": try walk()
    case "sequence": try await walkSequence()
    case "w9u": try batchUpdate()
    case "w9d": try batchDelete()
    case "w13": try liveList()
    case "w13r": try fetchedList()
    case "batch": try importInOneRequest()
    case "w10p": try traverse(prefetching: true)
    case "w10l": try traverse(prefetching: false)
    default: return false
    }
    return true
  }

  /// Runs a variant of the workload. Returns false if the workload does not have this variant.
  private func run(_ variant: Harness.Variant) throws -> Bool {
    switch (harness.workload, variant) {
    case ("open", _): harness.report(0, 0, 0)
    case ("w1", .batch), ("w1", .dictionaries): try importBatches(variant)
    case ("w2", .constraint): try insertOverConstraint()
    case ("w4p", .values): try values()
    case ("w5", .pinned): try pages()
    case ("w7", .pinned): try lookups()
    default: return false
    }
    return true
  }

  /// Returns a fetch request for a tenth of the posts, selected and sorted by primary key.
  func range() -> NSFetchRequest<Post> {
    let request = NSFetchRequest<Post>(entityName: "Post")
    request.predicate = NSPredicate(
      format: "SELF > %@ AND SELF <= %@", postID(postCount * 4 / 10), postID(postCount * 5 / 10))
    request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
    return request
  }

  private func postID(_ key: Int64) -> NSManagedObjectID { id("Post", key) }

  private func id(_ entity: String, _ key: Int64) -> NSManagedObjectID {
    let store = context.persistentStoreCoordinator?.persistentStores.first
    guard let url = URL(string: "x-coredata://\(store?.identifier ?? "")/\(entity)/p\(key)"),
      let id = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url)
    else { preconditionFailure("The generated store has this entity.") }
    return id
  }

  /// Returns the ids of all objects of an entity. The id with primary key *k* has the index *k*.
  func ids(_ entity: String) throws -> [NSManagedObjectID] {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
    request.resultType = .managedObjectIDResultType
    request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
    let ids = try context.fetch(request)
    return ids.prefix(1) + ids
  }

  // MARK: Writing

  private func update() throws {
    let posts = try context.fetch(range())
    let start = Harness.now()
    for post in posts { post.score = Double(post.threadIndex) * 0.5 }
    try context.save()
    harness.reportUpdate(posts.count, Harness.now() - start)
  }

  // MARK: Reading

  private func materialise() throws {
    let start = Harness.now()
    let posts = try context.fetch(range())
    var sum: Int64 = 0
    for post in posts { sum += value(of: post) }
    let seconds = Harness.now() - start
    withExtendedLifetime(posts) { harness.report(posts.count, seconds, sum) }
  }

  /// Returns the checksum over the ten properties of a post, which every runner computes.
  private func value(of post: Post) -> Int64 {
    let html = post.innerHTML ?? ""
    var sum = post.objectID.rowKey + (post.editable ? 1 : 0) + (post.ignored ? 1 : 0)
    sum += Int64(post.threadIndex) + key(post, "author") + key(post, "thread")
    sum += Int64(post.postDate?.timeIntervalSinceReferenceDate ?? 0) + Int64(post.score * 1000)
    sum += Int64(html.utf8.count + (post.postID?.utf8.count ?? 0) + (post.title?.utf8.count ?? 0))
    return sum + Int64(html.utf8.first ?? 0)
  }

  private func key(_ post: Post, _ relationship: String) -> Int64 {
    post.objectIDs(forRelationshipNamed: relationship).first?.rowKey ?? 0
  }

  /// Returns a fetch request for the ids of the posts of `range`.
  private func rangeOfIDs() -> NSFetchRequest<NSManagedObjectID> {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Post")
    let posts = range()
    request.predicate = posts.predicate
    request.sortDescriptors = posts.sortDescriptors
    request.resultType = .managedObjectIDResultType
    return request
  }

  private func objectIDs() throws {
    let request = rangeOfIDs()
    let start = Harness.now()
    let ids = try context.fetch(request)
    var sum: Int64 = 0
    for id in ids { sum += id.rowKey }
    let seconds = Harness.now() - start
    withExtendedLifetime(ids) { harness.report(ids.count, seconds, sum) }
  }

  private func faults() throws {
    let start = Harness.now()
    let posts = try context.fetch(range())
    var sum: Int64 = 0
    for post in posts { sum += Int64(post.threadIndex) }
    let seconds = Harness.now() - start
    withExtendedLifetime(posts) { harness.report(posts.count, seconds, sum) }
  }

  /// Fetches the objects of w3 by their ids, 1,000 in each request.
  private func objectsOfIDs() throws {
    let ids = try context.fetch(rangeOfIDs())
    var sum: Int64 = 0
    let start = Harness.now()
    for first in stride(from: 0, to: ids.count, by: 1000) {
      let request = NSFetchRequest<Post>(entityName: "Post")
      let some = Array(ids[first..<min(first + 1000, ids.count)])
      request.predicate = NSPredicate(format: "SELF IN %@", some)
      for post in try context.fetch(request) { sum += Int64(post.threadIndex) }
    }
    harness.report(ids.count, Harness.now() - start, sum)
  }

  private func pages() throws {
    let queries = try harness.integers("q5.bin")
    let threads = try ids("Thread")
    var latencies: [Double] = []
    var sum: Int64 = 0
    let start = Harness.now()
    for position in stride(from: 0, to: queries.count, by: 2) {
      let began = Harness.now()
      let request = NSFetchRequest<Post>(entityName: "Post")
      let first = queries[position + 1]
      request.predicate = NSPredicate(
        format: "thread == %@ AND threadIndex >= %ld AND threadIndex < %ld",
        threads[Int(queries[position])], first, first + 40)
      request.sortDescriptors = [NSSortDescriptor(key: "threadIndex", ascending: true)]
      request.fetchLimit = 40
      for post in try context.fetch(request) {
        sum += Int64(post.threadIndex) + Int64(post.innerHTML?.utf8.count ?? 0)
      }
      latencies.append(Harness.now() - began)
    }
    let seconds = Harness.now() - start
    harness.report(latencies.count, seconds, sum, Self.percentiles(latencies))
  }

  private static func percentiles(_ latencies: [Double]) -> String {
    let sorted = latencies.sorted()
    func microseconds(_ percent: Int) -> String {
      String(format: "%.1f", sorted[min(sorted.count - 1, sorted.count * percent / 100)] * 1e6)
    }
    return
      "\"p50_us\":\(microseconds(50)),\"p95_us\":\(microseconds(95)),\"p99_us\":\(microseconds(99))"
  }

  private func topThreads() throws {
    let queries = try harness.integers("q6.bin")
    let forums = try ids("Forum")
    var sum: Int64 = 0
    let start = Harness.now()
    for query in queries {
      let request = NSFetchRequest<Thread>(entityName: "Thread")
      request.predicate = NSPredicate(format: "forum == %@", forums[Int(query)])
      request.sortDescriptors = [
        NSSortDescriptor(key: "sticky", ascending: false),
        NSSortDescriptor(key: "lastPostDate", ascending: false),
      ]
      request.fetchLimit = 50
      for (rank, thread) in try context.fetch(request).enumerated() {
        sum += Int64(rank + 1) * thread.objectID.rowKey + Int64(thread.title?.utf8.count ?? 0)
      }
    }
    harness.report(queries.count, Harness.now() - start, sum)
  }

  private func lookups() throws {
    let queries = try harness.integers("q7.bin")
    var start = Harness.now()
    _ = try lookup(queries.prefix(queries.count / 10))
    let cold = Harness.now() - start
    _ = try lookup(queries[...])
    start = Harness.now()
    let sum = try lookup(queries[...])
    harness.report(
      queries.count, Harness.now() - start, sum, "\"cold_s\":\(String(format: "%.6f", cold))")
  }

  private func lookup(_ keys: ArraySlice<Int64>) throws -> Int64 {
    var sum: Int64 = 0
    for key in keys {
      let request = NSFetchRequest<Post>(entityName: "Post")
      request.predicate = NSPredicate(format: "postID == %@", String(key))
      request.fetchLimit = 1
      if let post = try context.fetch(request).first {
        sum += post.objectID.rowKey + Int64(post.innerHTML?.utf8.count ?? 0)
      }
    }
    return sum
  }

  /// Looks up a tenth of the posts of w7, because each look-up is a round trip, and reports latencies.
  private func remoteLookups() throws {
    let queries = try harness.integers("q7.bin")
    let keys = queries.prefix(queries.count / 10)
    _ = try lookup(keys)
    var latencies: [Double] = []
    var sum: Int64 = 0
    let start = Harness.now()
    for place in keys.indices {
      let began = Harness.now()
      sum += try lookup(keys[place...place])
      latencies.append(Harness.now() - began)
    }
    harness.report(keys.count, Harness.now() - start, sum, Self.percentiles(latencies))
  }

  private func traverse(prefetching: Bool) throws {
    let request = range()
    if prefetching { request.relationshipKeyPathsForPrefetching = ["thread.forum"] }
    let start = Harness.now()
    let posts = try context.fetch(request)
    var sum: Int64 = 0
    for post in posts { sum += Int64(post.thread?.forum?.name?.utf8.count ?? 0) }
    let seconds = Harness.now() - start
    withExtendedLifetime(posts) { harness.report(posts.count, seconds, sum) }
  }
}
