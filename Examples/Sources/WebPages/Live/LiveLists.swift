import Foundation

/// The lists that open pages show, by their keys; one that no page shows any more is forgotten after a while.
public actor LiveLists {
  /// After how many beats without readers a list is forgotten.
  private static let idleLimit = 8
  /// How many lists there can be before those that no page shows are forgotten at once.
  private static let limit = 1_000

  private var lists: [String: LiveList] = [:]
  private var queues: [ObjectIdentifier: EventQueue] = [:]

  /// Makes a collection without lists.
  public init() {}

  /// The list of a key, made unless there is one.
  ///
  /// - Parameters:
  ///   - key: What the list shows, such as "posts/17/2".
  ///   - make: Makes the list.
  public func list(_ key: String, _ make: @Sendable () -> LiveList) async -> LiveList {
    if lists.count >= Self.limit {
      for (key, list) in lists where await !list.hasReaders { lists[key] = nil }
    }
    if let list = lists[key] { return list }
    let list = make()
    lists[key] = list
    return list
  }

  /// Opens the event stream of a page.
  ///
  /// - Parameter shown: The keys of the page's lists with the numbers of the states that it shows.
  /// - Returns: What the page is to be sent; it is told to load itself again if a list is not kept any more.
  package func open(_ shown: [(key: String, revision: Int)]) async -> EventQueue {
    let queue = EventQueue()
    queues[ObjectIdentifier(queue)] = queue
    let revisions = shown.map(\.revision)
    let states = EventStates(revisions)
    for (place, entry) in shown.enumerated() {
      guard let list = lists[entry.key] else {
        queue.add(EventQueue.stale)
        continue
      }
      await list.subscribe(queue, after: entry.revision) { states.id(place, at: $0) }
    }
    queue.beat()
    return queue
  }

  /// Ends the event stream of a page.
  package func close(_ queue: EventQueue) async {
    queues[ObjectIdentifier(queue)] = nil
    queue.end()
    for list in lists.values { await list.unsubscribe(queue) }
  }

  /// Keeps connections open, and forgets lists that no page shows.
  package func beat() async {
    for queue in queues.values { queue.beat() }
    for (key, list) in lists where await list.beat() > Self.idleLimit { lists[key] = nil }
  }

  /// Ends all event streams.
  func closeAll() async {
    for queue in queues.values { queue.end() }
    queues = [:]
    lists = [:]
  }

  /// The number of open event streams.
  public var openCount: Int { queues.count }
}
