import CoreData

/// The hot paths, each repeated as often as is asked for on the same small store.
///
/// Nothing is timed here: a run under an instruction counter, once with a number of repetitions and once with twice as
/// many, says what one repetition takes. What comes before and after them is the same in both runs.
@MainActor
struct Operations {
  private static let postCount = 2000
  private let context: NSManagedObjectContext
  private let ids: [NSManagedObjectID]

  /// Makes the store in a folder and fills it.
  init(in folder: String) throws {
    let container = NSPersistentContainer(
      name: "Forum", managedObjectModel: ForumModel.make(isConstrained: true))
    let file = URL(fileURLWithPath: folder).appendingPathComponent("operations.sqlite")
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    let context = container.viewContext
    let posts = (0..<Self.postCount).map { Self.fill(Post(context: context), $0) }
    try context.save()
    ids = posts.map(\.objectID)
    context.reset()
    self.context = context
  }

  /// Repeats an operation; false when there is none of this name.
  func run(_ operation: String, times: Int) throws -> Bool {
    switch operation {
    case "fetch-one-row": try fetchOneRow(times)
    case "fire-a-fault": try fireFaults(times)
    case "read-an-integer": try readIntegers(times)
    case "read-a-string": try readStrings(times)
    case "write-a-property": try writeProperties(times)
    case "insert": try insert(times)
    case "save-one-row": try saveOneRow(times)
    default: return false
    }
    return true
  }

  @discardableResult
  private static func fill(_ post: Post, _ number: Int) -> Post {
    post.postID = "post-\(number)"
    post.title = "On the number \(number)"
    post.innerHTML = "<p>All that there is to say of \(number), and a little more.</p>"
    post.threadIndex = Int32(number)
    post.score = Double(number) / 7
    post.postDate = Date(timeIntervalSinceReferenceDate: Double(number))
    return post
  }

  private func fetchOneRow(_ times: Int) throws {
    for turn in 0..<times {
      let request = NSFetchRequest<Post>(entityName: "Post")
      request.predicate = NSPredicate(format: "postID == %@", "post-\(turn % Self.postCount)")
      request.fetchLimit = 1
      guard try context.fetch(request).count == 1 else { throw CocoaError(.fileReadUnknown) }
    }
  }

  /// Each fault reads its row from the store: nothing keeps the rows of objects that are gone.
  private func fireFaults(_ times: Int) throws {
    for turn in 0..<times {
      guard let post = context.object(with: ids[turn % Self.postCount]) as? Post,
        post.threadIndex == turn % Self.postCount
      else { throw CocoaError(.fileReadUnknown) }
      if turn % 100 == 99 { context.reset() }
    }
  }

  private func readIntegers(_ times: Int) throws {
    let post = try firstPost()
    var sum = 0
    for _ in 0..<times { sum &+= Int(post.threadIndex) &+ 1 }
    guard sum == times else { throw CocoaError(.fileReadUnknown) }
  }

  private func readStrings(_ times: Int) throws {
    let post = try firstPost()
    var sum = 0
    for _ in 0..<times { sum &+= post.title?.utf8.count ?? 0 }
    guard sum == times * 15 else { throw CocoaError(.fileReadUnknown) }
  }

  private func writeProperties(_ times: Int) throws {
    let post = try firstPost()
    for turn in 0..<times { post.threadIndex = Int32(truncatingIfNeeded: turn) }
    guard post.threadIndex == times - 1 else { throw CocoaError(.fileReadUnknown) }
  }

  private func firstPost() throws -> Post {
    guard let post = try context.existingObject(with: ids[0]) as? Post else {
      throw CocoaError(.fileReadUnknown)
    }
    return post
  }

  private func insert(_ times: Int) throws {
    for turn in 0..<times {
      Self.fill(Post(context: context), Self.postCount + turn)
      if turn % 500 == 499 {
        try context.save()
        context.reset()
      }
    }
  }

  private func saveOneRow(_ times: Int) throws {
    let post = try firstPost()
    for turn in 0..<times {
      post.threadIndex = Int32(turn + 1)
      try context.save()
    }
  }
}
