/// Which part of a long list a page shows: from which of its pages on, and how many of them in one.
///
/// A value.
public struct ListSpan: Sendable, Hashable {
  /// The rows of one page.
  public let pageSize: Int
  /// How many pages can be shown in one.
  private let longest: Int
  /// The first page, from 1.
  public private(set) var page = 1
  /// How many pages are shown in one.
  public private(set) var count = 1

  /// The first page of a list.
  ///
  /// - Parameters:
  ///   - pageSize: The rows of one page.
  ///   - longest: How many pages can be shown in one.
  public init(pageSize: Int, longest: Int = 25) {
    self.pageSize = pageSize
    self.longest = max(1, longest)
  }

  /// What a request says, as `page` and `span`.
  ///
  /// - Parameters:
  ///   - pageSize: The rows of one page.
  ///   - longest: How many pages can be shown in one.
  ///   - request: The request.
  public init(pageSize: Int, longest: Int = 25, _ request: WebRequest) {
    self.init(pageSize: pageSize, longest: longest)
    page = request.pageNumber
    count = request.query["span"].flatMap { Int($0) }.map { min(max(1, $0), self.longest) } ?? 1
  }

  /// The places of the rows that are shown, from 0.
  public var window: Range<Int> {
    let first = (page - 1) * pageSize
    return first..<(first + count * pageSize)
  }

  /// The address of a list.
  ///
  /// - Parameters:
  ///   - path: Its path without parameters.
  ///   - parameters: Further parameters, each with a leading `&`.
  public func address(_ path: String, _ parameters: String) -> String {
    "\(path)?page=\(page)\(count > 1 ? "&span=\(count)" : "")\(parameters)"
  }

  /// The links below a list: to more rows in the same page, and to other pages. Once the reader has followed the first one, a script
  /// goes on with it whenever the end of the list comes near.
  ///
  /// - Parameters:
  ///   - path: The list's path without parameters.
  ///   - parameters: Further parameters of its address, each with a leading `&`.
  ///   - rowCount: The number of all rows of the list.
  @MarkupBuilder
  public func links(_ path: String, _ parameters: String, rowCount: Int) -> Markup {
    let rest = rowCount - window.upperBound
    element(.div, Attribute("data-window", "behind")) {
      if rest > 0, count < longest {
        moreLink(
          count > 1 ? "auto" : "", to: longer.address(path, parameters),
          "Show \(min(rest, pageSize)) more")
      }
    }
    PageLinks.markup(
      path: path, page: page, count: max(page, (rowCount + pageSize - 1) / pageSize),
      parameters: parameters)
  }

  private var longer: ListSpan {
    var copy = self
    copy.count += 1
    return copy
  }

  // MARK: Windows

  /// The links above a list that moves through its rows as a window: to its other pages, and to the rows before.
  ///
  /// While the reader scrolls, a script follows the links to the rows before and behind, and takes rows out of the document that are far
  /// away.
  ///
  /// - Parameters:
  ///   - path: The list's path without parameters.
  ///   - parameters: Further parameters of its address, each with a leading `&`.
  ///   - rowCount: The number of all rows of the list.
  public func linksAbove(_ path: String, _ parameters: String, rowCount: Int) -> Markup {
    element(.div, Attribute("data-window", "before")) {
      PageLinks.markup(
        path: path, page: page, count: max(page, (rowCount + pageSize - 1) / pageSize),
        parameters: parameters)
      if page > 1 {
        moreLink("earlier", to: moved(-1).address(path, parameters), "Show \(pageSize) before")
      }
    }
  }

  /// The link below a list that moves through its rows as a window: to the rows behind.
  ///
  /// - Parameters:
  ///   - path: The list's path without parameters.
  ///   - parameters: Further parameters of its address, each with a leading `&`.
  ///   - rowCount: The number of all rows of the list.
  public func linkBelow(_ path: String, _ parameters: String, rowCount: Int) -> Markup {
    let rest = rowCount - window.upperBound
    return element(.div, Attribute("data-window", "behind")) {
      if rest > 0 {
        moreLink(
          "auto", to: moved(1).address(path, parameters), "Show \(min(rest, pageSize)) more")
      }
    }
  }

  private func moreLink(_ kind: String, to address: String, _ text: String) -> Markup {
    element(.p) { element(.a, .href(address), Attribute("data-more", kind)) { text } }
  }

  /// The span with one more page at an end; the longest one loses a page at the other end.
  private func moved(_ places: Int) -> ListSpan {
    var copy = self
    let isLongest = count >= longest
    if !isLongest { copy.count += 1 }
    if places < 0 || isLongest { copy.page += places }
    return copy
  }
}
