import Foundation
import OpenObjectGraph
import OpenStoreTool
import Testing

@Suite("fetch prints the rows of an entity")
struct StoreQueryTests {
  @Test("with a value of every type")
  func types() throws {
    let sample = try Sample()
    let uuid = UUID()
    let day = Date(timeIntervalSinceReferenceDate: 700_000_000.123456)
    try sample.write { context in
      let item = try Sample.insert("Item", into: context)
      let values: [String: Any] = [
        "amount": Decimal(string: "12.34") ?? 0, "big": Int64.min, "bytes": Data([1, 2, 255]),
        "day": day, "flag": true, "id": uuid, "link": URL(fileURLWithPath: "/tmp/é"),
        "medium": 7, "ratio": 0.1, "single": Float(0.5), "small": -3, "title": "a \"b\"\n",
      ]
      for (key, value) in values { item.setValue(value, forKey: key) }
    }
    let row = try #require(try sample.rows().first)
    let names = (Sample.attributes.map(\.name) + ["owner"]).sorted()
    #expect(row.map(\.key) == ["objectID", "entity"] + names)
    #expect(row["objectID"]?.cell.hasSuffix("/Item/p1") == true)
    #expect(row["amount"] == .text("12.34"))
    #expect(row["big"] == .integer(.min))
    #expect(row["bytes"] == .text("AQL/"))
    #expect(row["flag"] == .bool(true))
    #expect(row["id"] == .text(uuid.uuidString))
    #expect(row["link"] == .text(URL(fileURLWithPath: "/tmp/é").absoluteString))
    #expect(row["ratio"] == .real(0.1))
    #expect(row["single"] == .real(0.5))
    #expect(row["small"] == .integer(-3))
    #expect(row["title"] == .text("a \"b\"\n"))
    #expect(row["owner"] == .null)
    let text = try #require(row["day"]?.cell)
    #expect(Moment.seconds(text) == day.timeIntervalSinceReferenceDate)
  }

  @Test("by primary key unless it is sorted, with limit and offset")
  func order() throws {
    let sample = try Sample()
    try sample.writeItems(12)
    let keys = try sample.rows().map { $0["objectID"]?.cell.split(separator: "/p").last ?? "" }
    #expect(keys.compactMap { Int($0) } == Array(1...12))
    let page = try sample.rows {
      $0.sortKeys = ["-medium"]
      $0.limit = 2
      $0.offset = 1
    }
    #expect(page.map { $0["medium"] } == [.integer(11), .integer(10)])
    #expect(try sample.rows { $0.limit = 0 }.isEmpty)
    let found = try sample.rows { $0.predicate = "medium > 10 AND title BEGINSWITH 'Item'" }
    #expect(found.count == 2)
  }

  @Test("with relationships as object ids, ordered ones in their order")
  func relationships() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    let owner = try #require(try sample.rows("Owner", includesToMany: true).first)
    let items = try sample.rows { $0.sortKeys = ["-medium"] }
    #expect(owner["items"] == .list(items.compactMap { $0["objectID"] }))
    #expect(items.allSatisfy { $0["owner"] == owner["objectID"] })
    #expect(try sample.rows("Owner").first?["items"] == nil)
    let read = try ObjectReading(sample.open()).object(owner["objectID"]?.cell ?? "")
    #expect(read == owner)
  }

  @Test(
    "and explains what is wrong with a query",
    arguments: ["medium ===", "nothing = 1", "medium = $x", "FUNCTION(", "items.@sum.x > 1"])
  func badPredicate(_ predicate: String) throws {
    let sample = try Sample()
    try sample.writeItems(1)
    let error = #expect(throws: ToolError.self) {
      try sample.rows { $0.predicate = predicate }
    }
    #expect(error?.status == .usage)
    #expect(error?.message.isEmpty == false)
  }

  @Test("unknown entities and keys, and negative numbers, are wrong use")
  func badOptions() throws {
    let sample = try Sample()
    try sample.writeItems(1)
    let changes: [(inout StoreQuery) -> Void] = [
      { $0.entity = "Nothing" }, { $0.sortKeys = ["nothing"] }, { $0.limit = -1 },
      { $0.offset = -1 },
    ]
    for change in changes {
      let error = #expect(throws: ToolError.self) { try sample.rows("Item", change) }
      #expect(error?.status == .usage)
    }
    for uri in ["nonsense", "x-coredata://other/Item/p1", ""] {
      let error = #expect(throws: ToolError.self) {
        try ObjectReading(sample.open()).object(uri)
      }
      #expect(error?.status == .usage)
    }
  }
}
