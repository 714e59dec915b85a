import AwfulCore
import CoreData
import ForumClient
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Testing
import StoreSharing

/// What the reader does with messages, on the site and in the store.
@Suite("Doing things with messages", .serialized)
struct MessageDeskTests {
  private func run(_ body: (SyncTrial, MessageDesk) async throws -> Void) async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync()
      try await body(trial, trial.connection().messages)
    }
  }

  private func unread(_ trial: SyncTrial) throws -> MessageRow {
    try #require(try ForumLists(trial.store).messages(folderID: "0").first { $0.isUnread })
  }

  private func stored(_ id: String, _ trial: SyncTrial) async throws -> MessageRow? {
    try await ForumFeed(StoreFeed(trial.store)).message(id).load().first
  }

  /// Returns the name of a member who accepts messages.
  private func recipient(_ trial: SyncTrial) throws -> String {
    try #require(trial.site.truth().users.last { $0.acceptsMessages }).name
  }

  /// Returns the code of the error that some work throws; nil if the work throws no such error.
  private func code(_ work: () async throws -> Void) async -> SiteRequestError.Code? {
    do { try await work() } catch { return (error as? SiteRequestError)?.code }
    return nil
  }

  /// Stores a new message as a draft.
  private func stored(
    _ body: String, to recipient: String, in drafts: MessageDrafts, basedOn revision: Int = 0
  ) async throws -> MessageDrafts.Row {
    let text = MessageDesk.Text(recipient: recipient, subject: "Once", body: body, keepsCopy: false)
    let outcome = try await drafts.write(text, for: .new, basedOn: revision)
    guard case .saved(let row) = outcome else { throw CocoaError(.coderInvalidValue) }
    return row
  }

  @Test(
    "a message that is opened twice at once is fetched once, and is then read without the site"
  )
  func open() async throws {
    try await run { trial, desk in
      let message = try unread(trial)
      trial.server.resetCounters()
      async let one: Void = desk.fetch(message.messageID)
      async let two: Void = desk.fetch(message.messageID)
      _ = try await (one, two)
      #expect(trial.server.counters.requestsByPath["private.php"] == 1)
      await trial.server.stop()
      let row = try #require(try await stored(message.messageID, trial))
      #expect(row.isSeen && row.bodyHTML?.isEmpty == false && row.otherPartyID != nil)
      let truth = trial.site.truth().messages.first { $0.id == message.messageID }
      #expect(truth?.isSeen == true && truth?.senderID == row.otherPartyID)
    }
  }

  @Test("a reply has the site's quotation, arrives once, and marks the message as answered")
  func reply() async throws {
    try await run { trial, desk in
      let message = try #require(
        try ForumLists(trial.store).messages(folderID: "0").first { !$0.isRepliedTo })
      var text = try await desk.beginning(of: .reply(to: message.messageID))
      #expect(text.recipient == message.otherPartyName && text.subject.hasPrefix("Re: "))
      #expect(text.body.contains("[quote="))
      text.body += "Yes \u{2603} & \u{E9}."
      try await desk.send(text, .reply(to: message.messageID))
      let truth = trial.site.truth()
      let copies = truth.messages.filter { $0.folderID == "-1" && $0.title == text.subject }
      #expect(copies.first?.text.hasSuffix("& \u{E9}.") == true)
      #expect(copies.first?.recipient == message.otherPartyName)
      #expect(truth.messages.first { $0.id == message.messageID }?.isRepliedTo == true)
      #expect(try await stored(message.messageID, trial)?.isRepliedTo == true)
      // The copy is stored without another sync.
      let sent = try ForumLists(trial.store).messages(folderID: "-1")
      #expect(sent.contains { $0.messageID == copies.first?.id && $0.isSent })
    }
  }

  @Test("a message is forwarded to another member, without a copy if none is requested")
  func forward() async throws {
    try await run { trial, desk in
      let message = try #require(try ForumLists(trial.store).messages(folderID: "0").last)
      let recipient = try recipient(trial)
      var text = try await desk.beginning(of: .forward(message.messageID))
      #expect(text.recipient.isEmpty)
      let count = trial.site.truth().messages.count
      (text.recipient, text.keepsCopy) = (recipient, false)
      try await desk.send(text, .forward(message.messageID))
      #expect(try await stored(message.messageID, trial)?.isForwarded == true)
      #expect(trial.site.truth().messages.count == count)
      let arrived = trial.site.truth(for: recipient).messages.first
      #expect(arrived?.title == text.subject)
    }
  }

  @Test("messages are moved and deleted on the site and in the store, as are folders")
  func order() async throws {
    try await run { trial, desk in
      let id = try unread(trial).messageID
      let boxes = try await desk.folderBoxes()
      let box = try #require(boxes.first { $0.folder.isEmpty })
      try await desk.setFolders([box.name: "Later & \u{E9}"])
      let folder = try #require(
        try ForumLists(trial.store).messageFolders().first { $0.name == "Later & \u{E9}" })
      try await desk.move(id, toFolder: folder.folderID)
      #expect(try await stored(id, trial)?.folderID == folder.folderID)
      #expect(trial.site.truth().messages.first { $0.id == id }?.folderID == folder.folderID)
      try await desk.setFolders([box.name: ""])
      #expect(try await stored(id, trial)?.folderID == "0")
      #expect(trial.site.truth().messages.first { $0.id == id }?.folderID == "0")
      try await desk.delete(id)
      #expect(try await stored(id, trial) == nil)
      #expect(!trial.site.truth().messages.contains { $0.id == id })
    }
  }

  @Test("a request that the site rejects causes an error that states it, and changes nothing")
  func refusals() async throws {
    try await run { trial, desk in
      let message = try unread(trial)
      let before = trial.site.truth().messages
      typealias Text = MessageDesk.Text
      #expect(
        await code { try await desk.send(Text(recipient: "No One", subject: "a", body: "b"), .new) }
          == .refused)
      for text in [
        Text(recipient: " ", subject: "a", body: "b"), Text(recipient: "x", subject: "", body: "b"),
        Text(recipient: "x", subject: "a", body: "\n"),
      ] {
        #expect(await code { try await desk.send(text, .new) } == .incomplete)
      }
      #expect(await code { try await desk.fetch("99999999") } == .refused)
      #expect(await code { try await desk.move(message.messageID, toFolder: "77") } == .missing)
      #expect(await code { try await desk.delete("99999999") } == .refused)
      #expect(trial.site.truth().messages == before)
      trial.server.addFault(Fault(.captivePortal, path: "private.php"))
      #expect(await code { try await desk.fetch(message.messageID) } == .page)
      trial.server.clearFaults()
      await trial.server.stop()
      #expect(await code { try await desk.fetch(message.messageID) } == .network)
      #expect(try await stored(message.messageID, trial) == message)
    }
  }

  @Test(
    "a form whose answer is lost is not resent, and the error states that it may have arrived")
  func lostAnswer() async throws {
    try await run { trial, desk in
      let recipient = try recipient(trial)
      // The form is fetched completely; the answer to sending it is truncated.
      trial.server.addFault(Fault(.cutBody, path: "private.php", after: 1))
      let error = await #expect(throws: SiteRequestError.self) {
        try await desk.send(.init(recipient: recipient, subject: "Once", body: "b"), .new)
      }
      #expect(error?.code == .unclear)
      trial.server.clearFaults()
      let arrived = trial.site.truth(for: recipient).messages.filter { $0.title == "Once" }
      #expect(arrived.count <= 1)
    }
  }

  @Test("a draft that is sent twice at the same time, or again later, is sent once")
  func draftOnce() async throws {
    try await run { trial, desk in
      let recipient = try recipient(trial)
      let drafts = MessageDrafts(trial.personal)
      let draft = try await stored("b", to: recipient, in: drafts)
      async let one = code { try await desk.send(draft, from: drafts) }
      async let two = code { try await desk.send(draft, from: drafts) }
      let codes = await [one, two]
      // The second call may also start after the first one has ended.
      #expect(codes.contains(nil) && codes.allSatisfy { $0 == nil || $0 == .gone })
      #expect(await code { try await desk.send(draft, from: drafts) } == .gone)
      #expect(trial.site.truth(for: recipient).messages.count { $0.title == "Once" } == 1)
      #expect(try await drafts.drafts().isEmpty)
    }
  }

  @Test("a draft that another window changes while its message is being sent is kept")
  func changedDraft() async throws {
    try await run { trial, desk in
      let recipient = try recipient(trial)
      let drafts = MessageDrafts(trial.personal)
      let draft = try await stored("b", to: recipient, in: drafts)
      let changed = try await stored("typed later", to: recipient, in: drafts, basedOn: 1)
      try await desk.send(draft, from: drafts)
      let sent = trial.site.truth(for: recipient).messages.filter { $0.title == "Once" }
      #expect(sent.map(\.text) == ["b"])
      #expect(try await drafts.drafts() == [changed])
    }
  }

  @Test("without a login, or with another reader's login, nothing is fetched or stored")
  func identity() async throws {
    try await run { trial, _ in
      let message = try unread(trial)
      let guest = trial.connection(client: try await trial.guest()).messages
      var error = await #expect(throws: SiteRequestError.self) {
        try await guest.fetch(message.messageID)
      }
      #expect(error?.code == .notLoggedIn)
      let other = try await trial.guest()
      let name = try #require(
        trial.site.truth().users.first {
          $0.name != ForumSite.defaultUserName && $0.standing == "good"
        }?
        .name)
      try await ForumLogIn.logIn(name, password: ForumSite.password, other)
      trial.server.resetCounters()
      error = await #expect(throws: SiteRequestError.self) {
        try await trial.connection(client: other).messages.fetchFolder("0")
      }
      #expect(error?.code == .otherReader)
      #expect(trial.server.counters.requestsByPath["private.php"] == nil)
      trial.site.endSession()
      error = await #expect(throws: SiteRequestError.self) {
        try await trial.connection().messages.fetch(message.messageID)
      }
      #expect(error?.code == .loggedOut)
      #expect(try await stored(message.messageID, trial) == message)
    }
  }
}
