/// An error in an XML document that cannot be read.
package struct MarkupFault: Error {
  /// The kind of error.
  package enum Kind: Sendable {
    /// The file is not a document of the expected kind.
    case foreign
    /// The document has the expected kind but is damaged.
    case damaged
  }

  /// The kind of the error.
  package let kind: Kind
  /// The description of the problem.
  ///
  /// For a damaged document, the message contains the line and has no full stop.
  package let message: String
}
