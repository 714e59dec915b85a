extension HTMLElement {
  private static let blockNames: Set<String> = [
    "address", "article", "blockquote", "br", "center", "dd", "div", "dl", "dt", "fieldset", "form",
    "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "section", "table", "td",
    "th",
    "tr", "ul",
  ]
  private static let hiddenNames: Set<String> = ["script", "style", "template", "noscript"]

  /// The visible text, with words separated at line breaks and blocks, and without scripts.
  public var readableText: String {
    var result = ""
    appendReadableText(to: &result)
    return result.trimmingWhitespace
  }

  private func appendReadableText(to result: inout String) {
    for node in nodes {
      switch node {
      case .comment: continue
      case .text(let text): result += text
      case .element(let element):
        if Self.hiddenNames.contains(element.name) { continue }
        let isBlock = Self.blockNames.contains(element.name)
        if isBlock { result += "\n" }
        element.appendReadableText(to: &result)
        if isBlock { result += "\n" }
      }
    }
  }
}
