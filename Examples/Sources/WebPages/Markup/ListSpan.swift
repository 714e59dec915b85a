/// Which part of a long list a page shows: from which of its pages on, and how many of them in one.
///
/// A value.
public struct ListSpan: Sendable, Hashable {
  /// How many pages can be shown in one.
  private static let greatestCount = 25

  /// The rows of one page.
  public let pageSize: Int
  /// The first page, from 1.
  public private(set) var page = 1
  /// How many pages are shown in one.
  public private(set) var count = 1

  /// The first page of a list.
  public init(pageSize: Int) { self.pageSize = pageSize }

  /// What a request says, as `page` and `span`.
  public init(pageSize: Int, _ request: WebRequest) {
    self.pageSize = pageSize
    page = request.pageNumber
    count =
      request.query["span"].flatMap { Int($0) }.map { min(max(1, $0), Self.greatestCount) } ?? 1
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
    if rest > 0, count < Self.greatestCount {
      element(.p) {
        element(
          .a, .href(longer.address(path, parameters)),
          Attribute("data-more", count > 1 ? "auto" : "")
        ) { "Show \(min(rest, pageSize)) more" }
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
}
