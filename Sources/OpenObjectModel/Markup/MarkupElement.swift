/// An element of a document of XML, with everything in it.
///
/// A value; elements nest no deeper than property lists do in metadata.
package struct MarkupElement: Sendable {
  /// The element's name.
  package let name: String
  /// Its attributes.
  package let attributes: [String: String]
  /// The characters directly in it.
  package internal(set) var text = ""
  /// The elements in it.
  package internal(set) var children: [MarkupElement] = []

  init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// The element's first child of a name.
  package func first(_ name: String) -> MarkupElement? { children.first { $0.name == name } }
}
