import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

/// Fetches of values: columns with the types of their properties, without objects.
@Suite("Fetches of values")
struct ValueFetchTests {
  private func run(_ types: String..., body: (TypedStack) throws -> Void) throws {
    let stack = try types.count == 2 ? TypedStack(types[0], types[1]) : TypedStack(types[0])
    try stack.context.performAndWait { try body(stack) }
  }

  private var posts: NSFetchRequest<TypedPost> {
    let request = NSFetchRequest<TypedPost>(entityName: "TypedPost")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    return request
  }

  @Test("values equal the properties of the objects", arguments: FetchingModel.stores)
  func columns(type: String) throws {
    try run(type) { stack throws in
      let rows = try stack.context.values(of: posts) {
        ($0.isHidden, $0.number, $0.score, $0.title, $0.text, $0.date, $0.author.name)
      }
      let objects = try stack.context.fetch(posts)
      #expect(rows.count == 12)
      for (row, post) in zip(rows, objects) {
        #expect(row.0 == post.isHidden)
        #expect(row.1 == post.number)
        #expect(row.2 == post.score)
        #expect(row.3 == post.title)
        #expect(row.4 == post.text)
        #expect(row.5 == post.date)
        #expect(row.6 == post.author?.name)
      }
    }
  }

  @Test("one column returns values for key paths and closures", arguments: FetchingModel.stores)
  func oneColumn(type: String) throws {
    try run(type) { stack throws in
      let numbers = try stack.context.values(of: posts) { $0.number }
      #expect(numbers == Array(0..<12))
      #expect(try stack.context.values(of: posts, \.number) == numbers)
      let pairs = try stack.context.values(of: posts, \.text, \.forum?.title)
      #expect(pairs.map(\.0) == (0..<12).map { $0 % 5 == 0 ? nil : "Straße \($0)" })
      #expect(pairs.map(\.1) == (0..<12).map { "Forum \($0 / 4)" })
    }
  }

  @Test("ids, objects and statistics can be columns", arguments: FetchingModel.stores)
  func objects(type: String) throws {
    try run(type) { stack throws in
      let rows = try stack.context.values(of: posts) {
        ($0.objectID, $0.author, $0.forum.objectID, $0)
      }
      for (row, post) in zip(rows, try stack.context.fetch(posts)) {
        #expect(row.0 == post.objectID)
        #expect(row.1 === post.author)
        #expect(row.2 == post.forum?.objectID)
        #expect(row.3 === post)
      }
      let forums = NSFetchRequest<TypedForum>(entityName: "TypedForum")
      forums.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      let counted = try stack.context.values(of: forums) {
        ($0.number, $0.posts.count, $0.posts.sum(\.score), $0.posts.max(\.title))
      }
      #expect(counted.map(\.0) == [0, 1, 2])
      #expect(counted.map(\.1) == [4, 4, 4])
      #expect(counted.map(\.2) == [60, 180, 300])
      #expect(counted.map(\.3) == ["Title 3", "Title 7", "Title 9"])
    }
  }

  @Test("predicate, order, limit, offset and distinct apply", arguments: FetchingModel.stores)
  func selection(type: String) throws {
    try run(type) { stack throws in
      let request = posts.where(\.isHidden == true)
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
      request.fetchOffset = 1
      request.fetchLimit = 3
      #expect(try stack.context.values(of: request, \.number) == [9, 7, 5])
      #expect(request.propertiesToFetch == nil)
      let distinct = posts
      distinct.sortDescriptors = [NSSortDescriptor(key: "isHidden", ascending: true)]
      distinct.returnsDistinctResults = true
      #expect(try stack.context.values(of: distinct, \.isHidden) == [false, true])
    }
  }

