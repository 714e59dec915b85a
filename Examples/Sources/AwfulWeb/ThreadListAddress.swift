import AwfulCore
import ForumScraping
import WebPages

/// What the address of a list of threads says: from which page, how many pages in one, which threads, and what comes first.
///
/// A value.
struct ThreadListAddress: Sendable, Hashable {
  /// How many pages can be shown in one.
  private static let greatestSpan = 25

  /// The path without parameters.
  let path: String
  /// The first page, from 1.
  var page = 1
  /// How many pages are shown in one.
  var span = 1
  var arrangement = ThreadArrangement()

  /// The first page of a list.
  init(_ path: String) { self.path = path }

  /// What a request says.
  init(_ path: String, _ request: WebRequest) {
    self.path = path
    page = request.pageNumber
    span = request.query["span"].flatMap { Int($0) }.map { min(max(1, $0), Self.greatestSpan) } ?? 1
    arrangement.icon = request.query["icon"].flatMap { $0.isEmpty ? nil : $0 }
    arrangement.color = request.query["color"].flatMap { Self.number(ofColor: $0) }
    arrangement.isUnreadFirst = request.query["first"] == "unread"
  }

  private static var colors: [ScrapedThread.BookmarkColor] {
    ScrapedThread.BookmarkColor.allCases.filter { $0 != .none }
  }

  private static func number(ofColor name: String) -> Int16? {
    colors.firstIndex { $0.rawValue == name }.map { Int16(clamping: $0) }
  }

  /// The name of the colour, as addresses have it.
  private var color: String? {
    arrangement.color.flatMap {
      Self.colors.indices.contains(Int($0)) ? Self.colors[Int($0)].rawValue : nil
    }
  }

  /// The parameters that choose and order threads, each with a leading `&`.
  private var choice: String {
    (arrangement.icon.map { "&icon=\(PagePath.part($0))" } ?? "")
      + (color.map { "&color=\($0)" } ?? "") + (arrangement.isUnreadFirst ? "&first=unread" : "")
  }

  /// The address.
  var text: String { "\(path)?page=\(page)\(span > 1 ? "&span=\(span)" : "")\(choice)" }

  /// What tells lists apart that have different rows.
  var key: String {
    "\(page)+\(span)/\(PagePath.part(arrangement.icon ?? ""))/\(color ?? "")/\(arrangement.isUnreadFirst)"
  }

  // MARK: Markup

  /// The links below the list: to more rows in the same page, and to other pages. Once the reader has followed the first one, a
  /// script goes on with it whenever the end of the list comes near.
  @MarkupBuilder
  func links(count: Int) -> Markup {
    let pages = max(ForumThread.pageCount(forPosts: count), page)
    let rest = count - (page + span - 1) * ForumThread.postsPerPage
    if rest > 0, span < Self.greatestSpan {
      element(.p) {
        element(.a, .href(longer.text), Attribute("data-more", span > 1 ? "auto" : "")) {
          "Show \(min(rest, ForumThread.postsPerPage)) more"
        }
      }
    }
    PageLinks.markup(path: path, page: page, count: pages, parameters: choice)
  }

  private var longer: ThreadListAddress {
    var copy = self
    copy.span += 1
    return copy
  }

  /// The form that chooses and orders threads.
  func form(icons: [String], hasColors: Bool) -> Markup {
    element(
      .form, .class("search"), Attribute("method", "get"), Attribute("action", path)
    ) {
      if !icons.isEmpty {
        options("icon", "Icon", "Any icon", icons, chosen: arrangement.icon)
      }
      if hasColors {
        options("color", "Colour", "Any colour", Self.colors.map(\.rawValue), chosen: color)
      }
      options(
        "first", "Order", "Latest posts first", ["unread"],
        chosen: arrangement.isUnreadFirst ? "unread" : nil,
        labels: ["unread": "Unread first"])
      element(.button, .class("quiet")) { "Show" }
    }
  }

  @MarkupBuilder
  private func options(
    _ name: String, _ label: String, _ all: String, _ values: [String], chosen: String?,
    labels: [String: String] = [:]
  ) -> Markup {
    element(.label, Attribute("for", name)) { label }
    element(.select, .id(name), Attribute("name", name)) {
      element(.option, Attribute("value", "")) { all }
      for value in values {
        element(
          .option, Attribute("value", value), value == chosen ? Attribute(flag: "selected") : nil
        ) { labels[value] ?? value }
      }
    }
  }
}
