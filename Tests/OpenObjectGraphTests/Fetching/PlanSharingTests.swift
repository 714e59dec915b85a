import Foundation
import OpenCoreData
import OpenPredicates
import Testing

/// Similar requests with different meanings do not share a plan.
@Suite("Plans of similar requests")
struct PlanSharingTests {
  /// One comparison of each argument with the name, so that nil becomes `IS NULL`.
  private func format(_ count: Int) -> String {
    (0..<count).map { _ in "name == %@" }.joined(separator: " OR ")
  }

  @Test(
    "nil at any one of 200 arguments selects the objects without a value regardless of earlier fetches",
    arguments: FetchingModel.stores)
  func nilArguments(type: String) throws {
    try FetchingStack(type).run { stack throws in
      stack.insert("Item", ["rank": 9])
      try stack.context.save()
      // Each argument selects a different name, so that only the correct plan finds the correct
      // objects.
      let format = (0..<200).map { "(rank == \($0) AND name == %@)" }.joined(separator: " OR ")
      for place in [0, 64, 128, 1, 65, 63, 127, 191, 199, 9, 73, 137, 0] {
        var arguments: [Any] = Array(repeating: "zzz", count: 200)
        arguments[place] = NSNull()
        let found = try stack.context.fetch(FetchingStack.request(format, arguments))
        #expect(found.count == (place == 9 ? 1 : 0), "nil at \(place)")
      }
    }
  }

  @Test("nil at each of 130 arguments has a separate plan", arguments: FetchingModel.stores)
  func eachNilArgument(type: String) throws {
    try FetchingStack(type).run { stack throws in
      for number in 0..<130 { stack.insert("Item", ["rank": 1000 + number]) }
      try stack.context.save()
      let format = (0..<130).map { "(rank == \(1000 + $0) AND name == %@)" }
        .joined(separator: " OR ")
      for place in 0..<130 {
        var arguments: [Any] = Array(repeating: "zzz", count: 130)
        arguments[place] = NSNull()
        let found = try stack.context.fetch(FetchingStack.request(format, arguments))
        #expect(found.map { $0.value(forKey: "rank") as? Int } == [1000 + place])
      }
    }
  }

