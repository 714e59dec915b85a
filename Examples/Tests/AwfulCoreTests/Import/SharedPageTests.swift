import AwfulCore
import CoreData
import ForumScraping
import Foundation
import OpenPersistenceKit
import Testing
import StoreSharing

/// Pages from outside the repository, imported into a store; skipped if they are absent.
@Suite("Shared pages")
struct SharedPageTests {
  private static let folder: URL = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let shared = ProcessInfo.processInfo.environment["OPENCOREDATA_SHARED"]
    let root = shared.map { URL(filePath: $0) } ?? package.appending(path: "../../shared")
    return root.appending(path: "data/forum")
  }()

  private static let kinds = [
    "thread-page", "thread-list", "bookmark-list", "forum-index", "private-message-list",
    "private-message", "profile",
  ]

  private static let expectations: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: "expected").path)
    return (files ?? []).filter { $0.hasSuffix(".json") }.sorted()
  }()

  @Test(
    "a page stores its contents, and changes nothing the second time",
    .enabled(if: !expectations.isEmpty, "the shared pages are absent"), arguments: expectations)
  func counts(name: String) async throws {
    let data = try Data(contentsOf: Self.folder.appending(path: "expected/\(name)"))
    let expected = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let facts = try #require(expected["facts"] as? [String: Any])
    let kind = try #require(expected["kind"] as? String)
    let file = try #require(expected["page"] as? String)
    let bytes = try Data(contentsOf: Self.folder.appending(path: "pages/\(file)"))
    guard Self.kinds.contains(kind) else { return }
    let page = try PageScraper.scrape([UInt8](bytes))
    let store = try ForumStore(.inMemory)
    let inserted = try await store.importPage(page).inserted
    for (fact, entity) in [
      ("threadCount", "Thread"), ("postCount", "Post"), ("forumCount", "Forum"),
      ("groupCount", "ForumGroup"),
    ] {
      // A profile contains its member's number of posts.
      guard let count = facts[fact] as? Int, kind != "profile" else { continue }
      #expect(inserted[entity] == count, "\(file) \(fact)")
    }
    if let messages = facts["messages"] as? [[String: Any]] {
      let stored = try ForumLists(store).messages(folderID: PrivateMessageFolder.inboxID)
      #expect(Set(stored.map(\.subject)) == Set(messages.map { $0["subject"] as? String ?? "" }))
      #expect(inserted["PrivateMessage"] == messages.count)
    }
    if let author = facts["author"] as? [String: Any], let id = author["userID"] as? String {
      let stored = try await ForumFeed(StoreFeed(store)).member(id).load()
      #expect(stored.map(\.name) == [author["username"] as? String])
      let count = facts["postCount"].map { ["\($0)"] } ?? []
      #expect(stored.flatMap { $0.profile?.facts.prefix(1).map(\.text) ?? [] } == count)
    }
    #expect(try await store.importPage(page).isEmpty)
  }
}
