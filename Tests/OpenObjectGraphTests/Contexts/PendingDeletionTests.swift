import Foundation
import OpenCoreData
import Testing

/// Deletions whose delete rules are pending, and deletions that are undone before the rules apply.
@Suite("Pending deletions")
struct PendingDeletionTests {
  /// Authors with one book each, which is deleted with its author.
  private func authors(
    _ count: Int, in context: NSManagedObjectContext
  ) throws -> [ShelfAuthor] {
    let authors = (0..<count).map { number in
      let author = ShelfAuthor(context: context)
      author.code = Int32(number)
      ShelfBook(context: context).author = author
      return author
    }
    try context.save()
    return authors
  }

  @Test(
    "deletions undone in any order keep the objects of their rules, and the other deletions do not",
    arguments: StoreTypes.both)
  func takingBack(_ type: String) throws {
    let context = try ShelfModel.container(type).newBackgroundContext()
    try context.performAndWait { () throws in
      let authors = try authors(300, in: context)
      for author in authors { context.delete(author) }
      // From the middle, the front and the end, some of them twice.
      var random = SeededNumbers(seed: 29)
      var kept: Set<Int> = []
      for number in [299, 0, 298] + (0..<200).map({ _ in random.below(300) }) {
        context.insert(authors[number])
        kept.insert(number)
      }
      for number in [298, 0] {
        context.delete(authors[number])
        kept.remove(number)
      }
      context.processPendingChanges()
      try context.save()
      context.reset()
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      let books = try context.fetch(request)
      #expect(books.count == kept.count)
      #expect(Set(books.compactMap { $0.author.map { Int($0.code) } }) == kept)
    }
  }

  @Test("a cascade follows a chain of rows to its end", arguments: StoreTypes.both)
  func chain(_ type: String) throws {
    let context = try UndoModel.context(type)
    try context.performAndWait { () throws in
      var last: NSManagedObject?
      for _ in 0..<2000 {
        let node = UndoModel.insert("Node", in: context)
        node.setValue(last, forKey: "parent")
        last = node
      }
      try context.save()
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
      request.predicate = NSPredicate(format: "parent == nil")
      let first = try #require(try context.fetch(request).first)
      context.delete(first)
      try context.save()
      request.predicate = nil
      #expect(try context.count(for: request) == 0)
    }
  }
}
