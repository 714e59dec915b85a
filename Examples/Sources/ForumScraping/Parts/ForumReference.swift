import ForumHTML

/// A group or forum in the breadcrumbs: the first entry is the group, and the other entries are the path of forums.
public struct ForumReference: Sendable, Equatable {
  /// The id.
  public let id: String
  /// The name as printed.
  public let name: String

  /// Reads the breadcrumbs of a page.
  ///
  /// - Parameter document: The page.
  /// - Returns: The group and its forums, outermost first; empty if the page has no breadcrumbs.
  static func breadcrumbs(of document: HTMLDocument) throws -> [ForumReference] {
    guard let trail = try trail(of: document) else { return [] }
    var result: [ForumReference] = []
    for link in try trail.select("a[href*='forumid=']") {
      guard let id = Link.parameter("forumid", in: link["href"]),
        !(link["href"]?.contains("online.php") ?? false)
      else { continue }
      result.append(ForumReference(id: id, name: link.trimmedText))
    }
    return result
  }

  /// Returns the element with the breadcrumbs. Some older pages repeat the current forum outside the inner element.
  static func trail(of document: HTMLDocument) throws -> HTMLElement? {
    for place in try document.select("div.breadcrumbs") {
      if let inner = try place.first("span.mainbodytextlarge") { return inner }
    }
    return try document.first("div.breadcrumbs")
  }
}
