import ForumHTML

/// The page number and the number of pages, in any of the three formats that the site has used.
public struct PageNumbers: Sendable, Equatable {
  /// The source of the numbers.
  public enum Source: String, Sendable {
    /// The data attributes of the newest pages.
    case attributes
    /// The drop-down list of older pages.
    case dropDown
    /// No numbers: page 1 of 1.
    case none
  }

  /// The number of the current page, from 1.
  public let page: Int
  /// The number of pages, at least 1.
  public let count: Int
  /// The source of the numbers.
  public let source: Source

  /// Reads the page numbers of a page.
  ///
  /// - Parameter document: The page.
  init(of document: HTMLDocument) throws {
    let places = try document.select("div.pages")
    for place in places {
      let page = place["data-current-page"]?.wholeNumber
      let count = place["data-total-pages"]?.wholeNumber
      guard page != nil || count != nil else { continue }
      self.init(page: page ?? 1, count: count ?? page ?? 1, source: .attributes)
      return
    }
    for place in places {
      guard let list = try place.first("select") else { continue }
      let options = try list.select("option")
      guard !options.isEmpty else { continue }
      let place = options.firstIndex { $0["selected"] != nil } ?? 0
      let page = options[place]["value"]?.wholeNumber ?? place + 1
      self.init(page: page, count: options.count, source: .dropDown)
      return
    }
    self.init(page: 1, count: 1, source: .none)
  }

  init(page: Int, count: Int, source: Source) {
    self.page = max(1, page)
    self.count = max(1, count)
    self.source = source
  }
}
