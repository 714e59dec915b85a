import Foundation
import OpenCoreData
import OpenPredicates
import Testing

/// Totals of groups and of all rows, and requests that cannot have groups.
@Suite("Totals and groups")
struct TotalTests {
  private func column(
    _ name: String, _ format: String, _ type: NSAttributeType = .doubleAttributeType
  ) -> NSExpressionDescription {
    let column = NSExpressionDescription()
    column.name = name
    column.expression = OpenPredicates.NSExpression(format: format)
    column.expressionResultType = type
    return column
  }

  /// Apple's statements calculate sums with SQLite's TOTAL, which is 0 for no values.
  @Test("the sum of no values is 0, of groups and of all rows", arguments: FetchingModel.stores)
  func sumsOfNothing(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let (total, mean) = (column("total", "sum:(price)"), column("mean", "average:(price)"))
      let groups = FetchingStack.dictionaries(["rank", total, mean], sort: "rank")
      groups.propertiesToGroupBy = ["rank"]
      let rows = try stack.context.fetch(groups)
      #expect(rows.map { $0["total"] as? Double } == [5.5, 4, 0])
      #expect(rows.map { $0["mean"] as? Double } == [2.75, 2, nil])
      groups.havingPredicate = NSPredicate(format: "$total == 0")
      #expect(try stack.context.fetch(groups).map { $0["rank"] as? Int } == [3])
      let whole = FetchingStack.dictionaries([total, mean])
      whole.predicate = NSPredicate(format: "name == 'nothing'")
      let row = try #require(try stack.context.fetch(whole).first)
      #expect(row["total"] as? Double == 0)
      #expect(row["mean"] == nil)
    }
  }

  @Test(
    "D-421: a sum of integers is exact, and an error if it does not fit into 64 bits",
    arguments: FetchingModel.stores + ServedStores.types)
  func sumsOfIntegers(type: String) throws {
    let context = try ShelfModel.container(type).newBackgroundContext()
    try context.performAndWait { () throws in
      func sum(_ format: String, _ type: NSAttributeType) throws -> Any? {
        let request = NSFetchRequest<NSDictionary>(entityName: "ShelfBook")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [column("sum", format, type)]
        return try context.fetch(request).first?["sum"]
      }
      for pages in [Int64.max - 1, 1] { ShelfBook(context: context).pages = pages }
      try context.save()
      #expect(try sum("sum:(pages)", .integer64AttributeType) as? Int == Int.max)
      ShelfBook(context: context).pages = 1
      try context.save()
      for type in [NSAttributeType.integer64AttributeType, .doubleAttributeType] {
        let error = try #require(throws: CocoaError.self) { _ = try sum("sum:(pages)", type) }
        #expect(error.code == .coreData)
        #expect(error.localizedDescription.contains("64 bits"))
      }
      #expect(try sum("sum:(pages * 1.0)", .doubleAttributeType) as? Double == 0x1p63)
    }
  }

  @Test("a request for objects, ids or a count cannot have groups", arguments: FetchingModel.stores)
  func groupsOfObjects(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
      request.propertiesToGroupBy = ["rank"]
      for type in [
        NSFetchRequestResultType.managedObjectResultType, .managedObjectIDResultType,
        .countResultType,
      ] {
        request.resultType = type
        let reads: [() throws -> Void] = [
          { _ = try stack.context.fetch(request) }, { _ = try stack.context.count(for: request) },
        ]
        for read in reads {
          let error = try #require(throws: CocoaError.self) { try read() }
          #expect(error.code == .coreData)
          #expect(error.localizedDescription.contains("dictionaryResultType"))
        }
      }
      request.propertiesToGroupBy = []
      #expect(try stack.context.count(for: request) == 5)
    }
  }
}
