import AwfulCore
import WebPages

/// The parts that all pages share: the frame with its navigation, the live lists, and the state of the sync.
///
/// A value over shared state; safe to use from any thread.
struct PageParts: Sendable {
  let feed: PageFeed
  let status: SyncStatus
  /// Whether the program connects to the site and can fetch new data.
  let canRefresh: Bool

  private static let frame = PageFrame(
    name: "Awful",
    links: [
      .init("Forums", to: "/"), .init("Bookmarks", to: "/bookmarks"), .init("Saved", to: "/saved"),
      .init("Messages", to: "/messages"), .init("Drafts", to: "/drafts"),
      .init("Search", to: "/search"),
      .init("Settings", to: "/settings"),
    ])

  /// Returns a page without live lists.
  func plain(
    _ title: String, path: String = "", @MarkupBuilder content: () -> Markup
  ) -> Markup {
    Self.frame.page(title, path: path, content: content)
  }

  /// Returns the page for a problem.
  static func problem(title: String, reason: String) -> Markup {
    frame.problem(title, reason, home: "Go to the forums")
  }

  /// Returns the answer for an object that is not stored.
  ///
  /// - Parameters:
  ///   - what: The kind of object, in one word.
  ///   - problem: The reason why it could not be fetched; nil if it was not requested from the site.
  static func missing(_ what: String, _ problem: String? = nil) -> WebAnswer {
    let hint = problem ?? "A sync may fetch it."
    return .page(
      self.problem(title: "No such \(what)", reason: "This \(what) is not stored. \(hint)"),
      status: 404)
  }

  /// Returns the answer for a form whose action is not possible.
  static func refusal(_ reason: String, status: Int) -> WebAnswer {
    .page(problem(title: "Not possible", reason: reason), status: status)
  }

  /// The answer for a form with a value that its page does not offer.
  static let unknownValue = refusal(
    "The form has a value that the page does not offer. Nothing was changed.", status: 400)

  /// The notice for a page that needs the site when the program does not connect to it.
  static let offline =
    "Only stored content is shown. To connect to the site, run awful serve with --base-url."

  /// Returns a sentence for readers that describes an error of a request to the site.
  static func sentence(_ error: any Error) -> String {
    (error as? SiteRequestError)?.message ?? "\(error)"
  }

  /// Returns a page with live lists, and with the state of the sync below them.
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
