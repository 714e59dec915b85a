import ForumHTML

/// The information about the author beside a post, a message or a profile.
public struct AuthorSidebar: Sendable, Equatable {
  /// The user's id; nil if the page does not contain it, as beside announcements.
  public let userID: String?
  /// The user's name; empty if the sidebar is missing.
  public let name: String
  /// Whether the user is an administrator.
  public let isAdministrator: Bool
  /// Whether the user is a moderator.
  public let isModerator: Bool
  /// Whether the user started the thread.
  public let isOriginalPoster: Bool
  /// The other class names of the author's name.
  public let otherClasses: [String]
  /// The day the user registered.
  public let registered: PrintedDate?
  /// The custom title, as markup; empty if there is none.
  public let customTitleHTML: String

  /// Reads the sidebar of a part of a page.
  ///
  /// - Parameters:
  ///   - place: The post, message or profile.
  ///   - linkSelector: The selector of links that may contain the author's id.
  init(in place: HTMLElement, linkSelector: String) throws {
    let nameElement = try place.first("dt.author")
    let classes = nameElement?.classes ?? []
    name = nameElement?.trimmedText ?? ""
    isAdministrator = classes.contains("role-admin")
    isModerator = classes.contains("role-mod")
    isOriginalPoster = classes.contains("op")
    otherClasses = classes.filter { !Self.knownClasses.contains($0) }.map(String.init)
    registered = PrintedDate(try place.first("dd.registered")?.text)
    userID = try Self.userID(in: place, linkSelector: linkSelector)
    customTitleHTML = try Self.customTitleHTML(in: place)
  }

  private static let knownClasses: Set<Substring> = ["author", "role-admin", "role-mod", "op"]

  /// Returns the user's id from a link, a class name or a hidden field, in this order.
  private static func userID(
    in place: HTMLElement, linkSelector: String
  ) throws -> String? {
    for link in try place.select(linkSelector) {
      if let id = Link.parameter("userid", in: link["href"]), id != "0" { return id }
    }
    for element in try place.select("[class*='userid-']") {
      if let id = Link.number(after: "userid-", inClassesOf: element) { return id }
    }
    return try place.first("input[name='userid']")?["value"]?.nonEmpty
  }

  /// Returns the custom title: the first title with an image if there is one, without the closing line break.
  private static func customTitleHTML(in place: HTMLElement) throws -> String {
    let titles = try place.select("dl.userinfo dd.title")
    var chosen = titles.first
    for title in titles where try title.first("img") != nil {
      chosen = title
      break
    }
    guard let chosen else { return "" }
    return chosen.nodes.map { node in
      if case .element(let element) = node, element.name == "br", element.hasClass("pb") {
        return ""
      }
      return node.markup
    }.joined().trimmingWhitespace
  }
}
