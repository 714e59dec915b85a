import ForumHTML
import ForumScraping
import Testing

@Suite("Thread lists")
struct ThreadListPageTests {
  private let seen = "<a class='x' href='#'>X</a><a class='count' href='#'><b>20</b></a>"

  private func list(
    _ rows: String, extra: String = "", attributes: String = "class='forumdisplay' data-forum='6'"
  )
    throws -> ThreadListPage
  {
    let body = "\(MadePages.breadcrumbs)\(extra)<table id='forum'><tbody>\(rows)</tbody></table>"
    return try PageScraper.scrape(MadePages.page(body, attributes: attributes)).expectThreadList()
  }

  @Test("A row contains all facts of its thread")
  func row() throws {
    let thread = try #require(
      try list(MadePages.row(77, star: "bm1", seen: seen, extra: "closed")).threads.first)
    #expect(thread.id == "77")
    #expect(thread.title == "On larks")
    #expect(thread.authorID == "11")
    #expect(thread.icon?.imageName == "lark")
    #expect(thread.icon?.id == "31")
    #expect(thread.replyCount == 120)
    #expect(thread.voteCount == 26)
    #expect(thread.rating == 3.81)
    #expect(thread.ratingImageName == "4stars")
    #expect(thread.isSticky && thread.isClosed && thread.wasSeen)
    #expect(thread.bookmarkColor == .red)
    #expect(thread.unreadCount == 20)
    #expect(thread.seenPostCount == 101)
    #expect(thread.lastPostAuthorName == "Bo Reed")
    #expect(thread.lastPosted?.date != nil)
  }

  @Test("Seen posts are none when never opened and never negative")
  func seenPosts() throws {
    let many = "<a class='x' href='#'>X</a><a class='count' href='#'><b>5000</b></a>"
    let threads = try list(MadePages.row(1) + MadePages.row(2, seen: many)).threads
    #expect(threads.map(\.seenPostCount) == [0, 0])
  }

  @Test("An unknown colour number counts as orange", arguments: ["bm0", "bm17"])
  func colors(star: String) throws {
    #expect(try list(MadePages.row(1, star: star)).threads.first?.bookmarkColor == .orange)
  }

  @Test("Announcements are rows without an id")
  func announcements() throws {
    let row = """
      <tr class="thread"><td class="title"><a class="announcement" href="a.php">Mind the birds</a></td>
      <td class="author"><a href="member.php?userid=3">Cy Moss</a></td>
      <td class="lastpost"><div class="date">6:02 AM Nov  6, 2013</div></td></tr>
      """
    let list = try list(row + MadePages.row(1))
    #expect(list.announcements.map(\.title) == ["Mind the birds"])
    #expect(list.announcements.first?.authorID == "3")
    #expect(list.threads.count == 1)
  }

  @Test("A list with announcements only, or with nothing, is a thread list")
  func empty() throws {
    #expect(try list("").threads.isEmpty)
  }

  @Test("A row that is neither a thread nor an announcement makes the page unreadable")
  func unknownRow() throws {
    let row = MadePages.row(2).replacing("id=\"thread2\"", with: "id=\"topic2\"")
    let error = #expect(throws: PageError.self) { try list(MadePages.row(1) + row) }
    #expect(error?.code == .missingMarker)
  }

  @Test("Rows whose class is not the one of threads make the page unreadable, and not empty")
  func otherClass() throws {
    let row = MadePages.row(1).replacing("class=\"thread ", with: "class=\"topic ")
    #expect(row.contains("topic"))
    for rows in [row, MadePages.row(2) + row] {
      let error = #expect(throws: PageError.self) { try list(rows) }
      #expect(error?.code == .missingMarker)
    }
    #expect(try list("<tr><th class='title'>Title</th></tr>").threads.isEmpty)
  }

  @Test("Filters and the button for new threads are found")
  func filters() throws {
    let extra = """
      <ul class="postbuttons"><li><a href="newthread.php?forumid=6">new</a></li></ul>
      <div class="thread_tags"><a href="/f.php?forumid=6&amp;posticon=31"><img src="/i/lark.gif"></a></div>
      """
    let list = try list(MadePages.row(1), extra: extra)
    #expect(list.canPostNewThread)
    #expect(list.filterIcons.map(\.id) == ["31"])
  }

  @Test("Bookmarks are known by their form and have no forum")
  func bookmarks() throws {
    let list = try list(
      MadePages.row(1, star: "bm4"), extra: "<form name='bookmarks'></form>",
      attributes: "class='bookmark_threads'")
    #expect(list.isBookmarks)
    #expect(list.forumID == nil)
    #expect(list.threads.first?.bookmarkColor == .green)
  }
}
