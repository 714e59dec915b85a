import ForumHTML
import ForumScraping
import Testing

@Suite("Forum index")
struct ForumIndexTests {
  private func index(_ text: String) throws -> ForumIndex {
    try PageScraper.scrape(Array(text.utf8)).expectIndex()
  }

  @Test("Mixed numbers and texts, entities and empty lists are understood")
  func mixed() throws {
    let index = try index(
      """
      {"stats": {"usercount": "12"}, "user": {"userid": "4", "username": "ada", "biography": 2, "receivepm": 1},
       "forums": [{"id": "5", "title": "Group", "has_threads": false, "sub_forums": [
         {"id": 6, "title": "Birds &amp; Bees", "has_threads": true, "moderators": [{"userid": 1, "username": "bo"}],
          "sub_forums": [{"id": 7, "title": 8, "has_threads": 1, "sub_forums": "", "moderators": ""}]}]}]}
      """)
    #expect(index.groups.map(\.id) == ["5"])
    #expect(index.forums.map(\.id) == ["6", "7"])
    #expect(index.forums.map(\.name) == ["Birds & Bees", "8"])
    #expect(index.forums.map(\.parentID) == [nil, "6"])
    #expect(index.forums.map(\.depth) == [1, 2])
    #expect(index.forums.first?.moderators.first?.userID == "1")
    #expect(index.user?.about == "2")
    #expect(index.user?.canReceivePrivateMessages == true)
    #expect(index.statistics == ["usercount": 12])
  }

  @Test("A logged out answer has no user")
  func loggedOut() throws {
    #expect(
      try index("{\"forums\": [{\"id\": 5, \"has_threads\": true}], \"user\": \"\"}").user == nil)
  }

  @Test(
    "Truncated, deep and foreign JSON is rejected with a position or marker",
    arguments: [
      "{\"forums\": [{\"id\": 5", String(repeating: "[", count: 100_000), "{\"a\": 1}", "[1, 2]",
    ])
  func malformed(text: String) {
    let error = #expect(throws: PageError.self) { try index(text) }
    #expect(error?.code == .malformedJSON || error?.code == .missingMarker)
    #expect(error?.marker != nil)
  }
}
