/// A page of posts.
struct ThreadPage {
  let context: PageContext
  let thread: SiteThread
  /// The only author whose posts are shown; `nil` for all authors.
  let onlyAuthorID: Int?
  let pageSize: Int
  let slice: PageSlice
  /// The posts of the page with their indexes, counted from one among the listed posts.
  private let posts: [(index: Int, post: SitePost, isSeen: Bool)]

  /// Creates the page of a thread that a request asks for.
  init(context: PageContext, thread: SiteThread, request: SiteRequest) {
    self.context = context
    self.thread = thread
    let author = request.number("userid") ?? 0
    onlyAuthorID = author > 0 ? author : nil
    pageSize = PageSlice.pageSize(of: request, viewer: context.viewer)
    let positions = thread.posts.indices
    let listed = positions.filter { author <= 0 || thread.posts[$0].authorID == author }
    let seenCount = context.seenCount(of: thread) ?? 0
    slice = PageSlice(
      count: listed.count, pageSize: pageSize, page: request.number("pagenumber") ?? 1)
    posts = slice.positions.map { ($0 + 1, thread.posts[listed[$0]], listed[$0] < seenCount) }
  }

  var html: String {
    let frame = PageFrame(context: context)
    let bar = PageBar(
      page: slice.page, pageCount: slice.pageCount,
      address: "showthread.php?threadid=\(thread.id)&amp;userid=\(onlyAuthorID ?? 0)"
        + "&amp;perpage=\(pageSize)", markup: context.markup)
    let breadcrumbs = frame.breadcrumbs(
      forumID: thread.forumID,
      last: (address: "showthread.php?threadid=\(thread.id)", title: thread.title))
    let table = PostTable(context: context, thread: thread, onlyAuthorID: onlyAuthorID)
    let tables = posts.enumerated().map { position, entry in
      let kind: PostTable.RowKind = entry.isSeen ? .seen : .unseen
      return context.isIgnored(entry.post)
        ? table.ignoredHTML(entry.post, place: position + 1, rowKind: kind)
        : table.html(entry.post, index: entry.index, place: position + 1, rowKind: kind)
    }
    let content = [
      bar.html(classes: "pages top"), breadcrumbs, threadBar,
      "<div id=\"thread\" class=\"thread:\(thread.id)\">", tables.joined(), "</div>",
      bar.html(classes: "pages bottom"),
    ]
    return frame.page(
      title: "\(thread.title) - \(PageContext.siteName)", bodyClass: bodyClass,
      bodyData: [("forum", thread.forumID), ("thread", thread.id)],
      content: content.joined(separator: "\n"))
  }

  private var bodyClass: String {
    "showthread forum_\(thread.forumID) thread_\(thread.id)"
      + (thread.isClosed ? " closed_thread" : "")
  }

  private var threadBar: String {
    guard context.viewer != nil else { return "" }
    let bookmark = context.bookmark(of: thread) == nil ? "bookmark" : "unbookmark"
    let reply = thread.isClosed ? "forum-closed.gif" : "forum-reply.gif"
    return """
      <div class="threadbar top">
      <ul class="postbuttons">
      \t<li><img src="\(context.image("images/button-\(bookmark).png"))" alt="" \
      class="thread_bookmark \(bookmark)"></li>
      \t<li><a href="newthread.php?action=newthread&amp;forumid=\(thread.forumID)">\
      <img src="\(context.image("images/forum-post.gif"))" alt="Post" title=""></a></li>
      \t<li><a href="newreply.php?action=newreply&amp;threadid=\(thread.id)">\
      <img src="\(context.image("images/\(reply)"))" alt="Reply" title=""></a></li>
      </ul>
      </div>
      """
  }
}
