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
    frame.page(title) {
      element(.p) { reason }
      element(.p) { element(.a, .href("/")) { "To the forums" } }
    }
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

  /// What went wrong, announced by screen readers; nothing where nothing did.
  @MarkupBuilder
  static func notice(_ problem: String?) -> Markup {
    if let problem { element(.p, .class("warn-text"), Attribute("role", "alert")) { problem } }
  }

  /// An error of a request to the site in a sentence for readers.
  static func sentence(_ error: any Error) -> String {
    (error as? SiteRequestError)?.message ?? "\(error)"
  }

  /// The link that leads up one level.
  static func up(_ path: String, _ text: String) -> Markup {
    element(.p) { element(.a, .href(path), Attribute("data-key", "up")) { text } }
  }

  /// A field for one line, below its label.
  @MarkupBuilder
  static func field(
    _ name: String, _ label: String, value: String, _ attributes: Attribute...
  ) -> Markup {
    element(.label, Attribute("for", name)) { label }
    element(
      .input,
      [.id(name), Attribute("type", "text"), Attribute("name", name), Attribute("value", value)]
        + attributes
    ) { "" }
  }

  /// A page with live lists, and the state of the sync below.
  func live(
    _ title: String, path: String = "", _ shown: [PageFeed.Shown],
    showsForeignImages: Bool = false, @MarkupBuilder content: () -> Markup
  ) async throws -> WebAnswer {
    let sync = try await feed.status(status)
    let unread = try await feed.unreadMessages()
    let all = shown + [sync, unread]
    let states = all.map { "\($0.key)@\($0.state.revision)" }.joined(separator: ",")
    let markup = Self.frame.page(
      title, path: path, events: "/events?lists=\(PagePath.part(states))",
      badges: ["/messages": element(.span, .id(unread.list)) { rows(unread) }], content: content
    ) {
      element(.ul, .id("status")) { rows(sync) }
      if canRefresh {
        Self.form(to: "/refresh", back: path) {
          element(.button, .class("quiet")) { "Fetch now" }
        }
      }
    }
    return .page(markup, showsForeignImages: showsForeignImages)
  }

  /// The rows of a list, without its element.
  func rows(_ shown: PageFeed.Shown) -> Markup {
    Markup(trusted: shown.state.rows.map(\.markup.source).joined())
  }

  /// A list, and what is said while it has no rows.
  @MarkupBuilder
  func list(_ shown: PageFeed.Shown, empty: String, _ attributes: Attribute...) -> Markup {
    element(.ol, [.id(shown.list), .class("rows")] + attributes) { rows(shown) }
    element(.p, .class("empty")) { empty }
  }

  /// A form that leads back to the page it is on.
  static func form(
    to action: String, back: String, @MarkupBuilder content: () -> Markup
  ) -> Markup {
    element(.form, Attribute("method", "post"), Attribute("action", action)) {
      hidden("back", back)
      content()
    }
  }

  /// A field that is sent and not shown.
  static func hidden(_ name: StaticString, _ value: String) -> Markup {
    element(
      .input, Attribute("type", "hidden"), Attribute("name", "\(name)"), Attribute("value", value))
  }

  /// A form that is one button.
  static func button(_ text: String, to action: String, back: String) -> Markup {
    form(to: action, back: back) { element(.button, .class("quiet")) { text } }
  }
}

extension WebRequest {
  /// The page number that the request names, from 1 to a million; 1 for none, and for what is no number of a page.
  var pageNumber: Int {
    query["page"].flatMap { Int($0) }.flatMap { (1...1_000_000).contains($0) ? $0 : nil } ?? 1
  }
}
