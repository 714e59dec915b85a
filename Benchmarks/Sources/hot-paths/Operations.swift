import Foundation
import OpenBuiltInStores

/// The hot paths, which run a given number of times on one small store.
@MainActor
struct Operations {
  private static let postCount = 2000
  private let context: NSManagedObjectContext
  private let ids: [NSManagedObjectID]

  /// Creates and fills the store in a folder.
  init(in folder: String) throws {
    let forum = try ForumStore(in: folder)
    ids = try forum.insertPosts(0..<Self.postCount)
    context = forum.context
  }

  /// Runs an operation repeatedly and counts the instructions. The first 100 repetitions are not
  /// counted.
  ///
  /// - Returns: Whether the operation is known.
  func run(_ operation: String, times: Int) throws -> Bool {
    switch operation {
    case "fetch-one-row": try count(times, fetchRows)
    case "fire-a-fault": try count(times, fireFaults)
    case "read-an-integer": try count(times, readIntegers)
    case "read-while-observing":
      context.tracksObservation = true
      try count(times, readIntegers)
    case "read-a-string": try count(times, readStrings)
    case "write-a-property": try count(times, writeProperties)
    case "insert": try count(times, insert)
    case "save-one-row": try count(times, saveRows)
    default: return false
    }
    return true
  }

  private func count(_ times: Int, _ operation: (Range<Int>) throws -> Void) throws {
    let uncounted = 100
    try operation(0..<uncounted)
    try counted { try operation(uncounted..<uncounted + times) }
  }

  private func fetchRows(_ turns: Range<Int>) throws {
    for turn in turns {
      let request = NSFetchRequest<Post>(entityName: "Post")
      request.predicate = NSPredicate(format: "postID == %@", "post-\(turn % Self.postCount)")
      request.fetchLimit = 1
      try check(try context.fetch(request).count == 1)
    }
  }

  /// Fires faults. Each fault reads its row from the store, because the row cache does not retain
  /// the rows of released objects.
  private func fireFaults(_ turns: Range<Int>) throws {
    for turn in turns {
      let post = context.object(with: ids[turn % Self.postCount]) as? Post
      try check(post?.threadIndex == Int32(turn % Self.postCount))
      if turn % 100 == 99 { context.reset() }
    }
  }

  private func readIntegers(_ turns: Range<Int>) throws {
    let post = try firstPost()
    var sum = 0
    for _ in turns { sum &+= Int(post.threadIndex) &+ 1 }
    try check(sum == turns.count)
  }

  private func readStrings(_ turns: Range<Int>) throws {
    let post = try firstPost()
    var sum = 0
    for _ in turns { sum &+= post.title?.utf8.count ?? 0 }
    try check(sum == turns.count * 15)
  }

  private func writeProperties(_ turns: Range<Int>) throws {
    let post = try firstPost()
    for turn in turns { post.threadIndex = Int32(truncatingIfNeeded: turn) }
    try check(post.threadIndex == turns.upperBound - 1)
  }

  private func firstPost() throws -> Post {
    guard let post = try context.existingObject(with: ids[0]) as? Post else {
      throw CocoaError(.fileReadUnknown)
    }
    return post
  }

  private func insert(_ turns: Range<Int>) throws {
    for turn in turns {
      Post(context: context).fill(Self.postCount + turn)
      if turn % 500 == 499 {
        try context.save()
        context.reset()
      }
    }
  }

  private func saveRows(_ turns: Range<Int>) throws {
    let post = try firstPost()
    for turn in turns {
      post.threadIndex = Int32(turn + 1)
      try context.save()
    }
  }
}

/// Throws an error if a result of a benchmark is wrong.
func check(_ isDone: Bool) throws {
  guard isDone else { throw CocoaError(.fileReadUnknown) }
}
