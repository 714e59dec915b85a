import Foundation
import OpenCoreData
import Testing

/// Each option of a fetch request, on both stores, with and without unsaved changes.
@Suite("Fetch options")
struct FetchOptionTests {
  /// Unsaved: f is inserted, a renamed to z, d deleted.
  private func edit(_ stack: FetchingStack) throws {
    stack.insert("Item", ["name": "f", "price": 9.0, "rank": 1])
    try stack.item("a")?.setValue("z", forKey: "name")
    try stack.item("d").map { stack.context.delete($0) }
  }

  @Test(
    "limit and offset apply to the sorted union of stored rows and unsaved changes",
    arguments: FetchingModel.stores)
  func window(type: String) throws {
    try FetchingStack(type).run { stack throws in
      try edit(stack)
      let request = FetchingStack.request("rank < 3")
      #expect(try stack.names(request) == "bcfz")
      request.fetchLimit = 2
      #expect(try stack.names(request) == "bc")
      request.fetchOffset = 1
      #expect(try stack.names(request) == "cf")
      #expect(try stack.context.count(for: request) == 2)
      request.fetchLimit = 0
      #expect(try stack.names(request) == "cfz")
      request.fetchOffset = 9
      #expect(try stack.names(request).isEmpty)
      #expect(try stack.context.count(for: request) == 0)
    }
  }

