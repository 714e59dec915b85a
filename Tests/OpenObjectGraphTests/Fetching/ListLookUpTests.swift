import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

/// Lookups of rows by many values of an indexed attribute, or by many keys.
@Suite("Looking rows up by a list")
struct ListLookUpTests {
  /// Items and special items, with indexes on codes and numbers and no index on texts.
  private struct Items {
    let context: NSManagedObjectContext
    let recorder = StatementRecorder()

    init(level: Int = 0) throws {
      let item = NSEntityDescription()
      item.name = "Item"
      item.properties = [
        attribute("code", .string), attribute("number", .integer64), attribute("text", .string),
      ]
      item.indexes = ["code", "number"].compactMap { name in
        item.propertiesByName[name].map {
          NSFetchIndexDescription(
            name: name,
            elements: [NSFetchIndexElementDescription(property: $0, collationType: .binary)])
        }
      }
      let special = NSEntityDescription()
      special.name = "SpecialItem"
      item.subentities = [special]
      let model = NSManagedObjectModel()
      model.entities = [item, special]
      let store = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
      store.setOption(recorder.observer, forKey: OpenStatementObserverOption)
      store.setOption(NSNumber(value: level), forKey: OpenSQLDebugOption)
      context = try NSPersistentContainer.loaded("Items", model, [store]).newBackgroundContext()
    }

    /// Creates an item for each code, with the code as its text; every third item is special.
    func fill(_ codes: [String]) throws {
      try context.performAndWait {
        for (index, code) in codes.enumerated() {
          let name = index % 3 == 0 ? "SpecialItem" : "Item"
          let item = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
          item.setValue(code, forKey: "code")
          item.setValue(code, forKey: "text")
          item.setValue(index - 10, forKey: "number")
        }
        try context.save()
        context.reset()
      }
    }

    func request(
      _ format: String, _ list: [Any], entity: String = "Item"
    ) -> NSFetchRequest<NSManagedObject> {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: format, list as NSArray)
      return request
    }

