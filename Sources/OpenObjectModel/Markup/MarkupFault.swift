/// Why a document of XML cannot be read.
package struct MarkupFault: Error {
  /// The two ways in which a file can be wrong.
  package enum Kind: Sendable {
    /// It is no document of the wanted kind.
    case foreign
    /// It is one, but damaged.
    case damaged
  }

  /// Whether the file is of another kind or damaged.
  package let kind: Kind
  /// The problem. For a damaged document the line is part of it, and the sentence has no full stop.
  package let message: String
}