  @Test("negative limits and offsets have no effect", arguments: FetchingModel.stores)
  func negativeWindow(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let request = FetchingStack.request()
      request.fetchLimit = -1
      request.fetchOffset = -5
      #expect(try stack.names(request) == "abcde")
      #expect(try stack.context.count(for: request) == 5)
    }
  }

  @Test(
    "without pending changes, rows are found by their stored values",
    arguments: FetchingModel.stores)
  func storedValuesOnly(type: String) throws {
    try FetchingStack(type).run { stack throws in
      try edit(stack)
      let request = FetchingStack.request("name == 'a'")
      #expect(try stack.context.fetch(request).isEmpty)
      request.includesPendingChanges = false
      let found = try stack.context.fetch(request)
      #expect(found.count == 1)
      #expect(found.first?.value(forKey: "name") as? String == "z")
      #expect(try stack.context.count(for: request) == 1)
      let all = FetchingStack.request()
      all.includesPendingChanges = false
      #expect(try stack.context.count(for: all) == 5)
    }
  }

  @Test(
    "without pending changes, conditions and comparators in memory receive stored values (D-425)",
    arguments: FetchingModel.stores)
  func storedValuesInMemory(type: String) throws {
    try FetchingStack(type).run { stack throws in
      try edit(stack)
      try stack.item("bob", "Owner")?.setValue("x", forKey: "name")
      let request = FetchingStack.request()
      request.includesPendingChanges = false
      request.predicate = NSPredicate { object, _ in
        let item = object as? NSManagedObject
        let owner = item?.value(forKey: "owner") as? NSManagedObject
        return item?.value(forKey: "name") as? String != "c"
          && owner?.value(forKey: "name") as? String == "bob"
      }
      #expect(try stack.names(request) == "d")
      #expect(try stack.context.count(for: request) == 1)
      let descending = NSSortDescriptor(key: "name", ascending: true) { one, other in
        ((other as? String) ?? "").compare((one as? String) ?? "")
      }
      let sorted = FetchingStack.request(sort: [descending])
      sorted.includesPendingChanges = false
      let found = try stack.context.fetch(sorted)
      #expect(FetchingStack.names(of: found) == "edcbz")
      #expect(found.allSatisfy { $0.managedObjectContext === stack.context })
      sorted.fetchLimit = 2
      #expect(try stack.names(sorted) == "ed")
    }
  }

  @Test("without pending changes, a fetch of several stores finds the stored rows")
  func storedValuesOfSeveralStores() throws {
    try FetchingStack(NSSQLiteStoreType, NSInMemoryStoreType).run { stack throws in
      try edit(stack)
      let request = FetchingStack.request()
      request.includesPendingChanges = false
      #expect(try stack.names(request) == "zbcde")
      #expect(try stack.context.count(for: request) == 5)
      request.fetchLimit = 2
      #expect(try stack.names(request) == "zb")
    }
  }

  @Test("a request can exclude sub-entities", arguments: FetchingModel.stores)
  func subentities(type: String) throws {
    try FetchingStack(type).run { stack throws in
      stack.insert("SpecialItem", ["name": "s"])
      let request = FetchingStack.request()
      #expect(try stack.names(request) == "abcdes")
      request.includesSubentities = false
      #expect(try stack.names(request) == "abde")
      #expect(try stack.names(FetchingStack.request(entity: "SpecialItem")) == "cs")
    }
  }

  @Test(
    "a fetch returns faults, realized objects, or faults without rows",
    arguments: FetchingModel.stores)
  func faults(type: String) throws {
    try FetchingStack(type).run { stack throws in
      stack.context.reset()
      let request = FetchingStack.request()
      request.includesPropertyValues = false
      let faults = try stack.context.fetch(request)
      #expect(faults.filter { !$0.isFault }.isEmpty)
      #expect(faults.map { $0.value(forKey: "name") as? String } == ["a", "b", "c", "d", "e"])
      stack.context.reset()
      request.includesPropertyValues = true
      request.returnsObjectsAsFaults = false
      #expect(try stack.context.fetch(request).filter(\.isFault).isEmpty)
    }
  }

  @Test("ids of unsaved and saved objects", arguments: FetchingModel.stores)
  func ids(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let inserted = stack.insert("Item", ["name": "f"])
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
      request.resultType = .managedObjectIDResultType
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
      let ids = try stack.context.fetch(request)
      #expect(ids.count == 6)
      #expect(ids.first == inserted.objectID)
      let first = try stack.item("a")
      #expect(ids.last == first?.objectID)
    }
  }

  @Test("a count is returned as one number", arguments: FetchingModel.stores)
  func counts(type: String) throws {
    try FetchingStack(type).run { stack throws in
      try edit(stack)
      let request = NSFetchRequest<NSNumber>(entityName: "Item")
      request.resultType = .countResultType
      request.predicate = NSPredicate(format: "rank == 1")
      #expect(try stack.context.fetch(request) == [3])
    }
  }

  @Test(
    "localizedStandard sorts like file lists: ignoring case, numbers by value",
    arguments: FetchingModel.stores)
  func standardOrder(type: String) throws {
    let stack = try FetchingStack(type)
    try stack.context.performAndWait {
      for name in ["b10", "B9", "a2", "A10", "a1"] {
        stack.insert("Item", ["name": name, "price": 1.0, "rank": 1])
      }
      let sort = NSSortDescriptor(key: "name", ascending: true, comparison: .localizedStandard)
      let request = FetchingStack.request(sort: [sort])
      #expect(try stack.names(request) == "a1a2A10B9b10", "unsaved")
      try stack.context.save()
      #expect(try stack.names(request) == "a1a2A10B9b10", "saved")
    }
  }

  @Test(
    "sort by Bool descending, to-one path, number of destinations and comparator",
    arguments: FetchingModel.stores)
  func sorting(type: String) throws {
    try FetchingStack(type).run { stack throws in
      func names(_ sort: NSSortDescriptor..., entity: String = "Item") throws -> String {
        try stack.names(FetchingStack.request(sort: sort, entity: entity))
      }
      let byName = NSSortDescriptor(key: "name", ascending: true)
      #expect(try names(NSSortDescriptor(key: "isSold", ascending: false), byName) == "acebd")
      #expect(try names(NSSortDescriptor(key: "price", ascending: true), byName) == "eadcb")
      #expect(try names(NSSortDescriptor(key: "owner.name", ascending: true), byName) == "eabcd")
      #expect(
        try names(NSSortDescriptor(key: "owner.items.@count", ascending: false), byName) == "abcde")
      let byLength = NSSortDescriptor(key: "name", ascending: true) { one, other in
        ((other as? String) ?? "").compare((one as? String) ?? "")
      }
      #expect(try names(byLength) == "edcba")
      stack.insert("Item", ["name": "0"])
      #expect(try names(byLength) == "edcba0")
      #expect(try names(NSSortDescriptor(key: "price", ascending: true), byName) == "0eadcb")
    }
  }

  @Test("a request that does not fit the model throws an error", arguments: FetchingModel.stores)
  func mistakes(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let formats: [(String, [Any], String)] = [
        ("nothing == 1", [], "Item"), ("owner.nothing == 1", [], "Item"),
        ("items.name == 'a'", [], "Owner"), ("price == 'expensive'", [], "Item"),
        ("price.length == 1", [], "Item"), ("price BETWEEN 3", [], "Item"),
        ("owner == 5", [], "Item"), ("price == $limit", [], "Item"),
      ]
      for (format, arguments, entity) in formats {
        let request = FetchingStack.request(format, arguments, sort: [], entity: entity)
        request.allowsEvaluationInMemory = false
        #expect(throws: CocoaError.self, "\(format)") { try stack.context.fetch(request) }
      }
      for key in ["nothing", "owner", "owner.items", "name.x"] {
        let request = FetchingStack.request(sort: [NSSortDescriptor(key: key, ascending: true)])
        #expect(throws: CocoaError.self, "\(key)") { try stack.context.fetch(request) }
      }
      let unknown = FetchingStack.request(entity: "Unknown")
      #expect(throws: CocoaError.self) { try stack.context.fetch(unknown) }
    }
  }

  @Test(
    "a request can refresh registered objects from newer rows", arguments: FetchingModel.stores)
  func refreshing(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let item = try stack.item("a")
      let other = stack.container.newBackgroundContext()
      try other.performAndWait {
        let request = FetchingStack.request("name == 'a'")
        try other.fetch(request).first?.setValue(7.0, forKey: "price")
        try other.save()
      }
      let request = FetchingStack.request("name == 'a'")
      _ = try stack.context.fetch(request)
      #expect(item?.value(forKey: "price") as? Double == 1.5)
      request.shouldRefreshRefetchedObjects = true
      _ = try stack.context.fetch(request)
      #expect(item?.value(forKey: "price") as? Double == 7)
    }
  }

  /// Apple, NSFetchRequest, entity.
  @Test(
    "a context sets the entity of a request, which also works in other contexts",
    arguments: FetchingModel.stores)
  func entity(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let context = stack.context
      let executions: [(NSFetchRequest<NSManagedObject>) throws -> Void] = [
        { _ = try context.fetch($0) }, { _ = try context.count(for: $0) },
        { _ = try context.execute($0) },
        {
          try NSFetchedResultsController(
            fetchRequest: $0, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil
          ).performFetch()
        },
      ]
      let item = try #require(NSEntityDescription.entity(forEntityName: "Item", in: context))
      for execute in executions {
        let request = FetchingStack.request()
        #expect(request.entity == nil)
        try execute(request)
        #expect(request.entity === item)
      }
      let names = FetchingStack.dictionaries(["name", "owner.name", "objectID"], sort: "name")
      let other = try FetchingStack(type)
      try other.run { _ in }
      for reader in [context, other.context, context] {
        let rows = try reader.performAndWait { () throws -> [NSDictionary] in
          try reader.fetch(names)
        }
        #expect(rows.map { $0["name"] as? String } == ["a", "b", "c", "d", "e"])
        #expect(names.entity === item)
      }
    }
  }

  @Test("execute(_:) of a fetch request returns its results", arguments: FetchingModel.stores)
  func execution(type: String) throws {
    try FetchingStack(type).run { stack throws in
      func results<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
        let result = try stack.context.execute(request) as? NSAsynchronousFetchResult<Result>
        #expect(result?.managedObjectContext === stack.context)
        #expect(result?.fetchRequest.fetchRequest === request)
        return try #require(result?.finalResult)
      }
      let objects = try results(FetchingStack.request("rank == 1"))
      #expect(FetchingStack.names(of: objects) == "ab")
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
      ids.resultType = .managedObjectIDResultType
      #expect(try results(ids).count == 5)
      let count = NSFetchRequest<NSNumber>(entityName: "Item")
      count.resultType = .countResultType
      #expect(try results(count).map(\.intValue) == [5])
      let rows = try results(FetchingStack.dictionaries(["name"], sort: "name"))
      #expect(rows.map { $0["name"] as? String } == ["a", "b", "c", "d", "e"])
      let unknown = FetchingStack.request(entity: "Unknown")
      #expect(throws: CocoaError.self) { try stack.context.execute(unknown) }
      let save = NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil)
      let error = try #require(throws: CocoaError.self) { try stack.context.execute(save) }
      #expect(error.code == .persistentStoreUnsupportedRequestType)
    }
  }

  @Test("affected stores also restrict unsaved changes, in child contexts and in live results")
  func affectedStores() throws {
    let stack = try FetchingStack(NSSQLiteStoreType, NSInMemoryStoreType)
    let context = stack.context
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = context
    try context.performAndWait { () throws in
      let stores = stack.container.persistentStoreCoordinator.persistentStores
      func expect(_ expected: [String], in context: NSManagedObjectContext) throws {
        for (store, names) in zip(stores, expected) {
          let request = FetchingStack.request()
          request.affectedStores = [store]
          let objects = try context.fetch(request)
          #expect(FetchingStack.names(of: objects) == names)
          #expect(try context.count(for: request) == names.count)
        }
      }
      for (name, store) in zip(["a", "b"], stores) {
        context.assign(stack.insert("Item", ["name": name]), to: store)
      }
      try context.save()
      for item in try context.fetch(FetchingStack.request()) {
        let isFirst = item.objectID.persistentStore === stores[0]
        item.setValue(isFirst ? "x" : "y", forKey: "name")
      }
      stack.insert("Item", ["name": "c"])
      context.assign(stack.insert("Item", ["name": "d"]), to: stores[1])
      let item = stack.insert("Item", ["name": "e"])
      context.assign(item, to: stores[1])
      try context.obtainPermanentIDs(for: [item])
      try expect(["cx", "dey"], in: context)
      try child.performAndWait { () throws in
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: child)
        item.setValue("f", forKey: "name")
        child.assign(item, to: stores[1])
        try expect(["cx", "defy"], in: child)
      }
      let request = FetchingStack.request()
      request.affectedStores = [stores[0]]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
        cacheName: nil)
      let delegate = FollowingDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      context.assign(stack.insert("Item", ["name": "g"]), to: stores[1])
      stack.insert("Item", ["name": "h"])
      context.processPendingChanges()
      #expect(FetchingStack.names(of: controller.fetchedObjects ?? []) == "chx")
      withExtendedLifetime(delegate) {}
    }
  }

  /// A delegate that makes a controller follow changes.
  private final class FollowingDelegate: NSFetchedResultsControllerDelegate {}

  @Test("setting the entity of a request replaces the name that created the request")
  func replacedEntity() throws {
    try FetchingStack(NSInMemoryStoreType).run { stack throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.entity = NSEntityDescription.entity(forEntityName: "Owner", in: stack.context)
      #expect(request.entityName == "Owner")
      let owners = try stack.context.fetch(request)
      #expect(owners.map(\.entity.name) == ["Owner", "Owner"])
    }
  }

  @Test("a copy of a request is equal and independent", arguments: FetchingModel.stores)
  func copies(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let request = FetchingStack.request("rank == %d", [1])
      request.fetchLimit = 1
      let copy = try #require(request.copy() as? NSFetchRequest<NSManagedObject>)
      request.fetchLimit = 0
      request.predicate = nil
      #expect(try stack.names(copy) == "a")
      #expect(copy.fetchLimit == 1)
      #expect(request.requestType == .fetchRequestType)
      #expect(try stack.names(request) == "abcde")
    }
  }
}
