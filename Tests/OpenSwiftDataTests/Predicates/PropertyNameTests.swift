import Foundation
import OpenSwiftData
import Testing

/// Models whose properties have the names of keys that all objects have.
private enum Street {
  @Model class Signpost {
    var number: Int
    var entity: String
    var objectID: String
    var next: Signpost?

    init(number: Int) {
      self.number = number
      entity = ["Café", "Bar", "Cafe\u{301}"][number % 3]
      objectID = ["c", "a", "b"][number % 3]
    }
  }

  @Model final class Milestone: Signpost {
    var distance: Int

    init(number: Int, distance: Int) {
      self.distance = distance
      super.init(number: number)
    }
  }
}

@Suite("Properties with the names of object keys")
struct PropertyNameTests {
  private typealias Signpost = Street.Signpost

  /// Calls a closure with contexts of an in-memory store and a file store, which contain six
  /// signposts.
  private func check(_ body: (ModelContext) throws -> Void) throws {
    let schema = Schema([Signpost.self, Street.Milestone.self])
    for inMemory in [false, true] {
      let context = try Library.context(schema, inMemory: inMemory)
      var posts: [Signpost] = []
      for number in 0..<6 {
        let milestone = Street.Milestone(number: number, distance: 1)
        posts.append(number % 2 == 0 ? Signpost(number: number) : milestone)
      }
      for post in posts { context.insert(post) }
      for (post, next) in zip(posts, posts.dropFirst()) { post.next = next }
      try context.save()
      try body(ModelContext(context.container))
    }
  }

  private func numbers(
    _ predicate: Predicate<Signpost>, in context: ModelContext
  ) throws -> [Int] {
    var descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.number)])
    descriptor.allowsEvaluationInMemory = false
    return try context.fetch(descriptor).map(\.number)
  }

  @Test("a property named objectID is compared and sorted by its own values")
  func objectID() throws {
    try check { context in
      let letters = ["a", "b"]
      #expect(try numbers(#Predicate { $0.objectID == "a" }, in: context) == [1, 4])
      #expect(
        try numbers(#Predicate { letters.contains($0.objectID) }, in: context) == [1, 2, 4, 5])
      #expect(try numbers(#Predicate { $0.next?.objectID == "a" }, in: context) == [0, 3])
      let sorted = try context.fetch(
        FetchDescriptor<Signpost>(
          sortBy: [SortDescriptor(\.objectID, comparator: .lexical), SortDescriptor(\.number)]))
      #expect(sorted.map(\.number) == [1, 4, 2, 5, 0, 3])
      let byNext = try context.fetch(
        FetchDescriptor<Signpost>(
          sortBy: [SortDescriptor(\.next?.objectID), SortDescriptor(\.number)]))
      #expect(byNext.map(\.number) == [5, 0, 3, 1, 4, 2])
    }
  }

  @Test("persistent identifiers still identify objects")
  func identifiers() throws {
    try check { context in
      var descriptor = FetchDescriptor<Signpost>(sortBy: [SortDescriptor(\.persistentModelID)])
      let posts = try context.fetch(descriptor)
      descriptor.sortBy = [SortDescriptor(\.persistentModelID, order: .reverse)]
      #expect(try context.fetch(descriptor).map(\.number) == posts.reversed().map(\.number))
      let post = try #require(posts.first { $0.number == 3 })
      let (id, ids) = (post.persistentModelID, [post.persistentModelID])
      #expect(try numbers(#Predicate { $0.persistentModelID == id }, in: context) == [3])
      #expect(try numbers(#Predicate { ids.contains($0.persistentModelID) }, in: context) == [3])
      #expect(try numbers(#Predicate { $0.next?.persistentModelID == id }, in: context) == [2])
      #expect(
        try numbers(#Predicate { $0.next?.persistentModelID == nil }, in: context) == [5])
    }
  }

  @Test("a property named entity is compared by its own values")
  func entity() throws {
    try check { context throws in
      let names = ["Bar", "Inn"]
      #expect(try numbers(#Predicate { names.contains($0.entity) }, in: context) == [1, 4])
      #expect(try numbers(#Predicate { $0.entity == "Café" }, in: context) == [0, 2, 3, 5])
      #expect(try numbers(#Predicate { $0.entity != "Café" }, in: context) == [1, 4])
    }
  }

  @Test("tests for a submodel do not read a property named entity")
  func submodels() throws {
    try check { context throws in
      #expect(try numbers(#Predicate { $0 is Street.Milestone }, in: context) == [1, 3, 5])
      #expect(try numbers(#Predicate { $0.next is Street.Milestone }, in: context) == [0, 2, 4])
    }
  }
}
