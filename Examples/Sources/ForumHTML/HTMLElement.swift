/// An element of a document: a position in its tree.
///
/// A value; holds the document alive. Two elements are equal when they are the same node.
public struct HTMLElement: Sendable, Hashable {
  let document: HTMLDocument
  let index: Int

  /// The language that an element belongs to: names mean different things in each.
  public enum Namespace: Sendable {
    /// HTML itself.
    case html
    /// A drawing inside of HTML.
    case svg
    /// A formula inside of HTML.
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
  }

  /// Whether two values are the same node.
  ///
  /// - Parameters:
  ///   - left: An element.
  ///   - right: An element.
  /// - Returns: Whether they are the same node of the same document.
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

  /// The language that the element belongs to.
  public var namespace: Namespace {
    guard case .element(_, let namespace, _) = record.contents else { return .html }
    return namespace
  }

  /// The attributes as written, the first of equal names only.
  public var attributes: [HTMLAttribute] {
    guard case .element(_, _, let attributes) = record.contents else { return [] }
    return attributes
  }

  /// The value of an attribute, or nil when the element does not have it.
  ///
  /// - Parameter attribute: The name in lower case.
  public subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }

  /// The class names, in order.
  public var classes: [Substring] {
    self["class"]?.split(whereSeparator: \.isWhitespace) ?? []
  }

  /// Whether a class name is among those of the element.
  ///
  /// - Parameter name: The class name.
  /// - Returns: Whether the element has it.
  public func hasClass(_ name: String) -> Bool {
    classes.contains { $0 == name }
  }

  /// The element above, or nil for the document node.
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

  /// The elements below, in document order.
  public var descendants: some Sequence<HTMLElement> {
    (index + 1..<record.end).lazy
      .filter { position in
        if case .element = document.records[position].contents { true } else { false }
      }
      .map { HTMLElement(document: document, index: $0) }
  }

  /// The runs of text below, in document order, as they are.
  public var textRuns: [String] {
    (index + 1..<record.end).compactMap { position in
      if case .text(let text) = document.records[position].contents { text } else { nil }
    }
  }

  /// All text below, joined as it is.
  public var text: String { textRuns.joined() }

  /// All text below without white space at both ends.
  public var trimmedText: String { text.trimmingWhitespace }

  /// The children as markup, by the rules of the HTML standard.
  public var innerHTML: String { HTMLSerializer.innerHTML(of: self) }

  /// The element itself as markup.
  public var outerHTML: String { HTMLSerializer.outerHTML(of: self) }

  /// The element right before this one under the same parent.
  var previousElement: HTMLElement? {
    document.places[index].previous.map { HTMLElement(document: document, index: $0) }
  }

  /// The place among the siblings of the same name, from 1.
  var placeAmongSameName: Int { document.places[index].numberOfName }

  /// The element right after this one under the same parent.
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

  /// Whether there is an element below.
  public var hasElements: Bool { descendants.contains { _ in true } }
}

extension StringProtocol {
  /// The text without white space, no-break spaces included, at both ends.
  public var trimmingWhitespace: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
