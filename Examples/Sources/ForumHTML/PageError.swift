/// An error of a page as a whole: of its bytes, its structure or a missing marker.
///
/// Created by the decoder, the parser, the selectors and the scrapers. A value that never contains text of the page.
public struct PageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A stable name for the kind of error.
  public enum Code: String, Sendable {
    /// The page has no bytes, or only white space.
    case empty
    /// The page is larger than the limit.
    case tooLarge
    /// More elements are open at once than the limit allows.
    case tooDeep
    /// A tag has more attributes than the limit allows.
    case tooManyAttributes
    /// The parser did not finish in time.
    case tooSlow
    /// The bytes are not text in the stated encoding.
    case undecodable
    /// The forum does not use the stated encoding.
    case unsupportedCharset
    /// The page ends before `</html>`.
    case truncated
    /// An element that every page of this kind has is missing.
    case missingMarker
    /// The page is a forum page of another kind than requested.
    case unexpectedKind
    /// The page should be JSON but is not.
    case malformedJSON
    /// A selector cannot be parsed.
    case malformedSelector
    /// The parser returned no tree.
    case parserFailed
  }

  /// The stable name for the kind of error.
  public let code: Code
  /// The offset of the error, in bytes or, for a selector, in characters.
  public let position: Int?
  /// The selector, charset or element that is missing or rejected.
  public let marker: String?
  /// The file or address of the page, once it is known.
  public let source: String?
  /// A one-sentence, user-readable description.
  public let message: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The stable name for the kind of error.
  ///   - message: A one-sentence, user-readable description.
  ///   - position: The offset of the error.
  ///   - marker: The selector, charset or element concerned.
  ///   - source: The file or address of the page.
  public init(
    _ code: Code, _ message: String, position: Int? = nil, marker: String? = nil,
    source: String? = nil
  ) {
    self.code = code
    self.message = message
    self.position = position
    self.marker = marker
    self.source = source
  }

  /// Returns a copy of the error that names the file or address of the page.
  ///
  /// - Parameter source: A file path or an address.
  /// - Returns: A copy with this source.
  public func naming(_ source: String) -> PageError {
    PageError(code, message, position: position, marker: marker, source: source)
  }

  /// The source, the message, the code, the position and the marker in one line.
  public var description: String {
    var line = source.map { "\($0): " } ?? ""
    line += "\(message) [\(code.rawValue)"
    if let position { line += ", at \(position)" }
    if let marker { line += ", marker \(marker)" }
    return line + "]"
  }
}
