import AwfulCore
import CoreData
import Foundation
import OpenPersistenceKit
import Testing

/// Private messages that are being written are kept, one for each purpose.
@Suite("Drafts of private messages")
struct MessageDraftsTests {
  private let store: PersonalStore
  private let drafts: MessageDrafts

  init() throws {
    store = try PersonalStore(.inMemory)
    drafts = MessageDrafts(store) { Date(timeIntervalSince1970: 1_700_000_000) }
  }

  private func text(_ body: String) -> MessageDesk.Text {
    MessageDesk.Text(recipient: "a", subject: "s", body: body, keepsCopy: false)
  }

  private func row(_ outcome: MessageDrafts.Outcome) throws -> MessageDrafts.Row {
    guard case .saved(let row) = outcome else { throw CocoaError(.coderInvalidValue) }
    return row
  }

  @Test("each purpose has one draft; nothing is kept of an empty one")
  func purposes() async throws {
    let empty = MessageDesk.Text(recipient: "a", subject: "", body: "")
    #expect(try await drafts.write(empty, for: .new, basedOn: 0) == .empty)
    let purposes: [MessageDesk.Purpose] = [.new, .reply(to: "7"), .forward("7"), .reply(to: "8 9")]
    for purpose in purposes {
      let saved = try row(try await drafts.write(text("\(purpose)"), for: purpose, basedOn: 0))
      #expect(saved.revision == 1 && saved.purpose == purpose)
    }
    #expect(try await drafts.drafts().count == purposes.count)
    for purpose in purposes {
      #expect(try await drafts.draft(for: purpose)?.text == text("\(purpose)"))
      try await drafts.discard(purpose)
      try await drafts.discard(purpose)
      #expect(try await drafts.draft(for: purpose) == nil)
    }
  }

  @Test("a text based on another revision is not written")
  func revisions() async throws {
    let first = try row(try await drafts.write(text("one"), for: .new, basedOn: 0))
    #expect(try await drafts.write(text("one"), for: .new, basedOn: 0) == .saved(first))
    let second = try row(try await drafts.write(text("two"), for: .new, basedOn: 1))
    #expect(second.revision == 2)
    #expect(
      try await drafts.write(text("other"), for: .new, basedOn: 1) == .changedElsewhere(second))
    #expect(try await drafts.draft(for: .new) == second)
    let emptied = MessageDesk.Text(recipient: "", subject: "", body: "")
    #expect(try row(try await drafts.write(emptied, for: .new, basedOn: 2)).text == emptied)
  }

  @Test("of windows that write at the same time one wins")
  func races() async throws {
    let outcomes = try await withThrowingTaskGroup(of: MessageDrafts.Outcome.self) {
      group -> [MessageDrafts.Outcome] in
      for number in 0..<8 {
        group.addTask { [drafts] in
          try await drafts.write(
            MessageDesk.Text(recipient: "", subject: "", body: "\(number)"), for: .new, basedOn: 0)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let saved = outcomes.compactMap { try? row($0) }
    #expect(saved.count == 1)
    #expect(try await drafts.drafts() == saved)
  }

  @Test(
    "a store of an older version of the model keeps its drafts, and takes messages",
    arguments: 1..<PersonalStore.newestVersion)
  func migration(version: Int) async throws {
    let temporary = try TemporaryStore()
    let file = temporary.folder.appendingPathComponent("forums-personal.sqlite")
    try make(file, version: version)
    let personal = try PersonalStore.openOrMake(beside: temporary.file)
    let kept = try await DraftDesk(personal).drafts()
    #expect(kept.map(\.text.body) == ["kept"] && kept.map(\.target) == [.reply(toThread: "7")])
    let drafts = MessageDrafts(personal)
    #expect(try row(try await drafts.write(text("new"), for: .new, basedOn: 0)).revision == 1)
  }

  private func make(_ file: URL, version: Int) throws {
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try PersonalStore.model(version: version))
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: file,
      options: [NSPersistentHistoryTrackingKey: true])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let draft = NSEntityDescription.insertNewObject(forEntityName: "Draft", into: context)
      let values: [String: Any] = [
        "draftID": "1", "kind": "reply", "targetID": "7", "threadID": "7", "body": "kept",
        "revision": 1, "changedAt": Date(timeIntervalSince1970: 1_700_000_000),
      ]
      draft.setValuesForKeys(values)
      try context.save()
    }
    try coordinator.remove(store)
  }
}
