import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import OpenStoreContract
import Testing

@Suite("A connection that is lost loses nothing", .enabled(if: TestServer.isPresent), .serialized)
struct LostConnectionTests {
  /// Distance between the bytes at which saves are cut; 1 with OPENCOREDATA_EVERY_BYTE.
  private static let step =
    ProcessInfo.processInfo.environment["OPENCOREDATA_EVERY_BYTE"] == nil ? 23 : 1

  @Test(
    "a save that is cut at any byte is whole or not there, and the answer says which",
    arguments: [CuttingProxy.Direction.toServer, .toClient])
  func cutSaves(_ direction: CuttingProxy.Direction) throws {
    let server = try TestServer.shared.get()
    let schema = "cut_\(direction)".lowercased()
    let proxy = try CuttingProxy(server: server.socketFolder)
    defer { proxy.close() }
    let context = try Library.container(
      try server.url(schema: schema, host: proxy.folder)
    ).viewContext
    let direct = try Library.container(try server.url(schema: schema)).viewContext
    var number = 0
    while true {
      let title = "book \(number)"
      proxy.cut(after: number, direction)
      let isSaved = save(title, in: context)
      let hasCut = proxy.finish()
      try direct.performAndWait {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "title == %@", title)
        let found = try direct.count(for: request)
        #expect(found == (isSaved ? 1 : 0), "cut after \(number) bytes")
      }
      if !hasCut { break }
      number += Self.step
    }
    #expect(number > 500)
    try expectHistoryWithoutGaps(in: direct)
  }

  /// Saves a book with its author; false when the save throws because the server was not reached.
  private func save(_ title: String, in context: NSManagedObjectContext) -> Bool {
    context.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      book.setValue(title, forKey: "title")
      author.setValue(title, forKey: "name")
      book.setValue(author, forKey: "author")
      do {
        try context.save()
        return true
      } catch {
        let cause = (error as NSError).userInfo[OpenStoreErrorKey] as? StoreError
        #expect(cause?.code == .unreachable, "\(error)")
        context.reset()
        return false
      }
    }
  }

  private func expectHistoryWithoutGaps(in context: NSManagedObjectContext) throws {
    try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
      let books = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
      #expect(transactions.map(\.transactionNumber) == Array(1...Int64(max(1, books))))
    }
  }

  @Test("a read on a connection that was lost is repeated on another one")
  func cutReads() throws {
    let server = try TestServer.shared.get()
    let proxy = try CuttingProxy(server: server.socketFolder)
    defer { proxy.close() }
    let context = try Library.container(
      try server.url(schema: "cut_reads", host: proxy.folder)
    ).viewContext
    #expect(save("only", in: context))
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      for count in stride(from: 0, to: 200, by: 10) {
        proxy.cut(after: count, .toServer)
        let stored = try context.count(for: request)
        #expect(stored == 1)
        _ = proxy.finish()
      }
    }
  }
}
