/// An element of an XML document, with its contents.
///
/// ``MarkupReader`` limits the nesting depth of elements.
package struct MarkupElement: Sendable {
  /// The name of the element.
  package let name: String
  /// The attributes of the element, by name.
  package let attributes: [String: String]
  /// The characters directly inside the element, without the characters of child elements.
  package internal(set) var text = ""
  /// The child elements.
  package internal(set) var children: [MarkupElement] = []

  init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// Returns the first child element with the given name; nil if there is none.
  package func first(_ name: String) -> MarkupElement? { children.first { $0.name == name } }
}
