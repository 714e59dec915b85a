import Foundation
import OpenCoreData
import OpenObjectGraph
import Testing

/// Deletions whose delete rules are pending, and deletions that are undone before or after the rules
/// apply.
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

  @Test(
    "inserting an object again after its delete rules were applied restores its relationships",
    arguments: StoreTypes.both)
  func takingBackAppliedRules(_ type: String) throws {
    let context = try UndoModel.context(type)
    try context.performAndWait { () throws in
      let nodes = ["node", "parent", "mentor", "child"].map {
        UndoModel.insert("Node", $0, in: context)
      }
      let tag = UndoModel.insert("Tag", "tag", in: context)
      let item = UndoModel.insert("Item", "item", in: context)
      let node = nodes[0]
      node.setValue(nodes[1], forKey: "parent")
      node.setValue(nodes[2], forKey: "mentor")
      nodes[3].setValue(node, forKey: "parent")
      node.setValue(NSSet(object: tag), forKey: "tags")
      item.setValue(node, forKey: "owner")
      try context.save()
      context.delete(node)
      context.processPendingChanges()
      #expect(nodes[2].value(forKey: "pupil") == nil && item.value(forKey: "owner") == nil)
      context.insert(node)
      try checkRelationships(in: context)
      #expect(nodes[3].isDeleted)
      #expect(context.checkInvariants() == [])
      try context.save()
      context.reset()
      try checkRelationships(in: context)
    }
  }

  @Test(
    "inserting a deleted member again restores its position in an ordered relationship",
    arguments: StoreTypes.both)
  func takingBackPosition(_ type: String) throws {
    let context = try UndoModel.context(type)
    try context.performAndWait { () throws in
      let node = UndoModel.insert("Node", in: context)
      let items = ["a", "b", "c"].map { UndoModel.insert("Item", $0, in: context) }
      node.setValue(NSOrderedSet(array: items), forKey: "items")
      try context.save()
      context.delete(items[0])
      context.processPendingChanges()
      #expect(node.related("items").map(\.undoName) == ["b", "c"])
      context.insert(items[0])
      #expect(node.related("items").map(\.undoName) == ["a", "b", "c"])
      try context.save()
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
      let saved = try #require(try context.fetch(request).first)
      #expect(saved.related("items").map(\.undoName) == ["a", "b", "c"])
    }
  }

  @Test(
    "a list without inverse that was read after a deletion has the member again after its insertion",
    arguments: StoreTypes.both)
  func takingBackListedMember(_ type: String) throws {
    let context = try UndoModel.context(type)
    try context.performAndWait { () throws in
      let node = UndoModel.insert("Node", in: context)
      let tag = UndoModel.insert("Tag", in: context)
      node.setValue(NSSet(object: tag), forKey: "marks")
      try context.save()
      context.refresh(node, mergeChanges: false)
      context.delete(tag)
      context.processPendingChanges()
      #expect((node.value(forKey: "marks") as? NSSet)?.count == 0)
      context.insert(tag)
      #expect((node.value(forKey: "marks") as? NSSet)?.contains(tag) == true)
      #expect(context.checkInvariants() == [])
      try context.save()
      #expect((node.value(forKey: "marks") as? NSSet)?.contains(tag) == true)
    }
  }

  /// Checks that the node has its parent, mentor, tag and item, which refer to it, and no child.
  private func checkRelationships(in context: NSManagedObjectContext) throws {
    func found(_ entity: String, _ name: String) throws -> NSManagedObject {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: "name == %@", name)
      return try #require(try context.fetch(request).first)
    }
    let node = try found("Node", "node")
    let (parent, mentor) = (try found("Node", "parent"), try found("Node", "mentor"))
    let (tag, item) = (try found("Tag", "tag"), try found("Item", "item"))
    #expect(node.value(forKey: "parent") as? NSManagedObject === parent)
    #expect((parent.value(forKey: "children") as? NSSet)?.contains(node) == true)
    #expect(node.value(forKey: "mentor") as? NSManagedObject === mentor)
    #expect(mentor.value(forKey: "pupil") as? NSManagedObject === node)
    #expect((node.value(forKey: "tags") as? NSSet)?.contains(tag) == true)
    #expect((tag.value(forKey: "nodes") as? NSSet)?.contains(node) == true)
    #expect((node.value(forKey: "items") as? NSOrderedSet)?.contains(item) == true)
    #expect(item.value(forKey: "owner") as? NSManagedObject === node)
    #expect((node.value(forKey: "children") as? NSSet)?.count == 0)
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
