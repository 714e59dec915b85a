/// A list that edits keep up to date in open pages.
///
/// Each state has a revision number. A page receives the changes after the revision that it shows, or reloads if that revision is too old.
/// While no page listens, the list only records that changes occurred, and reads the rows for the next page.
public actor LiveList {
  /// The number of changes kept for pages that reconnect.
  private static let logLimit = 64

  /// The id of the list's element in pages.
  public nonisolated let name: String
  private let load: @Sendable () async throws -> [LiveRow]
  private let changes: @Sendable () -> AsyncStream<Void>
  private var rows: [LiveRow] = []
  /// The number of the current state.
  ///
  /// The first number is random. A page that shows a state of an earlier list with the same key, even from before a restart of the program,
  /// therefore has a number that this list does not have.
  private var revision = Int.random(in: 0..<1 << 52)
  /// The last changes, each with its events.
  private var log: [(revision: Int, events: [String])] = []
  private var queues: [ObjectIdentifier: Subscription] = [:]
  private var following: Task<Void, Never>?
  private var idleBeats = 0
  /// Whether the rows may have changed since they were read.
  private var isBehind = false
  private var startedLoads = 0
  private var shownLoad = 0

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - name: The id of the list's element in pages.
  ///   - changes: A closure that returns a stream with an element whenever the rows may have changed.
  ///   - load: A closure that reads the current rows.
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
    /// The revision number of the state.
    public let revision: Int
  }

  /// Returns the current state. From the first call on, the list follows changes.
  ///
  /// Each call reads the rows, so that a page shows the result of the preceding form without waiting for a notification.
  ///
  /// - Throws: An error of loading the rows.
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

  /// A page that listens.
  private struct Subscription {
    let queue: EventQueue
    /// A closure that returns the event id for a revision of the list.
    let eventID: @Sendable (Int) -> String
  }

  /// Sends a page the changes after the revision that it shows, and all later changes.
  ///
  /// - Parameters:
  ///   - queue: The queue of events for the page.
  ///   - revision: The revision that the page shows.
  ///   - eventID: A closure that returns the id of the event that brings the list to a revision.
  func subscribe(
    _ queue: EventQueue, after revision: Int, eventID: @escaping @Sendable (Int) -> String
  ) {
    let subscription = Subscription(queue: queue, eventID: eventID)
    queues[ObjectIdentifier(queue)] = subscription
    if isBehind { Task { await refresh() } }
    guard revision != self.revision else { return }
    let missed = log.filter { $0.revision > revision }
    // The log has no gaps, so it has all missed changes if it has the next one.
    guard revision < self.revision, missed.first?.revision == revision + 1 else {
      return queue.add(EventQueue.stale)
    }
    for change in missed { tell(subscription, change.events, change.revision) }
  }

  /// Whether a page listens.
  var hasReaders: Bool { !queues.isEmpty }

  func unsubscribe(_ queue: EventQueue) { queues[ObjectIdentifier(queue)] = nil }

  /// Counts a beat, and returns the number of consecutive beats without readers.
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
      // Pages reload, and the response shows the error.
      for subscription in queues.values { subscription.queue.add(EventQueue.stale) }
    }
  }

  /// Loads the rows, and sends the differences to pages. The list discards the result if a later load has already been shown.
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

  /// Sends the events of a change. Only the last event has an id, so a page that missed one of the events receives all of them again.
  private func tell(_ subscription: Subscription, _ events: [String], _ revision: Int) {
    let id = "id: \(subscription.eventID(revision))\n"
    subscription.queue.add(events.dropLast().joined() + id + (events.last ?? ""))
  }
}
