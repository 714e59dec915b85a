/// Writes a tree as markup according to the HTML standard's serialization rules.
///
/// Stateless. The serializer does not clean: it writes every parsed node.
enum HTMLSerializer {
  private static let voidNames: Set<String> = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
  ]
  private static let rawTextNames: Set<String> = [
    "style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext",
  ]

  /// Returns whether an element has no end tag.
  static func isVoid(_ element: HTMLElement) -> Bool {
    element.namespace == .html && voidNames.contains(element.name)
  }

  /// Returns the children of an element as markup.
  ///
  /// - Parameter element: The element.
  /// - Returns: The markup between its tags.
  static func innerHTML(of element: HTMLElement) -> String {
    var result = ""
    append(contentsOf: element, to: &result)
    return result
  }

  /// Returns an element as markup, with its tags.
  ///
  /// - Parameter element: The element.
  /// - Returns: The markup.
  static func outerHTML(of element: HTMLElement) -> String {
    var result = ""
    append(element, to: &result)
    return result
  }

  private static func append(contentsOf element: HTMLElement, to result: inout String) {
    let isRaw = element.namespace == .html && rawTextNames.contains(element.name)
    for node in element.nodes {
      switch node {
      case .text(let text): result += isRaw ? text : escaped(text, quotes: .keep)
      case .comment(let text): result += "<!--\(text)-->"
      case .element(let child): append(child, to: &result)
      }
    }
  }

  private static func append(_ element: HTMLElement, to result: inout String) {
    result += "<\(element.name)"
    for attribute in element.attributes {
      result += " \(attribute.name)=\"\(escaped(attribute.value, quotes: .escape))\""
    }
    result += ">"
    if isVoid(element) { return }
    append(contentsOf: element, to: &result)
    result += "</\(element.name)>"
  }

  /// Whether quotes or angle brackets are escaped: quotes in attribute values, brackets in text.
  enum Quotes { case keep, escape }

  static func escaped(_ text: String, quotes: Quotes) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch (scalar, quotes) {
      case ("&", _): result.append(contentsOf: "&amp;".unicodeScalars)
      case ("\u{A0}", _): result.append(contentsOf: "&nbsp;".unicodeScalars)
      case ("\"", .escape): result.append(contentsOf: "&quot;".unicodeScalars)
      case ("<", .keep): result.append(contentsOf: "&lt;".unicodeScalars)
      case (">", .keep): result.append(contentsOf: "&gt;".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
