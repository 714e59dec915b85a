import AwfulCore
import CoreData
import Foundation
import OpenPersistenceKit
import Synchronization
import Testing

/// Drafts are saved at every pause, undone step by step, and never overwritten by another window.
@Suite("Drafts")
struct DraftDeskTests {
  private let store: PersonalStore
  private let desk: DraftDesk
  private let instant: Instant

  /// A clock that advances by a second with each read.
  private final class Instant: Sendable {
    private let seconds = Mutex(1_700_000_000.0)

    func next() -> Date {
      seconds.withLock { seconds in
        seconds += 1
        return Date(timeIntervalSince1970: seconds)
      }
    }
  }

  init() throws {
    let instant = Instant()
    self.instant = instant
    store = try PersonalStore(.inMemory)
    desk = DraftDesk(store) { instant.next() }
  }

  private func begin(_ body: String, toThread id: String = "7") async throws -> DraftRow {
    try #require(try await desk.begin(.reply(toThread: id), DraftText(body: body)))
  }

  @Test("a draft is found by its target; nothing is kept of an empty one")
  func beginning() async throws {
    #expect(try await desk.begin(.reply(toThread: "7"), DraftText(body: "")) == nil)
    #expect(try await desk.drafts().isEmpty)
    let draft = try await begin("one")
    #expect(draft.revision == 1 && draft.state == .writing)
    #expect(try await desk.draft(for: .reply(toThread: "7")) == draft)
    #expect(try await desk.draft(for: .reply(toThread: "8")) == nil)
    #expect(try await desk.draft(for: .thread(inForum: "7")) == nil)
    #expect(try await DraftDesk(store).drafts() == [draft])
  }

  @Test(
    "each pause is a step that can be undone and redone; each step has a later revision and date")
  func undoing() async throws {
    var draft = try await begin("one")
    draft = try await desk.write(draft.id, DraftText(body: "one two"), basedOn: 1)
    draft = try await desk.write(draft.id, DraftText(subject: "t", body: "three"), basedOn: 2)
    let same = try await desk.write(draft.id, draft.text, basedOn: 1)
    #expect(same == draft && same.revision == 3)
    draft = try await desk.undo(draft.id)
    #expect(draft.text == DraftText(body: "one two") && draft.revision == 4)
    draft = try await desk.undo(draft.id)
    #expect(draft.text == DraftText(body: "one") && draft.revision == 5)
    let error = await #expect(throws: WritingError.self) { try await desk.undo(draft.id) }
    #expect(error?.code == .nothingToUndo)
    draft = try await desk.redo(draft.id)
    draft = try await desk.redo(draft.id)
    #expect(draft.text == DraftText(subject: "t", body: "three"))
    await #expect(throws: WritingError.self) { try await desk.redo(draft.id) }
    #expect(try await desk.draft(draft.id) == draft)
    #expect(draft.changedAt > same.changedAt)
  }

