import Foundation

/// How far a thread that is fetched for later is.
public enum SavedThreadState: String, Sendable, Encodable {
  /// Pages of it are still to be fetched.
  case waiting
  /// The reader has stopped fetching it.
  case paused
  /// All pages are stored.
  case done
  /// The site refuses it.
  case refused
}

/// A thread that is fetched for later, apart from its context.
public struct SavedThreadRow: Sendable, Equatable, Encodable {
  /// The site's id.
  public let threadID: String
  /// The title that it had.
  public let title: String
  /// How far it is.
  public let state: SavedThreadState
  /// Why it stopped, in a sentence.
  public let problem: String?
  /// The number of pages that are stored.
  public let donePages: Int
  /// The number of pages; 0 before the first one was fetched.
  public let pageCount: Int

  /// Reads a thread; call on the queue of its context.
  init(_ thread: SavedThread) throws {
    guard let state = SavedThreadState(rawValue: thread.state) else {
      throw WritingError(
        .unreadable,
        "The saved thread \(thread.threadID) was written by a newer version of this program.")
    }
    threadID = thread.threadID
    title = thread.title
    self.state = state
    problem = thread.problem
    donePages = max(0, Int(thread.nextPage) - 1)
    pageCount = Int(thread.pageCount)
  }
}
