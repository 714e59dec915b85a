import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import Testing

@Suite("Pages of rows with equal sort values", .enabled(if: TestServer.isPresent))
struct PageTests {
  private static let count = 200

  private func filledContext() throws -> NSManagedObjectContext {
    let container = try Library.container(
      try TestServer.shared.get().newURL(), tracksHistory: false)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for number in 0..<Self.count {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("\(number)", forKey: "title")
        book.setValue(1, forKey: "pages")
      }
      try context.save()
    }
    return context
  }

  private func request(isSorted: Bool) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    if isSorted { request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: false)] }
    return request
  }

  /// Rewrites rows, which moves them in their table.
  private func touch(_ books: [NSManagedObject]) throws {
    for book in books { book.setValue(true, forKey: "isRead") }
    try books.first?.managedObjectContext?.save()
  }

  @Test(
    "the pages contain each row once, although rows are updated in between",
    arguments: [true, false])
  func pages(isSorted: Bool) throws {
    let context = try filledContext()
    try context.performAndWait {
      let all = try context.fetch(request(isSorted: false))
      var titles: [String] = []
      let page = request(isSorted: isSorted)
      page.fetchLimit = 10
      for offset in stride(from: 0, to: Self.count, by: 10) {
        page.fetchOffset = offset
        titles += try context.fetch(page).compactMap { $0.value(forKey: "title") as? String }
        try touch(Array(all[offset..<offset + 10]))
      }
      #expect(titles.count == Self.count)
      #expect(Set(titles).count == Self.count)
    }
  }

  @Test("a page of values follows the same order")
  func values() throws {
    let context = try filledContext()
    try context.performAndWait {
      let all = try context.fetch(request(isSorted: false))
      try touch(Array(all.prefix(50)))
      let page = NSFetchRequest<NSDictionary>(entityName: "Book")
      page.resultType = .dictionaryResultType
      page.propertiesToFetch = ["title"]
      page.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
      page.fetchLimit = 10
      let titles = try context.fetch(page).compactMap { $0["title"] as? String }
      let first = request(isSorted: true)
      first.fetchLimit = 10
      let expected = try context.fetch(first).compactMap { $0.value(forKey: "title") as? String }
      #expect(titles == expected)
    }
  }

  @Test("the pages contain each distinct value once, although the server's plan changes")
  func distinctValues() throws {
    let server = try TestServer.shared.get()
    let url = try server.url(ofNewRole: "pager")
    try server.execute("ALTER ROLE pager SET enable_sort = off")
    var titles: [String] = []
    for offset in [0, 50] {
      let context = try Library.container(url, tracksHistory: false).newBackgroundContext()
      try context.performAndWait {
        if offset == 0 {
          for number in 0..<200 {
            NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
              .setValue("\(number % 100)", forKey: "title")
          }
          try context.save()
        }
        let page = NSFetchRequest<NSDictionary>(entityName: "Book")
        page.resultType = .dictionaryResultType
        page.propertiesToFetch = ["title"]
        page.returnsDistinctResults = true
        page.fetchLimit = 50
        page.fetchOffset = offset
        titles += try context.fetch(page).compactMap { $0["title"] as? String }
      }
      try server.execute(
        "ALTER ROLE pager RESET enable_sort; ALTER ROLE pager SET enable_hashagg = off")
    }
    #expect(titles.count == 100)
    #expect(Set(titles).count == 100)
  }

  @Test("a batch deletion with a limit deletes the rows of the page")
  func deletion() throws {
    let context = try filledContext()
    try context.performAndWait {
      let all = try context.fetch(request(isSorted: false))
      try touch(Array(all.prefix(50)))
      let page = request(isSorted: true)
      page.fetchLimit = 10
      let ids = Set(try context.fetch(page).map(\.objectID))
      let deletion = NSBatchDeleteRequest(fetchRequest: page)
      deletion.resultType = .resultTypeObjectIDs
      let result = try context.execute(deletion) as? NSBatchDeleteResult
      #expect(Set(result?.result as? [NSManagedObjectID] ?? []) == ids)
    }
  }
}