  @Test("a text based on an older revision is rejected, and the error contains the stored text")
  func twoWindows() async throws {
    let draft = try await begin("one")
    let other = DraftDesk(store)
    _ = try await other.write(draft.id, DraftText(body: "other"), basedOn: 1)
    let error = await #expect(throws: WritingError.self) {
      try await desk.write(draft.id, DraftText(body: "mine"), basedOn: 1)
    }
    #expect(error?.code == .changedElsewhere)
    #expect(error?.stored?.text.body == "other" && error?.stored?.revision == 2)
    let mine = try await desk.write(draft.id, DraftText(body: "mine"), basedOn: 2)
    #expect(mine.text.body == "mine" && mine.revision == 3)
    // The first window's steps went back to a text that is not there any more.
    await #expect(throws: WritingError.self) { try await other.undo(draft.id) }
  }

  @Test("of several simultaneous writes to a draft, one succeeds and the others throw")
  func racing() async throws {
    let draft = try await begin("start")
    let desks = (0..<8).map { _ in DraftDesk(store) }
    let results = await withTaskGroup(of: String?.self) { group in
      for (number, desk) in desks.enumerated() {
        group.addTask {
          do {
            return try await desk.write(
              draft.id, DraftText(body: "window \(number)"), basedOn: draft.revision
            ).text.body
          } catch let error as WritingError where error.code == .changedElsewhere {
            return nil
          } catch {
            Issue.record("\(error)")
            return nil
          }
        }
      }
      return await group.reduce(into: [String?]()) { $0.append($1) }
    }
    let winners = results.compactMap(\.self)
    #expect(winners.count == 1)
    let stored = try await desk.draft(draft.id)
    #expect(stored.text.body == winners.first && stored.revision == 2)
  }

  @Test("forms that are submitted at the same time with the same text create one draft")
  func simultaneousForms() async throws {
    let desk = desk
    let ids = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let text = DraftText(body: "one")
          return try await desk.write(text, to: .reply(toThread: "7"), basedOn: 0)?.id
        }
      }
      return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
    #expect(try await desk.drafts().count == 1)
    #expect(try await desk.write(DraftText(body: ""), to: .reply(toThread: "8"), basedOn: 0) == nil)
  }

  @Test("a discarded draft is deleted, and later calls report it as missing")
  func discarding() async throws {
    let draft = try await begin("one")
    try await desk.discard(draft.id)
    #expect(try await desk.drafts().isEmpty)
    for work in [
      { _ = try await self.desk.draft(draft.id) },
      { _ = try await self.desk.write(draft.id, DraftText(body: "two"), basedOn: 1) },
      { _ = try await self.desk.undo(draft.id) },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: WritingError.self) { try await work() }
      #expect(error?.code == .missing)
    }
    try await desk.discard(draft.id)
  }

  @Test("a draft that is being sent can neither be changed nor withdrawn; a waiting one can")
  func onItsWay() async throws {
    let draft = try await begin("one")
    func set(_ state: DraftState) async throws {
      try await store.performBackgroundTask { context in
        for draft in try context.fetch(NSFetchRequest<Draft>(entityName: "Draft")) {
          draft.state = state.rawValue
        }
      }
    }
    for state in [DraftState.sending, .unconfirmed] {
      try await set(state)
      let error = await #expect(throws: WritingError.self) {
        try await desk.write(draft.id, DraftText(body: "two"), basedOn: 1)
      }
      #expect(error?.code == .onItsWay)
      await #expect(throws: WritingError.self) { try await desk.takeBack(draft.id) }
      #expect(try await desk.draft(for: draft.target) == nil)
    }
    try await set(.sending)
    await #expect(throws: WritingError.self) { try await desk.discard(draft.id) }
    try await set(.waiting)
    try await desk.takeBack(draft.id)
    #expect(try await desk.draft(draft.id).state == .writing)
  }

  @Test("a draft of a newer version is an error that names it, not a draft of another kind")
  func newerVersion() async throws {
    let draft = try await begin("one")
    try await store.performBackgroundTask { context in
      for draft in try context.fetch(NSFetchRequest<Draft>(entityName: "Draft")) {
        draft.kind = "poll"
      }
    }
    let error = await #expect(throws: WritingError.self) { try await desk.draft(draft.id) }
    #expect(error?.code == .unreadable && error?.message.contains(draft.id) == true)
  }

  @Test("any text is read back unchanged")
  func texts() async throws {
    var draft = try await begin("x")
    for text in [
      "\n\nfirst lines", "\u{0}\u{1B}[2J", "é\u{301}👨‍👩‍👧", String(repeating: "y", count: 200_000), "",
    ] {
      draft = try await desk.write(draft.id, DraftText(body: text), basedOn: draft.revision)
      #expect(
        try await desk.draft(draft.id).text.body.unicodeScalars.elementsEqual(text.unicodeScalars))
    }
  }
}
