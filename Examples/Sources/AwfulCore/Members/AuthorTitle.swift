import ForumHTML

/// A member's title, divided into the avatar and the rest.
public struct AuthorTitle: Sendable, Equatable {
  /// The address of the avatar as the site sent it; nil if the title does not begin with an image.
  public let avatar: String?
  /// The title without the avatar, as markup; empty if there is nothing else.
  public let html: String

  /// Divides a title.
  ///
  /// - Parameter title: The title as markup.
  public init(_ title: String) {
    // A title that cannot be parsed stays whole.
    let page = try? HTMLParser.parse("<!DOCTYPE html><body>\(title)")
    var rest = (page?.body.nodes ?? []).drop { Self.isBlank($0) }
    guard let first = rest.first, let address = Self.onlyImage(in: first)?["src"], !address.isEmpty
    else {
      avatar = nil
      html = title
      return
    }
    rest = rest.dropFirst().drop { Self.isBlank($0) || Self.isLineBreak($0) }
    avatar = address
    html = rest.map(\.markup).joined().trimmingWhitespace
  }

  /// Returns the image that a node consists of, with the elements around it.
  private static func onlyImage(in node: HTMLElement.Node) -> HTMLElement? {
    guard case .element(let element) = node, isBlank(element.readableText) else { return nil }
    if element.name == "img" { return element }
    let images = element.descendants.filter { $0.name == "img" }
    return images.count == 1 ? images.first : nil
  }

  private static func isBlank(_ node: HTMLElement.Node) -> Bool {
    switch node {
    case .text(let text): isBlank(text)
    case .comment: true
    case .element: false
    }
  }

  private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

  private static func isLineBreak(_ node: HTMLElement.Node) -> Bool {
    guard case .element(let element) = node else { return false }
    return element.name == "br"
  }
}
