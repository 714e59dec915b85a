/// The elements that pages are made of.
public enum Element: String, Sendable {
  case a, article, aside, audio, b, bdi, body, button, caption, dd, details, div, dl, dt, fieldset,
    footer, form,
    h1, h2,
    head, header, html, i, img, input, label, legend, li, link, main, meta, nav, ol, option, p, pre,
    progress, script, section, select, small, span, strong, style, summary, table, tbody, td,
    textarea, th, thead, time, title, tr, ul

  /// Whether it has neither content nor end tag.
  var isVoid: Bool { [.img, .input, .link, .meta].contains(self) }
}

/// An attribute of an element; its value is escaped.
public struct Attribute: Sendable, Hashable {
  /// The attribute in a tag, with the space before it.
  let source: String

  /// Makes an attribute.
  ///
  /// - Parameters:
  ///   - name: The name, which is written as it is.
  ///   - value: The value.
  public init(_ name: StaticString, _ value: String) {
    source = " \(name)=\"\(Markup.escaped(value))\""
  }

  /// Makes an attribute without a value.
  public init(flag name: StaticString) { source = " \(name)" }

  /// The element's id.
  public static func id(_ id: String) -> Attribute { Attribute("id", id) }
  /// Names of classes, with blanks between.
  public static func `class`(_ names: String) -> Attribute { Attribute("class", names) }
  /// Where a link leads; the caller makes addresses of texts.
  public static func href(_ address: String) -> Attribute { Attribute("href", address) }
  /// What a screen reader says instead of the content.
  public static func label(_ text: String) -> Attribute { Attribute("aria-label", text) }
}

extension Markup {
  /// A whole document in English, for windows of any width.
  ///
  /// - Parameters:
  ///   - title: The title of the window.
  ///   - body: The `<body>` element.
  ///   - head: What else the head has.
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

/// Makes an element.
///
/// - Parameters:
///   - element: Which one.
///   - attributes: Its attributes; nil stands for none.
///   - content: What is in it; ignored by elements without content.
/// - Returns: The markup.
public func element(
  _ element: Element, _ attributes: Attribute?...,
  @MarkupBuilder content: () -> Markup = { Markup("") }
) -> Markup {
  WebPages.element(element, attributes, content: content)
}

/// Makes an element.
///
/// - Parameters:
///   - element: Which one.
///   - attributes: Its attributes; nil stands for none.
///   - content: What is in it; ignored by elements without content.
/// - Returns: The markup.
public func element(
  _ element: Element, _ attributes: [Attribute?], @MarkupBuilder content: () -> Markup
) -> Markup {
  let tag = "<\(element.rawValue)\(attributes.compactMap { $0?.source }.joined())>"
  if element.isVoid { return Markup(trusted: tag) }
  // Browsers drop a line end right behind the tag; this one saves the one that the content may begin with.
  let start = element == .textarea || element == .pre ? "\n" : ""
  return Markup(trusted: "\(tag)\(start)\(content().source)</\(element.rawValue)>")
}
