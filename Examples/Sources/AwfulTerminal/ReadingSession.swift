import AwfulCore
import Foundation
import TerminalView

/// What a person reads: a path of lists from the forums to a page of posts, of which the last one is shown.
///
/// Confined to the task that runs it.
struct ReadingSession {
  /// What a list shows.
  enum Place: Hashable, Sendable {
    case forums
    case threads(forumID: String, name: String, page: Int)
    case bookmarks(page: Int)
    case posts(threadID: String, title: String, page: Int)
    case messages(page: Int)
    case message(id: String, subject: String)
  }

  /// What happens.
  enum Event: Sendable {
    case key(Key)
    /// The rows of a list were read.
    case rows(Place, [TerminalRow])
    case failed(any Error)
  }

  private struct Level {
    let place: Place
    var list: ListState
    let following: Task<Void, Never>
  }

  private let feed: ForumFeed
  private var levels: [Level] = []
  private(set) var isOver = false

  init(_ feed: ForumFeed) { self.feed = feed }

  private static let help =
    "j k move · Enter opens · u goes back · n p pages · b bookmarks · m messages · q quits"

  /// Shows a list, and follows it.
  mutating func open(_ place: Place, _ report: @escaping @Sendable (Event) -> Void) {
    var list = ListState(title: Self.title(of: place), emptyText: "Nothing is stored here.")
    list.status = Self.help
    let feed = feed
    let following = Task {
      do {
        try await Self.follow(place, feed) { report(.rows(place, $0)) }
      } catch {
        report(.failed(error))
      }
    }
    levels.append(Level(place: place, list: list, following: following))
  }

  /// Answers what happens.
  ///
  /// - Throws: Why the store could not be read.
  mutating func handle(_ event: Event, _ report: @escaping @Sendable (Event) -> Void) throws {
    switch event {
    case .failed(let error): throw error
    case .rows(let place, let rows):
      if let level = levels.lastIndex(where: { $0.place == place }) {
        levels[level].list.setRows(rows)
      }
    case .key(let key): handle(key, report)
    }
  }

  private mutating func handle(_ key: Key, _ report: @escaping @Sendable (Event) -> Void) {
    switch key {
    case .down, .character("j"), .character(" "): move(by: 1)
    case .up, .character("k"): move(by: -1)
    case .pageDown: move(by: 20)
    case .pageUp: move(by: -20)
    case .home: move(by: -1_000_000)
    case .end: move(by: 1_000_000)
    case .enter, .character("o"): openSelected(report)
    case .back, .character("u"): goBack()
    case .character("n"): turn(by: 1, report)
    case .character("p"): turn(by: -1, report)
    case .character("b"): open(.bookmarks(page: 1), report)
    case .character("m"): open(.messages(page: 1), report)
    case .character("q"), .closed: isOver = true
    case .resized, .character: break
    }
  }

  private mutating func move(by step: Int) { levels[levels.count - 1].list.move(by: step) }

  private mutating func openSelected(_ report: @escaping @Sendable (Event) -> Void) {
    guard let level = levels.last, let row = level.list.selectedRow else { return }
    switch level.place {
    case .forums:
      open(
        .threads(forumID: row.id, name: row.text.trimmingCharacters(in: .whitespaces), page: 1),
        report)
    case .threads, .bookmarks: open(.posts(threadID: row.id, title: row.text, page: 1), report)
    case .messages: open(.message(id: row.id, subject: row.text), report)
    case .posts, .message: break
    }
  }

  private mutating func goBack() {
    guard levels.count > 1 else { return }
    levels.removeLast().following.cancel()
  }

  /// Shows another page of the same list.
  private mutating func turn(by step: Int, _ report: @escaping @Sendable (Event) -> Void) {
    guard let place = levels.last.flatMap({ Self.page(of: $0.place, step) }) else { return }
    // Behind the last page there is nothing to read.
    if step > 0, levels.last?.list.rows.isEmpty != false { return }
    levels.removeLast().following.cancel()
    open(place, report)
  }

  private static func page(of place: Place, _ step: Int) -> Place? {
    switch place {
    case .forums, .message: nil
    case .messages(let page): page + step >= 1 ? .messages(page: page + step) : nil
    case .threads(let id, let name, let page):
      page + step >= 1 ? .threads(forumID: id, name: name, page: page + step) : nil
    case .bookmarks(let page): page + step >= 1 ? .bookmarks(page: page + step) : nil
    case .posts(let id, let title, let page):
      page + step >= 1 ? .posts(threadID: id, title: title, page: page + step) : nil
    }
  }

  private static func title(of place: Place) -> String {
    switch place {
    case .forums: "Forums"
    case .threads(_, let name, let page): page == 1 ? name : "\(name), page \(page)"
    case .bookmarks(let page): page == 1 ? "Bookmarks" : "Bookmarks, page \(page)"
    case .posts(_, let title, let page): page == 1 ? title : "\(title), page \(page)"
    case .messages(let page): page == 1 ? "Messages" : "Messages, page \(page)"
    case .message(_, let subject): subject
    }
  }

  /// Draws the list that is shown.
  mutating func draw(on screen: TerminalScreen) {
    guard !levels.isEmpty else { return }
    screen.draw(&levels[levels.count - 1].list)
  }

  // MARK: Rows

  private static func follow(
    _ place: Place, _ feed: ForumFeed, _ show: @Sendable ([TerminalRow]) -> Void
  ) async throws {
    switch place {
    case .forums: try await follow(feed.forums) { show(ReaderRows.forums($0)) }
    case .threads(let id, _, let page):
      try await follow(feed.threads(.forum(id), page: page)) { show($0.map(ReaderRows.thread)) }
    case .bookmarks(let page):
      try await follow(feed.threads(.bookmarks, page: page)) { show($0.map(ReaderRows.thread)) }
    case .posts(let id, _, let page):
      try await follow(feed.posts(ofThread: id, page: page)) { show($0.flatMap(ReaderRows.post)) }
    case .messages(let page):
      let inbox = PrivateMessageFolder.inboxID
      try await follow(feed.messages(inFolder: inbox, page: page)) {
        show($0.map(ReaderRows.message))
      }
    case .message(let id, _):
      try await follow(feed.message(id)) { show($0.flatMap(ReaderRows.openMessage)) }
    }
  }

  private static func follow<Row: Sendable>(
    _ rows: FollowedRows<Row>, _ show: @Sendable ([Row]) -> Void
  ) async throws {
    let changes = rows.changes()
    show(try await rows.load())
    for await _ in changes { show(try await rows.load()) }
  }
}
