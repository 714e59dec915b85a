/// A piece of a page.
///
/// Markup consists of escaped text, attributes from ``Attribute`` and elements from ``element(_:_:content:)``. Existing markup must be
/// declared as trusted.
///
/// > Concurrency: A value type; usable on any thread.
public struct Markup: Sendable, Hashable {
  /// The HTML source.
  public private(set) var source: String

  /// Creates markup that shows a text.
  ///
  /// - Parameter text: Any text.
  public init(_ text: String) { source = Self.escaped(text) }

  /// Creates markup from HTML source without escaping it.
  ///
  /// - Parameter source: Markup that the program wrote, or sanitized markup.
  public init(trusted source: String) { self.source = source }

  /// Joins pieces of markup.
  init(_ pieces: [Markup]) { source = pieces.map(\.source).joined() }

  /// Returns a text escaped for content and for attribute values.
  ///
  /// The method compares bytes and not characters: a quote with a combining mark is one `Character`, but still ends an attribute.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { names[$0] != nil }) else { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 16)
    for byte in text.utf8 {
      if let name = names[byte] { bytes += name.utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let names: [UInt8: String] = [
    0x22: "&quot;", 0x26: "&amp;", 0x27: "&#39;", 0x3C: "&lt;", 0x3E: "&gt;",
  ]
}

/// A result builder that joins pieces and texts in order.
@resultBuilder
public enum MarkupBuilder {
  /// Returns a piece of markup.
  public static func buildExpression(_ markup: Markup) -> Markup { markup }
  /// Returns a text as escaped markup.
  public static func buildExpression(_ text: String) -> Markup { Markup(text) }
  /// Joins several pieces.
  public static func buildBlock(_ pieces: Markup...) -> Markup { Markup(pieces) }
  /// Returns an optional piece, or empty markup.
  public static func buildOptional(_ piece: Markup?) -> Markup { piece ?? Markup([]) }
  /// Returns the first of two pieces.
  public static func buildEither(first piece: Markup) -> Markup { piece }
  /// Returns the second of two pieces.
  public static func buildEither(second piece: Markup) -> Markup { piece }
  /// Joins the pieces of a loop.
  public static func buildArray(_ pieces: [Markup]) -> Markup { Markup(pieces) }
}
