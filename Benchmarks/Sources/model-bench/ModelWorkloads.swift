import BenchModel
import Foundation
import SwiftData

/// The workloads on SwiftData models.
struct ModelWorkloads {
  typealias Post = Models.Post

  private let harness: Harness
  private let context: ModelContext

  init(_ harness: Harness) throws {
    self.harness = harness
    let schema = Schema([Models.Forum.self, Models.Thread.self, Models.User.self, Post.self])
    let container = try ModelContainer(
      for: schema,
      configurations: ModelConfiguration(
        schema: schema, url: URL(fileURLWithPath: harness.database)))
    context = ModelContext(container)
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
    let threads = try ids(of: Models.Thread.self)
    let users = try ids(of: Models.User.self)
    let stream = try PostStream("\(harness.folder)/posts.bin")
    var count = 0
    let seconds = try Harness.measure {
      var more = stream.next()
      while more {
        let context = ModelContext(context.container)
        var batch = 0
        while batch < 1000, more {
          let post = Post()
          post.fill(from: stream)
          context.insert(post)
          post.thread = context.model(for: threads[Int(stream.head.thread)]) as? Models.Thread
          post.author = context.model(for: users[Int(stream.head.author)]) as? Models.User
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

  private func ids<Model: PersistentModel>(of type: Model.Type) throws -> [PersistentIdentifier] {
    let ids = try context.fetchIdentifiers(FetchDescriptor<Model>()).sorted()
    return ids.prefix(1) + ids
  }

  /// Returns a fetch descriptor for a tenth of the posts.
  private func range() -> FetchDescriptor<Post> {
    var descriptor = FetchDescriptor<Post>(sortBy: [SortDescriptor(\.persistentModelID)])
    descriptor.fetchOffset = harness.postCount * 4 / 10
    descriptor.fetchLimit = harness.postCount / 10
    return descriptor
  }

  private func materialise() throws {
    let descriptor = range()
    var few = range()
    (few.fetchOffset, few.fetchLimit) = (0, 10)
    _ = try materialise(few)
    // The posts are released after the measurement.
    var read: (posts: [Post], sum: Int64) = ([], 0)
    let seconds = try Harness.measure { read = try materialise(descriptor) }
    harness.report(read.posts.count, seconds, read.sum)
  }

  private func materialise(
    _ descriptor: FetchDescriptor<Post>
  ) throws -> (posts: [Post], sum: Int64) {
    let posts = try context.fetch(descriptor)
    var ids: [PersistentIdentifier] = []
    ids.reserveCapacity(posts.count * 3)
    var sum: Int64 = 0
    for post in posts {
      sum += post.sumOfAttributes
      ids.append(post.persistentModelID)
      if let id = post.author?.persistentModelID { ids.append(id) }
      if let id = post.thread?.persistentModelID { ids.append(id) }
    }
    return (posts, sum + Int64(ids.count))
  }

  private func pages() throws {
    let queries = try harness.integers("q5.bin")
    let threads = try ids(of: Models.Thread.self)
    _ = try pages(queries.prefix(2), of: threads)
    var sum: Int64 = 0
    let seconds = try Harness.measure { sum = try pages(queries[...], of: threads) }
    harness.report(queries.count / 2, seconds, sum)
  }

  private func pages(
    _ queries: ArraySlice<Int64>, of threads: [PersistentIdentifier]
  ) throws -> Int64 {
    var sum: Int64 = 0
    for position in stride(from: 0, to: queries.count, by: 2) {
      let first = Int32(queries[position + 1])
      let end = first + 40
      let thread = threads[Int(queries[position])]
      var descriptor = FetchDescriptor<Post>(
        predicate: #Predicate { post in
          post.thread?.persistentModelID == thread && post.threadIndex >= first
            && post.threadIndex < end
        }, sortBy: [SortDescriptor(\.threadIndex)])
      descriptor.fetchLimit = 40
      for post in try context.fetch(descriptor) {
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
      let id = String(key)
      var descriptor = FetchDescriptor<Post>(predicate: #Predicate { $0.postID == id })
      descriptor.fetchLimit = 1
      if let post = try context.fetch(descriptor).first {
        sum += Int64(post.innerHTML?.utf8.count ?? 0)
      }
    }
    return sum
  }
}
