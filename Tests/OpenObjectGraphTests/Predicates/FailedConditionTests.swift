import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenPredicates
import OpenStoreContract
import Testing

@Suite("Conditions in memory that cannot be evaluated for an object (D-417)")
struct FailedConditionTests {
  private func expectFailure(
    _ format: String, _ code: PredicateEvaluationError.Code, _ stack: FetchingStack
  ) throws {
    let request = FetchingStack.request(format, entity: "Owner")
    let error = try #require(throws: CocoaError.self, "\(format)") {
      try stack.context.fetch(request)
    }
    #expect(error.code == .coreData, "\(format)")
    let cause = try #require(error.userInfo[OpenStoreErrorKey] as? StoreError)
    #expect(cause.code == .unsupportedPredicate && cause.entityName == "Owner", "\(format)")
    #expect((cause.underlying as? PredicateEvaluationError)?.code == code, "\(format)")
  }

  @Test(
    "no string contains a computed number, in a store and in memory",
    arguments: FetchingModel.stores)
  func containedNumber(type: String) throws {
    try FetchingStack(type).run { stack throws in
      for place in ["name", "owner.items[0].name"] {
        let request = FetchingStack.request("\(place) CONTAINS -'12'", [])
        #expect(try stack.names(request) == "", "\(place)")
      }
    }
  }

  @Test(
    "a fetch throws for values that cannot be compared and for unknown names",
    arguments: FetchingModel.stores)
  func failures(type: String) throws {
    let samples: [(String, PredicateEvaluationError.Code)] = [
      ("items[0].price > 'a'", .typeMismatch), ("NOT items[0].price > 'a'", .typeMismatch),
      ("items[0].name < 3.5 + items[0].price", .typeMismatch), ("ANYKEY > 3", .typeMismatch),
      ("SUBQUERY(items, $x, $x.owner.items[0].price > 'a').@count > 0", .typeMismatch),
      ("name @noSuchComparisonForTests: 'a'", .unknownFunction),
      ("FUNCTION(items[0], 'valueForKey:', 'nothing').x == 1", .unknownKey),
    ]
    try FetchingStack(type).run { stack throws in
      for (format, code) in samples { try expectFailure(format, code, stack) }
      stack.insert("Owner", ["name": "carl"])
      for (format, code) in samples { try expectFailure(format, code, stack) }
    }
  }

  @Test(
    "a numeric string, a registered comparison and an invalid pattern are no errors",
    arguments: FetchingModel.stores)
  func comparisons(type: String) throws {
    // The cases run at the same time, and each one ends its own registration.
    let name = "isLongerForTests\(type):"
    PredicateFunctions.register(name) { operands in
      (operands.first as? String ?? "").count > (operands.last as? String ?? "").count
    }
    defer { PredicateFunctions.unregister(name) }
    try FetchingStack(type).run { stack throws in
      func found(_ format: String, _ arguments: [Any] = []) throws -> String {
        try stack.names(FetchingStack.request(format, arguments, entity: "Owner"))
      }
      #expect(try found("items[0].price > '1'") == "abob")
      #expect(try found("items[0].price == 'a'") == "")
      #expect(try found("name @\(name) 'xx'") == "bob")
      #expect(try found("items[0].name MATCHES %@", ["["]) == "")
      #expect(try found("name == 'none' AND items[0].price > 'a'") == "")
    }
  }

  @Test(
    "an element without a value is no error in a subquery, and a comparison with it is unknown",
    arguments: FetchingModel.stores)
  func elementsWithoutValues(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let owner = try #require(try stack.item("bob", "Owner"))
      stack.insert("Item", ["rank": 9, "owner": owner])
      try stack.context.save()
      for format in [
        "SUBQUERY(items.name, $n, $n BEGINSWITH 'c').@count == 1",
        "SUBQUERY(items.name, $n, $n == nil).@count == 1",
        "SUBQUERY(items.name, $n, $n != 'c').@count == 1",
        "SUBQUERY(items.name, $n, NOT 'c' == $n).@count == 1",
      ] {
        let names = try stack.names(FetchingStack.request(format, entity: "Owner"))
        #expect(names == "bob", "\(format)")
      }
    }
  }
}
