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
