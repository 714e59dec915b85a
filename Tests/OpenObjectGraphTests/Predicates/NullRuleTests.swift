import Foundation
import OpenCoreData
import OpenPredicates
import Testing

/// The meaning of conditions with nil: the same in both stores, on unsaved objects, for followed results, and if a block
/// requires evaluation in memory.
@Suite("Conditions with nil")
struct NullRuleTests {
  /// A format, the entity, and the names of the results; `-` is the item without a name.
  private typealias Case = (format: String, entity: String, names: String)

  private static let cases: [Case] = [
    ("price == nil", "Item", "-e"), ("nil != price", "Item", "abcd"), ("price != 4", "Item", "acd"),
    ("NOT price == 4", "Item", "acd"), ("NOT price < 2", "Item", "bc"),
    ("NOT price IN {4.0}", "Item", "acd"), ("NOT price IN {}", "Item", "abcd"),
    ("price IN {nil, 4.0}", "Item", "b"), ("NOT price IN {nil, 4.0}", "Item", "acd"),
    ("price IN {rank, 4.0}", "Item", "b"), ("nil IN {price, rank}", "Item", ""),
    ("rank IN {price, 1}", "Item", "ab"), ("NOT rank IN {price, 1}", "Item", "cd"),
    ("price BETWEEN {nil, 2}", "Item", ""), ("NOT price BETWEEN {nil, 2}", "Item", "bc"),
    ("NOT (price == 4 OR rank == 3)", "Item", "acd"),
    ("NOT (price == 4 AND rank == 9)", "Item", "abcde"), ("price < nil", "Item", ""),
    ("NOT price < nil", "Item", ""), ("NOT name CONTAINS 'a'", "Item", "bcde"),
    ("NOT name LIKE[c] 'A'", "Item", "bcde"), ("owner.name != 'a'", "Item", "cd"),
    ("NOT owner.name == 'a'", "Item", "cd"), ("NOT ANY owner.items.name == 'a'", "Item", "-cde"),
    ("owner.items.@count == 0", "Item", "-e"), ("TERNARY(price == 4, 1, 0) == 0", "Item", "-acde"),
    ("price + 1 > rank", "Item", "abcd"), ("NOT price + 1 > rank", "Item", ""),
    ("NOT ANY items.price > 3", "Owner", "bobz"), ("ALL items.price < 3", "Owner", "bobz"),
    ("NOT ALL items.price < 3", "Owner", "a"), ("NONE items.price == nil", "Owner", "abobz"),
    ("items.@sum.price == nil", "Owner", "z"), ("items.@sum.price == 0", "Owner", ""),
    ("NOT items.@sum.price > 100", "Owner", "abob"), ("items.@max.price == nil", "Owner", "z"),
    ("SUBQUERY(items, $x, NOT $x.price == 4).@count == 1", "Owner", "a"),
    ("'a' IN items.name", "Owner", "a"), ("NOT 'a' IN items.name", "Owner", "bobz"),
    // D-407
    ("ANY owner.name == nil", "Item", ""), ("NOT ANY owner.name == nil", "Item", "-abcde"),
    ("ANY owner.name != nil", "Item", "abcd"), ("NOT ANY owner.name != nil", "Item", "-e"),
  ]

  private func check(_ cases: [Case]) throws {
    for (type, isSaved) in [
      (NSSQLiteStoreType, true), (NSInMemoryStoreType, true), (NSSQLiteStoreType, false),
    ] {
      let stack = try FetchingStack(type)
      try stack.context.performAndWait {
        if isSaved { try stack.seed() }
        try fill(stack, isSaved)
        for (format, entity, names) in cases {
          let request = FetchingStack.request(format, entity: entity)
          request.allowsEvaluationInMemory = false
          #expect(try stack.names(request) == names, "\(format) in \(type), saved: \(isSaved)")
          let followed = FetchingStack.names(of: try stack.context.followedObjects(of: request))
          #expect(followed == names, "\(format) followed in \(type)")
          let predicate = try #require(request.predicate)
          request.allowsEvaluationInMemory = true
          request.predicate = NSCompoundPredicate(
            orPredicateWithSubpredicates: [predicate, NSPredicate { _, _ in false }])
          #expect(try stack.names(request) == names, "\(format) in memory over \(type)")
        }
      }
    }
  }

