import Synchronization

/// The faults in force at a server and how often each has struck. Shared.
final class FaultBook: Sendable {
  private struct Entry {
    let fault: Fault
    var matches = 0
    /// Decides which requests belong to the fault's share, the same ones in every run.
    var random = SplitMix64(seed: 1)
  }

  private struct Contents {
    var entries: [Entry] = []
    /// Grows with every clearing, which ends the stalls begun before it.
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

  /// The fault that strikes a request, counted as having struck; `nil` for a healthy answer.
  ///
  /// - Parameters:
  ///   - path: The page asked for.
  ///   - user: The name of the account that asks; `nil` for a guest.
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
