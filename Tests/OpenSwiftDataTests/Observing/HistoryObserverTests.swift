import Foundation
import Observation
import OpenSwiftData
import Synchronization
import Testing

@Suite("History observers", .timeLimit(.minutes(30)))
struct HistoryObserverTests {
  private let container: ModelContainer

  init() throws {
    container = try ModelContainer(
      for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  private func save(by author: String? = nil) throws {
    let context = ModelContext(container)
    context.author = author
    context.insert(Note(title: "a"))
    try context.save()
  }

  /// Waits until a change of the counter follows some work.
  private func change(of observer: HistoryObserver, after work: () throws -> Void) async throws {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    withObservationTracking {
      _ = observer.eventCounter
    } onChange: {
      continuation.finish()
    }
    try work()
    for await _ in stream {}
  }

  /// Waits until an observer has counted a number of events.
  private func wait(for count: Int, of observer: HistoryObserver) async {
    while observer.eventCounter < count { await Task.yield() }
  }

  /// Waits until an observer has read the latest transaction. It has then counted the events of
  /// the transactions that it read before.
  private func waitForLatest(of observer: HistoryObserver) async throws {
    let latest = try ModelContext(observer.modelContainer).fetchHistory(
      HistoryDescriptor<DefaultHistoryTransaction>()
    ).last?.token
    while !observer.historyTokens.values.contains(where: { $0 as? DefaultHistoryToken == latest }) {
      await Task.yield()
    }
  }

  /// Expects that an observer counts one event for the history after a token that the history does
  /// not contain, and then counts later saves.
  private func expectOneEvent(after token: DefaultHistoryToken) async throws {
    let observer = try HistoryObserver(
      historyTokens: [token.storeIdentifier: token], modelContainer: container, isolation: nil)
    await wait(for: 1, of: observer)
    #expect(observer.eventCounter == 1)
    try save()
    await wait(for: 2, of: observer)
    #expect(observer.eventCounter == 2)
  }

  @Test("later saves are counted")
  func counting() async throws {
    try save()
    let observer = try HistoryObserver(modelContainer: container, isolation: nil)
    #expect(observer.eventCounter == 0)
    try await change(of: observer) { try save() }
    await wait(for: 1, of: observer)
    #expect(observer.eventCounter == 1)
    #expect(observer.modelContainer === container)
  }

  @Test("saves after the given tokens are counted")
  func tokens() async throws {
    try save()
    let context = ModelContext(container)
    let token = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())[0].token
    try save()
    try await confirmation { confirm in
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      let observer = try HistoryObserver(
        historyTokens: [token.storeIdentifier: token], modelContainer: container, isolation: nil)
      withObservationTracking {
        if observer.eventCounter > 0 { continuation.finish() }
      } onChange: {
        continuation.finish()
      }
      for await _ in stream {}
      confirm()
    }
  }

  @Test("saves of another container with the same store are counted (D-363)")
  func otherContainer() async throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("observed-\(UUID().uuidString).store")
    func open() throws -> ModelContainer {
      try ModelContainer(for: Note.self, configurations: ModelConfiguration(url: url))
    }
    let observer = try HistoryObserver(modelContainer: open(), isolation: nil)
    let context = ModelContext(try open())
    context.insert(Note(title: "a"))
    try context.save()
    await wait(for: 1, of: observer)
    #expect(observer.eventCounter == 1)
  }

  @Test("a history that cannot be read is counted as one event (D-363)")
  func deletedHistory() async throws {
    typealias Descriptor = HistoryDescriptor<DefaultHistoryTransaction>
    let context = ModelContext(container)
    try save()
    let token = try context.fetchHistory(Descriptor())[0].token
    for _ in 0..<2 { try save() }
    try context.deleteHistory(Descriptor())
    try await expectOneEvent(after: token)
  }

  @Test("a token from after the end of a restored store's history is counted as one event (D-363)")
  func laterToken() async throws {
    try save()
    let store = try ModelContext(container).fetchHistory(
      HistoryDescriptor<DefaultHistoryTransaction>())[0].storeIdentifier
    let token = try JSONDecoder().decode(
      DefaultHistoryToken.self, from: JSONEncoder().encode(["tokenValue": [store: 50]]))
    try await expectOneEvent(after: token)
  }

  @Test("only saves of the observed authors are counted")
  func authors() async throws {
    let observer = try HistoryObserver(
      authors: ["one"], modelContainer: container, isolation: nil)
    for author in ["two", nil] {
      try save(by: author)
      try await waitForLatest(of: observer)
    }
    try save(by: "one")
    await wait(for: 1, of: observer)
    try save(by: "two")
    try await waitForLatest(of: observer)
    #expect(observer.eventCounter == 1)
  }

  @Test("only saves of the observed classes are counted")
  func models() async throws {
    let container = try ModelContainer(
      for: Note.self, Keepsake.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let observer = try HistoryObserver(
      observedModels: [Keepsake.self], modelContainer: container, isolation: nil)
    let context = ModelContext(container)
    context.insert(Note(title: "a"))
    try context.save()
    try await waitForLatest(of: observer)
    context.insert(Keepsake(title: "b", kind: .photo))
    try context.save()
    await wait(for: 1, of: observer)
    context.insert(Note(title: "c"))
    try context.save()
    try await waitForLatest(of: observer)
    #expect(observer.eventCounter == 1)
    #expect(observer.historyTokens.count == 1)
  }

  @Test("a class that is not in the schema cannot be observed")
  func unknownClass() throws {
    #expect(throws: SwiftDataError.unknownSchema) {
      try HistoryObserver(
        observedModels: [Keepsake.self], modelContainer: container, isolation: nil)
    }
  }

  @Test("a container reports saves to its stores")
  func remoteChange() throws {
    let tokens = Mutex<[DefaultHistoryToken]>([])
    let observation = NotificationCenter.default.addObserver(
      forName: ModelContainer.remoteChange, object: container, queue: nil
    ) { note in
      let token = note.userInfo?["historyToken"] as? DefaultHistoryToken
      tokens.withLock { if let token { $0.append(token) } }
    }
    defer { NotificationCenter.default.removeObserver(observation) }
    try save()
    let history = try ModelContext(container).fetchHistory(
      HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(tokens.withLock { $0 } == history.map(\.token))
  }
}
