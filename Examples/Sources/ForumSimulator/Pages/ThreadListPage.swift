/// The two pages that list threads: the threads of a forum and the bookmarks.
struct ThreadListPage {
  let context: PageContext
  let request: SiteRequest

  private var frame: PageFrame { PageFrame(context: context) }
  private var row: ThreadRow { ThreadRow(context: context) }

  /// Returns the list of a forum; page -1 shows only the announcements.
  func html(of forum: SiteForum) -> String {
    let tag = request.number("posticon") ?? 0
    let threads = context.state.threadList(inForum: forum.id).filter {
      tag == 0 || $0.tag?.id == tag
    }
    let size = PageSlice.pageSize(of: request, viewer: context.viewer)
    let wanted = request.number("pagenumber") ?? 1
    let slice = PageSlice(count: threads.count, pageSize: size, page: wanted)
    let address =
      "forumdisplay.php?forumid=\(forum.id)&amp;daysprune=30&amp;perpage=\(size)"
      + "&amp;posticon=\(tag)&amp;sortorder=desc&amp;sortfield=lastpost"
    let bar = PageBar(
      page: slice.page, pageCount: slice.pageCount, address: address, markup: context.markup)
    let rows =
      wanted == -1
      ? []
      : threads[slice.positions].map {
        row.html($0, forumID: forum.id, hasSecondIcons: forum.hasSecondIcons)
      }
    let content = [
      bar.html(classes: topBarClasses), frame.breadcrumbs(forumID: forum.id), subforums(of: forum),
      filter(forum), newThreadButton(forum),
      table(
        rows: announcementRows(hasSecondIcons: forum.hasSecondIcons) + rows,
        hasSecondIcons: forum.hasSecondIcons), bar.html(classes: "pages bottom"),
    ]
    return frame.page(
      title: "\(forum.name) - \(PageContext.siteName)",
      bodyClass: "forumdisplay forum_\(forum.id)", bodyData: [("forum", forum.id)],
      content: content.joined(separator: "\n"))
  }

  /// Returns the bookmarks of the reader.
  func bookmarksHTML(of user: SiteUser) -> String {
    let threads = context.state.bookmarkList(of: user.id)
    let size = PageSlice.pageSize(of: request, viewer: user)
    let slice = PageSlice(
      count: threads.count, pageSize: size, page: request.number("pagenumber") ?? 1)
    let bar = PageBar(
      page: slice.page, pageCount: slice.pageCount,
      address: "bookmarkthreads.php?action=view&amp;perpage=\(size)", markup: context.markup)
    let rows = threads[slice.positions].map { row.html($0, forumID: 0, hasSecondIcons: true) }
    let content = """
      <div class="breadcrumbs"><b><a href="index.php">\(PageContext.siteName)</a> &gt; \
      Bookmarked Threads</b></div>
      <form method="POST" action="/bookmarkthreads.php" name="bookmarks">
      \(bar.html(classes: topBarClasses))
      \(table(rows: rows, hasSecondIcons: true))
      <div class="forumbar"><ul class="postbuttons"><li></li></ul></div>
      \(bar.html(classes: "pages bottom"))
      </form>
      """
    return frame.page(
      title: "Bookmarked threads - \(PageContext.siteName)", bodyClass: "bookmark_threads",
      content: content)
  }

  private var topBarClasses: String {
    context.markup == .revision2012 ? "pages" : "pages top"
  }

  private func subforums(of forum: SiteForum) -> String {
    let children = context.state.children(of: forum.id)
    guard !children.isEmpty else { return "" }
    let rows = children.map { child in
      "<tr class=\"subforum\"><td class=\"title\"><a href=\"forumdisplay.php?forumid=\(child.id)\">"
        + "\(HTML.escaped(child.name))</a></td></tr>"
    }
    return "<table id=\"subforums\" class=\"standard\">\(rows.joined())</table>"
  }

  private func filter(_ forum: SiteForum) -> String {
    let links = SiteThread.Tag.all.map { tag in
      """
      <a class="if" href="/forumdisplay.php?forumid=\(forum.id)&amp;posticon=\
      \(tag.id)"><img src="\(context.image("posticons/\(tag.name).png"))" width="60" \
      height="15" alt="" title="\(tag.name)"></a>
      """
    }
    return """
      <div id="filter">
      <div class="toggle_tags">Filter</div>
      <div class="thread_tags">
      \(links.joined(separator: " "))
      </div>
      </div>
      """
  }

  private func newThreadButton(_ forum: SiteForum) -> String {
    guard context.viewer != nil else { return "" }
    return """
      <ul class="postbuttons"><li><a href="newthread.php?action=newthread&amp;forumid=\(forum.id)">\
      <img src="\(context.image("images/forum-post.gif"))" alt="Post" title=""></a></li></ul>
      """
  }

  private func announcementRows(hasSecondIcons: Bool) -> [String] {
    context.state.announcements.map {
      row.html(announcement: $0, hasSecondIcons: hasSecondIcons)
    }
  }

  private func table(rows: [String], hasSecondIcons: Bool) -> String {
    """
    <table id="forum" summary="Threads" class="threadlist ">
    \t<thead>
    \t<tr>
    \t\t<th class="star">&nbsp;</th><th class="icon">Icon</th>\
    \(hasSecondIcons ? "<th class=\"icon2\">&nbsp;</th>" : "")<th class="title">Title</th>
    \t\t<th class="author">Author</th><th class="replies">Re</th><th class="views">Views</th>
    \t\t<th class="rate">Rating</th><th class="lastpost">Last post</th>
    \t</tr>
    \t</thead>
    \t<tbody>
    \(rows.joined())
    \t</tbody>
    </table>
    """
  }
}
