import ForumClient
import ForumScraping
import ForumSimulator
import Testing

/// Some forums give their threads a second icon.
@Suite("Second icons")
struct SecondIconTests {
  let site = ForumSite(seed: 7)

  /// The threads of a list by id, with their second icons.
  private func icons(
    _ path: String, _ query: [String: String], _ markup: Markup = .revision2025
  ) throws -> [String: String] {
    let list = try Visitor(site, markup: markup).read(
      path, query.merging(["perpage": "200"]) { $1 }
    )
    .expectThreadList()
    return Dictionary(
      uniqueKeysWithValues: list.threads.map { ($0.id, $0.secondaryIconName ?? "") })
  }

  private func truth(_ ids: some Sequence<String>) -> [String: String] {
    let threads = site.truth().threads
    let wanted = Set(ids)
    return Dictionary(
      uniqueKeysWithValues: threads.filter { wanted.contains($0.id) }.map { ($0.id, $0.secondTag) })
  }

  @Test("lists of forums and of bookmarks show them", arguments: Markup.allCases)
  func lists(markup: Markup) throws {
    let truth = site.truth()
    var shown: Set<String> = []
    for forum in truth.forums where !forum.isGroup {
      let found = try icons("forumdisplay.php", ["forumid": forum.id], markup)
      #expect(found == self.truth(forum.threadIDs))
      shown.formUnion(found.values)
    }
    #expect(shown.isSuperset(of: ["", "offered", "lent"]), "\(shown)")
    let bookmarks = try icons("bookmarkthreads.php", ["action": "view"], markup)
    #expect(bookmarks == self.truth(truth.bookmarkedThreadIDs))
    #expect(Set(bookmarks.values).count > 1)
  }

  @Test("a thread loses it in a forum without, and a new thread has the one that was chosen")
  func changes() throws {
    let truth = site.truth()
    let thread = try #require(truth.threads.first { !$0.secondTag.isEmpty })
    let withIcons = Set(truth.threads.filter { !$0.secondTag.isEmpty }.map(\.forumID))
    let plain = try #require(
      truth.forums.first { !$0.isGroup && !withIcons.contains($0.id) })
    site.moveThread(thread.id, toForum: plain.id)
    #expect(self.truth([thread.id]) == [thread.id: ""])

    let visitor = Visitor(site)
    let query = ["action": "newthread", "forumid": thread.forumID]
    let form = try visitor.form(.newThreadForm, "newthread.php", query)
    #expect(form.icons.secondary.map(\.imageName) == ["wanted", "offered", "lent", "gone"])
    let field = form.icons.secondaryName
    for (value, name) in [(nil, "wanted"), ("2", "lent")] {
      let entered = ["subject": "Second \(name)", "message": "text"]
        .merging(value.map { [field: $0] } ?? [:]) { $1 }
      _ = try visitor.send(form.form, entered).redirect
      let made = site.truth().threads.first { $0.title == "Second \(name)" }
      #expect(made?.secondTag == name)
    }
    let other = try visitor.form(
      .newThreadForm, "newthread.php", ["action": "newthread", "forumid": plain.id])
    #expect(other.icons.secondary.isEmpty)
    let refused = ["subject": "Third", "message": "text", field: "9"]
    #expect(throws: (any Error).self) { try visitor.send(form.form, refused).redirect }
    #expect(!site.truth().threads.contains { $0.title == "Third" })
  }
}
