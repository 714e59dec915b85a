import AwfulCore
import ForumScraping
import WebPages

/// The contents of a thread list's address: the part of the list, the filter, and the order.
///
/// A value.
struct ThreadListAddress: Sendable, Hashable {
  /// The path without parameters.
  let path: String
  var span = ListSpan(pageSize: ForumThread.postsPerPage)
  var arrangement = ThreadArrangement()

  /// Creates the address of the first page of a list.
  init(_ path: String) { self.path = path }

  /// Creates the address from a request.
  init(_ path: String, _ request: WebRequest) {
    self.path = path
    span = ListSpan(pageSize: ForumThread.postsPerPage, request)
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

  /// The name of the colour in addresses.
  private var color: String? {
    arrangement.color.flatMap {
      Self.colors.indices.contains(Int($0)) ? Self.colors[Int($0)].rawValue : nil
    }
  }

  /// The parameters that filter and order threads, each with a leading `&`.
  private var choice: String {
    (arrangement.icon.map { "&icon=\(PagePath.part($0))" } ?? "")
      + (color.map { "&color=\($0)" } ?? "") + (arrangement.isUnreadFirst ? "&first=unread" : "")
  }

  /// The address.
  var text: String { span.address(path, choice) }

  /// A key that distinguishes lists with different rows.
  var key: String {
    "\(span.page)+\(span.count)/\(PagePath.part(arrangement.icon ?? ""))/\(color ?? "")/\(arrangement.isUnreadFirst)"
  }

  // MARK: Markup

  /// Returns the links below the list.
  func links(count: Int) -> Markup { span.links(path, choice, rowCount: count) }

  /// Returns the form that filters and orders threads.
  func form(icons: [String], hasColors: Bool) -> Markup {
    element(
      .form, .class("search"), Attribute("method", "get"), Attribute("action", path)
    ) {
      if !icons.isEmpty {
        Markup.choice(
          "icon", "Icon", Self.choices("Any icon", icons), chosen: arrangement.icon ?? "")
      }
      if hasColors {
        Markup.choice(
          "color", "Color", Self.choices("Any color", Self.colors.map(\.rawValue)),
          chosen: color ?? "")
      }
      Markup.choice(
        "first", "Order", [("", "Latest posts first"), ("unread", "Unread first")],
        chosen: arrangement.isUnreadFirst ? "unread" : "")
      element(.button, .class("quiet")) { "Show" }
    }
  }

  private static func choices(
    _ all: String, _ values: [String]
  ) -> [(value: String, text: String)] {
    [("", all)] + values.map { ($0, $0) }
  }
}
