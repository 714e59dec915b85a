import Foundation
import OpenCoreData
import OpenPredicates
import Testing

/// Fetches of dictionaries: columns, groups, conditions on groups, order.
@Suite("Fetches of dictionaries")
struct DictionaryFetchTests {
  private func values(
    of key: String, _ request: NSFetchRequest<NSDictionary>, _ stack: FetchingStack
  ) throws -> [Int?] {
    try stack.context.fetch(request).map { $0[key] as? Int }
  }

  private func prices(
    of key: String, _ request: NSFetchRequest<NSDictionary>, _ stack: FetchingStack
  ) throws -> [Double?] {
    try stack.context.fetch(request).map { $0[key] as? Double }
  }

  private func column(
    _ name: String, _ format: String, _ type: NSAttributeType = .doubleAttributeType
  ) -> NSExpressionDescription {
    let column = NSExpressionDescription()
    column.name = name
    column.expression = OpenPredicates.NSExpression(format: format)
    column.expressionResultType = type
    return column
  }

  @Test(
    "columns are attributes, to-one relationships, key paths and ids; nil is omitted",
    arguments: FetchingModel.stores)
  func columns(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let request = FetchingStack.dictionaries(
        ["name", "price", "owner", "owner.name", "objectID"], sort: "name")
      let rows = try stack.context.fetch(request)
      #expect(rows.count == 5)
      #expect(rows[0]["price"] as? Double == 1.5)
      #expect(rows[0]["owner.name"] as? String == "a")
      let item = try stack.item("c")
      #expect(rows[2]["objectID"] as? NSManagedObjectID == item?.objectID)
      let owner = item?.value(forKey: "owner") as? NSManagedObject
      #expect(rows[2]["owner"] as? NSManagedObjectID == owner?.objectID)
      #expect(rows[4]["price"] == nil)
      #expect(rows[4]["owner"] == nil)
    }
  }

  @Test(
    "many results are complete and in order, as dictionaries of both kinds",
    arguments: FetchingModel.stores)
  func many(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let ranks = Array(-300..<800)
      for rank in ranks {
        let item = stack.insert("Item", ["rank": rank, "price": 0.25])
        if rank % 3 != 0 { item.setValue("x\(rank)", forKey: "name") }
      }
      try stack.context.save()
      let request = FetchingStack.dictionaries(["rank", "name"], sort: "rank")
      request.predicate = NSPredicate(format: "price == 0.25")
      let names = ranks.map { $0 % 3 == 0 ? nil : "x\($0)" }
      let found = try stack.context.fetch(request)
      #expect(found.map { $0["rank"] as? Int } == ranks)
      #expect(found.map { $0["name"] as? String } == names)
      #expect(found.map(\.count) == names.map { $0 == nil ? 1 : 2 })
      let native = NSFetchRequest<[String: Any]>(entityName: "Item")
      native.resultType = .dictionaryResultType
      native.propertiesToFetch = ["rank", "name"]
      native.predicate = request.predicate
      native.sortDescriptors = request.sortDescriptors
      let pairs = try stack.context.fetch(native)
      #expect(pairs.map { $0["rank"] as? Int } == ranks)
      #expect(pairs.map { $0["name"] as? String } == names)
      request.fetchLimit = 300
      request.fetchOffset = 200
      let part = try stack.context.fetch(request)
      #expect(part.map { $0["rank"] as? Int } == Array(ranks[200..<500]))
    }
  }

  @Test(
    "an expression description without an expression is the property with its name",
    arguments: FetchingModel.stores)
  func propertyOfDescription(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let (rank, nothing) = (NSExpressionDescription(), NSExpressionDescription())
      rank.name = "rank"
      nothing.name = "nothing"
      let request = FetchingStack.dictionaries([rank], sort: "name")
      #expect(try values(of: "rank", request, stack) == [1, 1, 2, 2, 3])
      request.propertiesToGroupBy = [rank]
      request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: false)]
      #expect(try values(of: "rank", request, stack) == [3, 2, 1])
      for description in [nothing, NSExpressionDescription()] {
        let wrong = FetchingStack.dictionaries([description])
        #expect(throws: CocoaError.self) { try stack.context.fetch(wrong) }
      }
    }
  }

  @Test("totals over all rows", arguments: FetchingModel.stores)
  func totals(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let request = FetchingStack.dictionaries([
        column("sum", "sum:(price)"), column("count", "count:(price)", .integer64AttributeType),
        column("min", "min:(price)"), column("max", "max:(price)"),
        column("average", "average:(price)"),
        column("kinds", "@distinctUnionOfObjects.price.@count", .integer64AttributeType),
        column("differing", "count:(@distinctUnionOfObjects.price)", .integer64AttributeType),
        column("twice", "sum:(price) * 2"),
      ])
      let rows = try stack.context.fetch(request)
      #expect(rows.count == 1)
      let row = try #require(rows.first)
      #expect(row["sum"] as? Double == 9.5)
      #expect(row["count"] as? Int == 4)
      #expect(row["min"] as? Double == 1.5)
      #expect(row["max"] as? Double == 4)
      #expect(row["average"] as? Double == 2.375)
      #expect(row["kinds"] as? Int == 3)
      #expect(row["differing"] as? Int == 3)
      #expect(row["twice"] as? Double == 19)
    }
  }

  @Test(
    "the sum and the average of a text attribute use the number at the start of each text",
    arguments: FetchingModel.stores)
  func totalsOfTexts(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let texts = ["12", " 3.5kg", "kg", "-2.e1x", nil]
      let items = try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
      for (item, text) in zip(items, texts) { item.setValue(text, forKey: "name") }
      try stack.context.save()
      let request = FetchingStack.dictionaries([
        column("sum", "sum:(name)"), column("average", "average:(name)"),
      ])
      request.predicate = NSPredicate(format: "SELF IN %@", Array(items.prefix(texts.count)))
      let row = try #require(try stack.context.fetch(request).first)
      #expect(row["sum"] as? Double == -4.5)
      #expect(row["average"] as? Double == -1.125)
    }
  }

  @Test(
    "groups with a condition that names a column, as a key or as a variable",
    arguments: FetchingModel.stores)
  func groups(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let request = FetchingStack.dictionaries(
        ["rank", column("total", "count:(name)", .integer64AttributeType)], sort: "rank")
      request.propertiesToGroupBy = ["rank"]
      #expect(try values(of: "total", request, stack) == [2, 2, 1])
      for format in ["total > 1", "$total > 1", "$total * 2 > 2", "count:(name) > 1"] {
        request.havingPredicate = NSPredicate(format: format)
        #expect(try values(of: "rank", request, stack) == [1, 2], "\(format)")
      }
      request.sortDescriptors = [NSSortDescriptor(key: "total", ascending: true)]
      request.havingPredicate = nil
      request.fetchLimit = 1
      #expect(try values(of: "rank", request, stack) == [3])
    }
  }

  @Test("equal rows are returned once on request", arguments: FetchingModel.stores)
  func distinct(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let request = FetchingStack.dictionaries(["price"], sort: "price")
      request.predicate = NSPredicate(format: "price != nil")
      #expect(try stack.context.fetch(request).count == 4)
      request.returnsDistinctResults = true
      #expect(try prices(of: "price", request, stack) == [1.5, 2.5, 4])
      request.fetchLimit = 2
      request.fetchOffset = 1
      #expect(try prices(of: "price", request, stack) == [2.5, 4])
    }
  }

  @Test("unsaved changes are ignored", arguments: FetchingModel.stores)
  func pendingChanges(type: String) throws {
    try FetchingStack(type).run { stack throws in
      stack.insert("Item", ["name": "f"])
      try stack.item("a")?.setValue("z", forKey: "name")
      let rows = try stack.context.fetch(FetchingStack.dictionaries(["name"], sort: "name"))
      #expect(rows.map { $0["name"] as? String } == ["a", "b", "c", "d", "e"])
    }
  }

  @Test("a count of dictionaries is the number of results", arguments: FetchingModel.stores)
  func counts(type: String) throws {
    try FetchingStack(type).run { stack throws in
      stack.insert("Item", ["name": "a", "price": 9.0, "rank": 9])
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = stack.context
      func expect(_ request: NSFetchRequest<NSDictionary>, _ count: Int) throws {
        #expect(try stack.context.count(for: request) == count)
        #expect(try stack.context.fetch(request).count == count)
        let counted = try child.performAndWait { try child.count(for: request) }
        #expect(counted == count)
      }
      let names = FetchingStack.dictionaries(["name"], sort: "name")
      try expect(names, 5)
      names.fetchLimit = 2
      try expect(names, 2)
      names.fetchOffset = 4
      try expect(names, 1)
      let prices = FetchingStack.dictionaries(["price"], sort: "price")
      prices.returnsDistinctResults = true
      try expect(prices, 4)
      prices.predicate = NSPredicate(format: "price < 4")
      try expect(prices, 2)
      let groups = FetchingStack.dictionaries(
        ["rank", column("total", "count:(name)", .integer64AttributeType)], sort: "total")
      groups.propertiesToGroupBy = ["rank"]
      try expect(groups, 3)
      groups.havingPredicate = NSPredicate(format: "total > 1")
      try expect(groups, 2)
      groups.fetchLimit = 1
      try expect(groups, 1)
      try expect(FetchingStack.dictionaries([column("sum", "sum:(price)")]), 1)
    }
  }

  // MARK: Several stores

  static let pairs = [
    [NSInMemoryStoreType, NSInMemoryStoreType], [NSSQLiteStoreType, NSInMemoryStoreType],
  ]

  /// Saves the items a and c in the first store and b in the second one, then runs work.
  private func runOverTwoStores(
    _ types: [String], _ work: (FetchingStack, [NSPersistentStore]) throws -> Void
  ) throws {
    let stack = try FetchingStack(types[0], types[1])
    let stores = stack.container.persistentStoreCoordinator.persistentStores
    try stack.context.performAndWait {
      let items: [(store: Int, values: [String: Any])] = [
        (0, ["name": "a", "price": 2.5, "rank": 3]), (0, ["name": "c", "price": 1.5, "rank": 1]),
        (1, ["name": "b", "price": 2.5, "rank": 2]),
      ]
      for (store, values) in items {
        stack.context.assign(stack.insert("Item", values), to: stores[store])
      }
      try stack.context.save()
      try work(stack, stores)
    }
  }

  @Test("dictionaries of several stores are sorted and limited once", arguments: pairs)
  func order(types: [String]) throws {
    try runOverTwoStores(types) { stack, _ throws in
      func names(_ request: NSFetchRequest<NSDictionary>) throws -> [String] {
        let rows = try stack.context.fetch(request)
        #expect(try stack.context.count(for: request) == rows.count)
        #expect(rows.allSatisfy { Set($0.allKeys.compactMap { $0 as? String }) == ["name"] })
        return rows.compactMap { $0["name"] as? String }
      }
      #expect(try names(FetchingStack.dictionaries(["name"], sort: "name")) == ["a", "b", "c"])
      let ranked = FetchingStack.dictionaries(["name"], sort: "rank")
      #expect(try names(ranked) == ["c", "b", "a"])
      ranked.fetchLimit = 2
      #expect(try names(ranked) == ["c", "b"])
      ranked.fetchOffset = 1
      #expect(try names(ranked) == ["b", "a"])
      ranked.fetchLimit = 0
      ranked.sortDescriptors = [
        NSSortDescriptor(key: "price", ascending: false),
        NSSortDescriptor(key: "rank", ascending: true),
      ]
      ranked.fetchOffset = 0
      #expect(try names(ranked) == ["b", "a", "c"])
    }
  }

  @Test("dictionaries of several stores are sorted by named expressions", arguments: pairs)
  func orderByExpression(types: [String]) throws {
    try runOverTwoStores(types) { stack, _ throws in
      let request = FetchingStack.dictionaries(
        ["objectID", column("double", "rank * 2", .integer64AttributeType)], sort: "double")
      #expect(try values(of: "double", request, stack) == [2, 4, 6])
      let ids = try stack.context.fetch(request).compactMap { $0["objectID"] as? NSManagedObjectID }
      let items = try ids.map { try stack.context.existingObject(with: $0) }
      #expect(FetchingStack.names(of: items) == "cba")
    }
  }

  @Test("equal results of several stores are returned once on request", arguments: pairs)
  func distinctOfSeveralStores(types: [String]) throws {
    try runOverTwoStores(types) { stack, _ throws in
      let request = FetchingStack.dictionaries(["price"], sort: "price")
      #expect(try prices(of: "price", request, stack) == [1.5, 2.5, 2.5])
      request.returnsDistinctResults = true
      #expect(try prices(of: "price", request, stack) == [1.5, 2.5])
      #expect(try stack.context.count(for: request) == 2)
      request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: false)]
      #expect(try prices(of: "price", request, stack) == [2.5, 1.5])
      request.fetchLimit = 1
      #expect(try prices(of: "price", request, stack) == [2.5])
      #expect(try stack.context.count(for: request) == 1)
      // The first objects of both stores have the same key.
      let ids = FetchingStack.dictionaries(["objectID"])
      ids.returnsDistinctResults = true
      #expect(try stack.context.fetch(ids).count == 3)
    }
  }

  @Test(
    "groups and totals of several stores are errors, and those of one of the stores are results",
    arguments: pairs)
  func groupsOfSeveralStores(types: [String]) throws {
    try runOverTwoStores(types) { stack, stores throws in
      let groups = FetchingStack.dictionaries(["price"], sort: "price")
      groups.propertiesToGroupBy = ["price"]
      let totals = FetchingStack.dictionaries([column("sum", "sum:(price)")])
      for request in [groups, totals] {
        let reads: [() throws -> Void] = [
          { _ = try stack.context.fetch(request) }, { _ = try stack.context.count(for: request) },
        ]
        for read in reads {
          let error = try #require(throws: CocoaError.self) { try read() }
          #expect(error.code == .coreData)
          #expect(error.localizedDescription.contains("affectedStores"))
        }
        request.affectedStores = [stores[0]]
      }
      #expect(try prices(of: "price", groups, stack) == [1.5, 2.5])
      #expect(try prices(of: "sum", totals, stack) == [4])
    }
  }

  @Test(
    "the id of a destination has the entity of the destination's row",
    arguments: TrackStack.Place.allCases)
  func entitiesOfDestinations(place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    let context = stack.makeContext()
    try context.performAndWait { () throws in
      let live = TrackStack.insert("LiveTrack", ["title": "Live"], in: context)
      let track = TrackStack.insert("Track", ["title": "Plain"], in: context)
      TrackStack.insert("Playlist", ["title": "a", "opener": live], in: context)
      TrackStack.insert("Playlist", ["title": "b", "opener": track], in: context)
      TrackStack.insert("Playlist", ["title": "c"], in: context)
      try context.save()
      context.reset()
      for groups in [nil, ["opener"]] as [[Any]?] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Playlist")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["opener"]
        request.propertiesToGroupBy = groups
        let ids = try context.fetch(request).map { $0["opener"] as? NSManagedObjectID }
        #expect(ids.count == 3)
        #expect(Set(ids.map { $0?.entity.name }) == ["LiveTrack", "Track", nil])
        let titles = ids.compactMap { id in
          id.flatMap { context.object(with: $0).value(forKey: "title") as? String }
        }
        #expect(titles.sorted() == ["Live", "Plain"])
        try context.save()
      }
    }
  }

  @Test("invalid columns and groups are errors", arguments: FetchingModel.stores)
  func mistakes(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let ungrouped = FetchingStack.dictionaries(["name", "rank"])
      ungrouped.propertiesToGroupBy = ["rank"]
      #expect(throws: CocoaError.self) { try stack.context.fetch(ungrouped) }
      let having = FetchingStack.dictionaries(["name"])
      having.havingPredicate = NSPredicate(format: "name == 'a'")
      #expect(throws: CocoaError.self) { try stack.context.fetch(having) }
      for property in ["nothing", "owner.items", "owner.nothing", ""] {
        let request = FetchingStack.dictionaries([property])
        #expect(throws: CocoaError.self, "\(property)") { try stack.context.fetch(request) }
      }
      let noProperty = FetchingStack.dictionaries([5])
      #expect(throws: CocoaError.self) { try stack.context.fetch(noProperty) }
      let invalid = FetchingStack.dictionaries([column("count", "count:(")])
      #expect(throws: PredicateFormatError.self) { try stack.context.fetch(invalid) }
    }
  }
}
