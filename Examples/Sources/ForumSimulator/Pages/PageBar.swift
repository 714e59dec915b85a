/// The page bar of a list: the current page, the number of pages, and links to the other pages.
struct PageBar {
  let page: Int
  let pageCount: Int
  /// The address of page one without a page number, escaped.
  let address: String
  let markup: Markup

  /// Returns the bar with the given classes, such as `pages top`.
  func html(classes: String) -> String {
    switch markup {
    case .revision2012, .revision2021:
      return "<div class=\"\(classes)\">\(pageCount > 1 ? dropDownBar : " ")</div>"
    case .revision2025:
      return """
        <div class="\(classes)" data-base-url="\(address)" data-current-page="\(page)" \
        data-total-pages="\(pageCount)">\(pageCount > 1 ? arrowsBefore + arrowsAfter : "")</div>
        """
    }
  }

  private var dropDownBar: String {
    let options = (1...pageCount).map { number in
      let mark = number == page ? " selected=\"selected\"" : ""
      return "<option value=\"\(number)\"\(mark)>\(number)</option>"
    }
    return """
      \(arrowsBefore)<select data-url="\(address)">\(options.joined())</select>\(arrowsAfter)
      """
  }

  private var arrowsBefore: String {
    guard page > 1 else {
      return "<span class=\"disabled\">&laquo;</span><span class=\"disabled\">&lsaquo;</span>"
    }
    return link(1, "&laquo;", "First page") + link(page - 1, "&lsaquo;", "Previous page")
  }

  private var arrowsAfter: String {
    guard page < pageCount else {
      return "<span class=\"disabled\">&rsaquo;</span><span class=\"disabled\">&raquo;</span>"
    }
    return link(page + 1, "&rsaquo;", "Next page")
      + link(pageCount, "\(pageCount) &raquo;", "Last page")
  }

  private func link(_ number: Int, _ label: String, _ title: String) -> String {
    let hint = markup == .revision2012 ? "" : " title=\"\(title)\""
    return "<a href=\"\(address)&amp;pagenumber=\(number)\"\(hint)>\(label)</a>"
  }
}
