import Foundation
import OpenCoreData
import Testing

/// The forms whose arguments the grammar tables cannot write: objects, their ids and entities.
@Suite("Predicates with objects, ids and entities as arguments")
struct GrammarObjectTests {
  /// A predicate over the rows of a stack, and the rows that it finds.
  struct Sample: Sendable {
    let format: String
    let arguments: @Sendable ([NSManagedObject]) -> [Any]
    let rows: [Int]

    init(
      _ format: String, _ rows: [Int], _ arguments: @escaping @Sendable ([NSManagedObject]) -> [Any]
    ) {
      (self.format, self.rows, self.arguments) = (format, rows, arguments)
    }
  }

  private static func values(_ key: String, _ objects: [NSManagedObject]) -> [Any] {
    objects.map { $0.value(forKey: key) ?? NSNull() }
  }

  static let samples = [
    Sample("self == %@", [2]) { [$0[1]] },
    Sample("self == %@", [2]) { [$0[1].objectID] },
    Sample("SELF != %@", [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) { [$0[1]] },
    Sample("self IN %@", [1, 3]) { [[$0[0], $0[2]]] },
    Sample("self IN %@", [1, 3]) { [[$0[0].objectID, $0[2].objectID]] },
    Sample("self IN %@", [1, 3]) { [Set([$0[0], $0[2]])] },
    Sample("self IN %@", [1, 3]) { [NSOrderedSet(array: [$0[0], $0[2]])] },
    Sample("NOT (self IN %@)", [1, 2, 3]) { [Array($0[3...])] },
    Sample("self IN %@", []) { _ in [[NSManagedObject]()] },
    Sample("objectID == %@", [5]) { [$0[4].objectID] },
    Sample("objectID IN %@", [5]) { [[$0[4].objectID]] },
    Sample("%@ == self", [6]) { [$0[5]] },
    Sample("entity == %@", Array(1...12)) { [$0[0].entity] },
    Sample("entity == %@", []) { [($0[0].value(forKey: "o") as? NSManagedObject)?.entity as Any] },
    Sample("o.entity == %@", [1, 2, 4, 5, 6, 8, 9, 11, 12]) {
      [($0[0].value(forKey: "o") as? NSManagedObject)?.entity as Any]
    },
    Sample("author == %@", [2, 4, 6, 9]) { [values("author", $0)[1]] },
    Sample("author IN %@", [2, 3, 4, 6, 8, 9, 12]) { [Array(values("author", $0)[1...2])] },
    Sample("author == %@ AND a > %d", [2]) { [values("author", $0)[1], 1] },
    Sample("%K = %@", [3, 7, 11]) { ["forum", values("forum", $0)[2]] },
    Sample("o == %@", [1]) { [values("o", $0)[0]] },
    Sample("o.objectID == %@", [1]) { [values("o", $0)[0]] },
    Sample("o.self IN %@", [1, 2]) { [Array(values("o", $0)[0...1])] },
    Sample("o.o.self == %@", [2]) {
      [($0[1].value(forKey: "o") as? NSManagedObject)?.value(forKey: "o") as Any]
    },
    Sample("forum.objectID == %@", []) { [$0[0]] },
    Sample("ANY children.author.objectID == %@", [2, 3, 5]) { [values("author", $0)[1]] },
    Sample("children CONTAINS %@", [5]) { [$0[7]] },
    Sample("%@ IN children", [3]) { [$0[4]] },
    Sample("ANY children == %@", [2]) { [$0[2]] },
    Sample("ANY children IN %@", [2, 7]) { [[$0[2], $0[9]]] },
    Sample("NONE children == %@", [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) { [$0[2]] },
    Sample("parent == %@", [7, 8, 9]) { [$0[4]] },
    Sample("parent.parent == %@", [1, 2, 3, 4, 11, 12]) { _ in [NSNull()] },
    Sample("parent.parent == %@", [5, 6]) { [$0[1]] },
    Sample("ANY children.parent == %@", [5]) { [$0[4]] },
    Sample("SUBQUERY(children, $x, $x == %@).@count == 1", [11]) { [$0[11]] },
    Sample("SUBQUERY(children, $x, $x IN %@).@count == 2", [3, 5]) { [Array($0[4...7])] },
    Sample("pages CONTAINS %@", [2]) {
      [($0[1].value(forKey: "pages") as? NSOrderedSet)?.firstObject as Any]
    },
    Sample("album == nil AND parent == %@", [8, 9]) { [$0[4]] },
  ]

  @Test(
    "stores, contexts and evaluation find the same rows",
    arguments: [NSSQLiteStoreType, NSInMemoryStoreType], [GrammarStack.State.saved, .unsaved])
  func rows(_ storeType: String, _ state: GrammarStack.State) throws {
    let stack = try GrammarStack(storeType, state)
    for sample in Self.samples { try check(sample, stack) }
  }

  private func check(_ sample: Sample, _ stack: GrammarStack) throws {
    let (found, evaluated) = try stack.context.performAndWait {
      let predicate = NSPredicate(
        format: sample.format, argumentArray: sample.arguments(stack.rows))
      return (try stack.fetched(predicate), stack.evaluated(predicate))
    }
    #expect(found == sample.rows, "\(sample.format)")
    #expect(evaluated == sample.rows, "\(sample.format)")
  }
}
