public import AwfulCore
import Foundation
package import TerminalView

/// The forum reader in a terminal: forums, threads, posts and messages, live, by keys.
public struct ForumReader {
  private let feed: ForumFeed

  /// Makes a reader of a store.
  public init(_ store: ForumStore) { feed = ForumFeed(StoreFeed(store)) }

  /// Reads until the reader quits.
  ///
  /// - Returns: false if there is no terminal.
  /// - Throws: What reading the store throws; the terminal is as before then.
  public func run() async throws -> Bool {
    try await TerminalBrowser.run(ReaderPlaces(feed: feed))
  }
}

/// The lists of a forum reader in a terminal.
///
/// A value over shared state; usable anywhere.
package struct ReaderPlaces: TerminalPlaces {
  /// What a list shows.
  package enum Place: Hashable, Sendable {
    case forums
    case threads(forumID: String, name: String, page: Int)
    case bookmarks(page: Int)
    case posts(threadID: String, title: String, page: Int)
    case messages(page: Int)
    case message(id: String, subject: String)
  }

  private let feed: ForumFeed

  /// Makes the lists of a store.
  package init(feed: ForumFeed) { self.feed = feed }

  package let start = Place.forums
  package let help =
    "j k move · Enter opens · u goes back · n p pages · b bookmarks · m messages · q quits"

  package func place(opening row: TerminalRow, in place: Place) -> Place? {
    switch place {
    case .forums:
      .threads(forumID: row.id, name: row.text.trimmingCharacters(in: .whitespaces), page: 1)
    case .threads, .bookmarks: .posts(threadID: row.id, title: row.text, page: 1)
    case .messages: .message(id: row.id, subject: row.text)
    case .posts, .message: nil
    }
  }

  package func action(
    of key: Character, in place: Place, row: TerminalRow?
  ) -> TerminalAction<Place>? {
    switch key {
    case "b": .open(.bookmarks(page: 1))
    case "m": .open(.messages(page: 1))
    default: nil
    }
  }

  package func page(of place: Place, by step: Int) -> Place? {
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

  package func title(of place: Place) -> String {
    switch place {
    case .forums: "Forums"
    case .threads(_, let name, let page): page == 1 ? name : "\(name), page \(page)"
    case .bookmarks(let page): page == 1 ? "Bookmarks" : "Bookmarks, page \(page)"
    case .posts(_, let title, let page): page == 1 ? title : "\(title), page \(page)"
    case .messages(let page): page == 1 ? "Messages" : "Messages, page \(page)"
    case .message(_, let subject): subject
    }
  }

  package func follow(
    _ place: Place, _ show: @escaping @Sendable ([TerminalRow]) -> Void
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

  private func follow<Row: Sendable>(
    _ rows: FollowedRows<Row>, _ show: @Sendable ([Row]) -> Void
  ) async throws {
    let changes = rows.changes()
    show(try await rows.load())
    for await _ in changes { show(try await rows.load()) }
  }
}
