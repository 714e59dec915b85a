/// The parts that all pages of a site share, around the content of each page.
///
/// > Concurrency: A value type; usable on any thread.
public struct PageFrame: Sendable {
  /// A link of the site's navigation.
  public struct Link: Sendable {
    let path: String
    let text: String

    /// Creates a link.
    public init(_ text: String, to path: String) {
      self.path = path
      self.text = text
    }
  }

  /// The name of the site.
  public let name: String
  /// The links at the top of each page.
  public let links: [Link]

  /// Creates the frame of a site's pages.
  public init(name: String, links: [Link]) {
    self.name = name
    self.links = links
  }

  /// Returns the page for an error.
  ///
  /// - Parameters:
  ///   - title: The error, in a few words.
  ///   - reason: The cause, and what to do.
  ///   - home: The text of the link to the first page.
  public func problem(_ title: String, _ reason: String, home: String) -> Markup {
    page(title) {
      element(.p) { reason }
      element(.p) { element(.a, .href("/")) { home } }
    }
  }

  /// Returns a complete page.
  ///
  /// - Parameters:
  ///   - title: The title of the window, and the heading.
  ///   - path: The path of the page, whose navigation link is marked as current.
  ///   - events: The path of the page's event stream; nil for a page without live updates.
  ///   - badges: The markup after the text of navigation links, by the paths of the links.
  ///   - content: The content after the heading.
  ///   - footer: The content of the footer, which screen readers announce when it changes.
  public func page(
    _ title: String, path: String = "", events: String? = nil, badges: [String: Markup] = [:],
    @MarkupBuilder content: () -> Markup, @MarkupBuilder footer: () -> Markup = { Markup("") }
  ) -> Markup {
    let body = element(.body, events.map { Attribute("data-events", $0) }) {
      element(.a, .class("skip"), .href("#main")) { "Skip to content" }
      element(.header, .class("site")) {
        element(.a, .class("name"), .href("/")) { name }
        element(.nav, .label("Site")) {
          for link in links {
            element(
              .a, .href(link.path), link.path == path ? Attribute("aria-current", "page") : nil
            ) {
              link.text
              if let badge = badges[link.path] { badge }
            }
          }
        }
      }
      element(.main, .id("main"), Attribute("tabindex", "-1")) {
        element(.h1) { title }
        content()
      }
      element(.footer, .class("site"), Attribute("aria-live", "polite")) { footer() }
    }
    return .document(title: title == name ? name : "\(title) · \(name)", body: body) {
      element(.meta, Attribute("name", "color-scheme"), Attribute("content", "light dark"))
      element(
        .link, Attribute("rel", "icon"), Attribute("type", "image/svg+xml"), .href("/icon.svg"))
      element(.link, Attribute("rel", "stylesheet"), .href("/base.css"))
      element(.link, Attribute("rel", "stylesheet"), .href("/site.css"))
      element(.script, Attribute("src", "/live.js"), Attribute(flag: "defer"))
    }
  }
}
