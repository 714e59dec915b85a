/// Reads the tags of a page before parsing, and rejects pages with excessive nesting.
///
/// The C parser's time grows with the square of the depth and its cleanup is recursive, so hostile pages must be rejected first.
/// A value, used for one page. Its stack of open elements errs on the side of "still open": an end tag closes an element only if
/// the parser is certain to close it.
struct NestingGuard {
  /// How an end tag searches for its start tag.
  private enum Closing {
    /// Passes any element except a scope boundary, and closes all elements above the start tag.
    case block
    /// Passes any element except a scope boundary, and closes only the element itself; `form` elements also close this way.
    case formatting
    /// Passes only other ordinary elements.
    case ordinary
  }

  private static let voidNames: Set<String> = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img",
    "input", "isindex", "keygen", "link", "meta", "param", "source", "track", "wbr", "html", "body",
    "head",
  ]
  /// Elements that end where the next element of the same kind begins, so that repeating them does not add to the depth.
  private static let selfEndingNames: Set<String> = [
    "p", "li", "dd", "dt", "option", "tr", "td", "th", "tbody", "thead", "tfoot", "colgroup",
    "caption",
  ]
  private static let scopeBoundaries: Set<String> = [
    "table", "td", "th", "caption", "template", "marquee", "object", "applet", "select", "svg",
    "math", "button", "foreignobject", "desc",
  ]
  private static let formattingBoundaries: Set<String> = [
    "table", "td", "th", "caption", "template", "applet", "object", "marquee",
  ]
  private static let formattingNames: Set<String> = [
    "a", "b", "big", "code", "em", "font", "form", "i", "nobr", "s", "small", "strike", "strong",
    "tt", "u",
  ]
  /// Elements that the parser ignores outside tables.
  private static let tablePartNames: Set<String> = [
    "tr", "td", "th", "tbody", "thead", "tfoot", "colgroup", "caption",
  ]
  /// Elements that an end tag closes regardless of the content in their scope.
  private static let blockNames: Set<String> = [
    "address", "article", "aside", "blockquote", "button", "center", "details", "dir", "div", "dl",
    "fieldset", "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hgroup", "listing", "main", "menu", "nav", "ol", "pre", "section", "summary", "ul", "object",
    "applet", "marquee", "li", "dd", "dt", "p", "table", "td", "th", "tr", "tbody", "thead",
    "tfoot", "caption",
  ]
  /// Further elements that stop the search of an ordinary end tag.
  private static let otherBarriers: Set<String> = [
    "form", "select", "template", "frameset", "iframe", "noembed", "noframes", "noscript",
    "plaintext", "script", "style", "textarea", "title", "xmp", "colgroup", "dialog",
  ]
  private static let rawTextNames: Set<String> = [
    "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext",
  ]
  private static let foreignNames: Set<String> = ["svg", "math", "select", "frameset"]

  private var scanner: TagScanner
  private var open: [String] = []

  /// Checks a page.
  ///
  /// - Parameter bytes: The page as UTF-8.
  /// - Throws: `PageError` with code `.tooDeep` or `.tooManyAttributes`, and the offset.
  static func check(_ bytes: [UInt8]) throws(PageError) {
    var nesting = NestingGuard(scanner: TagScanner(bytes: bytes))
    while let tag = nesting.scanner.nextTag() {
      try nesting.take(tag)
    }
  }

  private mutating func take(_ tag: TagScanner.Tag) throws(PageError) {
    guard tag.attributeCount <= HTMLParser.attributeLimit else {
      throw PageError(
        .tooManyAttributes,
        "A tag of the page has more than \(HTMLParser.attributeLimit) attributes.",
        position: tag.position, marker: tag.name)
    }
    if tag.name == "![CDATA[" {
      push(scanner.skipSection(isForeign: isInForeignContent))
    } else if Self.tablePartNames.contains(tag.name) && !isInTable {
      return
    } else if tag.isEnd {
      close(tag.name)
    } else {
      push(tag)
      skipRawText(after: tag)
    }
    guard open.count <= HTMLParser.depthLimit else {
      throw PageError(
        .tooDeep,
        "The elements of the page are nested more than \(HTMLParser.depthLimit) levels deep.",
        position: tag.position, marker: tag.name)
    }
  }

  private mutating func push(_ tag: TagScanner.Tag) {
    if Self.voidNames.contains(tag.name) { return }
    endImplied(by: tag.name)
    open.append(tag.name)
  }

  /// Adds start tags that the parser may or may not treat as text.
  private mutating func push(_ names: [String]) {
    open.append(contentsOf: names.filter { !Self.voidNames.contains($0) })
  }

  /// Closes the element that a start tag closes implicitly: a paragraph before a block, a row before the next row.
  private mutating func endImplied(by name: String) {
    let ended: String
    if Self.selfEndingNames.contains(name) {
      ended = name
    } else if Self.blockNames.contains(name) {
      ended = "p"
    } else {
      return
    }
    for place in open.indices.reversed() {
      if open[place] == ended {
        open.remove(at: place)
        return
      }
      if isStoppedImplying(ended, at: open[place]) { return }
    }
  }

  private func isStoppedImplying(_ ended: String, at candidate: String) -> Bool {
    switch ended {
    case "option": true
    case "li", "dd", "dt":
      candidate != "address" && candidate != "div" && candidate != "p" && isBarrier(candidate)
    default: Self.scopeBoundaries.contains(candidate)
    }
  }

  private func isBarrier(_ name: String) -> Bool {
    Self.blockNames.contains(name) || Self.otherBarriers.contains(name)
      || Self.scopeBoundaries.contains(name)
  }

  private mutating func close(_ name: String) {
    let closing: Closing =
      Self.formattingNames.contains(name)
      ? .formatting : Self.blockNames.contains(name) ? .block : .ordinary
    for place in open.indices.reversed() {
      let candidate = open[place]
      if candidate == name {
        remove(at: place, closing)
        return
      }
      if isStopped(at: candidate, closing, name) { return }
    }
  }

  private func isStopped(at candidate: String, _ closing: Closing, _ name: String) -> Bool {
    switch closing {
    case .block where name == "table": candidate == "select" || candidate == "template"
    case .block where name == "li":
      candidate == "ul" || candidate == "ol" || Self.scopeBoundaries.contains(candidate)
    case .block, .formatting: Self.scopeBoundaries.contains(candidate)
    case .ordinary: isBarrier(candidate)
    }
  }

  /// Removes a closed element; formatting elements above it reopen after it, unless the element confines its formatting.
  private mutating func remove(at place: Int, _ closing: Closing) {
    let name = open[place]
    if closing == .formatting {
      open.remove(at: place)
    } else if Self.formattingBoundaries.contains(name) {
      open.removeSubrange(place...)
    } else {
      let kept = open[(place + 1)...].filter { Self.formattingNames.contains($0) }
      open.replaceSubrange(place..., with: kept)
    }
  }

  private var isInTable: Bool {
    open.contains { $0 == "table" || $0 == "template" }
  }

  private var isInForeignContent: Bool {
    open.contains { Self.foreignNames.contains($0) }
  }

  /// Skips the text of raw text elements such as scripts; in foreign content, where these may be ordinary elements, the start tags
  /// in the text still count.
  private mutating func skipRawText(after tag: TagScanner.Tag) {
    guard Self.rawTextNames.contains(tag.name) else { return }
    let starts = scanner.skipRawText(endingWith: tag.name)
    close(tag.name)
    guard isInForeignContent else { return }
    push(starts)
  }
}
