import Synchronization

/// The numbers of the states that a page shows, list by list; they are its event's id. Shared.
final class EventStates: Sendable {
  private let revisions: Mutex<[Int]>

  init(_ revisions: [Int]) { self.revisions = Mutex(revisions) }

  /// The id of the event that leads a list to a state.
  func id(_ place: Int, at revision: Int) -> String {
    revisions.withLock { revisions in
      revisions[place] = revision
      return Self.text(revisions)
    }
  }

  /// The numbers as an event's id.
  static func text(_ revisions: [Int]) -> String {
    revisions.map(String.init).joined(separator: ".")
  }

  /// The numbers of an event's id; nil if there are not as many, or something else.
  static func revisions(_ text: String, count: Int) -> [Int]? {
    let parts = text.split(separator: ".").map { Int($0) }
    let numbers = parts.compactMap(\.self)
    return parts.count == count && numbers.count == count ? numbers : nil
  }
}
