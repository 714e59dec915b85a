/// The part of a list that one page shows.
struct PageSlice {
  let page: Int
  let pageCount: Int
  let positions: Range<Int>

  /// Creates the slice of a list for one page; a page number out of range becomes the nearest one.
  init(count: Int, pageSize: Int, page wanted: Int) {
    pageCount = max((count + pageSize - 1) / pageSize, 1)
    page = min(max(wanted, 1), pageCount)
    let start = (page - 1) * pageSize
    positions = start..<max(min(start + pageSize, count), start)
  }

  /// Returns the page size of a request: the requested size, the reader's own size, or 40.
  static func pageSize(of request: SiteRequest, viewer: SiteUser?) -> Int {
    let own = viewer?.pageSize ?? 40
    return min(max(request.number("perpage") ?? own, 1), 200)
  }
}
