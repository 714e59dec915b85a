import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

/// Fetches with predicates created by `#Predicate`, compared with Swift's evaluation.
@Suite("Swift predicates")
struct SwiftPredicateTests {
  private static let stores = [NSSQLiteStoreType, NSInMemoryStoreType]

  /// Replaces the posts with posts with and without each optional value.
  private static func seed(_ context: NSManagedObjectContext) throws {
    for name in ["TypedPost", "TypedForum", "TypedUser"] {
      let known = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name))
      known.forEach(context.delete)
    }
    try context.save()
    let users = ["ann", "Bob", nil].map { name in
      let user = TypedUser(context: context)
      user.name = name
      return user
    }
    let forums = [("News", 1), ("Évents", 2)].map { title, number in
      let forum = TypedForum(context: context)
      (forum.title, forum.number) = (title, Int64(number))
      return forum
    }
    let titles = ["Alpha", "beta", "Ärger", "x", "", "100%_x", "ALPHA"]
    for index in 0..<21 {
      let post = TypedPost(context: context)
      post.number = Int32(index)
      post.title = titles[index % titles.count]
      post.isHidden = index % 3 == 0
      post.score = index % 4 == 0 ? nil : index % 5
      post.text = index % 2 == 0 ? nil : ["x", "long text", "X"][index % 3]
      post.date = index % 5 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(index))
      post.edited = index % 7 == 0 ? post.date : nil
      post.author = index % 4 == 3 ? nil : users[index % 4]
      post.forum = index % 6 == 5 ? nil : forums[index % 2]
    }
    try context.save()
  }

  /// Expects that a store finds the objects for which Swift's evaluation is true.
  private func expect(
    _ predicate: Predicate<TypedPost>, inMemory: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for type in Self.stores {
      let stack = try TypedStack(type)
      try stack.context.performAndWait {
        try Self.seed(stack.context)
        let request = TypedPost.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(SortDescriptor(\TypedPost.number))]
        let all = try stack.context.fetch(request)
        #expect(all.map(\.number) == Array(0..<21))
        let wanted = try all.filter { try predicate.evaluate($0) }.map(\.number)
        let translated = try #require(NSPredicate(predicate), sourceLocation: sourceLocation)
        request.predicate = translated
        request.allowsEvaluationInMemory = inMemory
        stack.context.reset()
        let found = try stack.context.fetch(request).map(\.number)
        #expect(found == wanted, "\(type): \(translated)", sourceLocation: sourceLocation)
        #expect(!wanted.isEmpty && wanted.count < 21, sourceLocation: sourceLocation)
        let evaluated = try stack.context.fetch(TypedPost.fetchRequest())
          .filter { translated.evaluate(with: $0) }.map(\.number).sorted()
        #expect(evaluated == wanted, "evaluated", sourceLocation: sourceLocation)
      }
    }
  }

  @Test("comparisons of non-nil values")
  func plainComparisons() throws {
    let (limit, title) = (Int32(7), "Alpha")
    try expect(#Predicate { $0.number < limit })
    try expect(#Predicate { $0.number >= limit && $0.number != 9 })
    try expect(#Predicate { $0.title == title })
    try expect(#Predicate { !($0.title == title) })
    try expect(#Predicate { $0.isHidden })
    try expect(#Predicate { !$0.isHidden || $0.number == 3 })
    try expect(#Predicate { $0.isHidden == ($0.number > 10) })
    try expect(#Predicate { ($0.number > 10) != $0.isHidden })
    try expect(#Predicate { $0.isHidden == false })
  }

  @Test("nil equals only nil, also in a negation")
  func optionals() throws {
    let (text, none): (String?, String?) = ("x", nil)
    let date: Date? = Date(timeIntervalSinceReferenceDate: 7)
    try expect(#Predicate { $0.text == nil })
    try expect(#Predicate { $0.text != nil })
    try expect(#Predicate { $0.text == text })
    try expect(#Predicate { $0.text != text })
    try expect(#Predicate { !($0.text == text) })
    try expect(#Predicate { $0.text == none })
    try expect(#Predicate { $0.text != none })
    try expect(#Predicate { $0.date == date })
    try expect(#Predicate { $0.date != date })
    try expect(#Predicate { $0.date == $0.edited })
    try expect(#Predicate { $0.date != $0.edited })
    try expect(#Predicate { !($0.date != $0.edited) })
    try expect(#Predicate { $0.score == 3 || $0.score == nil })
  }

  @Test("two properties are compared character by character in fetches and in evaluation")
  func spellings() throws {
    for type in Self.stores {
      let stack = try TypedStack(type)
      try stack.context.performAndWait { () throws in
        let posts = try stack.context.fetch(TypedPost.fetchRequest())
        let post = try #require(posts.first { $0.number == 0 })
        (post.title, post.text) = ("\u{E9}", "e\u{301}")
        try stack.context.save()
        let isSame = try #require(
          NSPredicate(#Predicate<TypedPost> { ($0.text ?? "") == $0.title }))
        let isOther = try #require(
          NSPredicate(#Predicate<TypedPost> { ($0.text ?? "") != $0.title }))
        let hasSame = try #require(
          NSPredicate(
            #Predicate<TypedForum> { $0.posts.contains { ($0.text ?? "") == $0.title } }))
        #expect(isSame.evaluate(with: post) && !isOther.evaluate(with: post))
        #expect(hasSame.evaluate(with: post.forum))
        let request = TypedPost.fetchRequest()
        request.predicate = isSame
        #expect(try stack.numbers(request) == [0])
        request.predicate = NSCompoundPredicate(
          orPredicateWithSubpredicates: [isSame, NSPredicate { _, _ in false }])
        #expect(try stack.numbers(request) == [0])
      }
    }
  }

  @Test("paths after ?. and values after ??")
  func optionalPaths() throws {
    try expect(#Predicate { $0.author?.name == "ann" })
    try expect(#Predicate { $0.author?.name != "ann" })
    try expect(#Predicate { $0.author?.name == nil })
    try expect(#Predicate { $0.author == nil })
    try expect(#Predicate { $0.forum?.number == 2 && $0.author != nil })
    try expect(#Predicate { ($0.text ?? "x") == "x" })
    try expect(#Predicate { !(($0.text ?? "none") == "x") })
    try expect(#Predicate { ($0.score ?? 0) > 2 })
    try expect(#Predicate { $0.score.flatMap { $0 > 2 } ?? false })
    try expect(#Predicate { $0.score.flatMap { $0 > 2 } ?? true })
    try expect(#Predicate { !($0.score.flatMap { $0 > 2 } ?? false) })
    try expect(#Predicate { $0.score.flatMap { $0 > 2 } == true })
    try expect(#Predicate { $0.score.flatMap { $0 > 2 } != true })
    try expect(#Predicate { $0.score.flatMap { $0 > 2 } == nil })
    try expect(#Predicate { $0.text.flatMap { $0.contains("x") } == true })
    try expect(#Predicate { $0.text.flatMap { $0.contains("x") } != false })
    try expect(
      #Predicate {
        if let text = $0.text { text == "x" } else { $0.isHidden }
      })
    try expect(#Predicate { $0.text != nil && $0.text! == "long text" })
  }

  @Test("texts, lists and ranges")
  func collections() throws {
    let numbers: [Int32] = [1, 4, 40]
    let names: Set<String?> = ["x", nil]
    let texts: [String?] = ["x", "y"]
    let (low, high) = (Int32(3), Int32(8))
    let range = low..<high
    let same = ComparisonResult.orderedSame
    try expect(#Predicate { numbers.contains($0.number) })
    try expect(#Predicate { !numbers.contains($0.number) })
    try expect(#Predicate { (low...high).contains($0.number) })
    try expect(#Predicate { !(low..<high).contains($0.number) })
    try expect(#Predicate { range.contains($0.number) })
    try expect(#Predicate { $0.title.contains("%") })
    try expect(#Predicate { !$0.title.contains("lpha") })
    try expect(#Predicate { $0.title.starts(with: "Al") })
    try expect(#Predicate { !$0.title.starts(with: "Al") })
    try expect(#Predicate { $0.title.localizedStandardContains("alpha") })
    try expect(#Predicate { $0.title.localizedStandardContains("ARG") })
    try expect(#Predicate { $0.title.caseInsensitiveCompare("alpha") == same })
    try expect(#Predicate { !($0.title.caseInsensitiveCompare("alpha") == same) })
    try expect(#Predicate { $0.title.isEmpty })
    try expect(#Predicate { !$0.title.isEmpty })
    try expect(#Predicate { names.contains($0.text) })
    try expect(#Predicate { !names.contains($0.text) })
    try expect(#Predicate { texts.contains($0.text) })
    try expect(#Predicate { !texts.contains($0.text) })
  }

  @Test("an attribute without a value is not 0 in a fetch", arguments: stores)
  func missingScalars(type: String) throws {
    let stack = try TypedStack(type)
    try stack.context.performAndWait {
      let post = TypedPost(context: stack.context)
      try stack.context.save()
      #expect(post.number == 0 && !post.isHidden)
      let request = TypedPost.fetchRequest()
      request.predicate = NSPredicate(#Predicate<TypedPost> { $0.number < 5 })
      #expect(try !stack.context.fetch(request).contains(post))
      request.predicate = NSPredicate(#Predicate<TypedPost> { !$0.isHidden })
      #expect(try !stack.context.fetch(request).contains(post))
    }
  }

  @Test("calculations and choices")
  func calculations() throws {
    try expect(#Predicate { $0.number + 1 < 7 })
    try expect(#Predicate { $0.number * 2 - 3 > 20 })
    try expect(#Predicate { $0.number % 3 == 1 })
    try expect(#Predicate { $0.number / 4 == 2 })
    try expect(#Predicate { -$0.number > -4 })
    try expect(#Predicate { ($0.isHidden ? $0.number : 0) > 5 })
    try expect(#Predicate { $0.isHidden ? $0.number > 5 : $0.text == nil })
  }

  @Test("conditions on the members of to-many relationships")
  func members() throws {
    let stack = try TypedStack()
    try stack.context.performAndWait {
      try Self.seed(stack.context)
      func numbers(_ predicate: Predicate<TypedForum>) throws -> [Int64] {
        let request = TypedForum.fetchRequest()
        let translated = try #require(NSPredicate(predicate))
        request.predicate = translated
        request.allowsEvaluationInMemory = false
        let all = try stack.context.fetch(TypedForum.fetchRequest())
        let wanted = try all.filter { try predicate.evaluate($0) }.map(\.number).sorted()
        let found = try stack.context.fetch(request).map(\.number).sorted()
        #expect(found == wanted, "\(translated)")
        return found
      }
      #expect(try numbers(#Predicate { $0.posts.contains { $0.number == 4 } }) == [1])
      #expect(try numbers(#Predicate { !$0.posts.contains { $0.number == 4 } }) == [2])
      #expect(try numbers(#Predicate { $0.posts.allSatisfy { $0.number > 0 } }) == [2])
      #expect(try numbers(#Predicate { $0.posts.count > 100 }) == [])
      #expect(try numbers(#Predicate { !$0.posts.isEmpty }) == [1, 2])
      #expect(
        try numbers(#Predicate { $0.posts.filter { $0.author?.name != "ann" }.count > 4 }) == [
          1, 2,
        ]
      )
      #expect(
        try numbers(#Predicate { forum in forum.posts.contains { $0.title == forum.title } })
          == [])
    }
  }

  @Test("equal shapes share a plan, and the text never contains values")
  func sharedPlans() throws {
    func predicate(_ title: String) throws -> NSPredicate {
      try #require(NSPredicate(#Predicate<TypedPost> { $0.title == title }))
    }
    #expect(try predicate("a").canonicalFormat == "title == \"a\"")
    #expect(try predicate("a") == predicate("a"))
    #expect(try predicate("a") != predicate("b"))
    let stack = try TypedStack()
    try stack.context.performAndWait {
      let request = TypedPost.fetchRequest()
      let statements = try stack.recorder.recording {
        for title in ["a", "b"] {
          request.predicate = try predicate(title)
          _ = try stack.context.fetch(request)
        }
      }.statements
      #expect(statements.count == 2)
      #expect(Set(statements).count == 1)
    }
  }

  @Test("an unsupported part results in nil, and the error names it")
  func unsupported() throws {
    let computed = #Predicate<TypedPost> { $0.excitement == 3 }
    #expect(NSPredicate(computed) == nil)
    #expect(throws: PredicateFormatError.self) { try NSPredicate.translating(computed) }
    let counted = #Predicate<TypedPost> { $0.title.count == 3 }
    #expect(NSPredicate(counted) == nil)
    let error = #expect(throws: PredicateFormatError.self) { try NSPredicate.translating(counted) }
    #expect(error?.code == .unsupportedSyntax)
  }

  @Test("Swift sort descriptors sort in stores, and consist of keys")
  func sortDescriptors() throws {
    let stack = try TypedStack()
    try stack.context.performAndWait {
      try Self.seed(stack.context)
      let request = TypedPost.fetchRequest()
      request.sortDescriptors = [
        NSSortDescriptor(SortDescriptor(\TypedPost.title, comparator: .lexical, order: .reverse)),
        NSSortDescriptor(SortDescriptor(\TypedPost.number)),
      ]
      #expect(request.sortDescriptors?.map(\.key) == ["title", "number"])
      let posts = try stack.context.fetch(request)
      let swift = [
        SortDescriptor(\TypedPost.title, comparator: .lexical, order: .reverse),
        SortDescriptor(\TypedPost.number, order: .forward),
      ]
      #expect(posts.map(\.number) == posts.shuffled().sorted(using: swift).map(\.number))

      let byScore = NSSortDescriptor(key: "score", ascending: true)
      let back = try #require(SortDescriptor(byScore, comparing: TypedPost.self))
      let sorted = posts.sorted(using: [back, SortDescriptor(\TypedPost.number)])
      request.sortDescriptors = [
        NSSortDescriptor(back), NSSortDescriptor(key: "number", ascending: true),
      ]
      #expect(request.sortDescriptors?.first?.key == "score")
      #expect(try stack.context.fetch(request).map(\.number) == sorted.map(\.number))
      let localized = NSSortDescriptor(
        key: "title", ascending: true, selectorName: "localizedStandardCompare:")
      #expect(SortDescriptor(localized, comparing: TypedPost.self) == nil)
    }
  }
}
