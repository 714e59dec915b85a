import Foundation

/// Writes the parts of a tree that an allow-list permits.
///
/// A value, confined to one call. It is the only type that writes markup for readers.
struct CleanWriter {
  private let base: URL?
  private let images: HTMLCleaner.Images
  private let localLink: (URL) -> String?
  private(set) var result = ""
  private var openLinks = 0

  init(base: URL?, images: HTMLCleaner.Images, localLink: @escaping (URL) -> String?) {
    self.base = base
    self.images = images
    self.localLink = localLink
  }

  // MARK: The list

  private static let names: Set<String> = [
    "abbr", "b", "big", "blockquote", "center", "cite", "code", "dd", "del", "div", "dl", "dt",
    "em",
    "h1", "h2", "h3", "h4", "h5", "h6", "i", "ins", "kbd", "li", "ol", "p", "pre", "q", "s", "samp",
    "small", "span", "strike", "strong", "sub", "sup", "table", "tbody", "td", "tfoot", "th",
    "thead",
    "tr", "tt", "u", "ul", "var",
  ]
  /// Elements whose content is not readable text.
  private static let omitted: Set<String> = [
    "applet", "audio", "button", "canvas", "embed", "frame", "frameset", "head", "iframe", "input",
    "link", "math", "meta", "noembed", "noframes", "noscript", "object", "option", "param",
    "plaintext", "script", "select", "style", "svg", "template", "textarea", "title", "video",
    "xmp",
  ]
  /// The forum's own classes for quotes, spoilers and code; other classes could imitate the page around the content.
  private static let classes: Set<String> = [
    "bbc-block", "bbc-center", "bbc-spoiler", "code", "editedby", "emote", "pre", "quote",
  ]
  private static let counts: [String: Set<String>] = [
    "td": ["colspan", "rowspan"], "th": ["colspan", "rowspan"], "ol": ["start"],
  ]
  private static let largestCount = 10_000

  // MARK: Writing

  mutating func write(contentsOf element: HTMLElement) {
    for node in element.nodes {
      switch node {
      case .text(let text): result += HTMLSerializer.escaped(text, quotes: .keep)
      case .comment: break
      case .element(let child): write(child)
      }
    }
  }

  private mutating func write(_ element: HTMLElement) {
    let name = element.name
    guard element.namespace == .html, !Self.omitted.contains(name) else { return }
    switch name {
    case "br", "hr": result += "<\(name)>"
    case "img": writeImage(element)
    case "a": writeLink(element)
    case _ where Self.names.contains(name):
      result += "<\(name)"
      writeAttributes(of: element)
      result += ">"
      // A parser drops the first line break of a `pre` element.
      if name == "pre", element.text.hasPrefix("\n") { result += "\n" }
      write(contentsOf: element)
      result += "</\(name)>"
    default: write(contentsOf: element)
    }
  }

  private mutating func writeAttributes(of element: HTMLElement) {
    let classes = element.classes.filter { Self.classes.contains(String($0)) }
    if !classes.isEmpty { append("class", classes.joined(separator: " ")) }
    if let title = element["title"] { append("title", title) }
    for name in (Self.counts[element.name] ?? []).sorted() {
      if let count = count(element[name]) { append(name, "\(count)") }
    }
  }

  private mutating func writeLink(_ element: HTMLElement) {
    guard openLinks == 0, let address = address(element["href"], isLink: true) else {
      return write(contentsOf: element)
    }
    openLinks += 1
    beginLink(to: address)
    if let title = element["title"] { append("title", title) }
    result += ">"
    write(contentsOf: element)
    result += "</a>"
    openLinks -= 1
  }

  private mutating func writeImage(_ element: HTMLElement) {
    let text = [element["alt"], element["title"]].compactMap(\.self).first { !$0.isEmpty }
    guard let address = address(element["src"]), !address.hasPrefix("#") else {
      return result += HTMLSerializer.escaped(text ?? "", quotes: .keep)
    }
    guard images == .linked else {
      result += "<img"
      append("src", address)
      append("alt", text ?? "")
      for name in ["width", "height"] {
        if let count = count(element[name]) { append(name, "\(count)") }
      }
      append("referrerpolicy", "no-referrer")
      append("loading", "lazy")
      return result += ">"
    }
    let label = HTMLSerializer.escaped(text ?? "image", quotes: .keep)
    // Links cannot be nested.
    guard openLinks == 0 else { return result += label }
    beginLink(to: address)
    result += ">\(label)</a>"
  }

  /// Writes the start of a link's tag, to which the caller adds attributes and the end.
  private mutating func beginLink(to address: String) {
    result += "<a"
    append("href", address)
    let isOwn = address.hasPrefix("#") || address.hasPrefix("/")
    if !isOwn { append("rel", "noreferrer noopener nofollow") }
  }

  private mutating func append(_ name: String, _ value: String) {
    result += " \(name)=\"\(HTMLSerializer.escaped(value, quotes: .escape))\""
  }

  // MARK: Values

  private func count(_ text: String?) -> Int? {
    guard let number = text.flatMap({ Int($0) }), (0...Self.largestCount).contains(number) else {
      return nil
    }
    return number
  }

  /// Returns an HTTP or HTTPS address, a fragment of the page or, for a link, a path of the reader's own pages; nil for any other
  /// address.
  private func address(_ text: String?, isLink: Bool = false) -> String? {
    // Browsers remove surrounding white space, and line breaks and tabs inside the address.
    guard let text else { return nil }
    let read = String(
      String.UnicodeScalarView(text.unicodeScalars.filter { !["\n", "\r", "\t"].contains($0) })
    ).trimmingCharacters(in: CharacterSet(charactersIn: "\0"..." "))
    if read.hasPrefix("#") {
      let name = read.dropFirst()
      let isPlain = name.unicodeScalars.allSatisfy {
        $0.isASCII && $0.properties.isAlphabetic || "-_0123456789".unicodeScalars.contains($0)
      }
      return isPlain ? read : nil
    }
    guard !read.isEmpty, let address = URL(string: read, relativeTo: base)?.absoluteURL,
      let scheme = address.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = address.host, !host.isEmpty, address.user == nil
    else { return nil }
    if isLink, let path = localLink(address), path.hasPrefix("/"), !path.hasPrefix("//") {
      return path
    }
    return address.absoluteString
  }
}
