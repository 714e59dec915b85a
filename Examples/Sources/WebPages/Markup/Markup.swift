/// A piece of a page.
///
/// Text becomes markup by being escaped, attributes by ``Attribute``, elements by ``element(_:_:content:)``. What is
/// markup already has to say that it is trusted.
///
/// A value; usable from any thread.
public struct Markup: Sendable, Hashable {
  /// The markup.
  public private(set) var source: String

  /// Makes markup that shows a text.
  ///
  /// - Parameter text: Any text.
  public init(_ text: String) { source = Self.escaped(text) }

  /// Takes markup as it is.
  ///
  /// - Parameter source: Markup that the program wrote, or that was cleaned.
  public init(trusted source: String) { self.source = source }

  /// Joins pieces.
  init(_ pieces: [Markup]) { source = pieces.map(\.source).joined() }

  /// A text in which no character begins markup, in content and in attribute values.
  ///
  /// Characters are told apart by scalars: a quote with a combining mark is one `Character`, and still ends an attribute.
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

/// Builds markup from pieces and texts, in order.
@resultBuilder
public enum MarkupBuilder {
  /// A piece of markup.
  public static func buildExpression(_ markup: Markup) -> Markup { markup }
  /// A text, which is escaped.
  public static func buildExpression(_ text: String) -> Markup { Markup(text) }
  /// Several pieces.
  public static func buildBlock(_ pieces: Markup...) -> Markup { Markup(pieces) }
  /// A piece that may be missing.
  public static func buildOptional(_ piece: Markup?) -> Markup { piece ?? Markup([]) }
  /// The first of two pieces.
  public static func buildEither(first piece: Markup) -> Markup { piece }
  /// The second of two pieces.
  public static func buildEither(second piece: Markup) -> Markup { piece }
  /// The pieces of a loop.
  public static func buildArray(_ pieces: [Markup]) -> Markup { Markup(pieces) }
}
