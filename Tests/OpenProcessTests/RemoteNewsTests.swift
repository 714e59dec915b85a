import Foundation
import OpenCoreData
import ProcessModel
import Synchronization
import Testing

@Suite("Notifications of other processes' changes", .serialized)
struct RemoteNewsTests {
  /// The notifications of a coordinator, in order, each with its arrival time.
  private final class News: Sendable {
    private struct Entry: @unchecked Sendable {
      // Invariant: immutable property-list values.
      let userInfo: [AnyHashable: Any]
      let time: Int
    }

    private let entries = Mutex<[Entry]>([])
    private let condition = NSCondition()

    func observe(_ coordinator: NSPersistentStoreCoordinator) -> any NSObjectProtocol {
      NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
      ) { notification in
        let time = ProcessModel.nanoseconds
        let entry = Entry(userInfo: notification.userInfo ?? [:], time: time)
        self.condition.lock()
        self.entries.withLock { $0.append(entry) }
        self.condition.broadcast()
        self.condition.unlock()
      }
    }

    var count: Int { entries.withLock { $0.count } }

    /// Waits for notifications; half a minute at most.
    func wait(for count: Int) -> Bool {
      let deadline = Date(timeIntervalSinceNow: 30)
      condition.lock()
      defer { condition.unlock() }
      while self.count < count, condition.wait(until: deadline) {}
      return self.count >= count
    }

    var last: (userInfo: [AnyHashable: Any], time: Int)? {
      entries.withLock { $0.last.map { ($0.userInfo, $0.time) } }
    }
  }

  private func observing<Result>(
    _ store: SharedStore, options: [AnyHashable: Any] = [:],
    _ work: (NSPersistentStoreCoordinator, News) throws -> Result
  ) throws -> Result {
    try store.opened(options) { coordinator in
      let news = News()
      let observer = news.observe(coordinator)
      defer { NotificationCenter.default.removeObserver(observer) }
      return try work(coordinator, news)
    }
  }

  /// The targets of this process's descriptors, if the system reports them.
  private func descriptors() -> [String] {
    let folder = "/proc/self/fd"
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: folder)) ?? []
    // A descriptor may close during the loop.
    return names.compactMap { try? files.destinationOfSymbolicLink(atPath: folder + "/" + $0) }
  }

  private func watchers() -> Int { descriptors().filter { $0.contains("inotify") }.count }

  @Test(
    "the notification of another process's save contains the store's UUID and URL, and the new token"
  )
  func contents() throws {
    let store = try SharedStore()
    try observing(store) { coordinator, news in
      let process = try store.startProcess()
      for count in 1...3 {
        #expect(try process.ask("save").hasPrefix("saved"))
        #expect(news.wait(for: count))
        let userInfo = try #require(news.last).userInfo
        let identifier = coordinator.persistentStores.first?.identifier
        #expect(userInfo[NSStoreUUIDKey] as? String == identifier)
        #expect(userInfo[NSPersistentStoreURLKey] as? URL == store.url)
        let token = userInfo[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
        #expect(token == coordinator.currentPersistentHistoryToken(fromStores: nil))
      }
      #expect(news.count == 3)
    }
  }

  @Test(
    "a store's own saves are announced once, on the saving thread, and not again when other processes save"
  )
  func own() throws {
    let store = try SharedStore()
    try observing(store) { coordinator, news in
      let context = ProcessModel.context(coordinator, author: "test")
      for count in 1...20 {
        try context.performAndWait {
          _ = NSEntityDescription.insertNewObject(forEntityName: "Tally", into: context)
          try context.save()
        }
        #expect(news.count == count)
      }
      let process = try store.startProcess()
      for count in 21...23 {
        #expect(try process.ask("save").hasPrefix("saved"))
        #expect(news.wait(for: count))
        #expect(news.count == count)
      }
    }
  }

  @Test(
    "a process that only reads is notified too, whether it opened the store before the writer or after it"
  )
  func readers() throws {
    let store = try SharedStore()
    try store.insert("Tally", "value", [1])
    let options = [NSReadOnlyPersistentStoreOption: true as NSNumber]
    try observing(store, options: options) { coordinator, news in
      #expect(try store.names == ["shared.sqlite"])
      let process = try store.startProcess()
      #expect(try process.ask("save").hasPrefix("saved"))
      #expect(news.wait(for: 1))
      #expect(try SharedStore.numbers("Entry", "amount", in: coordinator) == [1])
      #expect(try process.ask("close") == "closed")
    }
    let process = try store.startProcess()
    try observing(store, options: options) { _, news in
      let answer = try process.ask("save")
      #expect(answer.hasPrefix("saved"))
      #expect(news.wait(for: 1))
    }
  }

  @Test("a closed store is not notified, and leaves no descriptor open")
  func closing() throws {
    let store = try SharedStore()
    let process = try store.startProcess()
    let news = News()
    do {
      var observers: [(NSPersistentStoreCoordinator, any NSObjectProtocol)] = []
      for _ in 0..<10 {
        let coordinator = try store.open()
        observers.append((coordinator, news.observe(coordinator)))
        try store.close(coordinator)
        #expect(try process.ask("save").hasPrefix("saved"))
      }
      // Once an open store is notified, a closed store would have been notified as well.
      try observing(store) { (_, ofOpenStore) throws in
        #expect(try process.ask("save").hasPrefix("saved"))
        #expect(ofOpenStore.wait(for: 1))
      }
      #expect(news.count == 0)
      for (_, observer) in observers { NotificationCenter.default.removeObserver(observer) }
    }
    #expect(descriptors().filter { $0.contains(store.folder.lastPathComponent) } == [])
    // The watcher closes its descriptor on a separate queue; other tests may have one open.
    let deadline = Date(timeIntervalSinceNow: 30)
    while watchers() > 1, Date() < deadline { Thread.sleep(forTimeInterval: 0.01) }
    #expect(watchers() <= 2)
  }

  @Test("a store is also closed if its coordinator is released without removing it")
  func abandoned() throws {
    let store = try SharedStore()
    for _ in 0..<3 {
      _ = try store.open()
      #expect(try store.names == ["shared.sqlite"])
    }
  }

  @Test(
    "changes of other processes are announced within 100 ms on an idle machine",
    .enabled(if: ProcessInfo.processInfo.environment["OPENCOREDATA_PROCESS_SECONDS"] != nil))
  func latency() throws {
    let store = try SharedStore()
    let process = try store.startProcess()
    var latencies: [Double] = []
    try observing(store) { _, news in
      for count in 1...200 {
        let answer = try process.ask("save").split(separator: " ")
        let saved = try #require(answer.last.flatMap { Int($0) })
        #expect(news.wait(for: count))
        latencies.append(Double(try #require(news.last).time - saved) / 1e6)
      }
    }
    latencies.sort()
    print("Latency in ms: median \(latencies[100]), 95% \(latencies[190]), most \(latencies[199])")
    #expect(latencies[199] <= 100)
  }
}
