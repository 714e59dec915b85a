public import AwfulCore
import Foundation
import StoreSharing
package import TerminalView

/// A forum reader in a terminal, with live forums, threads, posts and messages, controlled by keys.
public struct ForumReader: Sendable {
  private let places: ReaderPlaces

  /// Creates a reader for a store.
  ///
  /// - Parameters:
  ///   - store: The store of the site's pages.
  ///   - personal: The store of the reader's choices, and of the marks that are sent to the site later.
  public init(_ store: ForumStore, personal: PersonalStore) {
    places = ReaderPlaces(store, personal: personal)
  }

  /// Runs until the reader quits.
  ///
  /// - Returns: `false` if there is no terminal.
  /// - Throws: Any error from reading the store. The terminal is restored first.
  public func run() async throws -> Bool {
    try await TerminalBrowser.run(places)
  }
}

/// The lists of a forum reader in a terminal.
///
/// A value over shared state; safe to use from any thread.
package struct ReaderPlaces: TerminalPlaces {
  /// The contents of a list.
  package enum Place: Hashable, Sendable {
    case forums
    case threads(forumID: String, name: String, page: Int)
    case bookmarks(page: Int)
    case announcements
    case posts(threadID: String, title: String, page: Int)
    case messages(page: Int)
    case message(id: String, subject: String)
    case found(words: String, page: Int)
  }

  private let feed: ForumFeed
  private let personal: PersonalFeed
  private let choices: ReaderChoices
  private let actions: SiteActions

  /// Creates the lists of a store.
  package init(_ store: ForumStore, personal: PersonalStore) {
    feed = ForumFeed(StoreFeed(store))
    self.personal = PersonalFeed(StoreFeed(personal))
    choices = ReaderChoices(personal)
    actions = SiteActions(store: store, personal: personal)
  }

  package let start = Place.forums
  package let help =
    "Enter opens · u back · n p pages · / search · r read · h hide · b bookmarks · m messages · ? keys"
  package let furtherKeys = "a announcements"

  package func place(opening row: TerminalRow, in place: Place) -> Place? {
    switch place {
    case .forums:
      .threads(forumID: row.id, name: row.text.trimmingCharacters(in: .whitespaces), page: 1)
    case .threads, .bookmarks: .posts(threadID: row.id, title: row.text, page: 1)
    case .messages: .message(id: row.id, subject: row.text)
    case .found:
      Self.place(ofFound: row.id).map {
        .posts(
          threadID: $0.threadID, title: String(row.text.prefix { !$0.isNewline }), page: $0.page)
      }
    case .posts, .message, .announcements: nil
    }
  }

  package func action(
    of key: Character, in place: Place, row: TerminalRow?
  ) -> TerminalAction<Place>? {
    switch key {
    case "b": .open(.bookmarks(page: 1))
    case "a": .open(.announcements)
    case "m": .open(.messages(page: 1))
    case "/": .ask("Search") { $0.isEmpty ? nil : .open(.found(words: $0, page: 1)) }
    case "r" where place == .announcements:
      row.flatMap(ReaderRows.place(ofAnnouncement:)).map { place in
        .run { try await markSeen(announcementAt: place) }
      }
    case "r": thread(row, in: place).map { row in .run { try await toggleRead(row.id) } }
    case "h": thread(row, in: place).map { row in .run { try await hide(row.id) } }
    default: nil
    }
  }

  /// Returns the row if it is a thread's row.
  private func thread(_ row: TerminalRow?, in place: Place) -> TerminalRow? {
    switch place {
    case .threads, .bookmarks: row
    default: nil
    }
  }

  /// Marks a thread as read, or a thread without unread posts as never opened. The next sync sends the mark to the site.
  private func toggleRead(_ id: String) async throws -> String {
    guard let thread = try await feed.thread(id).load().first else {
      return "This thread is no longer stored."
    }
    let isRead = thread.isOpened && thread.unreadPostCount == 0
    try await actions.setSeen(id, count: isRead ? 0 : thread.postCount)
    return isRead ? "Marked as unread." : "Marked as read."
  }

  private func markSeen(announcementAt place: Int) async throws -> String {
    guard let shown = try await feed.announcements.load().first(where: { $0.place == place }) else {
      return "This announcement is no longer stored."
    }
    try await actions.setSeen(announcementAt: place, titled: shown.title)
    return "Marked as read."
  }

  private func hide(_ id: String) async throws -> String {
    // The text of the row contains marks besides the title.
    guard let thread = try await feed.thread(id).load().first else {
      return "This thread is no longer stored."
    }
    try await choices.setHidden(true, id, title: thread.title)
    return "The thread is hidden. To show it again, open the settings in a browser."
  }

  /// Returns the thread and page of a found post, which are parts of the row's id.
  private static func place(ofFound id: String) -> (threadID: String, page: Int)? {
    let parts = id.split(separator: " ").map(String.init)
    guard parts.count == 3, let page = Int(parts[2]) else { return nil }
    return (parts[1], page)
  }

  package func page(of place: Place, by step: Int) -> Place? {
    switch place {
    case .forums, .message, .announcements: nil
    case .found(let words, let page):
      page + step >= 1 ? .found(words: words, page: page + step) : nil
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
    case .announcements: "Announcements"
    case .bookmarks(let page): page == 1 ? "Bookmarks" : "Bookmarks, page \(page)"
    case .posts(_, let title, let page): page == 1 ? title : "\(title), page \(page)"
    case .messages(let page): page == 1 ? "Messages" : "Messages, page \(page)"
    case .message(_, let subject): subject
    case .found(let words, let page):
      page == 1 ? "Search: \(words)" : "Search: \(words), page \(page)"
    }
  }

  package func follow(
    _ place: Place, _ show: @escaping @Sendable ([TerminalRow]) -> Void
  ) async throws {
    switch place {
    case .forums: try await feed.forums.follow { show(ReaderRows.forums($0)) }
    case .threads(let id, _, let page):
      let listed = personal.withoutHidden(feed.threads(.forum(id), page: page))
      try await listed.follow { show($0.map(ReaderRows.thread)) }
    case .bookmarks(let page):
      try await feed.threads(.bookmarks, page: page).follow { show($0.map(ReaderRows.thread)) }
    case .announcements:
      try await feed.announcements.follow { show($0.flatMap(ReaderRows.announcement)) }
    case .posts(let id, _, let page):
      try await feed.posts(ofThread: id, page: page).follow { show($0.flatMap(ReaderRows.post)) }
    case .messages(let page):
      let inbox = PrivateMessageFolder.inboxID
      try await feed.messages(inFolder: inbox, page: page).follow {
        show($0.map(ReaderRows.message))
      }
    case .message(let id, _):
      try await feed.message(id).follow { show($0.flatMap(ReaderRows.openMessage)) }
    case .found(let words, let page):
      let search = PostSearch(words)
      let found = try await feed.store.read { try search.posts(page: page, in: $0) }
      show(found.posts.map(ReaderRows.found))
    }
  }
}
