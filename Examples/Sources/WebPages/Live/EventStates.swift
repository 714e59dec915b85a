import Synchronization

/// The revisions of the lists that a page shows, which form the ids of its events.
///
/// > Concurrency: Shared; usable on any thread.
final class EventStates: Sendable {
  private let revisions: Mutex<[Int]>

  init(_ revisions: [Int]) { self.revisions = Mutex(revisions) }

  /// Returns the id of the event that brings a list to a revision.
  func id(_ place: Int, at revision: Int) -> String {
    revisions.withLock { revisions in
      revisions[place] = revision
      return Self.text(revisions)
    }
  }

  /// Returns the revisions as an event id.
  static func text(_ revisions: [Int]) -> String {
    revisions.map(String.init).joined(separator: ".")
  }

  /// Returns the revisions of an event id; nil if their number is not `count` or a part is not a number.
  static func revisions(_ text: String, count: Int) -> [Int]? {
    let parts = text.split(separator: ".").map { Int($0) }
    let numbers = parts.compactMap(\.self)
    return parts.count == count && numbers.count == count ? numbers : nil
  }
}
