import Synchronization

/// Counters of a server's activity since it started, or since the counters were last reset.
public struct ServerCounters: Codable, Sendable, Hashable {
  /// The number of requests to the site, excluding requests to the control pages.
  public var requests = 0
  public var requestsByPath: [String: Int] = [:]
  /// The number of requests by the name of the account; guests count under the empty name.
  public var requestsByUser: [String: Int] = [:]
  public var answersByStatus: [String: Int] = [:]
  /// The number of body bytes passed on for sending.
  public var bytes = 0
  /// The number of requests in progress.
  public var open = 0
  /// The largest number of simultaneous requests.
  public var mostOpen = 0
  /// The last requests, oldest first, at most 200, such as `GET /index.php?json=1`.
  public var lastRequests: [String] = []
}

/// The counters of a running server. Shared.
final class CounterBook: Sendable {
  private let counters = Mutex(ServerCounters())

  var current: ServerCounters { counters.withLock { $0 } }

  func begin(method: String, path: String, target: String, user: String?) {
    counters.withLock { counters in
      counters.requests += 1
      counters.requestsByPath[path, default: 0] += 1
      counters.requestsByUser[user ?? "", default: 0] += 1
      counters.open += 1
      counters.mostOpen = max(counters.mostOpen, counters.open)
      counters.lastRequests.append("\(method) \(target)")
      if counters.lastRequests.count > 200 { counters.lastRequests.removeFirst() }
    }
  }

  func end(_ response: SiteResponse) {
    counters.withLock { counters in
      counters.answersByStatus["\(response.status)", default: 0] += 1
      counters.bytes += response.body.count
    }
  }

  func close() {
    counters.withLock { $0.open -= 1 }
  }

  func reset() {
    counters.withLock { counters in
      var fresh = ServerCounters()
      fresh.open = counters.open
      fresh.mostOpen = counters.open
      counters = fresh
    }
  }
}
