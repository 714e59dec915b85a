import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

/// Contexts that do not read a store when a property is used.
@Suite("Strict loading")
struct StrictLoadingTests {
  /// A context with strict loading; it retains the stack, whose deallocation removes the store.
  private func strictContext() throws -> (BudgetStack, NSManagedObjectContext) {
    let stack = try BudgetStack()
    try stack.seed(posts: 6, share: 3)
    let context = stack.makeContext()
    context.performAndWait {
      context.strictLoading = true
      context.userInfo["stack"] = stack
    }
    return (stack, context)
  }

  private let users = BudgetStack.authors()

  @Test(
    "a relationship that is not loaded reads as empty, costs no statement, and stops the next save")
  func toMany() throws {
    let (stack, context) = try strictContext()
    try context.performAndWait { () throws in
      let user = try #require(try context.fetch(users).first)
      let before = stack.recorder.all.count
      #expect(user.posts?.count == 0)
      #expect(user.posts?.count == 0)
      #expect(stack.recorder.all.count == before)
      user.name = "Changed"
      let error = #expect(throws: StrictLoadingError.self) { try context.save() }
      #expect(error?.entityName == "BudgetUser")
      #expect(error?.relationshipName == "posts")
      #expect(error?.objectID == user.objectID)
      #expect("\(try #require(error))".contains("relationshipKeyPathsForPrefetching"))
      try context.save()
      context.strictLoading = false
      #expect(user.posts?.count == 3)
    }
  }

  @Test("a fault reads as if it had no values until loading is allowed")
  func fault() throws {
    let (_, context) = try strictContext()
    try context.performAndWait { () throws in
      let post = try #require(try context.fetch(BudgetStack.request()).first)
      #expect(post.text == "Text 0")
      let author = try #require(post.author)
      #expect(author.name == nil)
      #expect(author.isFault)
      let error = #expect(throws: StrictLoadingError.self) { try context.save() }
      #expect(error?.entityName == "BudgetUser")
      #expect(error?.relationshipName == nil)
      #expect(throws: StrictLoadingError.self) { try author.checkedValue(forKey: "name") }
      #expect(throws: StrictLoadingError.self) { try author.checkedValue(forKey: "posts") }
      _ = try context.existingObject(with: author.objectID)
      #expect(author.name == "Author 0")
      #expect(try author.checkedValue(forKey: "name") as? String == "Author 0")
      try context.save()
    }
  }

  @Test("fetched and prefetched objects can be used as usual")
  func prefetched() throws {
    let (_, context) = try strictContext()
    try context.performAndWait { () throws in
      users.relationshipKeyPathsForPrefetching = ["posts"]
      for user in try context.fetch(users) {
        #expect(user.posts?.count == 3)
        #expect((user.posts as? Set<BudgetPost>)?.allSatisfy { $0.text != nil } == true)
      }
      let request = BudgetStack.request()
      request.relationshipKeyPathsForPrefetching = ["author"]
      #expect(try context.fetch(request).allSatisfy { $0.author?.name != nil })
      try context.save()
    }
  }

  @Test("deletions, delete rules, merges and saves read what they need")
  func ownSteps() throws {
    let (stack, context) = try strictContext()
    let other = stack.makeContext()
    try context.performAndWait { () throws in
      let user = try #require(try context.fetch(users).first)
      context.delete(user)
      try context.save()
      #expect(try context.fetch(BudgetStack.request()).filter { $0.author == nil }.count == 3)
      context.automaticallyMergesChangesFromParent = true
    }
    try other.performAndWait { () throws in
      for post in try other.fetch(BudgetStack.request()) { post.text = "Merged" }
      try other.save()
    }
    try context.performAndWait { () throws in
      context.refreshAllObjects()
      #expect(try context.fetch(BudgetStack.request()).allSatisfy { $0.text == "Merged" })
      try context.save()
    }
  }
}
