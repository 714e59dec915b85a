import Foundation
import OpenCoreData
import OpenPredicates
import Testing

/// Dictionary results with every result type of a request, and the casts that applications use.
@Suite("Fetches of dictionaries: result types and casts")
struct DictionaryCastTests {
  private func run(_ types: [String], _ body: (FetchingStack) throws -> Void) throws {
    let stack =
      types.count == 1 ? try FetchingStack(types[0]) : try FetchingStack(types[0], types[1])
    try stack.run(body)
  }

  private func request<Result>(
    _ type: Result.Type, batchSize: Int = 0
  ) -> NSFetchRequest<Result> {
    let request = NSFetchRequest<Result>(entityName: "Item")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["name", "price", "isSold", "owner.name", "objectID"]
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    request.fetchBatchSize = batchSize
    return request
  }

  /// Checks the five items as Swift dictionaries; the last one has neither owner nor price.
  private func check(_ rows: [[String: Any]]?, _ stack: FetchingStack) throws {
    let rows = try #require(rows)
    #expect(rows.map { $0["name"] as? String } == ["a", "b", "c", "d", "e"])
    #expect(rows.map { $0["price"] as? Double } == [1.5, 4, 2.5, 1.5, nil])
    #expect(rows.map { $0["isSold"] as? Bool } == [true, false, true, false, true])
    #expect(rows.map { $0["owner.name"] as? String } == ["a", "a", "bob", "bob", nil])
    #expect(rows.map(\.count) == [5, 5, 5, 5, 3])
    let ids = try stack.context.fetch(FetchingStack.request()).map(\.objectID)
    #expect(rows.map { $0["objectID"] as? NSManagedObjectID } == ids)
  }

  private static let stores: [[String]] = [
    [NSSQLiteStoreType], [NSInMemoryStoreType], [NSSQLiteStoreType, NSInMemoryStoreType],
  ]

  @Test("dictionaries keep their values in casts to Swift and Foundation types", arguments: stores)
  func casts(_ types: [String]) throws {
    try run(types) { stack throws in
      for batchSize in [0, 2] {
        let typed = try stack.context.fetch(request(NSDictionary.self, batchSize: batchSize))
        try check(typed as? [[String: Any]], stack)
        try check(typed.map { ($0 as? [String: Any]) ?? [:] }, stack)
        try check((typed as [Any]) as? [[String: Any]], stack)
        let untyped = try stack.context.fetch(
          request((any NSFetchRequestResult).self, batchSize: batchSize))
        try check(untyped as? [[String: Any]], stack)
        try check(untyped.compactMap { ($0 as Any) as? [String: Any] }, stack)
        let objects = try #require(untyped as? [NSDictionary])
        #expect(objects.map { $0["name"] as? String } == ["a", "b", "c", "d", "e"])
        #expect(objects.map { $0["price"] as? NSNumber } == [1.5, 4, 2.5, 1.5, nil])
        #expect(objects.map { $0.object(forKey: "isSold") as? NSNumber } == [1, 0, 1, 0, 1])
        #expect(objects.map { $0.allKeys.count } == [5, 5, 5, 5, 3])
        try check(try stack.context.fetch(request([String: Any].self)), stack)
        try check(try stack.context.fetch(request(Any.self)) as? [[String: Any]], stack)
        let hashable = try stack.context.fetch(request([AnyHashable: Any].self))
        #expect(hashable.map { $0["name"] as? String } == ["a", "b", "c", "d", "e"])
      }
    }
  }

  @Test(
    "rows return the values of columns by name, and do not cast to dictionaries", arguments: stores)
  func rows(_ types: [String]) throws {
    try run(types) { stack throws in
      let rows = try stack.context.fetch(request(FetchedRow.self))
      try check(rows.map(\.dictionary), stack)
      #expect(rows.map { $0["name"] as? String } == ["a", "b", "c", "d", "e"])
      #expect(rows.map(\.count) == [5, 5, 5, 5, 3])
      #expect(rows.last?.keys == ["name", "isSold", "objectID"])
      #expect(rows.first?["nothing"] == nil)
      #expect(rows.first?.readableValue(forKeyPath: "owner.name") as? String == "a")
      #expect(rows.first?.readableValue(forKey: "nothing") is NoSuchKey)
      #expect((rows as [Any]) as? [[String: Any]] == nil)
    }
  }

  @Test("a request that executes itself returns dictionaries that keep their values in casts")
  func executing() throws {
    try run([NSSQLiteStoreType]) { stack throws in
      try check(try request(NSDictionary.self).execute() as? [[String: Any]], stack)
      try check(
        try request((any NSFetchRequestResult).self).execute() as? [[String: Any]], stack)
    }
  }

  @Test(
    "an asynchronous fetch returns dictionaries that keep their values in casts",
    arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
  func asynchronous(_ type: String) async throws {
    let stack = try FetchingStack(type)
    try await stack.context.perform { try stack.seed() }
    let context = stack.context
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      context.performAndWait {
        let asynchronous = NSAsynchronousFetchRequest(
          fetchRequest: request((any NSFetchRequestResult).self)
        ) { result in
          do {
            try check(result.finalResult as? [[String: Any]], stack)
            #expect((result.finalResult as? [NSDictionary])?.first?["price"] as? Double == 1.5)
          } catch { Issue.record(error) }
          done.resume()
        }
        do { _ = try context.execute(asynchronous) } catch {
          Issue.record(error)
          done.resume()
        }
      }
    }
  }

