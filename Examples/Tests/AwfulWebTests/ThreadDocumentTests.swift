import AwfulCore
import AwfulWeb
import CoreData
import ForumHTML
import Foundation
import HostileMarkup
import OpenPersistenceKit
import Testing

/// A thread as one document.
@Suite("Exported threads")
struct ThreadDocumentTests {
  private let store: ForumStore

  init() throws { store = try ForumStore(.inMemory) }

  private func make(_ text: String) async throws {
    try await store.performBackgroundTask { context in
      let thread = ForumThread(context: context)
      (thread.threadID, thread.title, thread.totalReplies) = ("7", text, 1)
      for number in 1...2 {
        let post = Post(context: context)
        (post.postID, post.threadIndex, post.thread) = ("\(number)", Int32(number), thread)
        (post.innerHTML, post.postDateRaw) = (text, text)
        post.postDate = Date(timeIntervalSince1970: 1_700_000_000)
      }
    }
  }

  @Test(
    "the document has the posts in order, loads nothing, and nothing in it acts",
    arguments: HostileMarkup.vectors)
  func html(_ text: String) async throws {
    try await make(text)
    let document = try ThreadDocument(ofThread: "7", in: ForumLists(store))
    let page = try HTMLParser.parse(document.html)
    try expectInert(page, scripts: [])
    #expect(try page.select("li[id]").map { $0["id"] ?? "" } == ["post1", "post2"])
    #expect(try page.select("img, link, video, audio").isEmpty)
  }

  @Test("JSON has the bodies as the site sent them")
  func json() async throws {
    try await make("<b>\u{1F600}</b>")
    let document = try ThreadDocument(ofThread: "7", in: ForumLists(store))
    let value = try JSONSerialization.jsonObject(with: document.json()) as? [String: Any]
    #expect(value?["title"] as? String == "<b>\u{1F600}</b>")
    let posts = try #require(value?["posts"] as? [[String: Any]])
    #expect(posts.map { $0["html"] as? String } == ["<b>\u{1F600}</b>", "<b>\u{1F600}</b>"])
    #expect(posts.map { $0["place"] as? Int } == [1, 2])
    #expect(posts.first?["date"] as? String == "2023-11-14T22:13:20Z")
    #expect(throws: ForumStoreError.self) {
      try ThreadDocument(ofThread: "8", in: ForumLists(store))
    }
  }
}
