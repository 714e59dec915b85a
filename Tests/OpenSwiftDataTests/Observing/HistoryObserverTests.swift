import Foundation
import Observation
import OpenSwiftData
import Synchronization
import Testing

@Suite("History observers")
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

  @Test("saves that follow are counted")
  func counting() async throws {
    try save()
    let observer = try HistoryObserver(modelContainer: container, isolation: nil)
    #expect(observer.eventCounter == 0)
    try await change(of: observer) { try save() }
    #expect(observer.modelContainer === container)
  }

  @Test("saves behind the given tokens are counted")
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

  @Test("only saves of the observed authors are counted")
  func authors() async throws {
    let observer = try HistoryObserver(
      authors: ["one"], modelContainer: container, isolation: nil)
    try await change(of: observer) {
      try save(by: "two")
      try save()
      try save(by: "one")
    }
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
    try await change(of: observer) {
      context.insert(Keepsake(title: "b", kind: .photo))
      try context.save()
    }
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