  /// Adds an item without values and an owner without items; all objects where none is saved.
  private func fill(_ stack: FetchingStack, _ isSaved: Bool) throws {
    if !isSaved {
      let (ann, bob) = (
        stack.insert("Owner", ["name": "a"]), stack.insert("Owner", ["name": "bob"])
      )
      stack.insert("Item", ["name": "a", "price": 1.5, "rank": 1, "owner": ann])
      stack.insert("Item", ["name": "b", "price": 4.0, "rank": 1, "owner": ann])
      stack.insert("SpecialItem", ["name": "c", "price": 2.5, "rank": 2, "owner": bob])
      stack.insert("Item", ["name": "d", "price": 1.5, "rank": 2, "owner": bob])
      stack.insert("Item", ["name": "e", "rank": 3])
    }
    stack.insert("Item", ["rank": 9])
    stack.insert("Owner", ["name": "z"])
    if isSaved { try stack.context.save() }
  }

  @Test("a comparison with nil is unknown wherever a fetch evaluates it")
  func rules() throws { try check(Self.cases) }

  @Test("a minus before a string results in a number or nil, also in a list")
  func negatedTexts() throws {
    try check([
      ("rank == -'-2'", "Item", "cd"), ("name == -'a'", "Item", ""),
      ("NOT name == -'a'", "Item", ""),
      ("name IN {-'a', 'b'}", "Item", "b"), ("NOT name IN {-'a', 'b'}", "Item", ""),
      ("name IN {-'a'}", "Item", ""), ("rank IN {-'-2', 9}", "Item", "-cd"),
      ("NOT rank IN {-'-2', 9}", "Item", "abe"), ("rank == -nil", "Item", ""),
      ("rank BETWEEN {-'-2', 3}", "Item", "cde"), ("price == -'a'", "Item", ""),
    ])
  }

  @Test(
    "the entity of a missing object is unknown, also beside an entity that the model does not have")
  func entities() throws {
    let elsewhere = NSEntityDescription()
    elsewhere.name = "Elsewhere"
    for type in FetchingModel.stores {
      try FetchingStack(type).run { stack in
        let model = try #require(stack.context.persistentStoreCoordinator?.managedObjectModel)
        let owner = try #require(model.entitiesByName["Owner"])
        for (format, entity, names) in [
          ("owner.entity == %@", elsewhere, ""), ("NOT owner.entity == %@", elsewhere, "abcd"),
          ("owner.entity != %@", elsewhere, "abcd"), ("owner.entity == %@", owner, "abcd"),
          ("NOT owner.entity == %@", owner, ""),
        ] {
          for isChanged in [false, true] {
            if isChanged { try stack.item("e")?.setValue(8, forKey: "rank") }
            #expect(try stack.names(FetchingStack.request(format, [entity])) == names, "\(format)")
          }
          stack.context.rollback()
        }
      }
    }
  }

  @Test("plain evaluation follows Foundation: nil equals nil, and differs from everything else")
  func plain() throws {
    let item: [String: Any] = ["rank": 1]
    for (format, holds) in [
      ("name != 'x'", true), ("NOT name == 'x'", true), ("name == nil", true),
      ("name < 'x'", false),
      ("NOT name < 'x'", true), ("name IN {'a'}", false), ("NOT name IN {'a'}", true),
      ("name IN {nil}", true), ("name == -'a'", true),
    ] {
      #expect(NSPredicate(format: format).evaluate(with: item) == holds, "\(format)")
    }
  }
}