  @Test(
    "a list at argument 64 is not planned as a text at argument 0", arguments: FetchingModel.stores)
  func lists(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let format = (0..<66).map { _ in "name IN %@" }.joined(separator: " OR ")
      for place in [0, 64, 1, 65] {
        var arguments: [Any] = Array(repeating: "", count: 66)
        arguments[place] = ["a", "e"]
        #expect(
          try stack.names(FetchingStack.request(format, arguments)) == "ae", "list at \(place)")
        arguments[place] = "ab"
        #expect(
          try stack.names(FetchingStack.request(format, arguments)) == "ab", "text at \(place)")
      }
    }
  }

  @Test("entities at arguments 0 and 64 are distinguished", arguments: FetchingModel.stores)
  func entities(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let model = try #require(stack.context.persistentStoreCoordinator?.managedObjectModel)
      let (item, special) = (model.entitiesByName["Item"], model.entitiesByName["SpecialItem"])
      let other = NSEntityDescription()
      other.name = "Elsewhere"
      let format = "entity == %@ AND NOT (\(self.format(64))) AND NOT entity == %@"
      for (first, last, names) in [
        (item, special, "abde"), (special, item, "c"), (special, special, ""), (item, item, ""),
        (item, other, "abde"), (other, item, ""),
      ] {
        var arguments: [Any] = Array(repeating: "zzz", count: 66)
        (arguments[0], arguments[65]) = (first ?? NSNull(), last ?? NSNull())
        #expect(try stack.names(FetchingStack.request(format, arguments)) == names)
      }
    }
  }

  @Test(
    "a condition on rows and an equal condition on groups have separate plans",
    arguments: FetchingModel.stores)
  func having(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let total = NSExpressionDescription()
      total.name = "rank"
      total.expression = OpenPredicates.NSExpression(format: "count:(name)")
      total.expressionResultType = .integer64AttributeType
      let request = FetchingStack.dictionaries(["price", total], sort: "price")
      request.propertiesToGroupBy = ["price"]
      let condition = NSPredicate(format: "rank > %d", 1)
      for _ in 0..<2 {
        (request.predicate, request.havingPredicate) = (condition, nil)
        let selected = try stack.context.fetch(request).map { $0["price"] as? Double }
        #expect(selected == [nil, 1.5, 2.5])
        (request.predicate, request.havingPredicate) = (nil, condition)
        let groups = try stack.context.fetch(request).map { $0["price"] as? Double }
        #expect(groups == [1.5])
      }
    }
  }

  @Test(
    "columns with canonically equivalent texts have separate plans, and distinct texts compare by bytes",
    arguments: FetchingModel.stores)
  func equivalentTexts(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let (composed, decomposed) = ("\u{E9}", "e\u{301}")
      stack.insert("Item", ["name": composed, "rank": 77])
      stack.insert("Item", ["name": decomposed, "rank": 77])
      try stack.context.save()
      func numbers(_ text: String) throws -> [Int?] {
        let column = NSExpressionDescription()
        column.name = "match"
        column.expression = OpenPredicates.NSExpression(format: "TERNARY(name == %@, 1, 0)", text)
        column.expressionResultType = .integer64AttributeType
        let request = FetchingStack.dictionaries([column], sort: "name")
        request.predicate = NSPredicate(format: "rank == 77")
        return try stack.context.fetch(request).map { $0["match"] as? Int }
      }
      // Decomposed texts have the smaller bytes.
      #expect(try numbers(composed) == [0, 1])
      #expect(try numbers(decomposed) == [1, 0])
      let count = NSExpressionDescription()
      count.name = "count"
      count.expression = OpenPredicates.NSExpression(
        format: "count:(@distinctUnionOfObjects.name)")
      count.expressionResultType = .integer64AttributeType
      let request = FetchingStack.dictionaries([count])
      request.predicate = NSPredicate(format: "rank == 77")
      #expect(try stack.context.fetch(request).map { $0["count"] as? Int } == [2])
    }
  }

  @Test(
    "a column of constants does not use the predicate's arguments",
    arguments: FetchingModel.stores)
  func constantColumns(type: String) throws {
    try FetchingStack(type).run { stack throws in
      func request(_ expression: OpenPredicates.NSExpression) -> NSFetchRequest<NSDictionary> {
        let column = NSExpressionDescription()
        column.name = "value"
        column.expression = expression
        column.expressionResultType = .integer64AttributeType
        let request = FetchingStack.dictionaries(["name", column], sort: "name")
        request.predicate = NSPredicate(format: "rank == %d AND name != %@", 2, "zzz")
        return request
      }
      let sum = request(OpenPredicates.NSExpression(format: "1 + %d", 41))
      #expect(try stack.context.fetch(sum).map { $0["value"] as? Int } == [42, 42])
      let now = request(OpenPredicates.NSExpression(format: "noindex:(abs:(-5))"))
      #expect(try stack.context.fetch(now).map { $0["value"] as? Int } == [5, 5])
      let object = request(OpenPredicates.NSExpression(forConstantValue: NSObject()))
      #expect(throws: CocoaError.self) { try stack.context.fetch(object) }
    }
  }

  @Test(
    "nil as any argument of any operator finds the rows of plain SQL in both stores, and never traps",
    arguments: FetchingModel.stores)
  func everyOperator(type: String) throws {
    try FetchingStack(type).run { stack throws in
      stack.insert("Item", ["rank": 9])
      try stack.context.save()
      let expected: [(String, Int, String)] = [
        ("name == %@", 1, "-"), ("name != %@", 1, "abcde"), ("%@ == name", 1, "-"),
        ("%@ != name", 1, "abcde"), ("name < %@", 1, ""), ("name >= %@", 1, ""),
        ("NOT name < %@", 1, ""), ("name BEGINSWITH %@", 1, ""), ("name CONTAINS[cd] %@", 1, ""),
        ("name ENDSWITH %@", 1, ""), ("name LIKE %@", 1, ""), ("name MATCHES %@", 1, ""),
        ("name IN %@", 1, ""), ("NOT name IN %@", 1, ""), ("%@ IN name", 1, ""),
        ("name IN {%@, %@}", 2, ""), ("rank BETWEEN {%@, %@}", 2, ""),
        ("rank + %@ == 1", 1, ""), ("owner == %@", 1, "-e"), ("owner.name == %@", 1, "-e"),
        ("owner != %@", 1, "abcd"), ("SELF == %@", 1, ""), ("SELF != %@", 1, "-abcde"),
        ("SELF IN %@", 1, ""), ("%@ == %@", 2, "-abcde"), ("%@ != %@", 2, ""),
        ("TERNARY(name == %@, 1, 0) == 1", 1, "-"),
      ]
      for (format, count, names) in expected {
        let arguments = Array(repeating: NSNull() as Any, count: count)
        #expect(
          try stack.names(FetchingStack.request(format, arguments)) == names, "\(format)")
      }
      for format in ["rank BETWEEN %@", "entity == %@"] {
        #expect(throws: (any Error).self, "\(format)") {
          try stack.context.fetch(FetchingStack.request(format, [NSNull()]))
        }
      }
      let owners = FetchingStack.request("ANY items.name == %@", [NSNull()], entity: "Owner")
      #expect(try stack.names(owners) == "")
    }
  }
}
