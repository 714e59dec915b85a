import ForumHTML

/// One page of a thread's posts.
public struct ThreadPage: Sendable, Equatable {
  /// The thread's id.
  public let threadID: String
  /// The forum's id; nil if the page does not contain it.
  public let forumID: String?
  /// The thread's title.
  public let title: String
  /// The group and the forums above the thread.
  public let breadcrumbs: [ForumReference]
  /// The page number and the number of pages; they count only one author's posts if the page shows only these.
  public let pages: PageNumbers
  /// Whether the site created the page for a logged-in reader; otherwise the page contains nothing specific to a reader.
  public let isForMember: Bool
  /// Whether the reader has bookmarked the thread; nil if the page does not show it.
  public let isBookmarked: Bool?
  /// Whether the thread accepts no more posts.
  public let isClosed: Bool
  /// Whether the page shows only one author's posts.
  public let isSingleAuthor: Bool
  /// The first banner link, as markup.
  public let bannerHTML: String?
  /// The posts, in the order of the page.
  public let posts: [ScrapedPost]
  /// The position on the page of the post to read first; nil for the top.
  public let jumpPosition: Int?

  /// The first post that the site does not mark as read.
  public var firstUnseenPost: ScrapedPost? { posts.first { !$0.isSeen } }

  /// Reads a thread page.
  ///
  /// - Parameters:
  ///   - document: The page.
  ///   - address: The page's final address, whose fragment may name a post.
  init(_ document: HTMLDocument, address: String?) throws {
    let body = document.body
    let place = try document.first("#thread")
    guard
      let threadID = body["data-thread"]?.nonEmpty
        ?? Link.number(after: "thread_", inClassesOf: body)
        ?? place.flatMap({ Link.number(after: "thread:", inClassesOf: $0) })
    else {
      throw PageError(
        .missingMarker, "The page does not identify a thread.", marker: "body[data-thread]")
    }
    self.threadID = threadID
    forumID = body["data-forum"]?.nonEmpty ?? Link.number(after: "forum_", inClassesOf: body)
    breadcrumbs = try ForumReference.breadcrumbs(of: document)
    title = try Self.title(of: document)
    pages = try PageNumbers(of: document)
    isForMember = try document.isForMember
    isBookmarked = try Self.isBookmarked(document)
    isClosed = try Self.isClosed(document)
    isSingleAuthor = try document.first("a[title^='Remove']") != nil
    bannerHTML = try document.first("#ad_banner_user a")?.outerHTML
    posts = try Self.posts(of: document)
    guard isSingleAuthor || !posts.isEmpty else {
      throw PageError(.missingMarker, "The page has no posts.", marker: "table.post")
    }
    jumpPosition = Self.jumpPosition(among: posts, address: address)
  }

  private static func posts(of document: HTMLDocument) throws -> [ScrapedPost] {
    var posts: [ScrapedPost] = []
    for table in try document.select("table.post") {
      if let post = try ScrapedPost(table) { posts.append(post) }
    }
    return posts
  }

  private static func title(of document: HTMLDocument) throws -> String {
    if let trail = try ForumReference.trail(of: document),
      let link = try trail.first("a[href*='threadid='], a.bclast[href*='showthread']")
    {
      return link.trimmedText
    }
    let pageTitle = try document.first("title")?.trimmedText ?? ""
    // The page's title ends with the site's name after a dash.
    guard let end = pageTitle.ranges(of: " - ").last else { return pageTitle }
    return String(pageTitle[..<end.lowerBound])
  }

  /// Returns whether the thread is bookmarked: the page's button removes an existing bookmark, and otherwise sets one.
  private static func isBookmarked(_ document: HTMLDocument) throws -> Bool? {
    if try document.first("ul.postbuttons img.unbookmark, img.thread_bookmark.unbookmark") != nil {
      return true
    }
    let button = "ul.postbuttons img.bookmark, img.thread_bookmark"
    return try document.first(button) == nil ? nil : false
  }

  private static func isClosed(_ document: HTMLDocument) throws -> Bool {
    let button = "ul.postbuttons a[href*='newreply.php'] img[src*='closed']"
    if try document.first(button) != nil { return true }
    return document.body.hasClass("closed_thread")
  }

  /// Returns the position of the first unread post unless it is the first post, otherwise of the post named in the address.
  private static func jumpPosition(among posts: [ScrapedPost], address: String?) -> Int? {
    if let unseen = posts.firstIndex(where: { !$0.isSeen }), unseen > 0 { return unseen }
    guard let fragment = Link.fragment(of: address), fragment.hasPrefix("pti"),
      let place = Int(fragment.dropFirst(3)), posts.indices.contains(place - 1)
    else { return nil }
    return place - 1
  }
}
