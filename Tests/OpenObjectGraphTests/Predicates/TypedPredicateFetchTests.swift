import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

/// Typed predicates evaluated by an SQLite store and in memory.
@Suite("Typed predicates in fetches")
struct TypedPredicateFetchTests {
  /// A condition on posts, and the format that finds the same rows.
  private struct Pair {
    let typed: TypedPredicate<TypedPost>
    let format: NSPredicate

    init(_ typed: TypedPredicate<TypedPost>, _ format: NSPredicate) {
      self.typed = typed
      self.format = format
    }
  }

  private static func pairs(_ user: TypedUser, _ post: TypedPost) -> [Pair] {
    [
      Pair(
        \.isHidden == false && \.number > 3, NSPredicate(format: "isHidden == NO AND number > 3")),
      Pair(\.score == nil || \.text == nil, NSPredicate(format: "score == nil OR text == nil")),
      Pair(!(\.number > 5), NSPredicate(format: "NOT number > 5")),
      Pair(\.forum?.number == 1, NSPredicate(format: "forum.number == 1")),
      Pair(\.author == user, NSPredicate(format: "author == %@", user)),
      Pair(\.author != nil, NSPredicate(format: "author != nil")),
      Pair(\.author?.objectID == user.objectID, NSPredicate(format: "author == %@", user.objectID)),
      Pair((\TypedPost.author).isIn([user]), NSPredicate(format: "author IN %@", [user])),
      Pair(\.self == post, NSPredicate(format: "SELF == %@", post)),
      Pair(\.objectID == post.objectID, NSPredicate(format: "SELF == %@", post)),
      Pair((\TypedPost.self).isIn([post]), NSPredicate(format: "SELF IN %@", [post])),
      Pair(
        (\TypedPost.objectID).isIn([post.objectID, user.objectID]),
        NSPredicate(format: "SELF IN %@", [post.objectID])
      ),
      Pair(
        (\TypedPost.text).contains("STRASSE", .caseInsensitive),
        NSPredicate(format: "text CONTAINS[c] 'STRASSE'")),
      Pair(
        (\TypedPost.title).beginsWith("Title 1"), NSPredicate(format: "title BEGINSWITH 'Title 1'")),
      Pair((\TypedPost.title).like("*2"), NSPredicate(format: "title LIKE '*2'")),
      Pair((\TypedPost.number).isIn([1, 5, 77]), NSPredicate(format: "number IN {1, 5, 77}")),
      Pair((\TypedPost.score).isIn([10, 50]), NSPredicate(format: "score IN {10, 50}")),
      Pair((\TypedPost.number).isIn([]), NSPredicate(value: false)),
      Pair(
        (\TypedPost.date).isBetween(Date.distantPast...Date(timeIntervalSinceReferenceDate: 4)),
        NSPredicate(format: "number <= 4")
      ),
      Pair(any(\.forum!.posts, \.number == 5), NSPredicate(format: "ANY forum.posts.number == 5")),
      Pair(count(\.forum!.posts) == 4, NSPredicate(value: true)),
    ]
  }

  @Test("find the same rows as the equivalent format, in the store and in memory")
  func rows() throws {
    let stack = try TypedStack()
    try stack.context.performAndWait {
      let all = try stack.context.fetch(TypedPost.fetchRequest())
      let post = try #require(all.first { $0.number == 4 })
      let user = try #require(post.author)
      for pair in Self.pairs(user, post) { try check(pair, all, stack) }
    }
  }

  private func check(_ pair: Pair, _ all: [TypedPost], _ stack: TypedStack) throws {
    let other = TypedPost.fetchRequest()
    other.predicate = pair.format
    let wanted = try stack.numbers(other)
    let found = try stack.numbers(TypedPost.fetchRequest().where(pair.typed))
    #expect(found == wanted, "\(pair.format.canonicalFormat)")
    let predicate = NSPredicate(pair.typed)
    let inMemory = all.filter { predicate.evaluate(with: $0) }.map(\.number)
    #expect(inMemory.sorted() == found, "\(pair.format.canonicalFormat)")
  }

  @Test("run as one statement, whose shape is reused for other values")
  func statements() throws {
    let stack = try TypedStack()
    try stack.context.performAndWait {
      let (_, first) = try stack.recorder.recording {
        try stack.context.fetch(TypedPost.fetchRequest().where(\.number > 3 && \.isHidden == true))
      }
      let (posts, second) = try stack.recorder.recording {
        try stack.context.fetch(TypedPost.fetchRequest().where(\.number > 8 && \.isHidden == true))
      }
      #expect(posts.count == 2)
      #expect(first.count == 1)
      #expect(first == second)
      let one = NSPredicate(\TypedPost.number > 3)
      let two = NSPredicate(\TypedPost.number > 4)
      guard case .template(let template, _, _) = one.form,
        case .template(let other, _, _) = two.form
      else {
        Issue.record("no templates")
        return
      }
      #expect(template == other)
    }
  }

