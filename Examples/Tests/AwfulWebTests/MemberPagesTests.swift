import AwfulCore
import AwfulWeb
import CoreData
import ForumHTML
import ForumSimulator
import Foundation
import HostileMarkup
import OpenPersistenceKit
import Testing
import WebTestClient

/// The pages about members.
@Suite("Pages about members", .serialized)
struct MemberPagesTests {
  private func run(_ body: (WebTrial) async throws -> Void) async throws {
    try await WebTrial.run(loggedIn: true) { trial in
      _ = try await #require(trial.connection).sync()
      try await body(trial)
    }
  }

  private func change(
    _ trial: WebTrial, _ name: String, _ action: String, back: String = "/ignored"
  ) async throws -> WebTestAnswer {
    let headers = trial.cookie.merging(["Origin": "http://127.0.0.1:\(trial.port)"]) { $1 }
    return try await send(
      trial.port, "/ignored", "POST", headers,
      body: "name=\(encoded(name))&do=\(action)&back=\(encoded(back))")
  }

  private func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  @Test(
    "opening a profile fetches it with the member's punishments, and it stays without the site"
  )
  func profile() async throws {
    try await run { trial in
      let truth = trial.site.truth()
      let punished = try #require(truth.punishments.first?.userID)
      let user = try #require(truth.users.first { $0.id == punished })
      let page = try await trial.page("/members/\(user.id)")
      #expect(try page.select("h1").map(\.text) == [user.name])
      #expect(try page.select("dd").map(\.text).contains("\(user.postCount)"))
      let count = truth.punishments.count { $0.userID == punished }
      #expect(try page.select("tbody tr").count == min(50, count))
      let named = try await send(
        trial.port, "/members?name=\(encoded(user.name))", "GET", trial.cookie)
      #expect(named.headers["location"] == "/members/\(user.id)")
      await trial.server.stop()
      let offline = try await trial.page("/members/\(user.id)")
      #expect(try offline.select("dl").first?.text == page.select("dl").first?.text)
      #expect(try offline.select("[role=alert]").first?.text.contains("cannot be reached") == true)
      #expect(try await send(trial.port, "/members/99999999", "GET", trial.cookie).status == 404)
    }
  }

  @Test("a member is ignored and shown again by a button that the next page offers as well")
  func ignoring() async throws {
    try await run { trial in
      let truth = trial.site.truth()
      let thread = try #require(
        truth.threads.first { thread in
          truth.users.contains {
            $0.id == thread.posts[0].authorID && $0.role == "normal" && $0.id != truth.reader?.id
          }
        })
      let author = try #require(truth.users.first { $0.id == thread.posts[0].authorID })
      let posts = try await trial.page("/threads/\(thread.id)")
      #expect(
        try posts.select("#post\(thread.posts[0].id) .author").first?["href"]
          == "/members/\(author.id)")
      let events = try trial.events(of: posts)
      let answer = try await change(trial, author.name, "add", back: "/members/\(author.id)")
      let location = try #require(answer.headers["location"])
      #expect(answer.status == 303 && location.hasPrefix("/members/\(author.id)?ignored="))
      #expect(await events.text(until: "You are ignoring this author.").contains("event: update"))
      let done = try await trial.page(location)
      #expect(
        try done.select("[role=status]").first?.text.contains("You are now ignoring \(author.name)")
          == true)
      #expect(try done.select("button[value=remove]").count == 2)
      let list = try await trial.page("/ignored")
      #expect(try list.select("ul.rows a").map(\.text).contains(author.name))
      _ = try await change(trial, author.name, "remove")
      #expect(!trial.site.truth().ignoredUserIDs.contains(author.id))
      #expect(
        try await trial.page("/ignored").select("ul.rows a").map(\.text).contains(author.name)
          == false)
    }
  }

  @Test("the site's refusal is shown with the moderator's name")
  func moderator() async throws {
    try await run { trial in
      let moderator = try #require(trial.site.truth().users.first { $0.role == "moderator" })
      let answer = try await change(trial, moderator.name, "add")
      let page = try HTMLParser.parse(answer.text)
      #expect(answer.status == 502)
      #expect(
        try page.select("[role=alert]").first?.text.hasPrefix("\(moderator.name) is a moderator")
          == true)
      #expect(try page.select("#name").first?["value"] == moderator.name)
    }
  }

  @Test("posts of ignored members are folded, or hidden by a setting")
  func hiding() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let thread = try #require(trial.site.truth(for: nil).threads.first)
      let id = thread.posts[0].id
      try await trial.store.performBackgroundTask { context in
        for post in try context.fetch(Post.request(id: id)) { post.ignored = true }
      }
      let folded = try await trial.page("/threads/\(thread.id)")
      #expect(try folded.select("#post\(id) details").count == 1)
      var headers = trial.cookie.merging(["Origin": "http://127.0.0.1:\(trial.port)"]) { $1 }
      let answer = try await send(trial.port, "/ignored/posts", "POST", headers, body: "hide=1")
      #expect(answer.headers["location"] == "/ignored")
      #expect(answer.headers["set-cookie"]?.hasPrefix("hide-ignored=1;") == true)
      headers["Cookie"] = (headers["Cookie"] ?? "") + "; hide-ignored=1"
      let hidden = try HTMLParser.parse(
        try await send(trial.port, "/threads/\(thread.id)", "GET", headers).text)
      #expect(try hidden.select("#post\(id)").isEmpty)
      #expect(try hidden.select("#posts > li").count == min(40, thread.posts.count) - 1)
    }
  }

  @Test("the contents of a profile are inert in a page")
  func hostileText() async throws {
    try await WebTrial.run { trial in
      for text in HostileMarkup.vectors {
        try await trial.store.performBackgroundTask { context in
          for user in try context.fetch(User.request(id: "5")) { context.delete(user) }
          let user = User(context: context)
          (user.userID, user.username, user.customTitleHTML, user.regdateRaw) = (
            "5", text, text, text
          )
          let profile = Profile(context: context)
          (profile.user, profile.aboutMe, profile.location, profile.gender) = (
            user, text, text, text
          )
          (profile.interests, profile.occupation, profile.postRate) = (text, text, text)
        }
        try trial.store.noteIgnoredNames([text])
        let query = encoded(text)
        for path in [
          "/members/5", "/members/5?ignored=\(query)", "/members/5/punishments", "/ignored",
          "/ignored?shown=\(query)", "/members?name=\(query)", "/members/\(query)",
        ] {
          let answer = try await send(trial.port, path, "GET", trial.cookie)
          if answer.status == 303 { continue }
          try expectInert(try HTMLParser.parse(answer.text), scripts: ["/live.js"])
        }
      }
    }
  }
}
