import AwfulCore
import CoreData
import ForumHTML
import ForumScraping
import Foundation
import OpenPersistenceKit
import Testing

/// How profiles change stored objects.
@Suite("Import of profiles")
struct ProfileImportTests {
  let store: ForumStore

  init() throws { store = try ForumStore(.inMemory) }

  func member() async throws -> MemberRow {
    try await store.performBackgroundTask { context in
      MemberRow(try #require(try context.fetch(User.request(id: "5")).first))
    }
  }

  @Test("each member has one profile, and values that a page omits stay")
  func absent() async throws {
    let homepage =
      "<dt class=\"homepage\">Home</dt><dd><a href=\"https://ada.test/?a=1\">x</a></dd>"
    try await store.importPage(
      MadePage.profile(
        facts: [("Location", "Oslo"), ("Post Count", "1,954"), ("Post Rate", "0.88 per day")],
        about: "Hello", contacts: homepage))
    let first = try #require(try await member().profile)
    #expect(first.homepage?.absoluteString == "https://ada.test/?a=1")
    #expect(first.facts.map(\.text) == ["1954", "0.88", "Oslo"])
    #expect(first.aboutHTML == "Hello")
    try await store.importPage(MadePage.profile())
    #expect(try await member().profile == first)
    let count = try await store.performBackgroundTask {
      try $0.count(for: Profile.fetchRequest() as NSFetchRequest<Profile>)
    }
    #expect(count == 1)
  }

  @Test("values that are empty on a page become empty")
  func empty() async throws {
    let homepage = "<dt class=\"homepage\">Home</dt><dd><a href=\"https://ada.test/\">x</a></dd>"
    let unset = "<dt class=\"homepage\">Home</dt><dd><span class=\"unset\">not set</span></dd>"
    try await store.importPage(
      MadePage.profile(facts: [("Location", "Oslo")], about: "Hello", contacts: homepage))
    try await store.importPage(
      MadePage.profile(facts: [("Location", "")], about: "", contacts: unset))
    let profile = try #require(try await member().profile)
    #expect(profile.facts.map(\.label) == ["Posts"])
    #expect(profile.aboutHTML.isEmpty && profile.homepage == nil)
  }

  @Test(
    "an address that a browser must not follow is ignored",
    arguments: [
      "javascript:alert(1)", "data:text/html,x", " java\nscript:x", "//evil.test/",
      "file:///etc/passwd",
    ])
  func address(text: String) async throws {
    try await store.importPage(
      MadePage.profile(
        contacts: "<dt class=\"homepage\">Home</dt><dd><a href=\"\(text)\">x</a></dd>"))
    #expect(try await member().profile?.homepage == nil)
  }

  @Test("a guest's page does not contain which members accept messages")
  func guest() async throws {
    let messages =
      "<dt class=\"pm\">Message</dt><dd><a href=\"private.php?action=newmessage\">x</a></dd>"
    try await store.importPage(MadePage.profile(contacts: messages))
    #expect(try await member().takesMessages)
    try await store.importPage(MadePage.profile(isForMember: false))
    #expect(try await member().takesMessages)
    try await store.importPage(MadePage.profile())
    #expect(try await !member().takesMessages)
  }

  @Test("a profile of an unknown member is an error, and stores nothing")
  func unknown() async throws {
    let page = try MadePage.read(
      "<html><body class=\"getinfo\"><table><tr><td class=\"info\"><p>x</p></td></tr></table></body></html>"
    )
    await #expect(throws: PageError.self) { try await store.importPage(page) }
    #expect(try store.objectCounts().isEmpty)
  }
}
