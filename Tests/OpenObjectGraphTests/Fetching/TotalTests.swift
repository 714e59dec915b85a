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
    "an aggregate over a relationship covers the objects related to all rows of a group",
    arguments: FetchingModel.stores)
  func totalsOfRelationships(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let namesake = stack.insert("Owner", ["name": "a"])
      stack.insert("Item", ["name": "f", "price": 2.0, "owner": namesake])
      stack.insert("Owner", ["name": "zoe"])
      try stack.context.save()
      let count = column("count", "count:(items)", .integer64AttributeType)
      let request = NSFetchRequest<NSDictionary>(entityName: "Owner")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [
        "name", column("sum", "sum:(items.price)"), column("twice", "sum:(items.price) * 2"),
        column("mean", "average:(items.price)"), column("low", "min:(items.price)"),
        column("top", "items.@max.price"), count,
        column("cheap", "SUBQUERY(items, $x, $x.price < 2).@count", .integer64AttributeType),
        column("owners", "count:(name)", .integer64AttributeType),
      ]
      request.propertiesToGroupBy = ["name"]
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let rows = try stack.context.fetch(request)
      func reals(_ key: String) -> [Double?] { rows.map { $0[key] as? Double } }
      func numbers(_ key: String) -> [Int?] { rows.map { $0[key] as? Int } }
      #expect(rows.map { $0["name"] as? String } == ["a", "bob", "zoe"])
      #expect(reals("sum") == [7.5, 4, 0])
      #expect(reals("twice") == [15, 8, 0])
      #expect(reals("mean") == [2.5, 2, nil])
      #expect(reals("low") == [1.5, 1.5, nil])
      #expect(reals("top") == [4, 2.5, nil])
      #expect(numbers("count") == [3, 2, 0])
      #expect(numbers("cheap") == [1, 1, 0])
      #expect(numbers("owners") == [2, 1, 1])
      request.sortDescriptors = [NSSortDescriptor(key: "items.@count", ascending: false)]
      #expect(
        try stack.context.fetch(request).map { $0["name"] as? String } == ["a", "bob", "zoe"])
      for format in [
        "$sum == 7.5", "items.@count > 2", "average:(items.price) > 2",
        "TERNARY(items.@count > 2, 1, 0) == 1",
      ] {
        request.havingPredicate = NSPredicate(format: format)
        #expect(
          try stack.context.fetch(request).map { $0["name"] as? String } == ["a"], "\(format)")
      }
      // Grouped by the number of items, each owner has a separate number.
      let owners = column("owners", "count:(name)", .integer64AttributeType)
      request.propertiesToFetch = [count, owners]
      request.propertiesToGroupBy = [count]
      request.havingPredicate = nil
      request.sortDescriptors = [NSSortDescriptor(key: "count", ascending: true)]
      let groups = try stack.context.fetch(request)
      #expect(groups.map { $0["count"] as? Int } == [0, 1, 2])
      #expect(groups.map { $0["owners"] as? Int } == [1, 1, 2])
    }
  }

  @Test(
    "without groups, an aggregate over a relationship beside a total covers all rows",
    arguments: FetchingModel.stores)
  func totalsOfAllRelationships(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let request = NSFetchRequest<NSDictionary>(entityName: "Owner")
      request.resultType = .dictionaryResultType
      let (sum, count) = (
        column("sum", "sum:(items.price)"), column("count", "items.@count", .integer64AttributeType)
      )
      request.propertiesToFetch = [
        column("owners", "count:(name)", .integer64AttributeType), sum, count,
        column("mean", "average:(items.price)"), column("top", "max:(items.price)"),
      ]
      let rows = try stack.context.fetch(request)
      #expect(rows.count == 1)
      #expect(rows.first?["owners"] as? Int == 2)
      #expect(rows.first?["sum"] as? Double == 9.5)
      #expect(rows.first?["count"] as? Int == 4)
      #expect(rows.first?["mean"] as? Double == 2.375)
      #expect(rows.first?["top"] as? Double == 4)
      // Without a total, each row is a result.
      request.propertiesToFetch = [sum, count]
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      #expect(try stack.context.fetch(request).compactMap { $0["sum"] as? Double } == [5.5, 4])
    }
  }

  @Test(
    "a count of a key after a relationship includes the members without a value",
    arguments: FetchingModel.stores)
  func countOfMissingValues(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let bob = try #require(try stack.item("bob", "Owner"))
      stack.insert("Item", ["name": "f"]).setValue(bob, forKey: "owner")
      for isSaved in [false, true] {
        if isSaved { try stack.context.save() }
        for format in ["count:(items.price) == 3", "items.price.@count == 3"] {
          let found = try stack.context.fetch(FetchingStack.request(format, entity: "Owner"))
          #expect(found == [bob], "\(format), saved: \(isSaved)")
          #expect(NSPredicate(format: format).evaluate(with: bob), "\(format)")
        }
      }
      let request = NSFetchRequest<NSDictionary>(entityName: "Owner")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [column("count", "count:(items.price)", .integer64AttributeType)]
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      #expect(try stack.context.fetch(request).map { $0["count"] as? Int } == [2, 3])
    }
  }

  @Test(
    "a column with a constant by which the rows are grouped has the value of each row",
    arguments: FetchingModel.stores)
  func groupsByConstants(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let namesake = stack.insert("Owner", ["name": "a"])
      stack.insert("Item", ["name": "f", "price": 2.0, "owner": namesake])
      stack.insert("Owner", ["name": "zoe"])
      try stack.context.save()
      let request = NSFetchRequest<NSDictionary>(entityName: "Owner")
      request.resultType = .dictionaryResultType
      request.sortDescriptors = [NSSortDescriptor(key: "key", ascending: true)]
      func fetch(groupedBy format: String, having condition: String?) throws -> [[Int?]] {
        let key = column("key", format, .integer64AttributeType)
        request.propertiesToFetch = [
          key, column("owners", "count:(name)", .integer64AttributeType),
        ]
        request.propertiesToGroupBy = [key]
        request.havingPredicate = condition.map { NSPredicate(format: $0) }
        return try stack.context.fetch(request).map { [$0["key"] as? Int, $0["owners"] as? Int] }
      }
      let cheap = "SUBQUERY(items, $x, $x.price < 2).@count"
      #expect(try fetch(groupedBy: cheap, having: nil) == [[0, 2], [1, 2]])
      #expect(try fetch(groupedBy: cheap, having: cheap + " == 1") == [[1, 2]])
      let twice = "items.@count * 2"
      #expect(try fetch(groupedBy: twice, having: nil) == [[0, 1], [2, 1], [4, 2]])
      #expect(try fetch(groupedBy: twice, having: twice + " == 4") == [[4, 2]])
    }
  }

  @Test(
    "an object related to several rows of a group counts once for each row",
    arguments: FetchingModel.stores)
  func totalsOfSharedObjects(type: String) throws {
    let container = try NSPersistentContainer.loaded(
      "Shared", Self.postsAndTags(), [NSPersistentStoreDescription(type: type)])
    let context = container.newBackgroundContext()
    try context.performAndWait { () throws in
      func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
      }
      let (one, other) = (insert("Tag", ["number": 3]), insert("Tag", ["number": 4]))
      for tags: Set<NSManagedObject> in [[one, other], [one]] {
        insert("Post", ["number": 1]).setValue(tags, forKey: "tags")
      }
      try context.save()
      let request = NSFetchRequest<NSDictionary>(entityName: "Post")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [
        "number", column("sum", "sum:(tags.number)", .integer64AttributeType),
        column("count", "tags.@count", .integer64AttributeType),
      ]
      request.propertiesToGroupBy = ["number"]
      let row = try #require(try context.fetch(request).first)
      #expect(row["sum"] as? Int == 10)
      #expect(row["count"] as? Int == 3)
    }
  }

  /// Returns a model with posts and tags in a many-to-many relationship.
  private static func postsAndTags() -> NSManagedObjectModel {
    let entities = ["Post", "Tag"].map { name in
      let number = NSAttributeDescription()
      (number.name, number.type, number.isOptional) = ("number", .integer64, true)
      let entity = NSEntityDescription()
      (entity.name, entity.properties) = (name, [number])
      return entity
    }
    let (tags, posts) = (NSRelationshipDescription(), NSRelationshipDescription())
    (tags.name, tags.destinationEntity, tags.inverseRelationship) = ("tags", entities[1], posts)
    (posts.name, posts.destinationEntity, posts.inverseRelationship) = ("posts", entities[0], tags)
    for relationship in [tags, posts] {
      (relationship.isOptional, relationship.maxCount) = (true, 0)
    }
    entities[0].properties += [tags]
    entities[1].properties += [posts]
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
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

  @Test(
    "D-451: a function of an ungrouped property has its smallest value in the group",
    arguments: FetchingModel.stores + ServedStores.types)
  func functionsOfUngrouped(type: String) throws {
    let context = try ShelfModel.container(type).newBackgroundContext()
    try context.performAndWait { () throws in
      for (code, title) in [(1, "Emma"), (1, "ADA"), (2, "Zoo"), (3, nil)] as [(Int32, String?)] {
        let book = ShelfBook(context: context)
        (book.code, book.title) = (code, title)
      }
      try context.save()
      func fetch(_ column: Any) throws -> [NSDictionary] {
        let request = NSFetchRequest<NSDictionary>(entityName: "ShelfBook")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["code", column]
        request.propertiesToGroupBy = ["code"]
        request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
        return try context.fetch(request)
      }
      let lowercase = column("title", "lowercase:(title)", .stringAttributeType)
      #expect(try fetch(lowercase).map { $0["title"] as? String } == ["ada", "zoo", nil])
      let doubled = column("twice", "code * 2", .integer64AttributeType)
      #expect(try fetch(doubled).map { $0["twice"] as? Int } == [2, 4, 6])
      #expect(throws: CocoaError.self) { try fetch("title") }
      let mixed = column("mixed", "code + sum:(pages) + pages", .integer64AttributeType)
      #expect(throws: CocoaError.self) { try fetch(mixed) }
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

  @Test(
    "a request for objects or ids cannot have a condition on groups",
    arguments: FetchingModel.stores)
  func conditionOnGroupsOfObjects(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
      request.havingPredicate = NSPredicate(format: "rank == 1")
      for type in [
        NSFetchRequestResultType.managedObjectResultType, .managedObjectIDResultType,
      ] {
        request.resultType = type
        let error = try #require(throws: CocoaError.self) { try stack.context.fetch(request) }
        #expect(error.code == .coreData)
        #expect(error.localizedDescription.contains("havingPredicate"))
      }
      request.havingPredicate = nil
      #expect(try stack.context.count(for: request) == 5)
    }
  }
}
