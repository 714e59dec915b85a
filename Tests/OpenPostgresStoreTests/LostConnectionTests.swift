import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import OpenStoreContract
import Testing

@Suite("A lost connection loses no changes", .enabled(if: TestServer.isPresent), .serialized)
struct LostConnectionTests {
  /// Distance between the bytes at which saves are cut; 1 with OPENCOREDATA_EVERY_BYTE.
  private static let step =
    ProcessInfo.processInfo.environment["OPENCOREDATA_EVERY_BYTE"] == nil ? 23 : 1

  @Test(
    "a save that is interrupted at any byte is executed once",
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
      try save(title, in: context)
      let hasCut = proxy.finish()
      try direct.performAndWait {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "title == %@", title)
        let found = try direct.count(for: request)
        #expect(found == 1, "cut after \(number) bytes")
      }
      if !hasCut { break }
      number += Self.step
    }
    #expect(number > 500)
    try expectHistoryWithoutGaps(in: direct)
  }

  @Test("a save whose notification fails is executed once, wherever the connection is cut")
  func cutNotices() throws {
    let server = try TestServer.separate()
    defer { server.stop() }
    _ = try server.url(ofNewRole: "silent")
    try server.execute("REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC")
    let proxy = try CuttingProxy(server: server.socketFolder)
    defer { proxy.close() }
    let place = try server.url(schema: "silent", host: proxy.folder).absoluteString
    let url = try #require(URL(string: place.replacing("user=tests", with: "user=silent")))
    let context = try Library.container(url).newBackgroundContext()
    var titles: [String] = []
    var hasCut = true
    while hasCut {
      let count = titles.count * Self.step
      titles.append("book \(count)")
      proxy.cut(after: count, .toClient)
      try save("book \(count)", in: context)
      hasCut = proxy.finish()
    }
    #expect(titles.count > 1)
    try context.performAndWait {
      let stored = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
        .compactMap { $0.value(forKey: "title") as? String }
      #expect(stored.sorted() == titles.sorted())
    }
  }

  /// Saves a book with its author.
  private func save(_ title: String, in context: NSManagedObjectContext) throws {
    try context.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      book.setValue(title, forKey: "title")
      author.setValue(title, forKey: "name")
      book.setValue(author, forKey: "author")
      try context.save()
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

  @Test("a read on a lost connection is repeated on another connection")
  func cutReads() throws {
    let server = try TestServer.shared.get()
    let proxy = try CuttingProxy(server: server.socketFolder)
    defer { proxy.close() }
    let context = try Library.container(
      try server.url(schema: "cut_reads", host: proxy.folder)
    ).viewContext
    try save("only", in: context)
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      var cutCount = 0
      for count in stride(from: 0, to: 200, by: 10) {
        proxy.cut(after: count, .toServer)
        let stored = try context.count(for: request)
        #expect(stored == 1)
        if proxy.finish() { cutCount += 1 }
      }
      #expect(cutCount > 0)
    }
  }

  @Test("a conflict names the stored values, wherever the connection is cut")
  func cutConflicts() throws {
    let server = try TestServer.shared.get()
    let schema = "cut_conflicts"
    let proxy = try CuttingProxy(server: server.socketFolder)
    defer { proxy.close() }
    let context = try Library.container(
      try server.url(schema: schema, host: proxy.folder)
    ).newBackgroundContext()
    let direct = try Library.container(try server.url(schema: schema)).newBackgroundContext()
    try context.performAndWait {
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      author.setValue("first", forKey: "name")
      try context.save()
      let id = author.objectID
      try direct.performAndWait {
        try direct.existingObject(with: id).setValue("theirs", forKey: "name")
        try direct.save()
      }
      author.setValue("mine", forKey: "name")
      var hasCut = true
      var count = 0
      while hasCut {
        proxy.cut(after: count, .toServer)
        let error = #expect(throws: NSError.self) { try context.save() }
        hasCut = proxy.finish()
        let conflicts =
          error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        let stored = conflicts?.first?.persistedSnapshot?["name"] as? String
        #expect(stored == "theirs", "cut after \(count) bytes: \(error?.description ?? "")")
        #expect(author.value(forKey: "name") as? String == "mine")
        count += Self.step
      }
      #expect(count > Self.step)
    }
  }

  /// A call of a store that can run twice.
  struct Call: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (PostgresStore) throws -> Void
  }

  static let calls = [
    Call(testDescription: "reserve keys") { store in _ = try store.reserveKeys([0: 5000]) },
    Call(testDescription: "read the metadata") { store in _ = try store.metadata() },
    Call(testDescription: "check that the store can be written") { store in
      try store.requireWritable()
    },
    Call(testDescription: "delete history") { store in
      _ = try store.history?.delete(before: .transaction(1))
    },
    Call(testDescription: "record a consumer") { store in
      try store.history?.setConsumer("consumer", 1)
    },
  ]

  @Test("a call succeeds although the server has ended all idle connections", arguments: calls)
  func endedConnections(_ call: Call) throws {
    let server = try TestServer.shared.get()
    let name = "ended_\(UUID().uuidString.prefix(8))".lowercased()
    let place = try server.url(schema: name)
    let url = try #require(URL(string: "\(place)&application_name=\(name)"))
    let store = try Library.store(url)
    defer { store.close() }
    // Divides by zero if the store has no connection.
    try server.execute(
      """
      SELECT 1 / count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity \
      WHERE application_name = '\(name)'
      """)
    try call.run(store)
  }
}