  @Test("conditions on members find the rows that satisfy them")
  func members() throws {
    let stack = try TypedStack()
    try stack.context.performAndWait {
      func forums(_ condition: TypedPredicate<TypedForum>) throws -> [Int64] {
        let stored = try stack.context.fetch(TypedForum.fetchRequest().where(condition))
          .map(\.number).sorted()
        let all = try stack.context.fetch(TypedForum.fetchRequest())
        let predicate = NSPredicate(condition)
        let inMemory = all.filter { predicate.evaluate(with: $0) }.map(\.number).sorted()
        #expect(stored == inMemory, "\(predicate.canonicalFormat)")
        return stored
      }
      let post = try #require(
        try stack.context.fetch(TypedPost.fetchRequest().where(\.number == 6)).first)
      #expect(try forums(any(\.posts, \.number == 5)) == [1])
      #expect(try forums(any(\.posts, \.self == post)) == [1])
      #expect(try forums(any(\.posts, \.number > 3 && \.author == nil)) == [1, 2])
      #expect(try forums(all(\.posts, \.number > 3)) == [1, 2])
      #expect(try forums(all(\.posts, \.number > 4 || \.isHidden == false)) == [1, 2])
      #expect(try forums(none(\.posts, \.number > 3)) == [0])
      #expect(try forums(count(\.posts) > 3 && \.number < 2) == [0, 1])
      #expect(try forums((\TypedForum.posts).contains(post)) == [1])
      #expect(try forums((\TypedForum.posts).max(\.number) == 7) == [1])
    }
  }

  @Test("a member without a value does not satisfy a compound condition on all members")
  func membersWithoutValues() throws {
    let stack = try TypedStack()
    try stack.context.performAndWait { () throws in
      let forums = try stack.context.fetch(TypedForum.fetchRequest())
      // The first post of each forum has no score, and is not hidden.
      let scored: TypedPredicate<TypedForum> = all(\.posts, \.score > 0 || \.isHidden == true)
      let titled: TypedPredicate<TypedForum> = all(\.posts, \.score > 0 || \.title != "")
      let cases: [(TypedPredicate<TypedForum>, [Int64])] = [
        (scored, []), (!scored, [0, 1, 2]), (titled, [0, 1, 2]),
      ]
      for (condition, numbers) in cases {
        let found = try stack.context.fetch(TypedForum.fetchRequest().where(condition))
        #expect(found.map(\.number).sorted() == numbers)
        let predicate = NSPredicate(condition)
        let evaluated = forums.filter { predicate.evaluate(with: $0) }
        #expect(evaluated.map(\.number).sorted() == numbers)
      }
    }
  }

  @Test("narrow a request in addition to its condition")
  func narrowing() throws {
    let stack = try TypedStack()
    try stack.context.performAndWait { () throws in
      let request = TypedPost.fetchRequest().where(\.number > 3).where { $0.isHidden == true }
      #expect(try stack.numbers(request) == [5, 7, 9, 11])
      request.predicate = .where(\TypedPost.number == 2)
      #expect(try stack.numbers(request) == [2])
      #expect(
        try stack.context.count(for: TypedPost.fetchRequest().where { $0.date < $0.edited }) == 8)
    }
  }

  @Test("unsaved changes are included")
  func unsavedChanges() throws {
    let stack = try TypedStack()
    try stack.context.performAndWait { () throws in
      let request = TypedPost.fetchRequest().where(\.title == "new" && \.forum == nil)
      #expect(try stack.numbers(request) == [])
      let post = TypedPost(context: stack.context)
      post.title = "new"
      post.number = 99
      #expect(try stack.numbers(request) == [99])
      #expect(try stack.numbers(TypedPost.fetchRequest().where(\.self == post)) == [99])
    }
  }

  @Test(
    "an unmanaged key path makes the fetch throw, and matches nothing in memory")
  func badKeyPaths() throws {
    let stack = try TypedStack()
    try stack.context.performAndWait {
      let post = try #require(try stack.context.fetch(TypedPost.fetchRequest()).first)
      let bad: [TypedPredicate<TypedPost>] = [
        \.excitement == 3, \.hasChanges == false, \.forum?.posts.count > 3,
        !(\.number == 3 && \.excitement == 4),
      ]
      for condition in bad.prefix(2) + bad.suffix(1) {
        let predicate = NSPredicate(condition)
        #expect(!predicate.evaluate(with: post))
        #expect {
          try stack.context.fetch(TypedPost.fetchRequest().where(condition))
        } throws: { error in
          (error as? PredicateFormatError)?.code == .invalidKeyPath
        }
      }
      #expect(throws: (any Error).self) {
        try stack.context.fetch(TypedPost.fetchRequest().where(bad[2]))
      }
    }
  }
}
