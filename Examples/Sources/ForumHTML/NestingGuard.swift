/// Reads the tags of a page before it is parsed and refuses pages that nest too deep.
///
/// The C parser's time grows with the square of the depth and its clean-up recurses, so a hostile
/// page must be refused first. A value, used for one page. It keeps a stack of open elements that
/// errs on the side of "still open": an end tag closes an element only where the parser would
/// surely close it.
struct NestingGuard {
  /// How an end tag of a name looks for its start tag.
  private enum Closing {
    /// Passes anything but a scope boundary, and closes all above it.
    case block
    /// Passes anything but a scope boundary, and closes only itself; forms end like this as well.
    case formatting
    /// Passes other ordinary elements only.
    case ordinary
  }

  private static let voidNames: Set<String> = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img",
    "input", "isindex", "keygen", "link", "meta", "param", "source", "track", "wbr", "html", "body",
    "head",
  ]
  /// Elements that end where the next of their kind begins, so that they never add to the depth
  /// alone.
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
  /// Elements that the parser ignores outside of tables.
  private static let tablePartNames: Set<String> = [
    "tr", "td", "th", "tbody", "thead", "tfoot", "colgroup", "caption",
  ]
  /// Elements that an end tag closes through any content in their scope.
  private static let blockNames: Set<String> = [
    "address", "article", "aside", "blockquote", "button", "center", "details", "dir", "div", "dl",
    "fieldset", "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hgroup", "listing", "main", "menu", "nav", "ol", "pre", "section", "summary", "ul", "object",
    "applet", "marquee", "li", "dd", "dt", "p", "table", "td", "th", "tr", "tbody", "thead",
    "tfoot", "caption",
  ]
  /// Further elements that stop the end tag of an ordinary one.
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
  /// - Throws: `PageError` with code `.tooDeep` or `.tooManyAttributes`, naming the offset.
  static func check(_ bytes: [UInt8]) throws(PageError) {
    var nesting = NestingGuard(scanner: TagScanner(bytes: bytes))
    while let tag = nesting.scanner.nextTag() {
      try nesting.take(tag)
    }
  }

  private mutating func take(_ tag: TagScanner.Tag) throws(PageError) {
    guard tag.attributeCount <= HTMLParser.attributeLimit else {
      throw PageError(
        .tooManyAttributes, "A tag of the page has over \(HTMLParser.attributeLimit) attributes.",
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
        .tooDeep, "The page has over \(HTMLParser.depthLimit) elements open at once.",
        position: tag.position, marker: tag.name)
    }
  }

  private mutating func push(_ tag: TagScanner.Tag) {
    if Self.voidNames.contains(tag.name) { return }
    endImplied(by: tag.name)
    open.append(tag.name)
  }

  /// Counts start tags that may or may not be text.
  private mutating func push(_ names: [String]) {
    open.append(contentsOf: names.filter { !Self.voidNames.contains($0) })
  }

  /// Ends what a start tag ends by itself: a paragraph before a block, a row before the next row.
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

  /// Formatting above a closed element comes back after it, unless the element keeps its formatting
  /// inside.
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

  /// Leaves out the text of scripts and the like; inside foreign content, where they may be
  /// ordinary elements, the start tags in it still count.
  private mutating func skipRawText(after tag: TagScanner.Tag) {
    guard Self.rawTextNames.contains(tag.name) else { return }
    let starts = scanner.skipRawText(endingWith: tag.name)
    close(tag.name)
    guard isInForeignContent else { return }
    push(starts)
  }
}
