/// An attribute of an element.
public struct HTMLAttribute: Sendable, Equatable {
  /// The name, in lower case for HTML elements.
  public let name: String
  /// The value, with its character references resolved.
  public let value: String
}

/// One node as stored: nodes lie in document order, and `end` is the index after the node's last
/// descendant.
struct HTMLRecord: Sendable {
  enum Contents: Sendable {
    case document
    case element(name: String, namespace: HTMLElement.Namespace, attributes: [HTMLAttribute])
    case text(String)
    case comment(String)
  }

  let contents: Contents
  let parent: Int
  var end: Int
}

/// A parsed page: an immutable tree of nodes in one array.
///
/// Made by `HTMLParser`, shared freely between threads, kept alive by its elements. It never refers
/// to the parser's own tree.
public final class HTMLDocument: Sendable {
  let records: [HTMLRecord]

  init(records: [HTMLRecord]) {
    self.records = records
  }

  /// The document node, above `<html>`.
  public var root: HTMLElement { HTMLElement(document: self, index: 0) }

  /// The `<body>` element, or the document node when there is none.
  public var body: HTMLElement {
    root.descendants.first { $0.name == "body" } ?? root
  }

  /// All elements that match a selector, in document order.
  ///
  /// - Parameter selector: A CSS selector.
  /// - Returns: The matching elements.
  /// - Throws: `PageError` with code `.malformedSelector`.
  public func select(_ selector: String) throws(PageError) -> [HTMLElement] {
    try root.select(selector)
  }

  /// The first element that matches a selector.
  ///
  /// - Parameter selector: A CSS selector.
  /// - Returns: The element, or nil when nothing matches.
  /// - Throws: `PageError` with code `.malformedSelector`.
  public func first(_ selector: String) throws(PageError) -> HTMLElement? {
    try root.first(selector)
  }
}
