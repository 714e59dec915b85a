import Foundation
import OpenCoreData
import Testing

/// The same edits and fetches on an SQLite store, on an in-memory store, in child contexts, and by
/// predicate evaluation.
@Suite("Differential")
struct DifferentialTests {
  @Test(
    "random edits, predicates and sorts agree on both stores and in memory",
    arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func randomEdits(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let root = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
    let middle = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext().makeChild()
    var sides = [
      ShelfSide(
        name: "SQLite", context: try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()),
      ShelfSide(
        name: "memory",
        context: try ShelfModel.container(NSInMemoryStoreType).newBackgroundContext()),
      ShelfSide(name: "child", context: root.makeChild()),
      ShelfSide(name: "grandchild", context: middle.makeChild()),
    ]
    sides += try ServedStores.types.map { type in
      ShelfSide(name: type, context: try ShelfModel.container(type).newBackgroundContext())
    }
    for step in 0..<250 {
      let edit = ShelfEdit.random(&numbers, code: Int32(step))
      let query = ShelfQuery(&numbers)
      var results: [[Int32]] = []
      // Sometimes the parent saves the child's changes; the child continues unaffected.
      if numbers.below(8) == 0 { try root.performAndWait { try root.save() } }
      for side in sides {
        try side.context.performAndWait {
          try edit.apply(to: side)
          results.append(try query.fetch(on: side))
          let concernsOthers = query.format.contains("author.") && side.context.hasUnsavedChanges
          if query.limit == 0, query.offset == 0, !concernsOthers {
            let evaluated = try query.evaluate(on: side)
            #expect(
              Set(results[results.count - 1]) == evaluated,
              "seed \(seed), step \(step), \(side.name): \(query)")
          }
        }
      }
      for (side, result) in zip(sides, results).dropFirst() {
        // A fetch uses unsaved changes of the objects it returns, but not of related objects; what a
        // child has saved is still unsaved in its parent.
        if query.mentionsAuthor, side.context.parent?.hasUnsavedChanges == true { continue }
        try #require(
          result == results[0], "seed \(seed), step \(step), \(side.name), \(edit): \(query)")
      }
    }
  }
}

extension NSManagedObjectContext {
  /// Whether this context or one of its parents has unsaved changes.
  var hasUnsavedChanges: Bool {
    hasChanges
      || parent.map { parent in parent.performAndWait { parent.hasUnsavedChanges } } == true
  }

  /// A private-queue context whose parent is this context.
  func makeChild() -> NSManagedObjectContext {
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = self
    return child
  }
}
