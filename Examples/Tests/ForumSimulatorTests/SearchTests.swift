import ForumClient
import ForumScraping
import ForumSimulator
import Testing

/// Searches and reports to the moderators.
@Suite("Search and reports")
struct SearchTests {
  let site = ForumSite(seed: 7)

  func results(_ answer: SiteResponse, _ visitor: Visitor) throws -> SearchResultsPage {
    let location = try #require(answer.header("Location"))
    let id = try #require(location.firstMatch(of: /qid=(\d+)/)?.1)
    return try results(String(id), page: 1, visitor)
  }

  func results(_ id: String, page: Int, _ visitor: Visitor) throws -> SearchResultsPage {
    let page = try visitor.read(
      "query.php", ["action": "results", "qid": id, "page": "\(page)"])
    guard case .searchResults(let results) = page else { throw page.refusal(of: "results") }
    return results
  }

  @Test(
    "the form offers every forum with its level and the forums above it", arguments: Markup.allCases
  )
  func form(markup: Markup) throws {
    guard case .searchForm(let page) = try Visitor(site, markup: markup).read("query.php") else {
      Issue.record("not a search form")
      return
    }
    let forums = Dictionary(uniqueKeysWithValues: site.truth().forums.map { ($0.id, $0) })
    #expect(Set(page.forums.map(\.id)) == Set(forums.keys))
    for entry in page.forums {
      #expect(entry.name == forums[entry.id]?.title)
      var parents: [String] = []
      var next = forums[entry.id]?.parentID
      while let parent = next {
        parents.append(parent)
        next = forums[parent]?.parentID
      }
      #expect(entry.parentIDs == parents)
      #expect(entry.depth == parents.count)
    }
    #expect(page.hints.count == 2)
  }

  @Test(
    "a search finds the posts that contain its words, newest first and in pages",
    arguments: Markup.allCases)
  func search(markup: Markup) throws {
    let visitor = Visitor(site, markup: markup)
    let truth = site.truth()
    let answer = visitor.post("query.php", ["action": "query", "q": "minutes"])
    let first = try results(answer, visitor)
    let id = try #require(first.queryID)
    var hits: [SearchResultsPage.Hit] = []
    for number in 1...first.pages.count {
      let page = try results(id, page: number, visitor)
      #expect(page.pages.page == number)
      #expect(page.pages.count == first.pages.count)
      hits += page.hits
    }
    #expect(first.pages.count > 1)
    let all = truth.threads.flatMap(\.posts)
    let found = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
    let certain = all.filter { $0.text.contains("minutes") }.map(\.id)
    #expect(Set(certain).isSubset(of: hits.compactMap(\.postID)))
    let dates = hits.compactMap { $0.postID.flatMap { found[$0]?.date } }
    #expect(dates == dates.sorted(by: >))
    for (position, hit) in hits.enumerated() {
      let post = try #require(hit.postID.flatMap { found[$0] })
      let thread = try #require(truth.threads.first { $0.posts.contains(post) })
      #expect(hit.number == "\(position + 1)")
      #expect(hit.threadTitle == thread.title)
      #expect(hit.forumID == thread.forumID)
      #expect(hit.userName == post.author)
      #expect(hit.userID == post.authorID)
      #expect(hit.blurbHTML.contains("<em>minutes</em>"))
    }
  }

  @Test("conditions and chosen forums narrow a search")
  func conditions() throws {
    let visitor = Visitor(site)
    let truth = site.truth()
    let thread = try #require(truth.threads.first { $0.posts.count > 5 })
    let author = thread.posts[2]
    let query = "threadid:\(thread.id) username:\"\(author.author)\""
    let answer = visitor.post("query.php", ["action": "query", "q": query])
    let expected = thread.posts.filter { $0.author == author.author }.map(\.id)
    #expect(try Set(results(answer, visitor).hits.compactMap(\.postID)) == Set(expected))
    site.advance(seconds: 20)
    let body = FormBody(urlEncoding: [
      ("action", "query"), ("q", "the"), ("forums[]", thread.forumID), ("forums[]", "1"),
    ])
    let narrow = try results(
      visitor.post("query.php", contentType: body.contentType, body: body.bytes), visitor)
    #expect(!narrow.hits.isEmpty)
    #expect(narrow.hits.allSatisfy { $0.forumID == thread.forumID })
  }

