import Foundation
import OpenCoreData
import Testing

/// Conditions on dictionaries and on objects that are arguments or variables.
@Suite("Collections as arguments")
struct CollectionArgumentTests {
  private func names(
    _ format: String, _ arguments: [Any], _ stack: FetchingStack, inMemory: Bool = false,
    entity: String = "Item"
  ) throws -> String {
    let request = FetchingStack.request(format, arguments, entity: entity)
    request.allowsEvaluationInMemory = inMemory
    return try stack.names(request)
  }

  @Test("the members of a dictionary are its values", arguments: FetchingModel.stores)
  func dictionaries(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let all = try stack.context.fetch(FetchingStack.request())
      let owner = try #require(all.first?.value(forKey: "owner") as? NSManagedObject)
      let named = ["x": "a", "y": "c"]
      let cases: [(format: String, argument: Any, names: String)] = [
        ("name IN %@", named, "ac"), ("NOT name IN %@", named, "bde"),
        ("%@ CONTAINS name", named, "ac"), ("rank IN %@", ["x": 3] as NSDictionary, "e"),
        ("rank IN %@", ["x": 3, 4: 1] as [AnyHashable: Any], "abe"),
        ("owner IN %@", ["o": owner], "ab"), ("name IN %@", [String: String](), ""),
        ("rank == %@.@count", named, "cd"),
      ]
      for (format, argument, wanted) in cases {
        #expect(try names(format, [argument], stack) == wanted, "\(format)")
        let predicate = NSPredicate(format: format, argumentArray: [argument])
        let evaluated = all.filter { predicate.evaluate(with: $0) }
        #expect(FetchingStack.names(of: evaluated) == wanted, "\(format) evaluated")
        let request = FetchingStack.request()
        request.predicate = NSCompoundPredicate(
          orPredicateWithSubpredicates: [predicate, NSPredicate { _, _ in false }])
        #expect(try stack.names(request) == wanted, "\(format) in memory")
      }
      let request = FetchingStack.request()
      request.predicate = NSPredicate(format: "name IN $names")
        .withSubstitutionVariables(["names": named])
      request.allowsEvaluationInMemory = false
      #expect(try stack.names(request) == "ac")
      // Values of types that stores do not support are compared in memory.
      #expect(try names("name IN %@", [["x": NSObject()]], stack, inMemory: true) == "")
    }
  }

  @Test(
    "a live set of a relationship's members is a collection", arguments: FetchingModel.stores)
  func liveSets(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let all = try stack.context.fetch(FetchingStack.request())
      let owner = try #require(all.first?.value(forKey: "owner") as? NSManagedObject)
      let items = owner.mutableSetValue(forKey: "items")
      for (format, wanted) in [
        ("SELF IN %@", "ab"), ("NOT SELF IN %@", "cde"), ("%@ CONTAINS SELF", "ab"),
        ("rank == %@.@count", "cd"),
      ] {
        #expect(try names(format, [items], stack) == wanted, "\(format)")
        let predicate = NSPredicate(format: format, argumentArray: [items])
        let evaluated = all.filter { predicate.evaluate(with: $0) }
        #expect(FetchingStack.names(of: evaluated) == wanted, "\(format) evaluated")
      }
    }
  }

  @Test(
    "a subquery of objects that are arguments is evaluated before the fetch",
    arguments: FetchingModel.stores)
  func subqueries(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let all = try stack.context.fetch(FetchingStack.request())
      for (format, wanted) in [
        ("SELF IN SUBQUERY(%@, $x, $x.rank > 1)", "cde"),
        ("NOT SELF IN SUBQUERY(%@, $x, $x.rank > 1)", "ab"),
        ("rank == SUBQUERY(%@, $x, $x.rank > 1).@count", "e"),
        ("SELF == SUBQUERY(%@, $x, $x.rank > 1)[FIRST]", "c"),
        ("rank > SUBQUERY(%@, $x, $x.rank > 1)[FIRST].rank", "e"),
        ("%@[0].owner == owner", "ab"),
        // As in other conditions of fetches, a comparison with nil is unknown.
        ("SELF IN SUBQUERY(%@, $x, $x.price != 4.0)", "acd"),
      ] {
        #expect(try names(format, [all], stack) == wanted, "\(format)")
      }
      #expect(
        try names(
          "SUBQUERY(items, $i, $i IN SUBQUERY(%@, $x, $x.rank > 1)).@count > 0", [all], stack,
          entity: "Owner") == "bob")
      let request = FetchingStack.request()
      request.predicate = NSPredicate(format: "SELF IN SUBQUERY($all, $x, $x.rank > 1)")
        .withSubstitutionVariables(["all": Set(all)])
      request.allowsEvaluationInMemory = false
      #expect(try stack.names(request) == "cde")
      // The condition on the members differs between rows.
      #expect(
        try names("SUBQUERY(%@, $x, $x.rank == rank).@count == 2", [all], stack, inMemory: true)
          == "abcd")
    }
  }

  @Test("a key path can follow FETCH", arguments: FetchingModel.stores)
  func pathOfFetch(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let cheap = FetchingStack.request("price < 2")
      #expect(
        try names("rank == FETCH(%@, %@, NO).@count", [cheap, stack.context], stack) == "cd")
      #expect(
        try names("rank > FETCH(%@, %@, NO).@max.rank", [cheap, stack.context], stack) == "e")
    }
  }

  @Test("the reason for evaluation in memory names the type of the argument")
  func reason() throws {
    try FetchingStack(NSSQLiteStoreType).run { stack throws in
      for format in ["name == %@", "rank == max(rank, %@)", "rank == max(1, %@)"] {
        let explanation = try stack.context.explanation(
          of: FetchingStack.request(format, [NSObject()]))
        #expect(
          explanation.inMemory.map(\.reason) == ["an argument of the type NSObject"], "\(format)")
      }
    }
  }
}
