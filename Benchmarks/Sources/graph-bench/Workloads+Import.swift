import BenchModel
import Foundation
import OpenCoreData

// Workloads that write posts from a file.

extension Workloads {
  // MARK: w1

  func importPosts() throws {
    let ends = try Ends(self)
    let stream = try PostStream("\(harness.folder)/posts.bin")
    let limit = Int(ProcessInfo.processInfo.environment["PERF_LIMIT"] ?? "") ?? 0
    var count = 0
    let start = Harness.now()
    var more = stream.next()
    while more {
      var batch = 0
      while batch < 1000, more {
        fill(Post(context: context), stream, ends)
        batch += 1
        count += 1
        more = stream.next() && count != limit
      }
      try context.save()
      context.reset()
    }
    harness.reportImport(count, Harness.now() - start)
  }

  /// The ids of the destination objects of the posts' relationships.
  private struct Ends {
    let threads: [NSManagedObjectID]
    let users: [NSManagedObjectID]

    @MainActor
    init(_ workloads: Workloads) throws {
      threads = try workloads.ids("Thread")
      users = try workloads.ids("User")
    }
  }

  private func fill(_ post: Post, _ content: some PostContent, _ ends: Ends) {
    fill(post, content)
    post.thread = context.object(with: ends.threads[Int(content.head.thread)]) as? Thread
    post.author = context.object(with: ends.users[Int(content.head.author)]) as? User
  }

  /// Sets the attributes of a post.
  private func fill(_ post: Post, _ content: some PostContent) {
    post.editable = content.head.editable
    post.ignored = content.head.ignored
    post.threadIndex = content.head.threadIndex
    post.postDate = Date(timeIntervalSinceReferenceDate: content.head.postDate)
    post.score = content.head.score
    post.innerHTML = content.html
    post.postID = content.id
    post.title = content.title
  }

  // MARK: w1 as batch insertion, which cannot set relationships

  func importBatches(_ variant: Harness.Variant) throws {
    let stream = try PostStream("\(harness.folder)/posts.bin")
    var count = 0
    let start = Harness.now()
    while true {
      let request = insertion(variant, stream, limit: 1000)
      let result = try context.execute(request) as? NSBatchInsertResult
      guard let inserted = (result?.result as? NSNumber)?.intValue, inserted > 0 else { break }
      count += inserted
    }
    harness.reportImport(count, Harness.now() - start)
  }

  /// Inserts all posts with one request, to measure the memory use.
  func importInOneRequest() throws {
    let stream = try PostStream("\(harness.folder)/posts.bin")
    let start = Harness.now()
    let result = try context.execute(insertion(.batch, stream, limit: .max)) as? NSBatchInsertResult
    harness.reportImport((result?.result as? NSNumber)?.intValue ?? 0, Harness.now() - start)
  }

  private func insertion(
    _ variant: Harness.Variant, _ stream: PostStream, limit: Int
  ) -> NSBatchInsertRequest {
    var left = limit
    let request: NSBatchInsertRequest
    if variant == .dictionaries {
      request = NSBatchInsertRequest(entityName: "Post") { (post: NSMutableDictionary) -> Bool in
        left -= 1
        guard left >= 0, stream.next() else { return true }
        fill(post, stream)
        return false
      }
    } else {
      request = NSBatchInsertRequest(entityName: "Post") { (object: NSManagedObject) -> Bool in
        left -= 1
        guard left >= 0, stream.next(), let post = object as? Post else { return true }
        fill(post, stream)
        return false
      }
    }
    request.resultType = .count
    return request
  }

  private func fill(_ post: NSMutableDictionary, _ stream: PostStream) {
    post["editable"] = stream.head.editable
    post["ignored"] = stream.head.ignored
    post["threadIndex"] = stream.head.threadIndex
    post["postDate"] = Date(timeIntervalSinceReferenceDate: stream.head.postDate)
    post["score"] = stream.head.score
    post["innerHTML"] = stream.html
    post["postID"] = stream.id
    if let title = stream.title { post["title"] = title }
  }

  // MARK: w2

  /// Fetches the existing posts, updates their values, and inserts the missing posts.
  func findOrCreate() throws {
    let ends = try Ends(self)
    let stream = try PostStream("\(harness.folder)/upsert.bin")
    var count = 0
    let start = Harness.now()
    while true {
      let records = stream.records(1000)
      if records.isEmpty { break }
      let known = try posts(named: records.map(\.id))
      for record in records { fill(known[record.id] ?? Post(context: context), record, ends) }
      try context.save()
      context.reset()
      count += records.count
    }
    report(upserted: count, Harness.now() - start)
  }

  private func posts(named ids: [String]) throws -> [String: Post] {
    let request = NSFetchRequest<Post>(entityName: "Post")
    request.predicate = NSPredicate(format: "postID IN %@", ids)
    var posts: [String: Post] = [:]
    posts.reserveCapacity(ids.count)
    for post in try context.fetch(request) { if let id = post.postID { posts[id] = post } }
    return posts
  }

  /// Inserts all posts. The merge policy resolves the conflicts with existing posts.
  func insertOverConstraint() throws {
    let ends = try Ends(self)
    let stream = try PostStream("\(harness.folder)/upsert.bin")
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    var count = 0
    let start = Harness.now()
    while true {
      var batch = 0
      while batch < 1000, stream.next() {
        fill(Post(context: context), stream, ends)
        batch += 1
      }
      if batch == 0 { break }
      try context.save()
      context.reset()
      count += batch
    }
    report(upserted: count, Harness.now() - start)
  }

  private func report(upserted count: Int, _ seconds: Double) {
    harness.report(
      count, seconds,
      harness.number("SELECT count(*) + sum(ZTHREADINDEX + length(ZINNERHTML)) FROM ZPOST"))
  }

  // MARK: w9

  func batchUpdate() throws {
    let request = NSBatchUpdateRequest(entityName: "Post")
    let bound = Date(timeIntervalSinceReferenceDate: 7.0e8 + Double(postCount) * 10)
    request.predicate = NSPredicate(format: "postDate < %@", bound as NSDate)
    request.propertiesToUpdate = ["ignored": true]
    request.resultType = .updatedObjectsCountResultType
    let start = Harness.now()
    let result = try context.execute(request) as? NSBatchUpdateResult
    let count = (result?.result as? NSNumber)?.intValue ?? -1
    harness.report(count, Harness.now() - start, Int64(count))
  }

  func batchDelete() throws {
    let posts = NSFetchRequest<any NSFetchRequestResult>(entityName: "Post")
    posts.predicate = NSPredicate(format: "score < 0.1")
    let request = NSBatchDeleteRequest(fetchRequest: posts)
    request.resultType = .resultTypeCount
    let start = Harness.now()
    let result = try context.execute(request) as? NSBatchDeleteResult
    let count = (result?.result as? NSNumber)?.intValue ?? -1
    harness.report(count, Harness.now() - start, Int64(count))
  }
}
