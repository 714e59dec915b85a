import Foundation

/// The state of a thread that is saved for later.
public enum SavedThreadState: String, Sendable, Encodable {
  /// Some pages have not been fetched yet.
  case waiting
  /// The reader has paused fetching.
  case paused
  /// All pages, or all chosen pages, are stored.
  case done
  /// The site refuses access to the thread.
  case refused
}

/// A thread that is saved for later, as a value independent of its context.
public struct SavedThreadRow: Sendable, Equatable, Encodable {
  /// The id on the site.
  public let threadID: String
  /// The title of the thread when the reader saved it.
  public let title: String
  /// The progress.
  public let state: SavedThreadState
  /// The reason why fetching stopped, in a sentence.
  public let problem: String?
  /// The number of the last page that was fetched; 0 for none.
  public let donePages: Int
  /// The number of pages; 0 until the first page is fetched.
  public let pageCount: Int
  /// The number of the last page to fetch; 0 to fetch all pages.
  public let lastPage: Int

  /// Creates a row from a thread. Call this initializer on the queue of its context.
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
    lastPage = Int(thread.lastPage)
  }
}
