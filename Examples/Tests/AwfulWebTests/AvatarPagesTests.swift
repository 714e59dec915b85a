import AwfulCore
import CoreData
import ForumHTML
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Testing
import WebTestClient

/// Avatars and profile pictures in pages.
@Suite("Avatars in pages", .serialized)
struct AvatarPagesTests {
  private func run(_ body: (WebTrial) async throws -> Void) async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      _ = try await #require(trial.connection).sync()
      try await body(trial)
    }
  }

  private func get(_ trial: WebTrial, _ path: String) async throws -> WebTestAnswer {
    try await send(trial.port, path, "GET", trial.cookie)
  }

  private func avatars(_ trial: WebTrial, _ threadID: String) async throws -> [String] {
    let page = try await trial.page("/threads/\(threadID)")
    try expectInert(page, scripts: ["/live.js"])
    return try page.select(".post img.avatar").compactMap { $0["src"] }
  }

  @Test("a thread's page shows avatars from the program, which fetches them from the site")
  func thread() async throws {
    try await run { trial in
      let threads = trial.site.truth().threads.filter { $0.posts.count > 5 }
      var sources: [String] = []
      for thread in threads where sources.count < 2 {
        sources = Array(Set(try await avatars(trial, thread.id))).sorted()
      }
      try #require(sources.count >= 2)
      #expect(sources.allSatisfy { $0.hasPrefix("/avatars/") })
      let page = try await get(trial, "/threads/\(threads[0].id)")
      #expect(page.headers["content-security-policy"]?.contains("img-src 'self';") == true)
      trial.server.resetCounters()
      #expect(try await get(trial, sources[0]).headers["content-type"] == "image/png")
      #expect(trial.server.counters.requests == 1)
      // Without the site, a stored avatar is shown. Others are replaced by the first letter of the name.
      await trial.server.stop()
      let known = try await get(trial, sources[0])
      #expect(known.status == 200 && known.headers["content-type"] == "image/png")
      let unknown = try await get(trial, sources[1])
      #expect(unknown.status == 200 && unknown.headers["content-type"] == "image/svg+xml")
      #expect(unknown.text.contains("</text></svg>"))
      #expect(try await get(trial, "/avatars/unknown").status == 404)
    }
  }

  @Test("an avatar on another host stays in the title, and is not requested")
  func otherHost() async throws {
    try await run { trial in
      let thread = try #require(trial.site.truth().threads.first { !$0.posts.isEmpty })
      try await trial.store.performBackgroundTask { context in
        for user in try context.fetch(NSFetchRequest<User>(entityName: "User")) {
          user.customTitleHTML = "<img src=\"http://other.test/a.png\"><br>Hero"
        }
      }
      #expect(try await avatars(trial, thread.id).isEmpty)
      let page = try await trial.page("/threads/\(thread.id)")
      let title = try #require(try page.first(".member-title"))
      #expect(try title.first("a")?["href"] == "http://other.test/a.png")
      #expect(title.text.contains("Hero"))
      trial.server.resetCounters()
      let answer = try await get(trial, "/avatars/\(thread.posts[0].authorID)")
      #expect(answer.headers["content-type"] == "image/svg+xml")
      #expect(trial.server.counters.requests == 0)
    }
  }

  @Test("a member's page shows the picture of the profile, and the settings show the stored size")
  func picture() async throws {
    try await run { trial in
      var source: String?
      for user in trial.site.truth().users where source == nil {
        let page = try await trial.page("/members/\(user.id)")
        source = try page.first("img.picture")?["src"]
      }
      let path = try #require(source)
      #expect(path.hasPrefix("/pictures/"))
      #expect(try await get(trial, path).headers["content-type"] == "image/png")
      let settings = try #require(try await trial.page("/settings").first("main"))
      #expect(settings.text.contains("Avatars and pictures:"))
    }
  }

  @Test("hostile titles do not change the page around the avatar")
  func hostile() async throws {
    try await run { trial in
      let thread = try #require(trial.site.truth().threads.first { !$0.posts.isEmpty })
      for source in ["/a.png\" onerror=\"x", "javascript:x", "/a.png?<script>", "../../settings"] {
        try await trial.store.performBackgroundTask { context in
          for user in try context.fetch(NSFetchRequest<User>(entityName: "User")) {
            user.customTitleHTML = "<img src='\(source)' onerror=x><script>x</script>Hero"
            user.username = "\"<script>"
          }
        }
        _ = try await avatars(trial, thread.id)
        let answer = try await get(trial, "/avatars/\(thread.posts[0].authorID)")
        #expect(answer.headers["content-type"] == "image/svg+xml")
        #expect(!answer.text.contains("<script"))
      }
    }
  }
}
