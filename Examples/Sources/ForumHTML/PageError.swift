/// What is wrong with a page as a whole: its bytes, its shape, or a marker it lacks.
///
/// Made by the decoder, the parser, the selectors and the scrapers. A value; it never holds page
/// text.
public struct PageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The stable name of what went wrong.
  public enum Code: String, Sendable {
    /// There are no bytes, or only white space.
    case empty
    /// The page is larger than the limit.
    case tooLarge
    /// More elements are open at once than the limit allows.
    case tooDeep
    /// One tag carries more attributes than the limit allows.
    case tooManyAttributes
    /// The parser did not finish in time.
    case tooSlow
    /// The bytes are not text in the stated encoding.
    case undecodable
    /// The stated encoding is not one the forum uses.
    case unsupportedCharset
    /// The page ends before its closing tag.
    case truncated
    /// Something every page of this kind has is not there.
    case missingMarker
    /// The page is a forum page, but of another kind than was asked for.
    case unexpectedKind
    /// The page should be JSON and is not.
    case malformedJSON
    /// A selector cannot be read.
    case malformedSelector
    /// The parser gave no tree.
    case parserFailed
  }

  /// The stable name of what went wrong.
  public let code: Code
  /// The offset in bytes, or in a selector in characters, at which the fault was seen.
  public let position: Int?
  /// The selector, charset or element that is missing or refused.
  public let marker: String?
  /// The file or address the page came from, once it is known.
  public let source: String?
  /// One sentence for people.
  public let message: String

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: The stable name of what went wrong.
  ///   - message: One sentence for people.
  ///   - position: The offset at which the fault was seen.
  ///   - marker: The selector, charset or element concerned.
  ///   - source: The file or address the page came from.
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

  /// The same error, naming the file or address the page came from.
  ///
  /// - Parameter source: A file path or an address.
  /// - Returns: A copy with the source set.
  public func naming(_ source: String) -> PageError {
    PageError(code, message, position: position, marker: marker, source: source)
  }

  /// The source, the sentence, the position and the marker in one line.
  public var description: String {
    var line = source.map { "\($0): " } ?? ""
    line += "\(message) [\(code.rawValue)"
    if let position { line += ", at \(position)" }
    if let marker { line += ", marker \(marker)" }
    return line + "]"
  }
}
