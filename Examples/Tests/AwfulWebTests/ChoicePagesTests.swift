import AwfulCore
import ForumHTML
import ForumSimulator
import Testing
import WebTestClient

/// Forms that the program refuses, and choices that are made at the same time.
@Suite("Pages of the reader's choices", .serialized)
struct ChoicePagesTests {
  @Test(
    "a form for a forum, thread or post that is not stored has status 404, and changes nothing",
    arguments: [
      "/forums/nope/favorite", "/threads/nope/hide", "/threads/nope/seen", "/threads/nope/save",
      "/posts/nope/bookmark",
    ])
  func missing(_ path: String) async throws {
    try await WebTrial.run { trial in
      let answer = try await trial.post(path, ["place": "1"])
      #expect(answer.status == 404)
      let page = try HTMLParser.parse(answer.text)
      #expect(try page.first("main")?.text.contains("with the id nope") == true)
      let choices = ReaderChoices(trial.personal)
      #expect(try await choices.favorites().isEmpty)
      #expect(try await choices.hiddenThreads().isEmpty)
      #expect(try await SavedThreads(trial.personal).rows().isEmpty)
    }
  }

  @Test("a bookmark without a log-in has status 403, and says that a log-in is needed")
  func loggedOut() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let thread = try #require(trial.site.truth(for: nil).threads.first)
      let answer = try await trial.post("/threads/\(thread.id)/bookmark", ["color": "red"])
      #expect(answer.status == 403)
      #expect(answer.text.contains("log in first"))
      #expect(try !ForumLists(trial.store).thread(thread.id).isBookmarked)
    }
  }

  @Test("forums that are made favourites at the same time are all favourites")
  func parallelFavorites() async throws {
    try await WebTrial.run { trial in
      try await trial.sync()
      let forums = try ForumLists(trial.store).forums().map(\.forumID)
      #expect(forums.count > 2)
      let choices = ReaderChoices(trial.personal)
      for _ in 1...5 {
        try await choices.setFavorites([])
        let adding = forums.map { forum in
          Task { try await choices.changeFavorites { $0 + [forum] } }
        }
        for task in adding { _ = try await task.value }
        #expect(try await Set(choices.favorites()) == Set(forums))
      }
    }
  }
}