  @Test("many results are complete and in order", arguments: FetchingModel.stores)
  func many(type: String) throws {
    try run(type) { stack throws in
      for number in 12..<1_200 {
        let post = TypedPost(context: stack.context)
        post.number = Int32(number)
        post.title = "\(number)"
      }
      try stack.context.save()
      let rows = try stack.context.values(of: posts, \.title, \.number)
      #expect(rows.map(\.1) == Array(0..<1_200))
      #expect(rows.dropFirst(12).allSatisfy { $0.0 == "\($0.1)" })
    }
  }

  @Test(
    "unsaved changes are ignored, also in a child context", arguments: FetchingModel.stores)
  func unsaved(type: String) throws {
    try run(type) { stack throws in
      let post = try #require(try stack.context.fetch(posts).first)
      post.number = -1
      #expect(try stack.context.values(of: posts, \.number) == Array(0..<12))
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = stack.context
      let fetched = try child.performAndWait { try child.values(of: posts, \.number) }
      #expect(fetched == Array(0..<12))
    }
  }

  @Test("several stores return one result, sorted and limited once")
  func stores() throws {
    try run(NSSQLiteStoreType, NSInMemoryStoreType) { stack throws in
      let second = try #require(stack.container.persistentStoreCoordinator.persistentStores.last)
      for number in [3, 20] {
        let post = TypedPost(context: stack.context)
        post.number = Int32(number)
        post.title = "other"
        stack.context.assign(post, to: second)
      }
      try stack.context.save()
      let request = posts
      request.fetchOffset = 3
      request.fetchLimit = 3
      let rows = try stack.context.values(of: request, \.number, \.title)
      #expect(rows.map(\.0) == [3, 3, 4])
      #expect(Set(rows.map(\.1)) == ["Title 3", "other", "Title 4"])
      request.fetchOffset = 12
      #expect(try stack.context.values(of: request, \.title) == ["Title 11", "other"])
    }
  }

  @Test("several stores return one result in the order of key paths")
  func storesByKeyPath() throws {
    try run(NSInMemoryStoreType, NSInMemoryStoreType) { stack throws in
      let second = try #require(stack.container.persistentStoreCoordinator.persistentStores.last)
      let post = TypedPost(context: stack.context)
      (post.number, post.title) = (3, "Title 20")
      stack.context.assign(post, to: second)
      try stack.context.save()
      let request = posts
      request.sortDescriptors = [
        NSSortDescriptor(keyPath: \TypedPost.number, ascending: false),
        NSSortDescriptor(keyPath: \TypedPost.title, ascending: true),
      ]
      request.fetchOffset = 7
      request.fetchLimit = 3
      let titles = ["Title 4", "Title 20", "Title 3"]
      #expect(try stack.context.values(of: request, \.title) == titles)
      let numbers: [Int32] = try stack.context.values(of: request, \.title, \.number).map { $0.1 }
      #expect(numbers == [4, 3, 3])
      request.returnsDistinctResults = true
      request.fetchOffset = 8
      #expect(try stack.context.values(of: request, \.number) == [3, 2, 1])
      request.fetchOffset = 7
      let dictionaries = NSFetchRequest<NSDictionary>(copying: request)
      dictionaries.returnsDistinctResults = false
      dictionaries.resultType = .dictionaryResultType
      dictionaries.propertiesToFetch = ["title"]
      #expect(try stack.context.fetch(dictionaries).map { $0["title"] as? String } == titles)
    }
  }

  @Test("one statement reads only the requested columns")
  func statement() throws {
    try run(NSSQLiteStoreType) { stack throws in
      let statements = try stack.recorder.recording {
        _ = try stack.context.values(of: posts, \.title)
      }.statements
      #expect(statements.count == 1)
      #expect(statements.first?.contains("ZTITLE") == true)
      #expect(statements.first?.contains("ZTEXT") == false)
    }
  }

  @Test("a key path that is not a managed property is an error")
  func unmanaged() throws {
    try run(NSSQLiteStoreType) { stack throws in
      #expect(throws: PredicateFormatError.self) {
        try stack.context.values(of: posts, \.excitement)
      }
    }
  }
}
