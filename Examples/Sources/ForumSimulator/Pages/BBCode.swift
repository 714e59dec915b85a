/// The markup of typed posts and messages: tags in square brackets.
///
/// Stateless. An unknown tag, or a closing tag without an open tag, remains as typed.
enum BBCode {
  /// Tags that represent one pair of elements.
  private static let pairs: [String: (open: String, close: String)] = [
    "b": ("<b>", "</b>"), "i": ("<i>", "</i>"), "u": ("<u>", "</u>"), "s": ("<s>", "</s>"),
    "sub": ("<sub>", "</sub>"), "super": ("<sup>", "</sup>"),
    "spoiler": ("<span class=\"bbc-spoiler\">", "</span>"),
  ]

  /// Returns a quotation, to be followed by the text of the reply.
  static func quotation(of text: String, by name: String, postID: Int) -> String {
    "[quote=\"\(name)\" post=\"\(postID)\"]\n\(text)\n[/quote]\n"
  }

  /// Returns the HTML of a typed text.
  static func html(_ text: String) -> String {
    var renderer = Renderer(rest: Substring(text))
    return renderer.render()
  }

  /// Returns the text without its quotations and without the empty lines that they leave.
  static func withoutQuotations(_ text: String) -> String {
    var result = ""
    var depth = 0
    var rest = Substring(text)
    while let start = rest.firstIndex(of: "[") {
      if depth == 0 { result += rest[..<start] }
      rest = rest[start...]
      guard let tag = Tag(rest), tag.name == "quote" else {
        if depth == 0 { result.append("[") }
        rest = rest.dropFirst()
        continue
      }
      depth = tag.isClosing ? max(depth - 1, 0) : depth + 1
      rest = rest[tag.end...]
    }
    if depth == 0 { result += rest }
    return String(result.trimmingPrefix { $0 == "\n" })
  }

  /// A tag at the start of a text.
  private struct Tag {
    let name: String
    let isClosing: Bool
    /// The text after the equals sign, as typed; empty if there is none.
    let argument: Substring
    let end: Substring.Index

    init?(_ text: Substring) {
      guard text.first == "[", let close = text.prefix(400).firstIndex(of: "]") else { return nil }
      var inside = text[..<close].dropFirst()
      isClosing = inside.first == "/"
      if isClosing { inside = inside.dropFirst() }
      let name = inside.prefix { $0.isASCII && $0.isLetter }
      guard !name.isEmpty else { return nil }
      let tail = inside[name.endIndex...]
      guard tail.isEmpty || tail.first == "=" else { return nil }
      self.name = name.lowercased()
      argument = tail.dropFirst()
      end = text.index(after: close)
    }
  }

  /// Renders a text in one pass, with the open tags on a stack.
  private struct Renderer {
    var rest: Substring
    private var html = ""
    private var open: [(name: String, close: String)] = []

    init(rest: Substring) {
      self.rest = rest
    }

    mutating func render() -> String {
      while let start = rest.firstIndex(where: { $0 == "[" || $0 == "\n" }) {
        html += HTML.escaped(String(rest[..<start]))
        rest = rest[start...]
        if rest.first == "\n" {
          html += "<br>\n"
          rest = rest.dropFirst()
        } else if let tag = Tag(rest), take(tag) {
          continue
        } else {
          html += "["
          rest = rest.dropFirst()
        }
      }
      html += HTML.escaped(String(rest))
      while let last = open.popLast() { html += last.close }
      return html
    }

    /// Renders a tag and moves past it; returns `false` without effect for a tag that remains as typed.
    private mutating func take(_ tag: Tag) -> Bool {
      if tag.isClosing { return close(tag) }
      switch tag.name {
      case "quote": openQuotation(tag)
      case "url" where tag.argument.isEmpty: return takeAddress(tag)
      case "url":
        guard let address = Self.address(tag.argument) else { return false }
        push(tag, open: Self.link(address), close: "</a>")
      case "img": return takeImage(tag)
      case "code": return takeCode(tag)
      default:
        guard let pair = BBCode.pairs[tag.name], tag.argument.isEmpty else { return false }
        push(tag, open: pair.open, close: pair.close)
      }
      return true
    }

    private mutating func push(_ tag: Tag, open: String, close: String) {
      html += open
      self.open.append((tag.name, close))
      rest = rest[tag.end...]
    }

    /// Closes the tag and every tag opened inside it.
    private mutating func close(_ tag: Tag) -> Bool {
      guard let position = open.lastIndex(where: { $0.name == tag.name }) else { return false }
      if tag.name == "quote", html.hasSuffix("<br>\n") { html.removeLast(5) }
      while open.count > position, let last = open.popLast() { html += last.close }
      rest = rest[tag.end...]
      return true
    }

    private mutating func openQuotation(_ tag: Tag) {
      let parts = tag.argument.split(separator: "\"", omittingEmptySubsequences: false)
      let name = HTML.escaped(String(parts.count > 1 ? parts[1] : tag.argument))
      let postID = parts.count > 3 ? Int(parts[3]) : nil
      let words = name.isEmpty ? "" : "\(name) posted:"
      let heading =
        postID.map {
          "<a class=\"quote_link\" href=\"/showthread.php?goto=post&amp;postid=\($0)#post\($0)\" "
            + "rel=\"nofollow\">\(words)</a>"
        } ?? words
      let top = heading.isEmpty ? "" : "<h4>\(heading)</h4>"
      push(
        tag, open: "<div class=\"bbc-block\">\(top)<blockquote>", close: "</blockquote></div>\n")
      if rest.first == "\n" { rest = rest.dropFirst() }
    }

    private mutating func takeAddress(_ tag: Tag) -> Bool {
      guard let content = content(of: tag), let address = Self.address(content) else {
        return false
      }
      html += "\(Self.link(address))\(HTML.escaped(address))</a>"
      skip(content, of: tag)
      return true
    }

    private mutating func takeImage(_ tag: Tag) -> Bool {
      guard let content = content(of: tag), let address = Self.address(content) else {
        return false
      }
      html += "<img src=\"\(HTML.escaped(address))\" alt=\"\" class=\"img\" border=\"0\">"
      skip(content, of: tag)
      return true
    }

    private mutating func takeCode(_ tag: Tag) -> Bool {
      guard let content = content(of: tag) else { return false }
      let code = HTML.escaped(String(content))
      html += "<div class=\"bbc-block code\"><h5>Code:</h5><pre><code>\(code)</code></pre></div>"
      skip(content, of: tag)
      return true
    }

    /// Returns the text up to the closing tag.
    private func content(of tag: Tag) -> Substring? {
      let tail = rest[tag.end...]
      guard let close = tail.firstRange(of: "[/\(tag.name)]") else { return nil }
      return tail[..<close.lowerBound]
    }

    private mutating func skip(_ content: Substring, of tag: Tag) {
      rest = rest[content.endIndex...].dropFirst(tag.name.count + 3)
    }

    private static func link(_ address: String) -> String {
      "<a href=\"\(HTML.escaped(address))\" target=\"_blank\" rel=\"nofollow\">"
    }

    /// Returns an address that a browser may open; `nil` for script and other schemes.
    private static func address(_ text: Substring) -> String? {
      let address = text.filter { $0 != "\"" && $0 != "\n" }
      let isWeb = ["http://", "https://", "/"].contains { address.lowercased().hasPrefix($0) }
      return isWeb ? String(address) : nil
    }
  }
}
