import CBenchSQLite
import CCounting
import Foundation
import OpenBuiltInStores
import OpenStoreContract

/// What the library keeps in memory, in bytes that are allocated and not freed.
///
/// Two sizes of store tell what one more object takes. What SQLite has allocated, its cache above all, does not count.
@MainActor
struct Memory {
  /// Posts of the thread in the prepared store.
  private let size: Int
  private let forum: ForumStore
  private var context: NSManagedObjectContext { forum.context }

  init(in folder: String, size: Int) throws {
    self.size = size
    // From now on SQLite cannot be told any more not to count what it allocates.
    try check(sqlite3_initialize() == SQLITE_OK)
    forum = try ForumStore(in: folder)
  }

  /// Measures what is kept.
  ///
  /// - Returns: Bytes; nil when there is no such measure.
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

  /// Bytes that are in use more after some work, while its result is kept.
  private func held<Result>(_ work: () throws -> Result) rethrows -> Int {
    let before = Self.heap()
    let result = try work()
    return withExtendedLifetime(result) { Self.heap() - before }
  }

  private static func heap() -> Int {
    Int(counting_heap_in_use()) - Int(sqlite3_memory_used()) + RowChunk.byteCountBesideAllocator
  }

  /// Changes a property of each object, and announces it.
  private func changeProperties() throws -> Int {
    let posts = try forum.posts()
    return held {
      for post in posts { post.score += 1 }
      context.processPendingChanges()
    }
  }

  /// Changes and saves each object for the second time, which replaces the rows of the first time.
  private func saveAll() throws -> Int {
    let posts = try forum.posts()
    func save() throws {
      for post in posts { post.score += 1 }
      try context.save()
    }
    try save()
    return try held { try save() }
  }

  /// Reads all objects, a batch at a time.
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

  /// The lengths of the thread's rows: a header, ten slots, and the bytes of the texts up to a multiple of eight.
  private func rowSizes() throws -> Int {
    let slots = 10
    return try forum.posts().reduce(0) { sum, post in
      let texts = [post.postID, post.title, post.innerHTML]
      let length = texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
      return sum + 32 + 8 * slots + (length + 7) / 8 * 8
    }
  }
}
