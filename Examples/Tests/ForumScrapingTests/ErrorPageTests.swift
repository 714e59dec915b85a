import ForumHTML
import ForumScraping
import Testing

@Suite("Error pages")
struct ErrorPageTests {
  private func error(_ body: String, _ bodyClass: String) throws -> ForumErrorPage? {
    let bytes = MadePages.page(body, attributes: "class='\(bodyClass)'")
    guard case .error(let error) = try PageScraper.scrape(bytes) else { return nil }
    return error
  }

  @Test(
    "Standard errors are distinguished by their message",
    arguments: [
      ("you must be a registered forums member to see this", ForumErrorPage.Kind.mustRegister),
      ("you need the archives upgrade for this", .archivesRequired),
      ("this is only accessible to Platinum members", .platinumRequired),
      (
        "Sorry Ada Fern is a moderator/admin and you are not allowed to ignore them",
        .ignoreRejected
      ),
      ("the moon is full", .standard),
    ])
  func standard(message: String, kind: ForumErrorPage.Kind) throws {
    let body =
      "<div class='standard'><h2>Oh no</h2><div class='inner'>\n<b>\(message)</b><br>more</div></div>"
    let error = try #require(try error(body, "standarderror"))
    #expect(error.kind == kind)
    #expect(error.title == "Oh no")
    #expect(error.message == message)
    #expect(error.rejectedName == (kind == .ignoreRejected ? "Ada Fern" : nil))
  }

  @Test("A missing database, a closed thread and a ban are recognised")
  func others() throws {
    let database = try error(
      "<div id='msg'><h1>Gone!</h1> Come back later.<br></div>", "database_error")
    #expect(database?.kind == .databaseUnavailable)
    #expect(database?.message == "Come back later.")
    let closed = try error(
      "<div class='standard'><div class='inner'>Sorry! This thread is closed! Back.<a href='showthread.php?threadid=7'>go</a></div></div>",
      "standardredirect")
    #expect(closed?.kind == .threadClosed)
    #expect(closed?.title == "Sorry!")
    #expect(closed?.threadID == "7")
    let banned = try error(
      "<a href='/banlist.php?userid=1'>why</a><a href='//x.test/showthread.php?threadid=2'>help</a>",
      "banned")
    #expect(banned?.kind == .banned)
    #expect(banned?.reasonAddress == "/banlist.php?userid=1")
  }

  @Test("The preview of a post about a closed thread is not an error")
  func preview() throws {
    let body =
      "<div class='standard'><h2>Post Preview:</h2><div class='inner postbody'>Oh! This thread is closed!</div></div>"
      + "<form action='newreply.php' method='post'><textarea name='message'></textarea></form>"
    let page = try PageScraper.scrape(MadePages.page(body)).expectForm(.replyForm)
    #expect(page.previewHTML == "Oh! This thread is closed!")
  }

  @Test("A redirect page is not an error")
  func redirect() throws {
    let body =
      "<div class='standard'><div class='inner'>Your ignore list has been updated.<a href='usercp.php'>go</a></div></div>"
    let bytes = MadePages.page(body, attributes: "class='standardredirect'")
    guard case .redirect(let page) = try PageScraper.scrape(bytes) else {
      Issue.record("not a redirect page")
      return
    }
    #expect(page.success == .ignoreListUpdated)
    #expect(page.target == "usercp.php")
  }

  @Test("The site's error is thrown when another page was expected")
  func expectation() throws {
    let body = "<div class='standard'><div class='inner'>the moon is full</div></div>"
    let page = try PageScraper.scrape(MadePages.page(body, attributes: "class='standarderror'"))
    #expect(throws: ForumErrorPage.self) { try page.expectThread() }
    #expect(throws: ForumErrorPage.self) { try page.expectThreadList() }
  }

  @Test("A page of another site names the missing marker")
  func portal() {
    let error = #expect(throws: PageError.self) {
      try PageScraper.scrape(Array("<html><body><h1>Log in to the hotel</h1></body></html>".utf8))
    }
    #expect(error?.code == .missingMarker)
    #expect(error?.marker == "body#something_awful")
  }
}
