import AwfulCore
import CoreData
import ForumScraping
import ForumSimulator
import Foundation
import OpenPersistenceKit
import OpenTestSupport
import Testing

/// How lists of private messages, and messages, change stored objects.
@Suite("Import of private messages")
struct MessageImportTests {
  let store: ForumStore

  init() throws { store = try ForumStore(.inMemory) }

  func messages(
    inFolder id: String = PrivateMessageFolder.inboxID
  ) throws -> [MessageRow] {
    try ForumLists(store).messages(folderID: id).sorted { $0.messageID < $1.messageID }
  }

  @Test("a list creates its folders and messages, with states and names")
  func list() async throws {
    try await store.importPage(
      MadePage.folder([("1", "newpm", "Ada"), ("2", "pmreplied", "Bo"), ("3", "pmforwarded", "Cy")])
    )
    let folders = try ForumLists(store).messageFolders()
    #expect(folders.map(\.folderID) == ["0", "-1"])
    #expect(folders.map(\.name) == ["Inbox", "Sent Items"])
    #expect(folders.map(\.messageCount) == [3, 0] && folders.map(\.unreadCount) == [1, 0])
    let rows = try messages()
    #expect(rows.map(\.otherPartyName) == ["Ada", "Bo", "Cy"])
    #expect(rows.map(\.isUnread) == [true, false, false])
    #expect(rows.map(\.isRepliedTo) == [false, true, false])
    #expect(rows.map(\.isForwarded) == [false, false, true])
    #expect(rows.map(\.bodyHTML) == [nil, nil, nil])
    #expect(rows[0].printedDate == "Nov  8, 2012 at 21:30" && rows[0].date != nil)
  }

  @Test("the name in a list of sent messages is the recipient's")
  func sentItems() async throws {
    try await store.importPage(MadePage.folder(id: "-1", [("7", "pm", "Ada")]))
    let row = try #require(try messages(inFolder: "-1").first)
    #expect(row.isSent && row.otherPartyName == "Ada" && !row.isUnread)
    // Its author is the reader; the other party stays the recipient.
    try await store.importPage(MadePage.profile("9", name: "Ada"))
    try await store.importPage(MadePage.message("7", userID: "1", author: "The Reader"))
    let opened = try #require(try messages(inFolder: "-1").first)
    #expect(opened.otherPartyName == "Ada" && opened.otherPartyID == "9")
  }

  @Test("a message brings its text and its author, and counts as read")
  func open() async throws {
    try await store.importPage(MadePage.folder([("1", "newpm", "Ada")]))
    try await store.importPage(MadePage.message("1", body: "<b>hello</b>"))
    let row = try #require(try messages().first)
    #expect(row.bodyHTML == "<b>hello</b>" && row.isSeen)
    #expect(row.otherPartyID == "5" && row.otherPartyName == "Ada")
    let isModerator = try await store.performBackgroundTask {
      try $0.fetch(User.request(id: "5")).first?.moderator
    }
    #expect(isModerator == true)
    // The next list has no text, and takes none away.
    try await store.importPage(MadePage.folder([("1", "pm", "Ada")]))
    #expect(try messages() == [row])
  }

  @Test("an image for one state of a message does not change the other states")
  func states() async throws {
    func marks(_ status: String) async throws -> [Bool] {
      try await store.importPage(MadePage.folder([("1", status, "Ada")]))
      let row = try #require(try messages().first)
      return [row.isSeen, row.isRepliedTo, row.isForwarded]
    }
    #expect(try await marks("newpm") == [false, false, false])
    #expect(try await marks("pmforwarded") == [true, false, true])
    #expect(try await marks("pmreplied") == [true, true, true])
    #expect(try await marks("newpm") == [false, true, true])
    #expect(try await marks("pm") == [true, false, false])
  }

  @Test("a row without a known status image leaves the status of the message unchanged")
  func missingStatus() async throws {
    try await store.importPage(
      MadePage.folder([("1", "newpm", "Ada"), ("2", "pmreplied", "Bo")]))
    try await store.importPage(
      MadePage.folder([("1", "spacer", "Ada"), ("2", "spacer", "Bo"), ("3", "spacer", "Cy")]))
    let rows = try messages()
    #expect(rows.map(\.isUnread) == [true, false, true])
    #expect(rows.map(\.isRepliedTo) == [false, true, false])
  }

