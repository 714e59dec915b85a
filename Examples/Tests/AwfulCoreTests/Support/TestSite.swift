import ForumScraping
import ForumSimulator

/// A site of fixed content, and its pages read by the real scrapers.
struct TestSite {
  static let size = SiteSize(
    name: "test", groups: 2, forums: 4, threads: 8, posts: 190, users: 9,
    secondsBetweenPosts: 90)

  let site: ForumSite

  init(seed: UInt64 = 11, size: SiteSize = TestSite.size) {
    site = ForumSite(seed: seed, size: size)
  }

  var truth: SiteTruth { site.truth() }

  func read(_ path: String, _ query: [String: String]) throws -> ScrapedPage {
    let answer = site.page(path: path, query: query)
    return try PageScraper.scrape([UInt8](answer.body), contentType: answer.header("content-type"))
  }

  func index() throws -> ScrapedPage { try read("index.php", ["json": "1"]) }

  func list(_ forumID: String, page: Int = 1, size: Int = 40) throws -> ScrapedPage {
    try read(
      "forumdisplay.php",
      ["forumid": forumID, "perpage": "\(size)", "pagenumber": "\(page)"])
  }

  func bookmarks(page: Int = 1, size: Int = 40) throws -> ScrapedPage {
    try read(
      "bookmarkthreads.php",
      ["action": "view", "perpage": "\(size)", "pagenumber": "\(page)"])
  }

  func posts(_ threadID: String, page: Int = 1, authorID: String = "0") throws -> ScrapedPage {
    try read(
      "showthread.php",
      ["threadid": threadID, "perpage": "40", "pagenumber": "\(page)", "userid": authorID])
  }

  /// Every page a reader could see, in the order of a sync.
  func allPages() throws -> [ScrapedPage] {
    var pages = [try index()]
    for forum in truth.forums where !forum.isGroup { pages.append(try list(forum.id)) }
    pages.append(try bookmarks())
    for thread in truth.threads {
      for page in 1...(thread.posts.count + 39) / 40 {
        pages.append(try posts(thread.id, page: page))
      }
    }
    return pages
  }
}
