import ForumHTML
import ForumScraping
import Foundation
import Testing

/// Pages kept outside of the repository, with the facts each must give; skipped where they are
/// absent.
@Suite("Shared pages")
struct SharedPageTests {
  private static let folder: URL = {
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let shared = ProcessInfo.processInfo.environment["OPENCOREDATA_SHARED"]
    let root = shared.map { URL(filePath: $0) } ?? package.appending(path: "../../shared")
    return root.appending(path: "data/forum")
  }()

  private static let names: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: "expected").path)
    return (files ?? []).filter { $0.hasSuffix(".json") }.sorted()
  }()

  @Test(
    "Each shared page has the expected kind, and no fact differs from the expected one",
    .enabled(if: !names.isEmpty, "the shared pages are absent"), arguments: names)
  func facts(name: String) throws {
    let (expectation, page, bytes) = try shared(name)
    let report = try ScrapeReport(PageScraper.read(bytes), of: page)
    #expect(report.kind == expectation["kind"] as? String)
    let encoded = try JSONEncoder().encode(report)
    let found = try #require(
      (JSONSerialization.jsonObject(with: encoded) as? [String: Any])?["facts"] as? [String: Any])
    let wanted = try #require(expectation["facts"] as? [String: Any])
    for (fact, value) in wanted where found[fact] != nil {
      if let text = value as? String, !fact.hasPrefix("date"), !text.contains("T") {
        #expect(folded(found[fact] as? String ?? "") == folded(text), "\(page) \(fact)")
      } else if let texts = value as? [String] {
        #expect(found[fact] as? [String] == texts, "\(page) \(fact)")
      } else if let number = value as? Int {
        #expect(found[fact] as? Int == number, "\(page) \(fact)")
      }
    }
  }

  @Test(
    "Posts that are cleaned for readers keep their text",
    .enabled(if: !names.isEmpty, "the shared pages are absent"), arguments: names)
  func cleaned(name: String) throws {
    let (_, page, bytes) = try shared(name)
    guard case .thread(let thread) = try PageScraper.scrape(bytes) else { return }
    let cleaner = HTMLCleaner(base: URL(string: "https://forum.test/"), images: .shown)
    for post in thread.posts where !post.bodyHTML.isEmpty {
      let before = try HTMLParser.parse("<!DOCTYPE html><body>\(post.bodyHTML)").body
      let after = try HTMLParser.parse("<!DOCTYPE html><body>\(cleaner.clean(post.bodyHTML))").body
      #expect(folded(after.readableText) == folded(before.readableText), "\(page) \(post.id)")
    }
  }

  /// What is expected of a page, the page's name, and its bytes.
  private func shared(
    _ name: String
  ) throws -> (expectation: [String: Any], page: String, bytes: [UInt8]) {
    let expectation = try object(at: Self.folder.appending(path: "expected/\(name)"))
    let page = try #require(expectation["page"] as? String)
    let bytes = try Data(contentsOf: Self.folder.appending(path: "pages/\(page)"))
    return (expectation, page, [UInt8](bytes))
  }

  private func object(at file: URL) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
  }

  private func folded(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
