import Foundation
import OpenCoreData
import Testing

/// The same edits and fetches on an SQLite store, on a store in memory, and by plain evaluation.
@Suite("Differential")
struct DifferentialTests {
  @Test(
    "random edits, predicates and sorts agree on both stores and in memory",
    arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func randomEdits(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let sides = [
      ShelfSide(
        name: "SQLite", context: try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()),
      ShelfSide(
        name: "memory",
        context: try ShelfModel.container(NSInMemoryStoreType).newBackgroundContext()),
    ]
    for step in 0..<250 {
      let edit = ShelfEdit.random(&numbers, code: Int32(step))
      let query = ShelfQuery(&numbers)
      var results: [[Int32]] = []
      for side in sides {
        try side.context.performAndWait {
          try edit.apply(to: side)
          results.append(try query.fetch(on: side))
          // A fetch looks at unsaved changes of the objects it returns, not of those they are related to.
          let concernsOthers = query.format.contains("author.") && side.context.hasChanges
          if query.limit == 0, query.offset == 0, !concernsOthers {
            let evaluated = try query.evaluate(on: side)
            #expect(
              Set(results[results.count - 1]) == evaluated,
              "seed \(seed), step \(step), \(side.name): \(query)")
          }
        }
      }
      try #require(results[0] == results[1], "seed \(seed), step \(step), \(edit): \(query)")
    }
  }
}
