import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import Testing

@Suite("Calls share the connections of a small pool", .enabled(if: TestServer.isPresent))
struct PoolTests {
  /// Returns a container on a new store. Its calls wait ten seconds for a connection.
  private func container(connections count: Int) throws -> NSPersistentContainer {
    let place = try TestServer.shared.get().newURL()
    let url = try #require(URL(string: "\(place)&pool=\(count)"))
    return try Library.container(url) { $0.timeout = 10 }
  }

  private func insertBooks(
    _ count: Int, in context: NSManagedObjectContext
  ) throws -> Int? {
    let request = NSBatchInsertRequest(
      entityName: "Book", objects: (0..<count).map { ["title": "\($0)"] as [String: Any] })
    request.resultType = .count
    return (try context.execute(request) as? NSBatchInsertResult)?.result as? Int
  }

  @Test("one connection is enough for a stack that also waits for notices")
  func oneConnection() throws {
    let context = try container(connections: 1).newBackgroundContext()
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      let none = try context.count(for: request)
      #expect(none == 0)
      NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        .setValue("first", forKey: "title")
      try context.save()
      let inserted = try insertBooks(5, in: context)
      #expect(inserted == 5)
      let books = try context.count(for: request)
      #expect(books == 6)
    }
  }

  @Test(
    "a timeout may be infinite or not a number", arguments: [Double.nan, -.infinity, .infinity])
  func unusualTimeout(_ timeout: Double) throws {
    let url = try TestServer.shared.get().newURL()
    let context = try Library.container(url) { $0.timeout = timeout }.newBackgroundContext()
    let inserted = try context.performAndWait { try insertBooks(2, in: context) }
    #expect(inserted == 2)
  }

  @Test("several batch insertions at once reserve their keys", .timeLimit(.minutes(30)))
  func batchInsertions() async throws {
    let stack = try container(connections: 2)
    let counts = try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let context = stack.newBackgroundContext()
          return try await context.perform { try insertBooks(3_000, in: context) }
        }
      }
      var counts: [Int?] = []
      for try await count in group { counts.append(count) }
      return counts
    }
    #expect(counts == [3_000, 3_000, 3_000, 3_000])
  }

  @Test("related objects can be read while a large result is passed on in parts")
  func nestedReads() throws {
    let context = try container(connections: 1).newBackgroundContext()
    try context.performAndWait {
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      author.setValue("A", forKey: "name")
      for _ in 0..<60 {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(Data(count: 100_000), forKey: "cover")
        book.setValue(author, forKey: "author")
      }
      try context.save()
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.relationshipKeyPathsForPrefetching = ["author"]
      let names = try context.fetch(request).compactMap {
        ($0.value(forKey: "author") as? NSManagedObject)?.value(forKey: "name") as? String
      }
      #expect(names == Array(repeating: "A", count: 60))
    }
  }
}
