import AwfulCore
import ForumClient
import ForumHTML
import ForumScraping
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Testing

/// Unreadable pages are kept for a report, without the members' texts.
@Suite("Reports of unreadable pages", .serialized)
struct PageReportsTests {
  @Test(
    "the kept page has no name, text or number of the page, and its structure fails in the same way"
  )
  func masked() async throws {
    try await SyncTrial.run { trial in
      let thread = try #require(trial.site.truth().threads.max { $0.posts.count < $1.posts.count })
      let page = try await trial.client.page("showthread.php", query: [("threadid", thread.id)])
      let text = try PageDecoder.text(of: page.bytes, contentType: page.contentType)
      let address = page.address.absoluteString
      func failure(_ text: String) throws -> PageError? {
        #expect(throws: PageError.self) {
          _ = try PageScraper.scrape(
            Array(text.utf8), contentType: "text/html; charset=utf-8", address: address)
        }
      }
      let broken = text.replacing("class=\"post", with: "class=\"was")
      #expect(broken != text)
      let expected = try #require(try failure(broken))
      let reports = PageReports(
        beside: FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite"))
      defer { try? FileManager.default.removeItem(at: reports.folder) }
      try reports.keep(
        Array(broken.utf8), contentType: "text/html; charset=utf-8", page: "/showthread.php",
        error: expected)
      let file = try #require(try reports.files().first)
      #expect(file.lastPathComponent.hasPrefix("showthread-php-\(expected.code.rawValue)"))
      let kept = try String(contentsOf: file, encoding: .utf8)
      for post in thread.posts.prefix(40) {
        #expect(
          !kept.contains(post.author) && !kept.contains(post.text.prefix(12))
            && !kept.contains(post.id))
      }
      #expect(!kept.contains(thread.title) && kept.contains("showthread.php?"))
      let again = try #require(try failure(kept))
      #expect(again.code == expected.code && again.marker == expected.marker)
    }
  }

  @Test(
    "a sync keeps a page without its structure once, in a file named after the problem"
  )
  func sync() async throws {
    let temporary = try TemporaryStore()
    try await SyncTrial.run(store: temporary.store) { trial in
      let reports = try #require(PageReports(of: trial.store))
      let once = PageRetryPolicy(attemptLimit: 1, firstPause: .zero, longestPause: .zero)
      #expect(try reports.files().isEmpty)
      for _ in 1...2 {
        trial.server.addFault(Fault(.captivePortal, path: "index.php", times: 9))
        await #expect(throws: (any Error).self) { try await trial.sync(retry: once) }
        trial.server.clearFaults()
      }
      #expect(try reports.files().count == 1)
      _ = try await trial.sync()
    }
  }

  @Test(
    "what is no page is kept by its size; hostile names stay inside the folder; the oldest of too many files go"
  )
  func limits() throws {
    let reports = PageReports(
      beside: FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite"))
    defer { try? FileManager.default.removeItem(at: reports.folder) }
    for number in 0..<(PageReports.limit + 5) {
      try reports.keep(
        [0xFF, 0xFE], contentType: "text/html; charset=x", page: "/../../\(number)/--><script>",
        error: PageError(.missingMarker, "--> <b>", marker: "a\u{0}/../b"))
    }
    let files = try reports.files()
    #expect(files.count == PageReports.limit)
    for file in files {
      #expect(file.deletingLastPathComponent().path == reports.folder.path)
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(
        text.contains("2 bytes that could not be parsed as a page") && !text.contains("<script>"))
      #expect(text.components(separatedBy: "-->").count == 3)
    }
  }

  @Test("texts in every attribute, comments and scripts are masked")
  func attributes() throws {
    let page = try HTMLParser.parse(
      """
      <!DOCTYPE html><body class="user12 Ö"><!-- Secret --><script>Secret()</script><p title="Secret 9">Secret Ärger 42€</p>\
      <a href="https://host/members/Secret/showthread.php?user=Secret&amp;id=77" data-x="Secret">x</a><input name="q" value="Secret">
      """)
    #expect(
      HTMLMasker.masked(page).contains(
        """
        <p title="Xxxxxx 0">Xxxxxx Xxxxx 00x</p>\
        <a href="xxxxx://xxxx/xxxxxxx/Xxxxxx/showthread.php?user=Xxxxxx&amp;id=00" data-x="Xxxxxx">x</a>\
        <input name="q" value="Xxxxxx">
        """))
    #expect(!HTMLMasker.masked(page).contains("Secret"))
    #expect(HTMLMasker.masked(page).contains("class=\"user00 Ö\""))
  }
}
