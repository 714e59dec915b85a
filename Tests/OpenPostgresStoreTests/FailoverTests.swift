import Foundation
import OpenCoreData
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Synchronization
import Testing

/// A primary that fails, a disk that is full, and a listener whose connection is dead.
@Suite("Servers that fail", .enabled(if: TestServer.isPresent), .serialized)
struct FailoverTests {
  @Test("saves continue on a promoted standby, and no saved change is lost")
  func failover() async throws {
    let primary = try TestServer.separate()
    defer { primary.stop() }
    let standby = try primary.standby()
    defer { standby.stop() }
    // A commit waits until the standby has it.
    try primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
    try primary.execute("SELECT pg_reload_conf()")
    let hosts = "\(primary.socketFolder),\(standby.socketFolder)"
    let place = try primary.url(schema: "moved", host: hosts)
    let url = try #require(URL(string: "\(place)&target_session_attrs=read-write"))
    _ = try Library.container(url)
    let outcomes = SaveOutcomes()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        let context = try Library.container(url).newBackgroundContext()
        group.addTask { await outcomes.write(as: writer, in: context) }
      }
      group.addTask {
        await outcomes.wait(forSaves: 40)
        try primary.kill()
        try standby.promote()
        await outcomes.wait(forSaves: outcomes.savedCount + 40)
        outcomes.finish()
      }
      try await group.waitForAll()
    }
    try await outcomes.expectAgreement(with: try standby.url(schema: "moved"))
  }

  @Test(
    "a full disk makes a save throw, the changes stay pending, and the save succeeds once there is room",
    .enabled(if: TestServer.canMount, "the process must be allowed to mount a file system"))
  func fullDisk() throws {
    let server = try TestServer.separate()
    defer { server.stopAndUnmount() }
    let disk = try server.mountSmallDisk(megabytes: 16)
    let context = try Library.container(try server.newURL()).viewContext
    let filler = disk.appendingPathComponent("filler")
    try context.performAndWait {
      insertBook("first", in: context)
      try context.save()
      try Data(count: 15 << 20).write(to: filler)
    }
    let error = context.performAndWait {
      for number in 0..<60 { insertBook("\(number)", in: context) }
      return #expect(throws: NSError.self) { try context.save() }
    }
    #expect((error?.userInfo[OpenStoreErrorKey] as? StoreError)?.code == .inputOutput)
    try context.performAndWait {
      #expect(context.insertedObjects.count == 60)
      try FileManager.default.removeItem(at: filler)
      try context.save()
      context.reset()
      let books = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
      #expect(books.count == 61)
      #expect(books.allSatisfy { ($0.value(forKey: "cover") as? Data)?.count == 40_000 })
    }
  }

  private func insertBook(_ title: String, in context: NSManagedObjectContext) {
    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
    book.setValue(title, forKey: "title")
    // Bytes that the server cannot compress.
    var numbers = SystemRandomNumberGenerator()
    let cover = Data(
      (0..<5_000).flatMap { _ in
        withUnsafeBytes(of: numbers.next()) { Array($0) }
      })
    book.setValue(cover, forKey: "cover")
  }

  @Test(
    "a store on a standby server checks the history, and listens after the standby is promoted",
    .timeLimit(.minutes(30)))
  func listenerOnStandby() async throws {
    let primary = try TestServer.separate()
    defer { primary.stop() }
    let schema = "followed"
    _ = try Library.container(try primary.url(schema: schema))
    let standby = try primary.standby()
    defer { standby.stop() }
    let attempts = Atomic<Int>(0)
    let (listens, listening) = AsyncStream.makeStream(of: Void.self)
    let following = try Library.container(try standby.url(schema: schema)) { description in
      description.setOption(
        StatementObserver { text in
          guard text.hasPrefix("LISTEN") else { return }
          attempts.add(1, ordering: .relaxed)
          listening.yield()
        }, forKey: OpenStatementObserverOption)
    }
    let (news, told) = AsyncStream.makeStream(of: Void.self)
    let token = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: following.persistentStoreCoordinator,
      queue: nil
    ) { _ in told.yield() }
    defer { NotificationCenter.default.removeObserver(token) }
    // A save of this process would be reported without the listener.
    try primary.recordTransaction(1, in: schema)
    var iterator = news.makeAsyncIterator()
    _ = await iterator.next()
    #expect(attempts.load(ordering: .relaxed) == 0)
    try standby.promote()
    var listenIterator = listens.makeAsyncIterator()
    let listensAfterwards = await listenIterator.next() != nil
    #expect(listensAfterwards)
  }

  @Test(
    "a listener whose connection is dead without being closed reports later commits",
    .timeLimit(.minutes(30)))
  func deadListener() async throws {
    let server = try TestServer.shared.get()
    let proxy = try CuttingProxy(server: server.socketFolder)
    defer { proxy.close() }
    let schema = "dead_listener"
    let listens = Atomic<Int>(0)
    let url = try server.url(schema: schema, host: proxy.folder)
    let following = try Library.container(url) { description in
      description.setOption(
        StatementObserver { text in
          if text.hasPrefix("LISTEN") { listens.add(1, ordering: .relaxed) }
        }, forKey: OpenStatementObserverOption)
    }
    let (news, told) = AsyncStream.makeStream(of: Void.self)
    let token = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: following.persistentStoreCoordinator,
      queue: nil
    ) { _ in told.yield() }
    defer { NotificationCenter.default.removeObserver(token) }
    var iterator = news.makeAsyncIterator()
    // A save of this process would be reported without the listener.
    try server.recordTransaction(1, in: schema)
    _ = await iterator.next()
    proxy.swallow()
    let start = ContinuousClock.now
    try server.recordTransaction(2, in: schema)
    _ = await iterator.next()
    let delay = ContinuousClock.now - start
    print("A commit was reported \(delay) after the listener's connection was dead.")
    #expect(listens.load(ordering: .relaxed) >= 2)
    if NoticeTests.isMeasuring { #expect(delay < .seconds(10)) }
  }
}
