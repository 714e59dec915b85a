/// An element of a document: a position in its tree.
///
/// A value that retains the document. Two elements are equal if they are the same node.
public struct HTMLElement: Sendable, Hashable {
  let document: HTMLDocument
  let index: Int

  /// The language that defines an element's name.
  public enum Namespace: Sendable {
    /// HTML itself.
    case html
    /// SVG in an HTML document.
    case svg
    /// MathML in an HTML document.
    case mathML
  }

  /// A child of an element.
  public enum Node: Sendable {
    /// An element.
    case element(HTMLElement)
    /// A run of text.
    case text(String)
    /// A comment.
    case comment(String)

    /// The node as markup; empty for a comment.
    public var markup: String {
      switch self {
      case .element(let element): element.outerHTML
      case .text(let text): HTMLSerializer.escaped(text, quotes: .keep)
      case .comment: ""
      }
    }
  }

  /// Returns whether two values are the same node.
  ///
  /// - Parameters:
  ///   - left: An element.
  ///   - right: An element.
  /// - Returns: `true` if both are the same node of the same document.
  public static func == (left: HTMLElement, right: HTMLElement) -> Bool {
    left.document === right.document && left.index == right.index
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(document))
    hasher.combine(index)
  }

  private var record: HTMLRecord { document.records[index] }

  /// The name in lower case; `#document` for the document node.
  public var name: String {
    guard case .element(let name, _, _) = record.contents else { return "#document" }
    return name
  }

  /// The language that defines the element's name.
  public var namespace: Namespace {
    guard case .element(_, let namespace, _) = record.contents else { return .html }
    return namespace
  }

  /// The attributes as written; only the first of several attributes with the same name.
  public var attributes: [HTMLAttribute] {
    guard case .element(_, _, let attributes) = record.contents else { return [] }
    return attributes
  }

  /// The value of an attribute; nil if the element does not have the attribute.
  ///
  /// - Parameter attribute: The name in lower case.
  public subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }

  /// The class names, in order.
  public var classes: [Substring] {
    self["class"]?.split(whereSeparator: \.isWhitespace) ?? []
  }

  /// Returns whether the element has a class name.
  ///
  /// - Parameter name: The class name.
  /// - Returns: `true` if the element has the class name.
  public func hasClass(_ name: String) -> Bool {
    classes.contains { $0 == name }
  }

  /// The parent element; nil for the document node.
  public var parent: HTMLElement? {
    index == 0 ? nil : HTMLElement(document: document, index: record.parent)
  }

  /// The children, in order.
  public var nodes: [Node] {
    var result: [Node] = []
    var child = index + 1
    while child < record.end {
      switch document.records[child].contents {
      case .text(let text): result.append(.text(text))
      case .comment(let text): result.append(.comment(text))
      case .element, .document:
        result.append(.element(HTMLElement(document: document, index: child)))
      }
      child = document.records[child].end
    }
    return result
  }

  /// The children that are elements, in order.
  public var children: [HTMLElement] {
    nodes.compactMap { node in
      if case .element(let element) = node { element } else { nil }
    }
  }

  /// The descendant elements, in document order.
  public var descendants: some Sequence<HTMLElement> {
    (index + 1..<record.end).lazy
      .filter { position in
        if case .element = document.records[position].contents { true } else { false }
      }
      .map { HTMLElement(document: document, index: $0) }
  }

  /// The unmodified text runs of the descendants, in document order.
  public var textRuns: [String] {
    (index + 1..<record.end).compactMap { position in
      if case .text(let text) = document.records[position].contents { text } else { nil }
    }
  }

  /// The joined text runs of the descendants.
  public var text: String { textRuns.joined() }

  /// The text without leading and trailing white space.
  public var trimmedText: String { text.trimmingWhitespace }

  /// The children as markup, according to the HTML standard.
  public var innerHTML: String { HTMLSerializer.innerHTML(of: self) }

  /// The element itself as markup.
  public var outerHTML: String { HTMLSerializer.outerHTML(of: self) }

  /// The element directly before this one under the same parent.
  var previousElement: HTMLElement? {
    document.places[index].previous.map { HTMLElement(document: document, index: $0) }
  }

  /// The position among the siblings of the same name, from 1.
  var placeAmongSameName: Int { document.places[index].numberOfName }

  /// The element directly after this one under the same parent.
  public var nextElement: HTMLElement? {
    guard let end = parent?.record.end else { return nil }
    var next = record.end
    while next < end {
      if case .element = document.records[next].contents {
        return HTMLElement(document: document, index: next)
      }
      next = document.records[next].end
    }
    return nil
  }

  /// Whether the element has a descendant element.
  public var hasElements: Bool { descendants.contains { _ in true } }
}

extension StringProtocol {
  /// The text without leading and trailing white space, which includes no-break spaces.
  public var trimmingWhitespace: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
