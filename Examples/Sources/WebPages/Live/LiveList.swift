/// A list that open pages show, kept up to date by edits.
///
/// Every state has a number. A page is told of what came after the state that it shows, or to load itself again if that is too
/// long ago. While no page listens, changes are noted only; the rows are read for the next page.
public actor LiveList {
  /// How many changes are kept for pages that come back.
  private static let logLimit = 64

  /// The id of the list's element in pages.
  public nonisolated let name: String
  private let load: @Sendable () async throws -> [LiveRow]
  private let changes: @Sendable () -> AsyncStream<Void>
  private var rows: [LiveRow] = []
  private var revision = 0
  /// The last changes, each as the events that tell of it.
  private var log: [(revision: Int, events: [String])] = []
  private var queues: [ObjectIdentifier: Subscription] = [:]
  private var following: Task<Void, Never>?
  private var idleBeats = 0
  /// Whether the rows may have changed since they were read.
  private var isBehind = false
  private var startedLoads = 0
  private var shownLoad = 0

  /// Makes a list.
  ///
  /// - Parameters:
  ///   - name: The id of the list's element in pages.
  ///   - changes: A stream with an element whenever the rows may have become others.
  ///   - load: The rows at present.
  public init(
    _ name: String, changes: @escaping @Sendable () -> AsyncStream<Void>,
    load: @escaping @Sendable () async throws -> [LiveRow]
  ) {
    self.name = name
    self.changes = changes
    self.load = load
  }

  deinit { following?.cancel() }

  /// A state of the list.
  public struct State: Sendable {
    /// The rows in order.
    public let rows: [LiveRow]
    /// The state's number.
    public let revision: Int
  }

  /// The present state; from the first call on the list follows changes.
  ///
  /// The rows are read for each call, so that a page shows what the form before it has done, and does not wait to be told.
  ///
  /// - Throws: What loading the rows throws.
  public func state() async throws -> State {
    idleBeats = 0
    if following == nil {
      let stream = changes()
      following = Task { [weak self] in
        for await _ in stream { await self?.refresh() }
      }
    }
    try await show()
    return State(rows: rows, revision: revision)
  }

  /// One page that listens.
  private struct Subscription {
    let queue: EventQueue
    /// Tells the page's event number from the lists' states.
    let eventID: @Sendable (Int) -> String
  }

  /// Tells a page of changes from now on, and of those after the state that it shows.
  ///
  /// - Parameters:
  ///   - revision: The number of the state that the page shows.
  ///   - eventID: The id of the event that leads to a state.
  func subscribe(
    _ queue: EventQueue, after revision: Int, eventID: @escaping @Sendable (Int) -> String
  ) {
    let subscription = Subscription(queue: queue, eventID: eventID)
    queues[ObjectIdentifier(queue)] = subscription
    if isBehind { Task { await refresh() } }
    guard revision != self.revision else { return }
    let missed = log.filter { $0.revision > revision }
    guard missed.count == self.revision - revision, revision < self.revision else {
      return queue.add(EventQueue.stale)
    }
    for change in missed { tell(subscription, change.events, change.revision) }
  }

  /// Whether a page listens.
  var hasReaders: Bool { !queues.isEmpty }

  func unsubscribe(_ queue: EventQueue) { queues[ObjectIdentifier(queue)] = nil }

  /// Counts a beat without readers; returns how many there were in a row.
  func beat() -> Int {
    idleBeats = queues.isEmpty ? idleBeats + 1 : 0
    return idleBeats
  }

  private func refresh() async {
    if queues.isEmpty {
      isBehind = true
      return
    }
    do {
      try await show()
    } catch {
      // Pages load themselves again, and are told what is wrong.
      for subscription in queues.values { subscription.queue.add(EventQueue.stale) }
    }
  }

  /// Loads the rows, and tells pages what is different; a load that began before the one that is shown is dropped.
  private func show() async throws {
    isBehind = false
    startedLoads += 1
    let number = startedLoads
    let present = try await load()
    guard number > shownLoad else { return }
    shownLoad = number
    let edits = LiveEdit.edits(of: name, from: rows, to: present)
    rows = present
    if edits.isEmpty { return }
    revision += 1
    let events = edits.map(\.event)
    log.append((revision, events))
    if log.count > Self.logLimit { log.removeFirst() }
    for subscription in queues.values { tell(subscription, events, revision) }
  }

  /// Only the last event has an id, so that a page that missed one of them gets all of them again.
  private func tell(_ subscription: Subscription, _ events: [String], _ revision: Int) {
    let id = "id: \(subscription.eventID(revision))\n"
    subscription.queue.add(events.dropLast().joined() + id + (events.last ?? ""))
  }
}