  @Test("a second search within fifteen seconds is rejected, and then allowed")
  func limit() throws {
    let visitor = Visitor(site)
    let form = ["action": "query", "q": "tea"]
    #expect(visitor.post("query.php", form).status == 302)
    let early = try Visitor.read(visitor.post("query.php", form)).error
    #expect(early.message?.contains("15 seconds") == true)
    let other = Visitor(site, name: ForumSite.twelveHourUserName)
    #expect(other.post("query.php", form).status == 302)
    site.advance(seconds: 14)
    #expect(try Visitor.read(visitor.post("query.php", form)).kind == .errorPage)
    site.advance(seconds: 1)
    #expect(visitor.post("query.php", form).status == 302)
  }

  @Test("searches by guests, other members' results and empty searches find nothing")
  func refusals() throws {
    let visitor = Visitor(site)
    let answer = visitor.post("query.php", ["action": "query", "q": "tea"])
    let id = try #require(answer.header("Location")?.firstMatch(of: /qid=(\d+)/)?.1)
    let other = Visitor(site, name: ForumSite.twelveHourUserName)
    let query = ["action": "results", "qid": String(id)]
    #expect(try other.read("query.php", query).error.kind == .standard)
    #expect(try Visitor(site, name: nil).read("query.php").error.kind == .mustRegister)
    #expect(try visitor.read("query.php", ["action": "results", "qid": "9e99"]).kind == .errorPage)
    for text in ["", " ", "\"", "\"\"", String(repeating: "a ", count: 500)] {
      guard
        case .searchForm(let page) = try Visitor.read(
          other.post("query.php", ["action": "query", "q": text]))
      else {
        Issue.record("not a search form")
        return
      }
      #expect(!page.message.isEmpty)
    }
  }

  @Test("a search for nothing that exists has an empty page of results")
  func nothing() throws {
    let visitor = Visitor(site)
    let answer = visitor.post("query.php", ["action": "query", "q": "xyzzy \u{2603}"])
    let page = try results(answer, visitor)
    #expect(page.hits.isEmpty)
    #expect(page.pages.count == 1)
    #expect(page.summary.contains("0 results"))
  }

  @Test("a report keeps its text, even if it is empty")
  func reports() throws {
    let visitor = Visitor(site)
    let post = try #require(site.truth().threads.first?.posts.first)
    let form = try visitor.form(.reportForm, "modalert.php", ["postid": post.id]).form
    _ = try visitor.send(form, ["message": "Spam \u{2603}", "nws": "yes"]).redirect
    _ = try visitor.send(form).redirect
    let reports = site.truth().reports
    #expect(reports.map(\.postID) == [post.id, post.id])
    #expect(reports.map(\.message) == ["Spam \u{2603}", ""])
    #expect(reports.map(\.isNotSafeForWork) == [true, false])
    #expect(try visitor.read("modalert.php", ["postid": "0"]).error.kind == .standard)
    let long = ["postid": post.id, "message": String(repeating: "x", count: 961)]
    #expect(try Visitor.read(visitor.post("modalert.php", long)).error.kind == .standard)
    #expect(try Visitor(site, name: nil).read("modalert.php").error.kind == .mustRegister)
    #expect(site.truth().reports.count == 2)
  }

  @Test("a flag is returned as JSON, even if the forum is unknown")
  func flags() throws {
    let forum = try #require(site.truth().forums.last)
    let answer = site.page(path: "flag.php", query: ["forumid": forum.id])
    #expect(answer.text.contains("\"username\":"))
    let unknown = site.page(path: "flag.php", query: ["forumid": "x"])
    #expect(unknown.status == 404)
    #expect(unknown.header("Content-Type") == "application/json")
  }
}
