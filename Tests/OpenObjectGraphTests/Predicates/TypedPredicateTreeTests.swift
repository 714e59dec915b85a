import Foundation
import OpenCoreData
import Testing

/// A typed predicate and the equivalent format.
private struct Pair: CustomTestStringConvertible {
  let typed: NSPredicate
  let format: NSPredicate
  let testDescription: String

  init<Root>(_ typed: TypedPredicate<Root>, _ format: String, _ arguments: Any...) {
    self.typed = NSPredicate(typed)
    self.format = NSPredicate(format: format, argumentArray: arguments)
    testDescription = format
  }
}

@Suite("Typed predicates as trees")
struct TypedPredicateTreeTests {
  private static func expectSame(_ pairs: [Pair]) {
    for pair in pairs {
      #expect(
        pair.typed.hasSameMeaning(as: pair.format),
        "\(pair.testDescription): \(pair.typed.canonicalFormat)")
    }
  }

  @Test("comparisons of attributes have the trees of the format language")
  func attributes() {
    let date = Date(timeIntervalSinceReferenceDate: 3)
    Self.expectSame([
      Pair(\TypedPost.isHidden == false, "isHidden == NO"),
      Pair(\TypedPost.isHidden != true, "isHidden != YES"),
      Pair(\TypedPost.number < 3, "number < 3"),
      Pair(\TypedPost.number <= 3, "number <= 3"),
      Pair(\TypedPost.score > 3, "score > 3"),
      Pair(\TypedPost.score >= 3, "score >= 3"),
      Pair(\TypedPost.score == 3, "score == 3"),
      Pair(\TypedPost.score == nil, "score == nil"),
      Pair(\TypedPost.text != nil, "text != nil"),
      Pair(\TypedPost.title == "a", "title == 'a'"),
      Pair(\TypedPost.text == "a", "text == 'a'"),
      Pair(\TypedPost.date > date, "date > %@", date),
    ])
  }

  @Test("conditions combine like AND, OR and NOT, with flat chains")
  func combinations() {
    Self.expectSame([
      Pair(
        \TypedPost.isHidden == false && \.number > 3 && \.forum?.number == 2,
        "isHidden == NO AND number > 3 AND forum.number == 2"),
      Pair(
        \TypedPost.isHidden == false || \.number > 3 && \.text == nil,
        "isHidden == NO OR number > 3 AND text == nil"),
      Pair(!(\TypedPost.isHidden == false), "NOT isHidden == NO"),
      Pair(
        (\TypedPost.number == 1 || \.number == 2) && \.isHidden == true,
        "(number == 1 OR number == 2) AND isHidden == YES"),
      Pair(TypedPredicate<TypedPost>(value: true), "TRUEPREDICATE"),
    ])
  }

  @Test("texts, lists and ranges have the operators of the format language")
  func methods() {
    Self.expectSame([
      Pair((\TypedPost.title).contains("a"), "title CONTAINS 'a'"),
      Pair(
        (\TypedPost.text).contains("a", [.caseInsensitive, .diacriticInsensitive]),
        "text CONTAINS[cd] 'a'"),
      Pair((\TypedPost.title).beginsWith("a"), "title BEGINSWITH 'a'"),
      Pair((\TypedPost.title).endsWith("a", .caseInsensitive), "title ENDSWITH[c] 'a'"),
      Pair((\TypedPost.text).like("a*"), "text LIKE 'a*'"),
      Pair((\TypedPost.text).matches("a.*"), "text MATCHES 'a.*'"),
      Pair((\TypedPost.text).equals("A", .caseInsensitive), "text ==[c] 'A'"),
      Pair((\TypedPost.number).isIn([1, 2]), "number IN {1, 2}"),
      Pair((\TypedPost.score).isIn([1, 2]), "score IN {1, 2}"),
      Pair((\TypedPost.number).isBetween(1...3), "number BETWEEN {1, 3}"),
      Pair((\TypedPost.score).isBetween(1...3), "score BETWEEN {1, 3}"),
    ])
  }

  @Test("paths follow optional relationships")
  func paths() {
    Self.expectSame([
      Pair(\TypedPost.author?.name == "Ann", "author.name == 'Ann'"),
      Pair(\TypedPost.forum?.number > 3, "forum.number > 3"),
      Pair((\TypedPost.author?.name).contains("n"), "author.name CONTAINS 'n'"),
      Pair(\TypedPost.author == nil, "author == nil"),
    ])
  }

  @Test("conditions on members become ANY, ALL, NONE or, if these do not suffice, subqueries")
  func members() {
    Self.expectSame([
      Pair(any(\TypedForum.posts, \.text == "x"), "ANY posts.text == 'x'"),
      Pair(all(\TypedForum.posts, \.number > 2), "ALL posts.number > 2"),
      Pair(none(\TypedForum.posts, \.author?.name == "x"), "NONE posts.author.name == 'x'"),
      Pair(any(\TypedUser.posts, \TypedPost.text == "x"), "ANY posts.text == 'x'"),
      Pair(count(\TypedForum.posts) > 3, "posts.@count > 3"),
      Pair((\TypedForum.posts).sum(\.number) > 3, "posts.@sum.number > 3"),
      Pair((\TypedForum.posts).max(\.number) == 3, "posts.@max.number == 3"),
      Pair(
        any(\TypedForum.posts, \.text == "x" && \.number > 2),
        "SUBQUERY(posts, $x, $x.text == 'x' AND $x.number > 2).@count > 0"),
      Pair(
        all(\TypedForum.posts, \.text == "x" || \.number > 2),
        "SUBQUERY(posts, $x, $x.text == 'x' OR $x.number > 2).@count "
          + "== SUBQUERY(posts, $x, TRUEPREDICATE).@count"),
      Pair(
        none(\TypedForum.posts, \.text == "x" || \.number > 2),
        "SUBQUERY(posts, $x, $x.text == 'x' OR $x.number > 2).@count == 0"),
      Pair(
        any(\TypedForum.posts, \.number > 2 && any(\.author!.posts, \TypedPost.isHidden == true)),
        "SUBQUERY(posts, $x, $x.number > 2 AND ANY $x.author.posts.isHidden == YES).@count > 0"),
    ])
  }

  @Test("closures create the same trees, with comparisons of two properties")
  func closures() {
    func predicate(
      _ make: (TypedExpression<TypedPost, TypedPost>) -> TypedPredicate<TypedPost>
    ) -> TypedPredicate<TypedPost> {
      make(TypedExpression(\.self))
    }
    Self.expectSame([
      Pair(
        predicate { $0.author.name == "Ann" && $0.title.contains("x", .caseInsensitive) },
        "author.name == 'Ann' AND title CONTAINS[c] 'x'"),
      Pair(predicate { $0.date < $0.edited }, "date < edited"),
      Pair(predicate { $0.score > 3 || $0.number.isIn([1]) }, "score > 3 OR number IN {1}"),
      Pair(predicate { $0.text == nil }, "text == nil"),
      Pair(
        predicate { $0.forum.posts.any { $0.isHidden == true } },
        "ANY forum.posts.isHidden == YES"),
      Pair(predicate { $0.forum.posts.count >= 3 }, "forum.posts.@count >= 3"),
    ])
  }

  @Test("a long chain stays flat")
  func chain() {
    var condition = \TypedPost.number > 3
    for _ in 0..<2_000 { condition = condition || \.number == 1 }
    guard case .or(let parts)? = NSPredicate(condition).form.resolvedNode() else {
      Issue.record("no OR")
      return
    }
    #expect(parts.count == 2_001)
  }

  @Test("a tree deeper than the limit is never true, and does not overflow the stack")
  func depth() {
    var condition = \TypedPost.number > 3
    for _ in 0..<5_000 { condition = !condition }
    guard case .invalid(let error) = NSPredicate(condition).form else {
      Issue.record("the depth was not noticed")
      return
    }
    #expect(error.code == .tooDeep)
  }
}
