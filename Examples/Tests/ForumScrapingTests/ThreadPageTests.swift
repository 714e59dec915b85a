import ForumHTML
import ForumScraping
import Testing

@Suite("Thread pages")
struct ThreadPageTests {
  private let posts =
    MadePages.post(901, index: "data-idx='41'")
    + MadePages.post(902, index: "", row: "", table: "ignored")

  private func page(_ bytes: [UInt8], address: String? = nil) throws -> ThreadPage {
    try PageScraper.scrape(bytes, address: address).expectThread()
  }

  @Test("Parsing a post returns its index, author, dates, flags and body")
  func post() throws {
    let page = try page(MadePages.thread(posts))
    let post = try #require(page.posts.first)
    #expect(post.id == "901")
    #expect(post.index == 41)
    #expect(post.author.userID == "11")
    #expect(post.author.name == "Ada Fern")
    #expect(post.author.isModerator && post.author.isOriginalPoster && !post.author.isAdministrator)
    #expect(post.author.otherClasses == ["clever"])
    #expect(post.author.customTitleHTML == "<img src=\"//x/title-ada.2.gif\">")
    #expect(post.posted?.printed == "Sep 20, 2012 11:16")
    #expect(post.bodyHTML == "Hello &amp; <b>welcome</b>")
    #expect(post.isSeen && post.isEditable && !post.isIgnored)
    #expect(post.authorCanReceivePrivateMessages)
  }

  @Test("An ignored post has no index and is not seen")
  func ignored() throws {
    let page = try page(MadePages.thread(posts))
    #expect(page.posts[1].isIgnored)
    #expect(page.posts[1].index == nil)
    #expect(page.firstUnseenPost?.id == "902")
    #expect(page.jumpPosition == 1)
  }

  @Test("Parsing a page returns its thread, forum, title and breadcrumbs")
  func facts() throws {
    let page = try page(MadePages.thread(posts))
    #expect(page.threadID == "77")
    #expect(page.forumID == "6")
    #expect(page.title == "On larks")
    #expect(page.breadcrumbs.map(\.id) == ["5", "6"])
    #expect(page.breadcrumbs.last?.name == "Birds & Bees")
  }

  @Test(
    "Page numbers are read from attributes or a drop-down list, and default to page 1 of 1",
    arguments: [
      ("<div class='pages' data-current-page='3' data-total-pages='9'></div>", 3, 9),
      (
        "<div class='pages'><select><option value=1>1<option value=2 selected>2</select></div>", 2,
        2
      ),
      ("<div class='pages top'> </div>", 1, 1), ("", 1, 1),
    ])
  func pageNumbers(markup: String, number: Int, count: Int) throws {
    let page = try page(MadePages.thread(posts, pages: markup))
    #expect(page.pages.page == number)
    #expect(page.pages.count == count)
  }

  @Test("Buttons indicate whether the thread is closed and bookmarked")
  func buttons() throws {
    let closed = "<li><a href='newreply.php'><img src='/forum-closed.gif'></a></li>"
    let marked = "<li><img class='thread_bookmark unbookmark'></li>"
    let open = try page(MadePages.thread(posts))
    let shut = try page(MadePages.thread(posts, buttons: closed + marked))
    #expect(!open.isClosed && open.isBookmarked == nil)
    #expect(shut.isClosed && shut.isBookmarked == true)
  }

  @Test("The address names the post to begin at when all before it are read")
  func jump() throws {
    let read = MadePages.post(901, index: "") + MadePages.post(902, index: "")
    #expect(
      try page(MadePages.thread(read), address: "https://x.test/a.php?b#pti2").jumpPosition == 1)
    #expect(
      try page(MadePages.thread(read), address: "https://x.test/a.php?b#pti9").jumpPosition == nil)
    #expect(try page(MadePages.thread(read)).jumpPosition == nil)
  }

  @Test("A truncated page is rejected, but its contents can be read")
  func cut() throws {
    let bytes = Array(MadePages.thread(posts).dropLast(30))
    let error = #expect(throws: PageError.self) { try PageScraper.scrape(bytes) }
    #expect(error?.code == .truncated)
    #expect(error?.position == bytes.count)
    let reading = try PageScraper.read(bytes)
    #expect(try reading.page.expectThread().posts.count == 2)
  }

  @Test("A single post identifies its thread")
  func singlePost() throws {
    let bytes = MadePages.page(
      "<div id='thread' class='thread:77'>\(MadePages.post(901, index: "data-idx=''"))</div>",
      attributes: "class='showpost'", title: "The Forums - On larks - and wrens")
    guard case .singlePost(let page) = try PageScraper.scrape(bytes) else {
      Issue.record("not a single post")
      return
    }
    #expect(page.threadID == "77")
    #expect(page.threadTitle == "On larks - and wrens")
    #expect(page.post.index == nil)
  }
}
