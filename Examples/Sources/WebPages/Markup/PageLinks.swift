/// The links to the pages of a list.
public enum PageLinks {
  /// Returns the links to the first, the last and the nearest pages, with the current page marked.
  ///
  /// - Parameters:
  ///   - path: The path of the list, without a query.
  ///   - page: The current page, from 1.
  ///   - count: The number of pages; a single page has no links.
  ///   - parameters: Additional parameters of the list's address, each with a leading `&`.
  public static func markup(
    path: String, page: Int, count: Int, parameters: String = ""
  ) -> Markup {
    func address(_ page: Int) -> String { "\(path)?page=\(page)\(parameters)" }
    guard count > 1 else { return Markup("") }
    let shown = Set([1, count] + ((page - 2)...(page + 2))).filter { (1...count).contains($0) }
      .sorted()
    return element(.nav, .class("pages"), .label("Pages")) {
      if page > 1 {
        element(.a, .href(address(page - 1)), Attribute("rel", "prev")) { "Previous" }
      }
      for (place, number) in shown.enumerated() {
        if place > 0, number > shown[place - 1] + 1 { element(.span, .class("muted")) { "…" } }
        if number == page {
          element(.strong, Attribute("aria-current", "page")) { "\(number)" }
        } else {
          element(.a, .href(address(number)), .label("Page \(number)")) { "\(number)" }
        }
      }
      if page < count {
        element(.a, .href(address(page + 1)), Attribute("rel", "next")) { "Next" }
      }
    }
  }
}
