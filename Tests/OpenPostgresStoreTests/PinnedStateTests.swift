import Foundation
import OpenCoreData
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Synchronization
import Testing

/// States of a PostgreSQL store that end before their tokens are released.
@Suite("Pinned states of a PostgreSQL store", .enabled(if: TestServer.isPresent))
struct PinnedStateTests {
  private let books = NSFetchRequest<NSManagedObject>(entityName: "Book")

  private func save(in container: NSPersistentContainer) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        .setValue("a", forKey: "title")
      try context.save()
    }
  }

  @Test(
    "after the time of the pin option, reads of the state throw, and the context can be pinned again",
    .timeLimit(.minutes(30)))
  func expiry() throws {
    let place = try TestServer.shared.get().newURL()
    let url = try #require(URL(string: "\(place)&pin=0.5"))
    let container = try Library.container(url)
    try save(in: container)
    let reader = container.newBackgroundContext()
    try reader.performAndWait {
      try reader.setQueryGenerationFrom(.current)
      var count = try reader.count(for: books)
      #expect(count == 1)
      try save(in: container)
      var failure: NSError?
      while failure == nil {
        do {
          count = try reader.count(for: books)
          #expect(count == 1)
        } catch {
          failure = error as NSError
        }
      }
      #expect(failure?.code == NSPersistentStoreOperationError)
      #expect((failure?.userInfo[OpenStoreErrorKey] as? StoreError)?.code == .snapshotLost)
      try reader.setQueryGenerationFrom(.current)
      count = try reader.count(for: books)
      #expect(count == 2)
    }
  }

  /// A restarted server assigns the names of states again, but not always in the same order. The
  /// test therefore gives the new state the name of the lost one.
  @Test(
    "after a restart of the server, a pinned context does not read the state of another context",
    .timeLimit(.minutes(30)))
  func restart() throws {
    let server = try TestServer.separate()
    defer { server.stop() }
    let container = try Library.container(try server.url(schema: "restarted"))
    try save(in: container)
    func pinned() throws -> (NSManagedObjectContext, state: URL) {
      let context = container.newBackgroundContext()
      try context.performAndWait {
        try context.setQueryGenerationFrom(.current)
        _ = try context.count(for: books)
      }
      let folder = URL(fileURLWithPath: "\(server.socketFolder)/data/pg_snapshots")
      let states = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      return (context, try #require(states.first))
    }
    let (reader, lost) = try pinned()
    try server.killAndRestart()
    try save(in: container)
    let (other, state) = try pinned()
    if state.lastPathComponent != lost.lastPathComponent {
      try FileManager.default.moveItem(at: state, to: lost)
    }
    reader.performAndWait {
      let error = #expect(throws: (any Error).self) { _ = try reader.count(for: books) }
      let cause = (error as NSError?)?.userInfo[OpenStoreErrorKey] as? StoreError
      #expect(cause?.code == .snapshotLost)
    }
    let count = try other.performAndWait { try other.count(for: books) }
    #expect(count == 2)
  }

  /// The number of commits beside a pinned context, if `OPENCOREDATA_PINNED_COMMITS` sets it.
  private static let givenCommitCount = Int(
    ProcessInfo.processInfo.environment["OPENCOREDATA_PINNED_COMMITS"] ?? "")

  @Test(
    "a pinned context sees none of many commits, and each of them still takes one round trip",
    .timeLimit(.minutes(60)))
  func manyCommits() throws {
    let server = try TestServer.shared.get()
    let proxy = try CuttingProxy(server: server.socketFolder)
    defer { proxy.close() }
    let place = try server.url(schema: "pinned_commits", host: proxy.folder)
    let url = try #require(URL(string: "\(place)&pin=86400"))
    let container = try Library.container(url) { description in
      // A listener would add round trips.
      description.setOption(
        NSNumber(value: false), forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    }
    let writer = try PageWriter(container.newBackgroundContext(), books: 1000)
    let portion = max(1, (Self.givenCommitCount ?? 200) / 10)
    let before = try writer.commit(portion)
    let reader = container.newBackgroundContext()
    books.predicate = NSPredicate(format: "pages > \(portion)")
    let atFirst = try reader.performAndWait {
      try reader.setQueryGenerationFrom(.current)
      // The first read pins the context.
      return try reader.count(for: books)
    }
    #expect(atFirst == 0)
    var durations: [Duration] = []
    let trips = try proxy.roundTrips {
      for _ in 0..<10 { durations.append(try writer.commit(portion)) }
    }
    #expect(trips == portion * 10)
    let seen = try reader.performAndWait { try reader.count(for: books) }
    #expect(seen == 0)
    let stored = try reader.performAndWait {
      try reader.setQueryGenerationFrom(nil)
      return try reader.count(for: books)
    }
    #expect(stored == min(1000, portion * 10))
    print("\(portion) commits: \(before) before, and \(durations) beside a pinned context")
    guard Self.givenCommitCount != nil else { return }
    #expect(durations.allSatisfy { $0 < before * 2 })
  }

  @Test("a state is not pinned if the store is closed at the same time")
  func closing() throws {
    let opened = Mutex<PostgresStore?>(nil)
    var configuration = StoreConfiguration(url: try TestServer.shared.get().newURL())
    configuration.statementObserver = { text in
      if text.contains("pg_export_snapshot") { opened.withLock { $0 }?.close() }
    }
    let store = try PostgresStore.open(configuration, model: Library.model.compiled())
    opened.withLock { $0 = store }
    let error = #expect(throws: StoreError.self) { _ = try store.pinned() }
    #expect(error?.code == .closed)
    opened.withLock { $0 = nil }
  }

  @Test("a time that is not a positive number is rejected", arguments: ["0", "-1", "soon", "inf"])
  func invalidTime(_ time: String) throws {
    let url = try #require(URL(string: "postgresql:///none?schema=s&pin=\(time)"))
    let error = #expect(throws: (any Error).self) { try Library.container(url) }
    #expect(error.map { "\($0)" }?.contains("pin") == true)
  }
}

/// Saves changes of books one after the other. Confined to one test.
private final class PageWriter {
  private let context: NSManagedObjectContext
  private let books: [NSManagedObject]
  private var commitCount = 0

  /// Saves a number of books without pages.
  init(_ context: NSManagedObjectContext, books count: Int) throws {
    self.context = context
    books = try context.performAndWait {
      let books = (0..<count).map { _ in
        NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      }
      try context.save()
      return books
    }
  }

  /// Saves books one after the other; the number of pages of each is the number of commits so far.
  ///
  /// - Returns: The time that the commits take.
  func commit(_ count: Int) throws -> Duration {
    try context.performAndWait {
      let start = ContinuousClock.now
      for _ in 0..<count {
        commitCount += 1
        books[commitCount % books.count].setValue(commitCount, forKey: "pages")
        try context.save()
      }
      return ContinuousClock.now - start
    }
  }
}
