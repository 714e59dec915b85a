/// A string as a dictionary key that is compared by bytes.
///
/// Swift strings are equal if they are canonically equivalent, but formats and patterns that differ
/// in composition have different meanings.
package struct ExactText: Hashable, ExpressibleByStringLiteral {
  /// The string itself.
  package let text: String

  /// Creates a key from a string.
  package init(_ text: String) {
    self.text = text
  }

  /// Creates a key from a string literal.
  package init(stringLiteral text: String) {
    self.text = text
  }

  /// Returns whether two keys have the same UTF-8 bytes.
  package static func == (left: ExactText, right: ExactText) -> Bool {
    TextBytes.areEqual(left.text, right.text)
  }

  /// Hashes the UTF-8 bytes.
  package func hash(into hasher: inout Hasher) {
    TextBytes.with(text) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
