import ForumSimulator
import Foundation
import Testing

/// The generated site: its size, its tree, and that a seed decides everything.
@Suite("Generated sites")
struct SiteGenerationTests {
  @Test("the same seed generates the same site byte for byte")
  func sameSeed() throws {
    let first = ForumSite(seed: 7)
    let second = ForumSite(seed: 7)
    #expect(first.truth() == second.truth())
    let thread = try #require(first.truth().threads.first)
    let query = ["threadid": thread.id, "perpage": "40"]
    #expect(
      first.page(path: "showthread.php", query: query)
        == second.page(path: "showthread.php", query: query))
  }

  @Test("another seed generates another site")
  func otherSeed() {
    let first = ForumSite(seed: 7).truth()
    let second = ForumSite(seed: 8).truth()
    #expect(first.threads.map(\.title) != second.threads.map(\.title))
  }

  @Test(
    "a site of each size has exactly the specified contents",
    arguments: [(SiteSize.tiny, 2, 6, 30, 600), (SiteSize.small, 3, 12, 200, 5_000)])
  func size(_ size: SiteSize, groups: Int, forums: Int, threads: Int, posts: Int) {
    let truth = ForumSite(seed: 1, size: size).truth()
    #expect(truth.forums.filter(\.isGroup).count == groups)
    #expect(truth.forums.filter { !$0.isGroup }.count == forums)
    #expect(truth.threads.count == threads)
    #expect(truth.threads.reduce(0) { $0 + $1.posts.count } == posts)
  }

  @Test("ids are unique and grow with the dates of posts", arguments: 1...5)
  func ids(seed: UInt64) {
    let truth = ForumSite(seed: seed).truth()
    let posts = truth.threads.flatMap(\.posts)
    #expect(Set(posts.map(\.id)).count == posts.count)
    #expect(Set(truth.threads.map(\.id)).count == truth.threads.count)
    #expect(Set(truth.users.map(\.name)).count == truth.users.count)
    let byID = posts.sorted { (Int($0.id) ?? 0) < (Int($1.id) ?? 0) }
    #expect(byID.map(\.date) == byID.map(\.date).sorted())
  }

  @Test("some forums are nested in other forums, and every forum has threads")
  func nesting() {
    let truth = ForumSite(seed: 7).truth()
    let groupIDs = Set(truth.forums.filter(\.isGroup).map(\.id))
    let nested = truth.forums.filter { forum in
      forum.parentID.map { !groupIDs.contains($0) } ?? false
    }
    #expect(!nested.isEmpty)
    #expect(truth.forums.allSatisfy { $0.isGroup == $0.threadIDs.isEmpty })
  }

  @Test("the default reader has read some threads wholly, some partly and some never")
  func reading() {
    let threads = ForumSite(seed: 7).truth().threads
    #expect(threads.contains { $0.unread == 0 })
    #expect(threads.contains { ($0.unread ?? 0) > 0 })
    #expect(threads.contains { $0.unread == nil })
    #expect(threads.contains { $0.bookmark != nil })
  }

  @Test("a reset restores the initial site in every case")
  func reset() {
    let site = ForumSite(seed: 7)
    let before = site.truth()
    site.advance(seconds: 10_000)
    #expect(site.truth().threads != before.threads)
    site.reset()
    #expect(site.truth().threads == before.threads)
    #expect(site.revision > before.revision)
  }
}
