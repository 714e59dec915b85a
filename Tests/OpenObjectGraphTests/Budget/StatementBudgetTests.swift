import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

/// The maximum numbers of statements for operations of the object graph.
@Suite("Statement budgets")
struct StatementBudgetTests {
  @Test("a page of 40 posts with their authors prefetched costs two statements")
  func prefetchedPage() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 100, share: 4)
    let context = stack.makeContext()
    try context.performAndWait {
      let request = BudgetStack.request(limit: 40)
      request.relationshipKeyPathsForPrefetching = ["author"]
      let (names, statements) = try stack.recorder.recording {
        try context.fetch(request).map { $0.author?.name }
      }
      #expect(names.count == 40)
      #expect(names[39] == "Author 9")
      #expect(statements.count == 2, "\(statements)")
    }
  }

  @Test("firing a fault costs one statement, and its siblings in the fetch cost none")
  func siblingFaults() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 100, share: 2)
    let context = stack.makeContext()
    try context.performAndWait {
      let posts = try context.fetch(BudgetStack.request())
      let first = stack.recorder.recording { posts[0].author?.name }
      #expect(first.result == "Author 0")
      #expect(first.statements.count == 1, "\(first.statements)")
      let others = stack.recorder.recording { posts.map { $0.author?.name } }
      #expect(others.result.last == "Author 49")
      #expect(others.statements.isEmpty, "\(others.statements)")
    }
  }

  @Test("reading properties of fetched faults costs no further statement")
  func propertiesOfFaults() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 10, share: 1)
    let context = stack.makeContext()
    try context.performAndWait {
      let posts = try context.fetch(BudgetStack.request())
      #expect(posts.filter { !$0.isFault }.isEmpty)
      let (texts, statements) = stack.recorder.recording { posts.map(\.text) }
      #expect(texts[3] == "Text 3")
      #expect(statements.isEmpty)
      #expect(!posts[3].isFault)
    }
  }

  @Test("a save of 1,000 rows is one transaction that writes 512 rows with one statement")
  func thousandRows() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 1, share: 1)
    let context = stack.makeContext()
    try context.performAndWait { () throws in
      let posts = (0..<1000).map { _ in BudgetPost(context: context) }
      for round in 0..<2 {
        for (number, post) in posts.enumerated() { post.number = Int32(number + round) }
        let (_, statements) = try stack.recorder.recording { try context.save() }
        #expect(statements.count(where: { $0.hasPrefix("BEGIN") }) == 1)
        #expect(statements.count(where: { $0.hasPrefix("COMMIT") }) == 1)
        let writes = statements.filter { $0.hasPrefix("INSERT") }
        #expect(writes.count == 2)
        #expect(Set(writes).count == 1)
        #expect(statements.count <= 6, "\(Set(statements))")
      }
    }
  }

  @Test("a save does not read the faults that new objects were related to, required values or not")
  func validatedFaults() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 10, share: 1)
    let context = stack.makeContext()
    try context.performAndWait { () throws in
      let request = NSFetchRequest<BudgetUser>(entityName: "BudgetUser")
      request.includesPropertyValues = false
      let users = try context.fetch(request)
      for user in users { BudgetPost(context: context).author = user }
      let (_, statements) = try stack.recorder.recording { try context.save() }
      #expect(statements.filter { $0.contains("ZCOUNTRY") }.isEmpty, "\(statements)")
      #expect(users.count == 11 && users.allSatisfy(\.isFault))
      // Objects with values are validated as before.
      users[3].country = nil
      BudgetPost(context: context).author = users[3]
      #expect(throws: CocoaError.self) { try context.save() }
    }
  }

  @Test("a save neither reads nor writes the unregistered object that lost a member")
  func unregisteredOwner() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 4, share: 2)
    let context = stack.makeContext()
    try context.performAndWait { () throws in
      let post = try #require(try context.fetch(BudgetStack.request()).first)
      let (_, statements) = try stack.recorder.recording { () throws in
        post.author = nil
        try context.save()
      }
      #expect(statements.contains { $0.hasPrefix("UPDATE ZBUDGETPOST") }, "\(statements)")
      #expect(!statements.contains { $0.contains("ZBUDGETUSER") }, "\(statements)")
    }
  }

  @Test("prefetched members of the destination of a to-one relationship cost no further statement")
  func prefetchedMembersOfDestination() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 12, share: 3)
    let context = stack.makeContext()
    try context.performAndWait { () throws in
      let request = BudgetStack.request(limit: 5)
      request.relationshipKeyPathsForPrefetching = ["author.posts"]
      let posts = try context.fetch(request)
      let before = context.statistics.faultReads
      let (texts, statements) = stack.recorder.recording {
        posts.map { post in
          (post.author?.posts?.allObjects as? [BudgetPost] ?? []).compactMap(\.text).sorted()
        }
      }
      #expect(texts.first == ["Text 0", "Text 1", "Text 2"])
      #expect(texts.last == ["Text 3", "Text 4", "Text 5"])
      #expect(statements.isEmpty, "\(statements)")
      #expect(context.statistics.faultReads == before)
    }
  }

  @Test("a registered object is found by id without a statement")
  func registeredObject() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 1, share: 1)
    let context = stack.makeContext()
    try context.performAndWait {
      let post = try #require(try context.fetch(BudgetStack.request()).first)
      let (found, statements) = stack.recorder.recording { context.object(with: post.objectID) }
      #expect(found === post)
      #expect(statements.isEmpty)
    }
  }

  @Test("a save of values that are equal to the stored ones writes nothing")
  func equalValues() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 1, share: 1)
    let context = stack.makeContext()
    try context.performAndWait {
      let post = try #require(try context.fetch(BudgetStack.request()).first)
      post.text = "Text 0"
      post.number = 0
      #expect(context.updatedObjects == [post])
      let (_, statements) = try stack.recorder.recording { try context.save() }
      let writes = statements.filter { $0.contains("ZBUDGETPOST") && !$0.hasPrefix("SELECT") }
      #expect(writes == [])
    }
  }

  @Test("counting and fetching ids cost one statement each")
  func countAndIDs() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 25, share: 5)
    let context = stack.makeContext()
    try context.performAndWait {
      let count = try stack.recorder.recording { try context.count(for: BudgetStack.request()) }
      #expect(count.result == 25)
      #expect(count.statements.count == 1)
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "BudgetPost")
      request.resultType = .managedObjectIDResultType
      let ids = try stack.recorder.recording { try context.fetch(request) }
      #expect(ids.result.count == 25)
      #expect(ids.statements.count == 1)
      #expect(context.registeredObjects.isEmpty)
    }
  }
}
