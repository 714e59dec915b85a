import ForumSimulator
import Foundation
import Testing

/// The site's own life under the virtual clock.
@Suite("Virtual clock")
struct VirtualClockTests {
  @Test("one long step and many short ones end in the same site")
  func steps() {
    let once = ForumSite(seed: 3)
    let often = ForumSite(seed: 3)
    once.advance(seconds: 7_200)
    for _ in 0..<72 { often.advance(seconds: 100) }
    #expect(once.truth().threads == often.truth().threads)
    #expect(once.now == often.now)
  }

  @Test("time brings new posts at the end of threads and new threads")
  func growth() throws {
    let site = ForumSite(seed: 3)
    let before = site.truth()
    site.advance(seconds: 86_400)
    let after = site.truth()
    #expect(after.threads.count > before.threads.count)
    #expect(after.clock == before.clock + 86_400)
    for (old, new) in zip(before.threads, after.threads) {
      #expect(old.id == new.id)
      #expect(Array(new.posts.prefix(old.posts.count)) == old.posts)
    }
    let grown = zip(before.threads, after.threads).filter { $0.posts.count < $1.posts.count }
    #expect(!grown.isEmpty)
    #expect(grown.allSatisfy { !$1.isClosed })
  }

  @Test("new posts raise the unread numbers of opened threads")
  func unread() {
    let site = ForumSite(seed: 3)
    let before = site.truth()
    site.advance(seconds: 86_400)
    for (old, new) in zip(before.threads, site.truth().threads) {
      guard let unread = old.unread else { continue }
      #expect(new.unread == unread + new.posts.count - old.posts.count)
    }
  }

  @Test("a step of nothing or backwards changes nothing", arguments: [0, -5, Int.min])
  func noStep(seconds: Int) {
    let site = ForumSite(seed: 3)
    let before = site.truth()
    site.advance(seconds: seconds)
    #expect(site.truth() == before)
  }
}
