/// One row of a thread list.
struct ThreadRow {
  let context: PageContext

  /// Returns the row of a thread.
  ///
  /// - Parameters:
  ///   - forumID: The forum of the list; zero for the bookmarks.
  ///   - hasSecondIcons: Whether the list has a column of second icons.
  func html(_ thread: SiteThread, forumID: Int, hasSecondIcons: Bool) -> String {
    let author = HTML.escaped(context.state.userName(thread.authorID))
    let star = context.bookmark(of: thread).map { "star bm\($0)" } ?? "star"
    return """
      <tr class="thread\(thread.isClosed ? " closed" : "")" id="thread\(thread.id)">
      \t<td class="\(star)"></td>
      \t<td class="icon">\(icon(thread, forumID: forumID))</td>\
      \(hasSecondIcons ? secondIcon(thread) : "")
      \t<td class="title\(thread.isSticky ? " title_sticky" : "")">
      \t\t<div class="title_inner">
      \t\t\t\(lastSeen(thread))
      \t\t\t<div class="info">
      \t\t\t\t<a href="showthread.php?threadid=\(thread.id)" class="thread_title">\
      \(HTML.escaped(thread.title))</a>
      \t\t\t\t\(pages(thread))
      \t\t\t</div>
      \t\t</div>
      \t</td>
      \t<td class="author"><a href="member.php?action=getinfo&amp;userid=\(thread.authorID)">\
      \(author)</a></td>
      \t<td class="replies">\(thread.replies)</td>
      \t<td class="views">\(thread.views)</td>
      \t<td class="rating">\(rating(thread))</td>
      \t\(lastPost(thread))
      </tr>
      """
  }

  /// Returns the row of an announcement, which has no id.
  func html(announcement: SiteAnnouncement, hasSecondIcons: Bool) -> String {
    """
    <tr class="thread">
    \t<td class="star"></td>
    \t<td class="icon"><img src="\(context.image("posticons/announcement.png"))" alt=""></td>\
    \(hasSecondIcons ? "\n\t<td class=\"icon2\"></td>" : "")
    \t<td class="title"><a href="announcement.php?forumid=1" class="announcement">\
    \(HTML.escaped(announcement.title))</a></td>
    \t<td class="author"><a href="member.php?action=getinfo&amp;userid=\(announcement.authorID)">\
    \(HTML.escaped(context.state.userName(announcement.authorID)))</a></td>
    \t<td class="replies">-</td>
    \t<td class="views">-</td>
    \t<td class="rating">-</td>
    \t<td class="lastpost"><div class="date">\(context.clock.listDate(announcement.date))</div></td>
    </tr>

    """
  }

  private func icon(_ thread: SiteThread, forumID: Int) -> String {
    guard let tag = thread.tag else { return "" }
    return """
      <a href="/forumdisplay.php?forumid=\(forumID)&amp;posticon=\(tag.id)">\
      <img src="\(context.image("posticons/\(tag.name).png"))#\(tag.id)" alt=""></a>
      """
  }

  private func secondIcon(_ thread: SiteThread) -> String {
    let image = thread.secondTag.map {
      "<img src=\"\(context.image("\($0.name).gif"))\" alt=\"\">"
    }
    return "\n\t<td class=\"icon2\">\(image ?? "")</td>"
  }

  /// Returns the marks of an opened thread: a cross, and the number of unseen posts if there are any.
  private func lastSeen(_ thread: SiteThread) -> String {
    guard let seen = context.seenCount(of: thread) else { return "" }
    let unread = thread.posts.count - seen
    let count =
      unread > 0
      ? """
      <a title="Jump to last read post" href="/showthread.php?threadid=\(thread.id)&amp;\
      goto=newpost" class="count"><b>\(unread)</b></a>
      """ : ""
    return """
      <div class="lastseen"><a href="/showthread.php?action=resetseen&amp;threadid=\(thread.id)" \
      class="x" title="Mark as unread">X</a>\(count)</div>
      """
  }

  private func pages(_ thread: SiteThread) -> String {
    let count = PageSlice(count: thread.posts.count, pageSize: 40, page: 1).pageCount
    guard count > 1 else { return "" }
    let links = (1...min(count, 7)).map { number in
      "<a class=\"pagenumber\" href=\"showthread.php?threadid=\(thread.id)&amp;pagenumber=\(number)"
        + "\">\(number)</a>"
    }
    let last =
      "... <a class=\"pagenumber\" href=\"showthread.php?threadid=\(thread.id)&amp;goto=lastpost"
      + "\">Last</a>"
    return "<div class=\"title_pages\">Pages: \(links.joined())\(count > 7 ? last : "")</div>"
  }

  private func rating(_ thread: SiteThread) -> String {
    guard let average = thread.averageInHundredths else { return "&nbsp;" }
    let hundredths = average % 100
    let printed = "\(average / 100).\(hundredths < 10 ? "0" : "")\(hundredths)"
    return """
      <img src="\(context.image("rate/default/\((average + 50) / 100)stars.gif"))" alt="" \
      title="\(thread.voteCount) votes - \(printed) average">
      """
  }

  private func lastPost(_ thread: SiteThread) -> String {
    guard let post = thread.lastPost else { return "<td class=\"lastpost\"></td>" }
    return """
      <td class="lastpost"><div class="date">\(context.clock.listDate(post.date))</div>\
      <a class="author" href="showthread.php?goto=lastpost&amp;threadid=\(thread.id)">\
      \(HTML.escaped(context.state.userName(post.authorID)))</a></td>
      """
  }
}
