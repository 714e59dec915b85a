import ForumScraping

/// Small pages written for one rule each.
enum MadePage {
  static func read(_ html: String) throws -> ScrapedPage {
    try PageScraper.scrape(Array(html.utf8), contentType: "text/html; charset=utf-8")
  }

  /// What pages for a reader who is logged in have.
  private static let logOut = "<a href=\"/account.php?action=logout\">Log Out</a>"

  /// A page of posts: each is an id, a place or none, a class of its table and whether it was seen.
  static func posts(
    thread: String = "7", page: Int = 1, of count: Int = 1, isForMember: Bool = true,
    _ posts: [(id: String, index: Int?, kind: String, isSeen: Bool)]
  ) throws -> ScrapedPage {
    let tables = posts.map { post in
      let index = post.index.map { " data-idx=\"\($0)\"" } ?? ""
      return """
        <table class="post \(post.kind)" id="post\(post.id)"\(index)><tr \
        class="\(post.isSeen ? "seen1" : "altcolor1")"><td class="userinfo userid-5"><dl \
        class="userinfo"><dt class="author op">Ada</dt></dl></td><td class="postbody">\
        text \(post.id)</td></tr><tr><td class="postdate">Sep 20, 2012 11:16</td></tr></table>
        """
    }
    return try read(
      """
      <html><body id="something_awful" class="showthread" data-forum="3" data-thread="\(thread)">
      <div class="pages" data-current-page="\(page)" data-total-pages="\(count)"></div>
      <div class="breadcrumbs"><a href="index.php?forumid=1">Main</a>
      <a href="forumdisplay.php?forumid=2">Above</a><a href="forumdisplay.php?forumid=3">Below</a>
      <a href="showthread.php?threadid=\(thread)">A thread</a></div>
      <div id="thread">\(tables.joined())</div>\(isForMember ? logOut : "")</body></html>
      """)
  }

  /// A list of threads: each is an id, its replies, and its marks of reading.
  static func list(
    forum: String = "3", page: Int = 1, of count: Int = 1, isBookmarks: Bool = false,
    isForMember: Bool = true,
    _ threads: [(id: String, replies: Int, unread: Int?, isSticky: Bool)],
    announcements: [String] = []
  ) throws -> ScrapedPage {
    let rows = threads.map { thread in
      let unread = thread.unread.map { count in
        "<a class=\"x\">X</a>" + (count > 0 ? "<a class=\"count\"><b>\(count)</b></a>" : "")
      }
      return """
        <tr class="thread" id="thread\(thread.id)"><td class="star bm1"></td>
        <td class="title \(thread.isSticky ? "title_sticky" : "")"><a \
        class="thread_title">Thread \(thread.id)</a>\(unread ?? "")</td>
        <td class="replies">\(thread.replies)</td></tr>
        """
    }
    let notices = announcements.map {
      "<tr class=\"thread\"><td class=\"title\"><a class=\"announcement\">\($0)</a></td></tr>"
    }
    let body = isBookmarks ? "bookmark_threads" : "forumdisplay"
    return try read(
      """
      <html><body id="something_awful" class="\(body)" data-forum="\(forum)">
      <div class="pages" data-current-page="\(page)" data-total-pages="\(count)"></div>
      <table id="forum" class="threadlist">\(notices.joined())\(rows.joined())</table>\
      \(isForMember ? logOut : "")</body></html>
      """)
  }
}