  @Test("one page removes no message, a message on another folder's list moves with its text")
  func removal() async throws {
    try await store.importPage(MadePage.folder([("1", "pm", "Ada"), ("2", "pm", "Bo")]))
    try await store.importPage(MadePage.message("1"))
    try await store.importPage(MadePage.folder([("2", "pm", "Bo")]))
    #expect(try messages().map(\.messageID) == ["1", "2"])
    let folders = [("0", "Inbox"), ("-1", "Sent Items"), ("4", "Kept")]
    try await store.importPage(MadePage.folder(id: "4", of: folders, [("1", "pm", "Ada")]))
    #expect(try messages().map(\.messageID) == ["2"])
    #expect(try messages(inFolder: "4").map(\.bodyHTML) == ["text"])
    // A folder that the site has no more leaves its messages in the inbox.
    try await store.importPage(MadePage.folder([("2", "pm", "Bo")]))
    #expect(try messages().map(\.messageID) == ["1", "2"])
    #expect(throws: ForumStoreError.self) { try messages(inFolder: "4") }
  }

  @Test("a second import of the same pages changes nothing")
  func repeated() async throws {
    for page in [
      try MadePage.folder([("1", "newpm", "Ada"), ("1", "newpm", "Ada")]),
      try MadePage.message("1"), try MadePage.profile(facts: [("Location", "Oslo")], about: "x"),
    ] {
      #expect(try await !store.importPage(page).isEmpty)
      #expect(try await store.importPage(page).isEmpty)
    }
    #expect(try messages().count == 1)
  }

  @Test(
    "importing a list costs one fetch for each entity and one transaction; a known list writes nothing"
  )
  func statements() async throws {
    let recorder = StatementRecorder()
    let temporary = try TemporaryStore(recording: recorder)
    let store = temporary.store
    let page = try MadePage.folder((1...40).map { ("\($0)", "pm", "Ada") })
    try await store.importPage(page)
    let start = recorder.all.count
    try await store.importPage(page)
    let later = recorder.all.dropFirst(start)
    let fetches = later.filter { $0.hasPrefix("SELECT") && $0.contains(" FROM Z") }
    #expect(fetches.count <= 2, "\(fetches)")
    #expect(!later.contains { $0.contains("INSERT") || $0.contains("UPDATE") })
  }

  @Test("an author known only by name becomes the member whose id a later page contains")
  func nameOnly() async throws {
    try await store.importPage(MadePage.message("1", userID: nil))
    #expect(try await userIDs() == ["unknown-Ada"])
    try await store.importPage(MadePage.message("2", userID: "5"))
    #expect(try await userIDs() == ["5"])
    let owners = try await store.performBackgroundTask { context in
      try ["1", "2"].map { try context.fetch(PrivateMessage.request(id: $0)).first?.from?.userID }
    }
    #expect(owners == ["5", "5"])
  }

  private func userIDs() async throws -> [String] {
    try await store.performBackgroundTask { context in
      try context.fetch(User.fetchRequest() as NSFetchRequest<User>).map(\.userID).sorted()
    }
  }

  @Test("one member of two rows has the posts, threads and messages of both")
  func mergedMembers() async throws {
    try await SyncTrial.run(store: store) { trial in
      try await trial.sync()
      let author = try #require(trial.site.truth(for: nil).threads.first?.posts.first?.authorID)
      let before = try await belongings(of: author)
      try await store.performBackgroundTask { context in
        let user = try #require(try context.fetch(User.request(id: author)).first)
        let other = User(context: context)
        (other.userID, other.username) = ("unknown-x", user.username)
        if let post = user.posts.first { post.author = other }
        if let thread = user.threads.first { thread.author = other }
        let message = PrivateMessage(context: context)
        (message.messageID, message.from) = ("m", other)
        let profile = Profile(context: context)
        (profile.location, profile.user) = ("Oslo", other)
      }
      #expect(try await belongings(of: author) != before)
      try await trial.sync()
      let after = try await belongings(of: author)
      #expect(after.dropLast(2) == before.dropLast(2))
      #expect(after.suffix(2) == ["m", "Oslo"])
      #expect(try await userIDs().allSatisfy { !$0.hasPrefix("unknown") })
    }
  }

  private func belongings(of userID: String) async throws -> [String] {
    try await store.performBackgroundTask { context in
      let user = try #require(try context.fetch(User.request(id: userID)).first)
      return [
        user.posts.map(\.postID).sorted().joined(separator: " "),
        user.threads.map(\.threadID).sorted().joined(separator: " "),
        user.sentMessages.map(\.messageID).joined(), user.profile?.location ?? "",
      ]
    }
  }
}
