/// The part of a long list that a page shows: the first page of rows, and the number of pages of rows.
///
/// > Concurrency: A value type; usable on any thread.
public struct ListSpan: Sendable, Hashable {
  /// The number of rows of one page.
  public let pageSize: Int
  /// The maximum number of pages shown together.
  private let longest: Int
  /// The first page, from 1.
  public private(set) var page = 1
  /// The number of pages shown together.
  public private(set) var count = 1

  /// Creates the span of the first page of a list.
  ///
  /// - Parameters:
  ///   - pageSize: The number of rows of one page.
  ///   - longest: The maximum number of pages shown together.
  public init(pageSize: Int, longest: Int = 25) {
    self.pageSize = pageSize
    self.longest = max(1, longest)
  }

  /// Creates the span that a request specifies with `page` and `span`.
  ///
  /// - Parameters:
  ///   - pageSize: The number of rows of one page.
  ///   - longest: The maximum number of pages shown together.
  ///   - request: The request.
  public init(pageSize: Int, longest: Int = 25, _ request: WebRequest) {
    self.init(pageSize: pageSize, longest: longest)
    page = request.pageNumber
    count = request.query["span"].flatMap { Int($0) }.map { min(max(1, $0), self.longest) } ?? 1
  }

  /// The indexes of the shown rows, from 0.
  public var window: Range<Int> {
    let first = (page - 1) * pageSize
    return first..<(first + count * pageSize)
  }

  /// Returns the address of a list.
  ///
  /// - Parameters:
  ///   - path: The list's path without parameters.
  ///   - parameters: Additional parameters, each with a leading `&`.
  public func address(_ path: String, _ parameters: String) -> String {
    "\(path)?page=\(page)\(count > 1 ? "&span=\(count)" : "")\(parameters)"
  }

  /// Returns the links below a list: to more rows on the same page, and to other pages. After the reader has followed the first link, a
  /// script follows it whenever the reader approaches the end of the list.
  ///
  /// - Parameters:
  ///   - path: The list's path without parameters.
  ///   - parameters: Additional parameters of its address, each with a leading `&`.
  ///   - rowCount: The total number of rows of the list.
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

  /// Returns the links above a list with a moving window of rows: to its other pages, and to the preceding rows.
  ///
  /// While the reader scrolls, a script follows the links to the preceding and following rows, and removes distant rows from the document.
  ///
  /// - Parameters:
  ///   - path: The list's path without parameters.
  ///   - parameters: Additional parameters of its address, each with a leading `&`.
  ///   - rowCount: The total number of rows of the list.
  public func linksAbove(_ path: String, _ parameters: String, rowCount: Int) -> Markup {
    element(.div, Attribute("data-window", "before")) {
      PageLinks.markup(
        path: path, page: page, count: max(page, (rowCount + pageSize - 1) / pageSize),
        parameters: parameters)
      if page > 1 {
        moreLink("earlier", to: moved(-1).address(path, parameters), "Show \(pageSize) previous")
      }
    }
  }

  /// Returns the link below a list with a moving window of rows: to the following rows.
  ///
  /// - Parameters:
  ///   - path: The list's path without parameters.
  ///   - parameters: Additional parameters of its address, each with a leading `&`.
  ///   - rowCount: The total number of rows of the list.
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

  /// Returns the span with one more page at one end. A span of the maximum length loses a page at the other end.
  private func moved(_ places: Int) -> ListSpan {
    var copy = self
    let isLongest = count >= longest
    if !isLongest { copy.count += 1 }
    if places < 0 || isLongest { copy.page += places }
    return copy
  }
}
