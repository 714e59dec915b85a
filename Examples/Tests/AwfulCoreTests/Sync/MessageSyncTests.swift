import AwfulCore
import CoreData
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Testing

/// Private messages in a sync.
@Suite("Messages in a sync", .serialized)
struct MessageSyncTests {
  /// A message as the site and the store agree on it.
  private struct Fact {
    let text: String

    init(_ message: SiteTruth.Message, readerID: String?) {
      let isSent = message.senderID == readerID
      // A list has one image for all states.
      let isRepliedTo = message.isSeen && message.isRepliedTo
      let isForwarded = message.isSeen && message.isForwarded && !message.isRepliedTo
      text = [
        message.id, message.folderID, message.title, isSent ? message.recipient : message.sender,
        "\(message.date) \(message.isSeen) \(isRepliedTo) \(isForwarded)",
      ].joined(separator: "|")
    }

    init(_ row: MessageRow) {
      text = [
        row.messageID, row.folderID ?? "", row.subject, row.otherPartyName,
        "\(Int(row.date?.timeIntervalSince1970 ?? 0)) \(row.isSeen) \(row.isRepliedTo) \(row.isForwarded)",
      ].joined(separator: "|")
    }
  }

  private func expectAgreement(_ trial: SyncTrial) throws {
    let truth = trial.site.truth()
    let lists = ForumLists(trial.store)
    let folders = try lists.messageFolders()
    #expect(Set(folders.map(\.folderID)) == Set(truth.folders.map(\.id)))
    let rows = try folders.flatMap { try lists.messages(folderID: $0.folderID) }
    let listed = truth.messages.map { Fact($0, readerID: truth.reader?.id).text }
    #expect(!listed.isEmpty && rows.count == listed.count)
    #expect(Set(rows.map { Fact($0).text }).symmetricDifference(listed).sorted() == [])
  }

  @Test("folders and messages agree with the site, also after changes")
  func truth() async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync()
      try expectAgreement(trial)
      trial.site.sendMessage(title: "A new one", text: "hello")
      try await trial.sync()
      try expectAgreement(trial)
      #expect(try ForumLists(trial.store).messages(folderID: "0").first?.subject == "A new one")
    }
  }

  @Test("a guest's sync requests no messages, and does not change stored messages")
  func guest() async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync()
      #expect(trial.server.counters.requestsByPath["private.php"] != nil)
      trial.server.resetCounters()
      let guest = try await trial.guest()
      try await trial.sync(client: guest)
      #expect(trial.server.counters.requestsByPath["private.php"] == nil)
      try expectAgreement(trial)
    }
  }

  @Test("recently fetched lists of messages are not fetched again, but older lists are")
  func spacing() async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync(spacing: .standard)
      for (seconds, isAsked) in [(599.0, false), (601, true)] {
        trial.server.resetCounters()
        try await trial.sync(spacing: .standard, later: seconds)
        #expect((trial.server.counters.requestsByPath["private.php"] != nil) == isAsked)
      }
    }
  }

  @Test("messages that the site deletes go, and of a folder with many messages none is missed")
  func complete() async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      for number in 1...60 { trial.site.sendMessage(title: "Number \(number)", text: "x") }
      try await trial.sync()
      try expectAgreement(trial)
      #expect(try ForumLists(trial.store).messages(folderID: "0").count > 60)
      let desk = trial.connection(store: try ForumStore(.inMemory)).messages
      let message = try #require(trial.site.truth().messages.first { $0.title == "Number 7" })
      try await desk.delete(message.id)
      try await trial.sync()
      try expectAgreement(trial)
    }
  }

  @Test("a folder that cannot be read to its end removes no message")
  func incomplete() async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync()
      let before = try ForumLists(trial.store).messages(folderID: "0").map(\.messageID)
      let desk = trial.connection(store: try ForumStore(.inMemory)).messages
      try await desk.delete(try #require(before.first))
      trial.server.addFault(Fault(.status, path: "private.php", after: 1, times: 1, amount: 403))
      let report = try await trial.sync()
      #expect(report.failures.map(\.phase) == [.messages])
      #expect(try ForumLists(trial.store).messages(folderID: "0").map(\.messageID) == before)
      trial.server.clearFaults()
      try await trial.sync()
      try expectAgreement(trial)
    }
  }

  @Test("passing trouble with messages is waited out; lists that cannot be read are recorded")
  func trouble() async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      trial.server.addFault(Fault(.status, path: "private.php", times: 2, amount: 500))
      try await trial.sync()
      #expect(trial.pauses == [.seconds(1), .seconds(2)])
      try expectAgreement(trial)
      trial.server.addFault(Fault(.captivePortal, path: "private.php"))
      let report = try await trial.sync()
      #expect(report.failures.map(\.phase) == [.messages])
      try expectAgreement(trial)
    }
  }
}