  @Test("a child context's dictionaries keep their values in casts")
  func child() throws {
    try run([NSSQLiteStoreType]) { stack throws in
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = stack.context
      let rows = try child.performAndWait {
        try child.fetch(request((any NSFetchRequestResult).self)).compactMap { $0 as? NSDictionary }
      }
      try check(rows as? [[String: Any]], stack)
    }
  }

  @Test("every type of value survives the cast")
  func valueTypes() throws {
    let names: [(String, NSAttributeDescription.AttributeType, Any)] = [
      ("small", .integer16, NSNumber(value: 7)), ("flag", .boolean, NSNumber(value: true)),
      ("real", .double, NSNumber(value: 2.5)), ("exact", .decimal, NSDecimalNumber(string: "1.25")),
      ("text", .string, "é"), ("day", .date, Date(timeIntervalSinceReferenceDate: 5)),
      ("bytes", .binaryData, Data([1, 2])), ("code", .uuid, UUID()),
      ("link", .uri, URL(fileURLWithPath: "/a")), ("tags", .transformable, ["a", "é"]),
    ]
    let (place, point) = (NSCompositeAttributeDescription(), NSCompositeAttributeDescription())
    (place.name, point.name) = ("place", "point")
    point.elements = [attribute("x", .double), attribute("y", .double)]
    place.elements = [attribute("city", .string), point, attribute("labels", .transformable)]
    let entity = NSEntityDescription()
    entity.name = "Sample"
    entity.properties = names.map { name, type, _ in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.type, attribute.isOptional) = (name, type, true)
      return attribute
    }
    entity.properties.append(place)
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let container = try NSPersistentContainer.loaded(
      "Samples", model, [NSPersistentStoreDescription(type: NSSQLiteStoreType)])
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let object = NSEntityDescription.insertNewObject(forEntityName: "Sample", into: context)
      for (name, _, value) in names { object.setValue(value, forKey: name) }
      let values: [String: Any] = ["point": ["y": 0.5], "labels": ["b"]]
      object.setValue(values, forKey: "place")
      try context.save()
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Sample")
      request.resultType = .dictionaryResultType
      let row = try #require((try context.fetch(request) as? [[String: Any]])?.first)
      #expect(row["small"] as? Int == 7)
      #expect(row["small"] as? NSNumber == 7)
      #expect(row["flag"] as? Bool == true)
      #expect(row["flag"] as? NSNumber == true)
      #expect(row["real"] as? Double == 2.5)
      #expect(row["exact"] as? NSDecimalNumber == NSDecimalNumber(string: "1.25"))
      #expect(row["exact"] as? Decimal == Decimal(string: "1.25"))
      #expect(row["text"] as? String == "é")
      #expect(row["day"] as? Date == Date(timeIntervalSinceReferenceDate: 5))
      #expect(row["bytes"] as? Data == Data([1, 2]))
      #expect(row["code"] as? UUID == names[7].2 as? UUID)
      #expect((row["link"] as? URL)?.path == "/a")
      #expect(row["tags"] as? [String] == ["a", "é"])
      let read = try #require(row["place"] as? [String: Any])
      #expect(Set(read.keys) == ["point", "labels"])
      #expect((read["point"] as? [String: Any])?["y"] as? Double == 0.5)
      #expect(read["labels"] as? [String] == ["b"])
    }
  }

  @Test(
    "a composite attribute is a dictionary of its elements, as a whole, in part, over a relationship and in groups",
    arguments: FetchingModel.stores)
  func composites(_ type: String) throws {
    let context = try AlbumModel.context(type)
    try context.performAndWait {
      let origin: [String: Any] = ["place": ["city": "London"]]
      let album = AlbumModel.insert("Album", ["title": "A", "origin": origin], in: context)
      _ = AlbumModel.insert("Album", ["title": "B"], in: context)
      _ = AlbumModel.insert("Album", ["title": "C", "origin": origin], in: context)
      _ = AlbumModel.insert("Song", ["title": "S", "album": album], in: context)
      try context.save()
      let albums = NSFetchRequest<FetchedRow>(entityName: "Album")
      albums.resultType = .dictionaryResultType
      albums.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let rows = try context.fetch(albums)
      #expect(rows.map { $0.keys.contains("origin") } == [true, false, true])
      #expect(rows.map { $0["origin"] == nil } == [false, true, false])
      #expect(rows.first?.readableValue(forKeyPath: "origin.place.city") as? String == "London")
      albums.propertiesToFetch = ["origin", "title", "origin.place", "origin.place.city"]
      let row = try #require(try context.fetch(albums).first)
      #expect(row.keys == ["origin", "title", "origin.place", "origin.place.city"])
      let whole = row["origin"] as? [String: Any]
      #expect(whole?["place"] as? [String: String] == ["city": "London"])
      #expect(row["title"] as? String == "A")
      #expect(row["origin.place"] as? [String: String] == ["city": "London"])
      #expect(row["origin.place.city"] as? String == "London")
      let songs = NSFetchRequest<[String: Any]>(entityName: "Song")
      songs.resultType = .dictionaryResultType
      songs.propertiesToFetch = ["album.origin"]
      let reached = try context.fetch(songs).first?["album.origin"] as? [String: Any]
      #expect(reached?["place"] as? [String: String] == ["city": "London"])
      let groups = NSFetchRequest<[String: Any]>(copying: albums)
      groups.sortDescriptors = nil
      groups.propertiesToFetch = ["origin"]
      groups.propertiesToGroupBy = ["origin"]
      #expect(try context.fetch(groups).count == 2)
      #expect(try context.count(for: groups) == 2)
    }
  }
}
