/// The HTML elements of pages.
public enum Element: String, Sendable {
  case a, article, aside, audio, b, bdi, body, button, caption, dd, details, div, dl, dt, fieldset,
    footer, form,
    h1, h2,
    head, header, html, i, img, input, label, legend, li, link, main, meta, nav, ol, option, p, pre,
    progress, script, section, select, small, span, strong, style, summary, table, tbody, td,
    textarea, th, thead, time, title, tr, ul

  /// Whether the element has neither content nor an end tag.
  var isVoid: Bool { [.img, .input, .link, .meta].contains(self) }
}

/// An attribute of an element; its value is escaped.
public struct Attribute: Sendable, Hashable {
  /// The attribute in a tag, with the space before it.
  let source: String

  /// Creates an attribute.
  ///
  /// - Parameters:
  ///   - name: The name, which is not escaped.
  ///   - value: The value.
  public init(_ name: StaticString, _ value: String) {
    source = " \(name)=\"\(Markup.escaped(value))\""
  }

  /// Creates an attribute without a value.
  public init(flag name: StaticString) { source = " \(name)" }

  /// Returns an attribute with the element's id.
  public static func id(_ id: String) -> Attribute { Attribute("id", id) }
  /// Returns an attribute with class names, separated by spaces.
  public static func `class`(_ names: String) -> Attribute { Attribute("class", names) }
  /// Returns an attribute with the address of a link; the caller encodes texts in the address.
  public static func href(_ address: String) -> Attribute { Attribute("href", address) }
  /// Returns an attribute with the text that a screen reader speaks instead of the content.
  public static func label(_ text: String) -> Attribute { Attribute("aria-label", text) }
}

extension Markup {
  /// Returns a complete document in English, for windows of any width.
  ///
  /// - Parameters:
  ///   - title: The title of the window.
  ///   - body: The `<body>` element.
  ///   - head: Additional content of the `<head>` element.
  public static func document(
    title: String, body: Markup, @MarkupBuilder head: () -> Markup
  ) -> Markup {
    let html = element(.html, Attribute("lang", "en")) {
      element(.head) {
        element(.meta, Attribute("charset", "utf-8"))
        element(
          .meta, Attribute("name", "viewport"),
          Attribute("content", "width=device-width, initial-scale=1"))
        element(.title) { title }
        head()
      }
      body
    }
    return Markup(trusted: "<!DOCTYPE html>\n\(html.source)\n")
  }
}

/// Creates an element.
///
/// - Parameters:
///   - element: The element.
///   - attributes: The attributes; nil values are omitted.
///   - content: The content; ignored by void elements.
/// - Returns: The markup.
public func element(
  _ element: Element, _ attributes: Attribute?...,
  @MarkupBuilder content: () -> Markup = { Markup("") }
) -> Markup {
  WebPages.element(element, attributes, content: content)
}

/// Creates an element.
///
/// - Parameters:
///   - element: The element.
///   - attributes: The attributes; nil values are omitted.
///   - content: The content; ignored by void elements.
/// - Returns: The markup.
public func element(
  _ element: Element, _ attributes: [Attribute?], @MarkupBuilder content: () -> Markup
) -> Markup {
  let tag = "<\(element.rawValue)\(attributes.compactMap { $0?.source }.joined())>"
  if element.isVoid { return Markup(trusted: tag) }
  // Browsers drop a newline directly after the tag; this newline preserves a newline at the start of the content.
  let start = element == .textarea || element == .pre ? "\n" : ""
  return Markup(trusted: "\(tag)\(start)\(content().source)</\(element.rawValue)>")
}
