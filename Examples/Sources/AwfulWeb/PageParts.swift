import AwfulCore
import WebPages

/// What all pages of the reader share: the frame with its navigation, the live lists, and the state of the sync.
///
/// A value over shared state; usable anywhere.
struct PageParts: Sendable {
  let feed: PageFeed
  let status: SyncStatus
  /// Whether the site is followed, so that there is something to fetch.
  let canRefresh: Bool

  private static let frame = PageFrame(
    name: "Awful",
    links: [
      .init("Forums", to: "/"), .init("Bookmarks", to: "/bookmarks"), .init("Saved", to: "/saved"),
      .init("Messages", to: "/messages"), .init("Drafts", to: "/drafts"),
      .init("Search", to: "/search"),
      .init("Settings", to: "/settings"),
    ])

  /// A page that does not change.
  func plain(
    _ title: String, path: String = "", @MarkupBuilder content: () -> Markup
  ) -> Markup {
    Self.frame.page(title, path: path, content: content)
  }

  /// The page for something that went wrong.
  static func problem(title: String, reason: String) -> Markup {
    frame.problem(title, reason, home: "To the forums")
  }

  /// The page for something that is not stored.
  ///
  /// - Parameters:
  ///   - what: What it is, in one word.
  ///   - problem: Why it could not be fetched; nil if the site was not asked.
  static func missing(_ what: String, _ problem: String? = nil) -> WebAnswer {
    let hint = problem ?? "A sync may bring it."
    return .page(
      self.problem(title: "No such \(what)", reason: "This \(what) is not stored. \(hint)"),
      status: 404)
  }

  /// What is said where a page needs the site, and the program does not follow it.
  static let offline =
    "Only what is stored is shown. To reach the site, run awful serve with --base-url."

  /// An error of a request to the site in a sentence for readers.
  static func sentence(_ error: any Error) -> String {
    (error as? SiteRequestError)?.message ?? "\(error)"
  }

  /// A page with live lists, and the state of the sync below.
  func live(
    _ title: String, path: String = "", _ shown: [ShownList],
    showsForeignImages: Bool = false, @MarkupBuilder content: () -> Markup
  ) async throws -> WebAnswer {
    let sync = try await feed.status(status)
    let unread = try await feed.unreadMessages()
    let all = shown + [sync, unread]
    let markup = Self.frame.page(
      title, path: path, events: ShownList.events(of: all),
      badges: ["/messages": element(.span, .id(unread.list)) { unread.rows }], content: content
    ) {
      element(.ul, .id("status")) { sync.rows }
      if canRefresh {
        Markup.form(to: "/refresh", back: path) {
          element(.button, .class("quiet")) { "Fetch now" }
        }
      }
    }
    return .page(markup, showsForeignImages: showsForeignImages)
  }
}
