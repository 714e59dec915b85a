import ForumHTML

/// One page of search results.
public struct SearchResultsPage: Sendable, Equatable {
  /// One hit.
  public struct Hit: Sendable, Equatable {
    /// The position among all hits, as printed.
    public let number: String
    /// The thread's title.
    public let threadTitle: String
    /// The post of the hit.
    public let postID: String?
    /// The forum's id.
    public let forumID: String?
    /// The forum's name.
    public let forumTitle: String
    /// The author's id.
    public let userID: String?
    /// The author's name.
    public let userName: String
    /// The line with the author and the date.
    public let dateLine: String
    /// The text around the hit, as markup.
    public let blurbHTML: String
  }

  /// The site's summary of the search.
  public let summary: String
  /// The page number and the number of pages.
  public let pages: PageNumbers
  /// The id under which the site stores the search.
  public let queryID: String?
  /// The hits, in order.
  public let hits: [Hit]

  init(_ document: HTMLDocument) throws {
    summary = try document.first("#search_info")?.trimmedText ?? ""
    let links = try document.select("a[href*='qid=']")
    queryID =
      try links.lazy.compactMap { Link.parameter("qid", in: $0["href"]) }.first
      ?? document.first("input[name='qid']")?["value"]
    let linked = links.compactMap { Link.parameter("page", in: $0["href"])?.wholeNumber }
    let page = try document.first("div.pages b")?.text.wholeNumber ?? 1
    pages = PageNumbers(page: page, count: max(page, linked.max() ?? 1), source: .none)
    hits = try document.select(".search_result").map(Self.hit)
  }

  private static func hit(_ place: HTMLElement) throws -> Hit {
    let thread = try place.first("a.threadtitle, .threadtitle a, .threadtitle")
    let forum = try place.first("a.forumtitle, .forumtitle a, .forumtitle")
    let user = try place.first("a.username, .username a, .username")
    return Hit(
      number: try place.first(".result_number")?.trimmedText ?? "",
      threadTitle: thread?.trimmedText ?? "",
      postID: try Link.parameter("postid", in: thread?["href"])
        ?? Link.parameter("postid", in: place.first("a[href*='postid=']")?["href"]),
      forumID: Link.parameter("forumid", in: forum?["href"]),
      forumTitle: forum?.trimmedText ?? "",
      userID: Link.parameter("userid", in: user?["href"]), userName: user?.trimmedText ?? "",
      dateLine: try place.first(".hit_info")?.trimmedText ?? "",
      blurbHTML: try place.first(".blurb")?.innerHTML.trimmingWhitespace ?? "")
  }
}
