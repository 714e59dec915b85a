import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenPredicates
import Testing

/// `FETCH(…)`, paths from arguments and fetched properties.
@Suite("Fetches inside predicates")
struct FetchExpressionTests {
  @Test(
    "FETCH runs before the fetch, with unsaved changes", arguments: FetchingModel.stores)
  func nestedFetch(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let cheap = FetchingStack.request("price < 2")
      func found() throws -> String {
        let request = FetchingStack.request(
          "SELF IN FETCH(%@, %@, NO) AND rank > 0", [cheap, stack.context])
        request.allowsEvaluationInMemory = false
        return try stack.names(request)
      }
      #expect(try found() == "ad")
      stack.insert("Item", ["name": "f", "price": 1.0, "rank": 1])
      #expect(try found() == "adf")
      let counting = FetchingStack.request("rank == FETCH(%@, %@, YES)", [cheap, stack.context])
      #expect(try stack.names(counting) == "e")
    }
  }

  @Test(
    "a fetch expression works in compound predicates and by itself",
    arguments: FetchingModel.stores)
  func expression(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let cheap = FetchingStack.request("price < 2")
      let expression = NSFetchRequestExpression.expression(
        forFetch: OpenPredicates.NSExpression(forConstantValue: cheap),
        context: OpenPredicates.NSExpression(forConstantValue: stack.context), countOnly: false)
      let fetch = try #require(expression as? NSFetchRequestExpression)
      #expect(!fetch.isCountOnlyRequest)
      #expect(fetch.expressionType == .fetchRequest)
      let objects = expression.expressionValue(with: nil, context: nil) as? [NSManagedObject]
      #expect(objects?.count == 2)
      let request = FetchingStack.request()
      request.predicate = OpenPredicates.NSComparisonPredicate(
        leftExpression: OpenPredicates.NSExpression.expressionForEvaluatedObject(),
        rightExpression: expression, modifier: .direct, type: .in, options: [])
      #expect(try stack.names(request) == "ad")
    }
  }

  @Test(
    "the dictionaries of a FETCH are compared by their only value", arguments: FetchingModel.stores)
  func dictionaries(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let ranks = FetchingStack.dictionaries(["rank"])
      ranks.predicate = NSPredicate(format: "price < 2 AND rank == 2")
      func found(_ format: String) throws -> String {
        let request = FetchingStack.request(format, [ranks, stack.context])
        request.allowsEvaluationInMemory = false
        return try stack.names(request)
      }
      #expect(try found("rank IN FETCH(%@, %@, NO)") == "cd")
      #expect(try found("NOT rank IN FETCH(%@, %@, NO)") == "abe")
      #expect(try found("rank == FETCH(%@, %@, NO).@max.rank") == "cd")
      ranks.propertiesToFetch = ["rank", "name"]
      #expect(throws: CocoaError.self) { try found("rank IN FETCH(%@, %@, NO)") }
    }
  }

  @Test(
    "a fetch and evaluate(with:) agree about the dictionaries of a FETCH",
    arguments: FetchingModel.stores)
  func evaluatedDictionaries(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let ranks = FetchingStack.dictionaries(["rank"])
      ranks.predicate = NSPredicate(format: "price < 2 AND rank == 2")
      let items = try stack.context.fetch(FetchingStack.request())
      for format in [
        "rank IN FETCH(%@, %@, NO)", "rank == FETCH(%@, %@, NO)[0]",
        "rank == FETCH(%@, %@, NO).@max.rank", "rank == FETCH(%@, %@, NO)[FIRST].rank",
        "rank == SUBQUERY(FETCH(%@, %@, NO), $x, $x.rank == 2).@max.rank",
      ] {
        let predicate = NSPredicate(format: format, argumentArray: [ranks, stack.context])
        let found = try stack.names(FetchingStack.request(format, [ranks, stack.context]))
        #expect(found == "cd", "\(format)")
        let matching = items.filter { predicate.evaluate(with: $0) }
        #expect(FetchingStack.names(of: matching) == "cd", "\(format)")
      }
      let result = OpenPredicates.NSExpression(
        format: "FETCH(%@, %@, NO)", argumentArray: [ranks, stack.context]
      )
      .expressionValue(with: nil, context: nil)
      #expect((result as? [NSDictionary])?.first?["rank"] as? Int == 2)
      ranks.propertiesToFetch = ["rank", "name"]
      let failing = NSPredicate(
        format: "rank IN FETCH(%@, %@, NO)", argumentArray: [ranks, stack.context])
      #expect(items.allSatisfy { !failing.evaluate(with: $0) })
      let error = #expect(throws: PredicateEvaluationError.self) {
        try failing.evaluating(with: items.first)
      }
      #expect(error?.code == .failedFetch)
    }
  }

  @Test(
    "a FETCH without a context runs in the context of the evaluated object",
    arguments: FetchingModel.stores)
  func contextOfObject(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let cheap = FetchingStack.request("price < 2")
      let format = "SELF IN FETCH(%@, nil, NO)"
      #expect(try stack.names(FetchingStack.request(format, [cheap])) == "ad")
      let predicate = NSPredicate(format: format, argumentArray: [cheap])
      let matching = try stack.context.fetch(FetchingStack.request())
        .filter { predicate.evaluate(with: $0) }
      #expect(FetchingStack.names(of: matching) == "ad")
    }
  }

  @Test(
    "a FETCH of an invalid argument or of itself is an error",
    arguments: FetchingModel.stores)
  func mistakes(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let wrong = FetchingStack.request("SELF IN FETCH(%@, %@, NO)", ["no request", stack.context])
      #expect(throws: CocoaError.self) { try stack.context.fetch(wrong) }
      let endless = FetchingStack.request()
      endless.predicate = NSPredicate(
        format: "SELF IN FETCH(%@, %@, NO)", argumentArray: [endless, stack.context])
      #expect(throws: CocoaError.self) { try stack.context.fetch(endless) }
      endless.predicate = nil
    }
  }

  @Test(
    "a path from a variable that is an object is evaluated before the fetch",
    arguments: FetchingModel.stores)
  func pathFromVariable(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let item = try #require(try stack.item("c"))
      let request = FetchingStack.request()
      request.predicate = NSPredicate(format: "rank == $item.rank AND owner == $item.owner")
        .withSubstitutionVariables(["item": item])
      request.allowsEvaluationInMemory = false
      #expect(try stack.names(request) == "cd")
    }
  }

  @Test("a fetched property is kept until the object is refreshed", arguments: FetchingModel.stores)
  func fetchedProperty(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let owner = try #require(
        try stack.context.fetch(FetchingStack.request("name == 'a'", entity: "Owner")).first)
      func names(_ key: String) -> [String] {
        (owner.value(forKey: key) as? [NSManagedObject] ?? [])
          .compactMap { $0.value(forKey: "name") as? String }
      }
      #expect(names("cheapItems") == ["a"])
      #expect(names("namesakes") == ["a"])
      stack.insert("Item", ["name": "ab", "price": 1.0, "owner": owner])
      #expect(names("cheapItems") == ["a"])
      stack.context.refresh(owner, mergeChanges: true)
      #expect(names("cheapItems") == ["a", "ab"])
      #expect(names("namesakes") == ["a", "ab"])
      try stack.context.save()
      stack.context.refresh(owner, mergeChanges: false)
      #expect(names("cheapItems") == ["a", "ab"])
      #expect((owner.value(forKeyPath: "cheapItems.@count") as? NSNumber) == 2)
      #expect(names("failing").isEmpty)
    }
  }

  @Test(
    "a fetched property is fetched again after its user info has changed",
    arguments: FetchingModel.stores)
  func changedUserInfo(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let owner = try #require(
        try stack.context.fetch(FetchingStack.request("name == 'a'", entity: "Owner")).first)
      let property = try #require(owner.entity.propertiesByName["cheapItems"])
      func count() -> Int? { (owner.value(forKey: "cheapItems") as? [NSManagedObject])?.count }
      #expect(count() == 1)
      property.userInfo?["limit"] = 5
      #expect(count() == 2)
    }
  }

  @Test(
    "a fetched property finds objects of every store, and does not confuse objects of two stores"
  )
  func fetchedPropertyAcrossStores() throws {
    let stack = try FetchingStack(NSSQLiteStoreType, NSSQLiteStoreType, NSXMLStoreType)
    try stack.context.performAndWait {
      let stores = stack.context.persistentStoreCoordinator?.persistentStores ?? []
      // In each store the owner has the key 1.
      let owners = stores.map { store in
        let owner = stack.insert("Owner", ["name": "a"])
        stack.context.assign(owner, to: store)
        for (name, price) in [("a", 1.0), ("ab", 2.0), ("b", 1.0)] {
          let item = stack.insert("Item", ["name": name, "price": price, "owner": owner])
          stack.context.assign(item, to: store)
        }
        return owner
      }
      try stack.context.save()
      for (owner, store) in zip(owners, stores) {
        let cheap = try #require(owner.value(forKey: "cheapItems") as? [NSManagedObject])
        #expect(FetchingStack.names(of: cheap) == "aabb")
        #expect(cheap.allSatisfy { $0.objectID.persistentStore === store })
        let namesakes = try #require(owner.value(forKey: "namesakes") as? [NSManagedObject])
        #expect(FetchingStack.names(of: namesakes).count == 9)
        #expect(Set(namesakes.map { $0.objectID.persistentStore?.identifier }).count == 3)
      }
    }
  }

  @Test("a fetch of two stores finds new objects in the first; affected stores restrict it")
  func twoStores() throws {
    let stack = try FetchingStack(NSSQLiteStoreType, NSInMemoryStoreType)
    try stack.context.performAndWait {
      let stores = stack.context.persistentStoreCoordinator?.persistentStores ?? []
      try #require(stores.count == 2)
      for name in ["a", "b", "c"] { stack.insert("Item", ["name": name, "rank": 1]) }
      try stack.context.save()
      let request = FetchingStack.request("rank == 1")
      #expect(try stack.names(request) == "abc")
      #expect(try stack.context.count(for: request) == 3)
      request.fetchLimit = 1
      request.fetchOffset = 1
      #expect(try stack.names(request) == "b")
      (request.fetchLimit, request.fetchOffset) = (0, 0)
      request.affectedStores = [stores[0]]
      #expect(try stack.names(request) == "abc")
      #expect(try stack.context.count(for: request) == 3)
      request.affectedStores = [stores[1]]
      #expect(try stack.context.fetch(request).isEmpty)
      #expect(try stack.context.count(for: request) == 0)
    }
  }
}
