import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

@Suite("Results in bounded memory")
struct FetchedResultsTests {
  @Test("ids cost one statement, and each batch costs one more at its first access")
  func batches() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 1_000, share: 10)
    let context = stack.makeContext()
    try context.performAndWait {
      let request = BudgetStack.request()
      request.fetchBatchSize = 100
      let (posts, ids) = try stack.recorder.recording { try context.fetchLazily(request) }
      #expect(posts.count == 1_000)
      #expect(ids.count == 1)
      #expect(context.registeredObjects.isEmpty)
      let first = stack.recorder.recording { posts[250].number }
      #expect(first.result == 250)
      #expect(first.statements.count == 1)
      let others = stack.recorder.recording { (200..<300).reversed().map { posts[$0].number } }
      #expect(others.result == (200..<300).reversed().map(Int32.init))
      #expect(others.statements.isEmpty)
      let (numbers, all) = stack.recorder.recording { posts.map(\.number) }
      #expect(numbers == (0..<1_000).map(Int32.init))
      #expect(all.count == 10, "\(all.count)")
    }
  }

  @Test("only the objects of the last accessed batches stay alive")
  func memory() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 1_000, share: 1_000)
    let context = stack.makeContext()
    try context.performAndWait {
      let request = BudgetStack.request()
      request.fetchBatchSize = 50
      let posts = try context.fetchLazily(request)
      var most = 0
      for post in posts {
        if post.number % 50 == 0 { most = max(most, context.registeredObjects.count) }
      }
      #expect(most <= 150)
      posts.releaseObjects()
      #expect(context.registeredObjects.isEmpty)
      #expect(posts[3].number == 3)
    }
  }

  @Test("an id is available without loading, and objects are registered in the context")
  func identity() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 20, share: 2)
    let context = stack.makeContext()
    try context.performAndWait {
      let known = try context.fetch(BudgetStack.request())
      let (posts, _) = try stack.recorder.recording {
        try context.fetchLazily(BudgetStack.request())
      }
      let (id, statements) = stack.recorder.recording { posts.objectID(at: 7) }
      #expect(id == known[7].objectID)
      #expect(posts[7] === known[7])
      #expect(posts.first === known.first && posts.last === known.last)
      #expect(statements.isEmpty)
      #expect(posts.reversed().map(\.number) == known.reversed().map(\.number))
    }
  }

  @Test("relationships are prefetched with each batch")
  func prefetching() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 200, share: 2)
    let context = stack.makeContext()
    try context.performAndWait {
      let request = BudgetStack.request()
      request.fetchBatchSize = 100
      request.relationshipKeyPathsForPrefetching = ["author"]
      let (names, statements) = try stack.recorder.recording {
        try context.fetchLazily(request).map { $0.author?.name }
      }
      #expect(names.last == "Author 99")
      #expect(statements.count == 5, "\(statements)")
    }
  }

  @Test("unsaved changes are included, and inserted objects keep their positions when saved")
  func unsavedChanges() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 3, share: 1)
    let context = stack.makeContext()
    try context.performAndWait {
      let fresh = BudgetPost(context: context)
      fresh.number = -1
      let posts = try context.fetchLazily(BudgetStack.request())
      #expect(posts.count == 4)
      try context.save()
      #expect(posts[0] === fresh)
      #expect(posts.objectID(at: 0) == fresh.objectID)
      #expect(!posts.objectID(at: 0).isTemporaryID)
    }
  }

  @Test("no rows, a row deleted since the fetch, and a request for other results")
  func edges() throws {
    let stack = try BudgetStack()
    let context = stack.makeContext()
    try context.performAndWait { () throws in
      #expect(try context.fetchLazily(BudgetStack.request()).isEmpty)
      let ids = BudgetStack.request()
      ids.resultType = .managedObjectIDResultType
      #expect(throws: CocoaError.self) { try context.fetchLazily(ids) }
      #expect(throws: CocoaError.self) {
        try context.fetchLazily(NSFetchRequest<BudgetUser>(entityName: "BudgetPost"))
      }
    }
    try stack.seed(posts: 3, share: 1)
    try context.performAndWait {
      let posts = try context.fetchLazily(BudgetStack.request())
      let other = stack.makeContext()
      try other.performAndWait {
        for post in try other.fetch(BudgetStack.request(limit: 1)) { other.delete(post) }
        try other.save()
      }
      #expect(posts.count == 3)
      #expect(posts[0].text == nil)
      #expect(posts[1].text == "Text 1")
    }
  }

  @Test("a sequence of values costs one statement for ids and one for each batch")
  func values() async throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 1_000, share: 100)
    let context = stack.makeContext()
    let before = stack.recorder.all.count
    var numbers: [Int32] = []
    for try await number in context.results(
      of: BudgetStack.request(), batchSize: 100, { $0.number })
    {
      numbers.append(number)
    }
    #expect(numbers == (0..<1_000).map(Int32.init))
    #expect(stack.recorder.all.count == before + 11)
    context.performAndWait { #expect(context.registeredObjects.isEmpty) }
  }

  @MainActor
  @Test(
    "a sequence can be iterated on the main actor, ends early, and throws what its function throws")
  func iteration() async throws {
    struct Stop: Error {}
    let stack = try BudgetStack()
    try stack.seed(posts: 100, share: 10)
    let context = stack.makeContext()
    var texts: [String?] = []
    for try await text in context.results(of: BudgetStack.request(), batchSize: 10, { $0.text }) {
      texts.append(text)
      if texts.count == 15 { break }
    }
    #expect(texts.last == "Text 14")
    await #expect(throws: Stop.self) {
      for try await _ in context.results(of: BudgetStack.request(), { _ in throw Stop() })
        as FetchedValues<BudgetPost, Int>
      {}
    }
    let unknown = NSFetchRequest<BudgetPost>(entityName: "Nothing")
    await #expect(throws: CocoaError.self) {
      for try await _ in context.results(of: unknown, { $0.number }) {}
    }
  }

  @Test("a cancelled task makes the iteration throw")
  func cancelledTask() async throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 10, share: 10)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let context = stack.makeContext()
      for try await _ in context.results(of: BudgetStack.request(), { $0.number }) {}
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("a block runs for each batch on the context's queue, and may change and save the objects")
  func forEachBatch() async throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 250, share: 10)
    let context = stack.makeContext()
    try await context.forEachBatch(of: BudgetStack.request(), batchSize: 100) { posts in
      #expect(posts.count <= 100)
      for post in posts { post.text = "new" }
      try context.save()
    }
    let count = try context.performAndWait {
      let request = BudgetStack.request()
      request.predicate = NSPredicate(format: "text == 'new'")
      return try context.count(for: request)
    }
    #expect(count == 250)
  }

  @Test("objects that the parent saves after the fetch can be read")
  func unsavedInParent() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 3, share: 1)
    let parent = stack.makeContext()
    let child = parent.makeChild()
    try child.performAndWait {
      parent.performAndWait {
        let fresh = BudgetPost(context: parent)
        fresh.number = -1
        fresh.text = "new"
      }
      let posts = try child.fetchLazily(BudgetStack.request())
      #expect(posts.count == 4)
      // The results retain only the unsaved object, whose id can change.
      #expect(child.registeredObjects.map(\.objectID) == [posts.objectID(at: 0)])
      #expect(posts.objectID(at: 0).isTemporaryID)
      try parent.performAndWait { try parent.save() }
      #expect(!posts.objectID(at: 0).isTemporaryID)
      #expect(posts[0].text == "new")
      #expect(posts[0].objectID == posts.objectID(at: 0))
      #expect(posts.map(\.number) == [-1, 0, 1, 2])
    }
  }

  @Test("an object that is used before the parent saves it stays the same object in its batch")
  func usedBeforeParentSaves() throws {
    let stack = try BudgetStack()
    let parent = stack.makeContext()
    let child = parent.makeChild()
    try child.performAndWait {
      parent.performAndWait { BudgetPost(context: parent).text = "new" }
      let posts = try child.fetchLazily(BudgetStack.request())
      let post = posts[0]
      #expect(post.objectID.isTemporaryID)
      try parent.performAndWait { try parent.save() }
      posts.releaseObjects()
      #expect(posts[0] === post)
      #expect(post.text == "new")
    }
  }

  @Test(
    "a sequence and a block throw the error of a batch or a relationship that cannot be read",
    arguments: [FaultInjection.Call.rows, .destinations])
  func failedReads(_ call: FaultInjection.Call) async throws {
    let stack = try FaultStack(NSSQLiteStoreType)
    let context = stack.context
    stack.faults.failAll(of: [call])
    let error = await #expect(throws: (any Error).self) {
      let counts = context.results(of: Self.authors()) { $0.books?.count ?? 0 }
      for try await _ in counts {}
    }
    #expect(error.map(FaultInjection.made) == true)
    await #expect(throws: CocoaError.self) {
      try await context.forEachBatch(of: Self.authors()) { authors in
        for author in authors { _ = author.books?.count }
      }
    }
    #expect(stack.faults.stop())
    try context.performAndWait { try context.save() }
    var sum = 0
    for try await count in context.results(of: Self.authors(), { $0.books?.count ?? 0 }) {
      sum += count
    }
    #expect(sum == 6)
  }

  private static func authors() -> NSFetchRequest<ShelfAuthor> {
    NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor")
  }
}
