import CBenchSQLite
import CCounting
import Foundation
import OpenBuiltInStores
import OpenStoreContract

/// Measures the memory that the library retains, in bytes that are allocated and not freed.
///
/// The difference between two store sizes gives the memory for one more object. Memory that SQLite
/// has allocated, mainly its page cache, is not counted.
@MainActor
struct Memory {
  /// The number of posts in the thread of the prepared store.
  private let size: Int
  private let forum: ForumStore
  private var context: NSManagedObjectContext { forum.context }

  init(in folder: String, size: Int) throws {
    self.size = size
    // After this call, the library can no longer turn off SQLite's memory statistics.
    try check(sqlite3_initialize() == SQLITE_OK)
    forum = try ForumStore(in: folder)
  }

  /// Runs a measurement.
  ///
  /// - Returns: The retained memory in bytes, or nil if the measurement is unknown.
  func run(_ measure: String) throws -> Int? {
    switch measure {
    case "faults": try held { try context.fetch(ForumStore.request()) } - rowSizes()
    case "faults-without-rows": try held { try context.fetch(faults()) }
    case "batched-fetch": try held { try context.fetch(batches()) }
    case "lazy-fetch": try held { try readLazily() }
    case "changed-property": try changeProperties()
    case "save-all": try saveAll()
    case "released": try held { _ = try forum.posts() }
    case "import": try held { _ = try forum.insertPosts(size..<2 * size) }
    default: nil
    }
  }

  /// Returns the number of additional bytes in use after some work, while the result of the work is
  /// retained.
  private func held<Result>(_ work: () throws -> Result) rethrows -> Int {
    let before = Self.heap()
    let result = try work()
    return withExtendedLifetime(result) { Self.heap() - before }
  }

  private static func heap() -> Int {
    Int(counting_heap_in_use()) - Int(sqlite3_memory_used()) + RowChunk.byteCountBesideAllocator
  }

  /// Changes a property of each object and processes the pending changes.
  private func changeProperties() throws -> Int {
    let posts = try forum.posts()
    return held {
      for post in posts { post.score += 1 }
      context.processPendingChanges()
    }
  }

  /// Changes and saves all objects twice, and measures the second save, which replaces the rows of
  /// the first.
  private func saveAll() throws -> Int {
    let posts = try forum.posts()
    func save() throws {
      for post in posts { post.score += 1 }
      try context.save()
    }
    try save()
    return try held { try save() }
  }

  /// Reads all objects in batches with a lazy fetch.
  private func readLazily() throws -> FetchedResults<Post> {
    let posts = try context.fetchLazily(batches())
    for post in posts { try check(post.threadIndex >= 0) }
    return posts
  }

  private func faults() -> NSFetchRequest<Post> {
    let request = ForumStore.request()
    request.includesPropertyValues = false
    return request
  }

  private func batches() -> NSFetchRequest<Post> {
    let request = ForumStore.request()
    request.fetchBatchSize = 20
    return request
  }

  /// Returns the total size of the thread's rows in bytes. A row has a header, ten slots, and the
  /// bytes of its strings, rounded up to a multiple of eight.
  private func rowSizes() throws -> Int {
    let slots = 10
    return try forum.posts().reduce(0) { sum, post in
      let texts = [post.postID, post.title, post.innerHTML]
      let length = texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
      return sum + 32 + 8 * slots + (length + 7) / 8 * 8
    }
  }
}
