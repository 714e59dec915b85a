import Foundation
import OpenSwiftData
import Testing

@Suite("Optional to-many relationships in predicates")
struct OptionalToManyTests {
  /// Four authors with up to three books, the last of them unsaved, and a book without an author.
  private func fill(_ context: ModelContext) throws {
    context.insert(Book(isbn: "none", title: "none"))
    for number in 0..<4 {
      if number == 3 { try context.save() }
      let author = Author(name: "\(number)")
      context.insert(author)
      for title in ["a", "b", "c"].prefix(number) {
        context.insert(Book(isbn: "\(number)\(title)", title: title, author: author))
      }
    }
  }

  /// Expects that fetches, in memory and in a file, find what the same filter in Swift finds.
  private func check<Model: PersistentModel>(
    _ predicate: Predicate<Model>, isTrivial: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation, _ plain: (Model) -> Bool
  ) throws {
    for inMemory in [false, true] {
      let context = try Library.context(Library.schema, inMemory: inMemory)
      try fill(context)
      let all = try context.fetch(FetchDescriptor<Model>())
      let wanted = Set(all.filter(plain).map(\.persistentModelID))
      var descriptor = FetchDescriptor(predicate: predicate)
      descriptor.allowsEvaluationInMemory = false
      let found = Set(try context.fetch(descriptor).map(\.persistentModelID))
      #expect(found == wanted, sourceLocation: sourceLocation)
      let evaluated = try all.filter { try predicate.evaluate($0) }.map(\.persistentModelID)
      #expect(Set(evaluated) == wanted, "evaluated", sourceLocation: sourceLocation)
      #expect(
        isTrivial || !wanted.isEmpty && wanted.count < all.count, "trivial",
        sourceLocation: sourceLocation)
    }
  }

  @Test("the number of members")
  func counts() throws {
    try check(#Predicate<Author> { $0.books?.isEmpty ?? true }) { $0.books?.isEmpty ?? true }
    try check(#Predicate<Author> { $0.books?.isEmpty == false }) { $0.books?.isEmpty == false }
    try check(#Predicate<Author> { ($0.books?.count ?? 0) > 1 }) { ($0.books?.count ?? 0) > 1 }
    try check(#Predicate<Author> { $0.books?.count == 2 }) { $0.books?.count == 2 }
    try check(#Predicate<Author> { $0.books?.count != 2 }) { $0.books?.count != 2 }
  }

  @Test("conditions on members")
  func conditions() throws {
    try check(#Predicate<Author> { $0.books?.contains { $0.title == "b" } == true }) {
      $0.books?.contains { $0.title == "b" } == true
    }
    try check(#Predicate<Author> { !($0.books?.contains { $0.title == "b" } ?? false) }) {
      !($0.books?.contains { $0.title == "b" } ?? false)
    }
    try check(#Predicate<Author> { $0.books?.allSatisfy { $0.title == "a" } == true }) {
      $0.books?.allSatisfy { $0.title == "a" } == true
    }
    try check(#Predicate<Author> { ($0.books?.filter { $0.title != "a" }.count ?? 0) > 1 }) {
      ($0.books?.filter { $0.title != "a" }.count ?? 0) > 1
    }
  }

  @Test("a to-many relationship is never nil")
  func comparisonsWithNil() throws {
    try check(#Predicate<Author> { $0.books == nil }, isTrivial: true) { $0.books == nil }
    try check(#Predicate<Author> { $0.books != nil }, isTrivial: true) { $0.books != nil }
  }

  @Test("the relationship of a nil object is nil")
  func behindToOne() throws {
    try check(#Predicate<Book> { $0.author?.books?.isEmpty == false }) {
      $0.author?.books?.isEmpty == false
    }
    try check(#Predicate<Book> { $0.author?.books?.isEmpty ?? true }) {
      $0.author?.books?.isEmpty ?? true
    }
    try check(#Predicate<Book> { ($0.author?.books?.count ?? 0) > 2 }) {
      ($0.author?.books?.count ?? 0) > 2
    }
    try check(#Predicate<Book> { $0.author?.books?.contains { $0.title == "b" } == true }) {
      $0.author?.books?.contains { $0.title == "b" } == true
    }
    try check(#Predicate<Book> { $0.author?.books == nil }) { $0.author?.books == nil }
  }
}
