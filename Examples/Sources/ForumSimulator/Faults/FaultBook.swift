import Synchronization

/// The active faults of a server, and how often each has occurred. Shared.
final class FaultBook: Sendable {
  private struct Entry {
    let fault: Fault
    var matches = 0
    /// The sequence that selects the requests of the fault's share, the same requests in every run.
    var random = SplitMix64(seed: 1)
  }

  private struct Contents {
    var entries: [Entry] = []
    /// The number of times that the faults were cleared; each time ends the stalls that began before it.
    var clearings = 0
  }

  private let contents = Mutex(Contents())

  var faults: [Fault] { contents.withLock { $0.entries.map(\.fault) } }
  var clearings: Int { contents.withLock { $0.clearings } }

  func add(_ fault: Fault) {
    contents.withLock { $0.entries.append(Entry(fault: fault)) }
  }

  func clear() {
    contents.withLock { contents in
      contents.entries = []
      contents.clearings += 1
    }
  }

  /// Returns the fault that applies to a request, and counts it as occurred; `nil` for a regular response.
  ///
  /// - Parameters:
  ///   - path: The requested page.
  ///   - user: The name of the requesting account; `nil` for a guest.
  func take(for path: String, user: String?) -> Fault? {
    contents.withLock { contents in
      for position in contents.entries.indices {
        let fault = contents.entries[position].fault
        guard fault.path == nil || fault.path == path, fault.user == nil || fault.user == user
        else { continue }
        if let share = fault.share, !contents.entries[position].random.happens(percent: share) {
          continue
        }
        contents.entries[position].matches += 1
        let strike = contents.entries[position].matches - (fault.after ?? 0)
        if strike >= 1, strike <= fault.times ?? .max { return fault }
      }
      return nil
    }
  }
}
