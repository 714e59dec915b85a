import AwfulCore
import ForumHTML
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
    arrangement.hasNewPosts = request.query["new"].flatMap { Self.newPosts[$0] }
    arrangement.text = request.query["text"]?.trimmingWhitespace ?? ""
    arrangement.isUnreadFirst = request.query["first"] == "unread"
  }

  /// The filters for new posts, by their names in addresses.
  private static let newPosts = ["yes": true, "no": false]

  /// The name of the filter for new posts in addresses.
  private var newPosts: String? { arrangement.hasNewPosts.map { $0 ? "yes" : "no" } }

  private static func number(ofColor name: String) -> Int16? {
    ThreadRow.bookmarkColors.firstIndex(of: name).map { Int16(clamping: $0) }
  }

  /// The name of the colour in addresses.
  private var color: String? {
    arrangement.color.flatMap { ThreadRow.bookmarkColor(numbered: $0) }
  }

  /// The parameters that filter and order threads, each with a leading `&`.
  private var choice: String {
    (arrangement.icon.map { "&icon=\(PagePath.part($0))" } ?? "")
      + (color.map { "&color=\($0)" } ?? "") + (newPosts.map { "&new=\($0)" } ?? "")
      + (arrangement.text.isEmpty ? "" : "&text=\(PagePath.part(arrangement.text))")
      + (arrangement.isUnreadFirst ? "&first=unread" : "")
  }

  /// The address.
  var text: String { span.address(path, choice) }

  /// A key that distinguishes lists with different rows.
  var key: String { "\(span.page)+\(span.count)/\(choice)" }

  // MARK: Markup

  /// Returns the links below the list.
  func links(count: Int) -> Markup { span.links(path, choice, rowCount: count) }

  /// Returns the form that filters and orders threads.
  ///
  /// - Parameters:
  ///   - icons: The icons of the threads.
  ///   - isOfBookmarks: Whether the list contains the bookmarks, which have colors and can be searched.
  func form(icons: [String], isOfBookmarks: Bool) -> Markup {
    element(
      .form, .class("search"), Attribute("method", "get"), Attribute("action", path)
    ) {
      if !icons.isEmpty {
        Markup.choice(
          "icon", "Icon", Self.choices("Any icon", icons), chosen: arrangement.icon ?? "")
      }
      if isOfBookmarks {
        element(
          .input, Attribute("type", "search"), Attribute("name", "text"),
          .label("Title or author"), Attribute("placeholder", "Title or author"),
          Attribute("value", arrangement.text))
        Markup.choice(
          "color", "Color", Self.choices("Any color", ThreadRow.bookmarkColors),
          chosen: color ?? "")
        Markup.choice(
          "new", "Posts",
          [("", "Read and unread"), ("yes", "With new posts"), ("no", "Without new posts")],
          chosen: newPosts ?? "")
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