    /// Returns the texts of the found items.
    func texts(_ request: NSFetchRequest<NSManagedObject>) throws -> [String] {
      try context.performAndWait {
        try context.fetch(request).map { $0.value(forKey: "text") as? String ?? "" }
      }
    }
  }

  private static let codes = [
    "", "a", "ab", "abcdefgh", "abcdefghi", "abcdefgh\0", "abcdefgh\u{1}", "abcdefgi", "É",
    "e\u{301}",
    "Z", "z", "\0", "\0\0", "日本語の文字", "日本語の文", "👩‍👩‍👧", "%", "_", "'", "\"", "12", "012", "1.0",
  ]

  @Test(
    "each row with one of the texts is found once, regardless of order and duplicates")
  func texts() throws {
    let items = try Items()
    try items.fill(Self.codes + Self.codes + (0..<2_000).map { "code \($0)" })
    let wanted = ["none", "code 7", "abc", "Code 8"] + Self.codes.reversed() + Self.codes.prefix(9)
    let found = try items.texts(items.request("code IN %@", wanted))
    let expected = (Self.codes + Self.codes + ["code 7"]).map { Array($0.utf8) }
    #expect(
      found.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        == expected.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(items.recorder.all.last?.contains("FROM OpenCoreDataList(?)") == true)
  }

  @Test("numbers are also looked up")
  func numbers() throws {
    let items = try Items()
    try items.fill((0..<200).map { "code \($0)" })
    let wanted = [5, -3, 5, 1_000, -10, Int.max, Int.min] + Array(20..<40).reversed()
    let found = try items.texts(items.request("number IN %@", wanted))
    let expected = ([-10, -3, 5] + Array(20..<40)).map { "code \($0 + 10)" }
    #expect(found == expected)
    #expect(items.recorder.all.last?.contains("FROM OpenCoreDataList(?)") == true)
  }

  @Test(
    "counts, ids, orders, limits and entities are those of the same condition on an attribute without an index"
  )
  func kinds() throws {
    let items = try Items()
    try items.fill((0..<300).map { "code \($0)" })
    let wanted = (0..<100).map { "code \($0 * 7 % 290)" }
    let context = items.context
    for entity in ["Item", "SpecialItem"] {
      let indexed = items.request("code IN %@", wanted, entity: entity)
      let plain = items.request("text IN %@", wanted, entity: entity)
      try context.performAndWait { () throws in
        #expect(try context.count(for: indexed) == context.count(for: plain))
        for (order, limit, offset) in [(true, 0, 0), (false, 0, 0), (true, 7, 0), (false, 7, 5)] {
          for request in [indexed, plain] {
            request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: order)]
            request.fetchLimit = limit
            request.fetchOffset = offset
          }
          #expect(try context.fetch(indexed) == context.fetch(plain))
          for request in [indexed, plain] { request.fetchBatchSize = 3 }
          #expect(
            try context.fetch(indexed).map(\.objectID) == context.fetch(plain).map(\.objectID))
          for request in [indexed, plain] { request.fetchBatchSize = 0 }
        }
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: entity)
        ids.resultType = .managedObjectIDResultType
        ids.predicate = indexed.predicate
        plain.fetchLimit = 0
        plain.fetchOffset = 0
        #expect(try Set(context.fetch(ids)) == Set(context.fetch(plain).map(\.objectID)))
      }
    }
  }

  /// A condition, and the positions of the items that it selects.
  struct Condition: Sendable {
    let format: String
    let list: @Sendable () -> [Any]
    let expected: [Int]

    init(_ format: String, _ list: @escaping @Sendable () -> [Any], _ expected: some Sequence<Int>)
    {
      (self.format, self.list, self.expected) = (format, list, Array(expected))
    }

    static func codes(_ range: Range<Int>) -> [Any] { range.map { "code \($0)" } }

    static let all = [
      Condition("code IN %@", { (0..<50).map { $0 } }, []),
      Condition("code IN %@", { [NSNull()] + codes(0..<50) }, 0..<50),
      Condition("number IN %@", { (0..<50).map { $0 == 9 ? 9.0 : Double($0) + 0.5 } }, [19]),
      Condition("code IN %@", { codes(10..<40).flatMap { [$0, $0] } }, 10..<40),
      Condition("code IN %@", { ["code 3"] }, [3]),
      Condition("code IN %@", { [] }, []),
      Condition("NOT code IN %@", { codes(4..<300) }, 0..<4),
      Condition("code IN[c] %@", { (0..<50).map { "CODE \($0)" } }, 0..<50),
      Condition("text != 'code 2' AND code IN %@", { codes(0..<50) }, [0, 1] + Array(3..<50)),
      Condition("number == 0 OR code IN %@", { codes(0..<20) }, 0..<20),
    ]
  }

  @Test(
    "other values, few or no values, and further conditions find the correct rows",
    arguments: Condition.all)
  func others(condition: Condition) throws {
    let items = try Items()
    try items.fill((0..<300).map { "code \($0)" })
    let request = items.request(condition.format, condition.list())
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    #expect(try items.texts(request) == condition.expected.map { "code \($0)" })
  }

  @Test(
    "the values and their number can change between two fetches of the same shape"
  )
  func again() throws {
    let items = try Items()
    try items.fill((0..<3_000).map { "code \($0)" })
    for count in [16, 2_500, 17, 16, 1_000] {
      let wanted = (0..<count).map { "code \($0 + count % 5)" }
      #expect(try items.texts(items.request("code IN %@", wanted)).count == count)
    }
    let statements = Set(items.recorder.all.filter { $0.contains("OpenCoreDataList") })
    #expect(statements.count == 1)
  }

  @Test(
    "only indexed attributes are looked up, and an explanation names the index"
  )
  func plans() throws {
    let items = try Items()
    try items.fill(["one"])
    let wanted = (0..<50).map { "code \($0)" }
    _ = try items.texts(items.request("text IN %@", wanted))
    #expect(items.recorder.all.last?.contains("OpenCoreDataList") == false)
    let context = items.context
    let explanation = try context.performAndWait {
      try context.explanation(of: items.request("code IN %@", wanted), showsBindings: true)
    }
    let part = try #require(explanation.stores.first)
    #expect(part.sql?.contains("OpenCoreDataList(?)") == true)
    #expect(part.indexes == ["Z_Item_code"])
    #expect(part.fullScans.isEmpty)
    #expect(part.bindings?.first?.contains("code 1") == true)
    #expect(explanation.suggestions.isEmpty)
  }

  @Test(
    "the rows of thousands of faults are read a thousand or more at a time, whatever their number by one text"
  )
  func keys() throws {
    let items = try Items()
    try items.fill((0..<3_000).map { "code \($0)" })
    let context = items.context
    try context.performAndWait {
      let request = items.request("number IN %@", Array(-10..<2_990))
      request.includesPropertyValues = false
      let objects = try context.fetch(request)
      #expect(objects.count == 3_000)
      let fired = items.recorder.recording {
        objects.map { $0.value(forKey: "text") as? String ?? "" }
      }
      #expect(fired.result.allSatisfy { $0.hasPrefix("code") })
      #expect(fired.statements.count <= 3)
      #expect(Set(fired.statements).count == 1)
      #expect(fired.statements.first?.contains("t0.Z_PK = list.value") == true)
      let faults = NSFetchRequest<NSManagedObject>(entityName: "Item")
      faults.predicate = NSPredicate(format: "self IN %@", objects as NSArray)
      #expect(try context.fetch(faults).count == 3_000)
    }
  }

  @Test("if values are shown, lists are shown as well")
  func shown() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let items = try Items(level: 3)
      try items.fill((0..<40).map { "code \($0)" })
      let found = try items.texts(items.request("code IN %@", (0..<20).map { "code \($0)" }))
      guard found.count == 20 else { throw CocoaError(.coderInvalidValue) }
    }
    let log = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(log.contains("IN ('code 0', 'code 1', "))
    #expect(!log.contains("OpenCoreDataList"))
  }
}
