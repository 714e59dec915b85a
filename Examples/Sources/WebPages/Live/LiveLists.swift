import Foundation

/// The lists of open pages, by key. Lists that no page shows are removed after a while.
public actor LiveLists {
  /// The number of beats without readers after which a list is removed.
  private static let idleLimit = 8
  /// The number of lists at which the collection immediately removes lists that no page shows.
  private static let limit = 1_000

  /// An open event stream with its lists by key. A list that the collection removes while a stream opens therefore still follows changes.
  private struct Stream {
    let queue: EventQueue
    var lists: [String: LiveList] = [:]
  }

  private var lists: [String: LiveList] = [:]
  private var streams: [ObjectIdentifier: Stream] = [:]

  /// Creates an empty collection.
  public init() {}

  /// Returns the list with a key, and creates it if it does not exist.
  ///
  /// - Parameters:
  ///   - key: The key of the list's content, such as "posts/17/2".
  ///   - make: A closure that creates the list.
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
  /// - Parameter shown: The keys of the page's lists with the revisions that the page shows.
  /// - Returns: The queue of events for the page, which reloads if a list no longer exists.
  package func open(_ shown: [(key: String, revision: Int)]) async -> EventQueue {
    let queue = EventQueue()
    let id = ObjectIdentifier(queue)
    streams[id] = Stream(queue: queue)
    let revisions = shown.map(\.revision)
    let states = EventStates(revisions)
    for (place, entry) in shown.enumerated() {
      guard let list = lists[entry.key] else {
        queue.add(EventQueue.stale)
        continue
      }
      streams[id]?.lists[entry.key] = list
      await list.subscribe(queue, after: entry.revision) { states.id(place, at: $0) }
    }
    queue.beat()
    return queue
  }

  /// Ends the event stream of a page.
  package func close(_ queue: EventQueue) async {
    let stream = streams.removeValue(forKey: ObjectIdentifier(queue))
    queue.end()
    for list in (stream?.lists ?? [:]).values { await list.unsubscribe(queue) }
  }

  /// Keeps connections open, and removes lists that no page has shown for a while.
  package func beat() async {
    for stream in streams.values { stream.queue.beat() }
    for (key, list) in lists where await list.beat() > Self.idleLimit { lists[key] = nil }
  }

  /// Ends all event streams.
  func closeAll() async {
    for stream in streams.values { stream.queue.end() }
    streams = [:]
    lists = [:]
  }

  /// The keys of the lists that open pages show.
  public var shownKeys: [String] {
    streams.values.reduce(into: Set<String>()) { $0.formUnion($1.lists.keys) }.sorted()
  }

  /// The number of open event streams.
  public var openCount: Int { streams.count }
}
