import CoreData
import Foundation
import OpenPersistenceKit
import Synchronization
import Testing

/// A plain value that is not stored.
struct Note: Equatable {
  var id: Int
  var text: String
}

/// A repository for an application's tests: an array with only the requirements of the protocol.
final class NoteList: Repository {
  private var notes: [Note] = []
  /// The errors of the next saves, the first one first.
  var failures: [any Error] = []
  private(set) var saveCount = 0

  func fetch(_ text: String) async throws -> [Note] { notes.filter { $0.text.contains(text) } }

  func save(_ note: Note) async throws {
    saveCount += 1
    if !failures.isEmpty { throw failures.removeFirst() }
    notes.removeAll { $0.id == note.id }
    notes.append(note)
  }

  func delete(_ note: Note) async throws { notes.removeAll { $0.id == note.id } }
}

/// A repository that saves many with one call.
final class NoteTable: Repository {
  private(set) var saves: [[Int]] = []

  func fetch(_ query: Int) async throws -> [Note] { [] }
  func save(_ note: Note) async throws { try await batchSave([note]) }
  func delete(_ note: Note) async throws {}
  func batchSave(_ notes: [Note]) async throws { saves.append(notes.map(\.id)) }
}

/// An application's model, which its actor retains.
final class Draft {
  var text = ""
}

/// A repository of objects that are not `Sendable`.
final class DraftList: Repository {
  private var drafts: [Draft] = []

  func fetch(_ query: Void) async throws -> [Draft] { drafts }
  func save(_ draft: Draft) async throws { drafts.append(draft) }
  func update(_ draft: Draft) async throws {}
  func delete(_ draft: Draft) async throws { drafts.removeAll { $0 === draft } }
}

@Suite("Repositories of any entity")
struct ValueRepositoryTests {
  private static let notes = (1...5).map { Note(id: $0, text: "Note \($0)") }

  @Test("a list of plain values is a repository; an update saves, batches go one by one")
  func plainValues() async throws {
    let list = NoteList()
    let repository: any Repository<Note, String> = list
    try await repository.batchSave(Self.notes)
    try await repository.update(Note(id: 2, text: "Changed"))
    try await repository.batchDelete([Self.notes[0], Self.notes[4]])
    #expect(try await repository.fetch("Note") == [Self.notes[2], Self.notes[3]])
    #expect(try await repository.fetch("Changed").map(\.id) == [2])
    #expect(list.saveCount == 6)
  }

  @Test("a repository's own batch save is used, also through the protocol")
  func ownBatch() async throws {
    let table = NoteTable()
    let repository: any Repository<Note, Int> = table
    try await repository.batchSave(Self.notes)
    try await repository.update(Self.notes[0])
    #expect(table.saves == [[1, 2, 3, 4, 5], [1]])
  }

  @Test("an actor retains non-Sendable objects, and continues to use saved objects")
  @MainActor
  func confinedEntities() async throws {
    let repository: any Repository<Draft, Void> = DraftList()
    let draft = Draft()
    try await repository.save(draft)
    draft.text = "Changed"
    try await repository.update(draft)
    #expect(try await repository.fetch(()).map(\.text) == ["Changed"])
  }

  @Test("a cancelled batch reports the number of saved or deleted entities")
  func cancelledBatch() async throws {
    /// Cancels its task when the third note is saved, or the second deleted.
    final class CancellingList: Repository {
      var notes: [Int] = []
      func fetch(_ query: Int) async throws -> [Note] { [] }
      func save(_ note: Note) async throws {
        notes.append(note.id)
        if note.id == 3 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      func delete(_ note: Note) async throws {
        notes.removeAll { $0 == note.id }
        if note.id == 2 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    let saved = await Task { () -> (Int?, [Int]) in
      let list = CancellingList()
      do { try await list.batchSave(Self.notes) } catch {
        return ((error as? CancelledWork<Int>)?.completed, list.notes)
      }
      return (nil, list.notes)
    }.value
    #expect(saved.0 == 3)
    #expect(saved.1 == [1, 2, 3])
    let deleted = await Task { () -> (Int?, [Int]) in
      let list = CancellingList()
      list.notes = [1, 2, 3, 4, 5]
      do { try await list.batchDelete(Self.notes) } catch {
        return ((error as? CancelledWork<Int>)?.completed, list.notes)
      }
      return (nil, list.notes)
    }.value
    #expect(deleted.0 == 2)
    #expect(deleted.1 == [3, 4, 5])
  }

  // MARK: Errors and retries

  @Test("errors of a repository have their sentences, with the cause")
  func sentences() {
    let cause = NSError(
      domain: "Test", code: 1, userInfo: [NSLocalizedDescriptionKey: "The disk is full."])
    let sentences: [(PersistenceError, String)] = [
      (.saveFailed(cause), "Failed to save data: The disk is full."),
      (.fetchFailed(cause), "Failed to fetch data: The disk is full."),
      (.deleteFailed(cause), "Failed to delete data: The disk is full."),
      (.cacheFailed(cause), "Cache operation failed: The disk is full."),
      (.invalidData, "The data is invalid or corrupted"),
    ]
    for (error, sentence) in sentences {
      #expect(error.errorDescription == sentence)
      #expect((error as any Error).localizedDescription == sentence)
      #expect(ErrorReport(error).message == sentence)
    }
  }

  private static let locked = CocoaError(.persistentStoreTimeout)

  @Test("a save is tried three times, with pauses of one and two seconds")
  func retries() async throws {
    let clock = TestClock()
    let list = NoteList()
    list.failures = [Self.locked, Self.locked]
    try await list.saveWithRetry(Self.notes[0], clock: clock)
    #expect(list.saveCount == 3)
    #expect(clock.pauses == [.seconds(1), .seconds(2)])
    #expect(try await list.fetch("Note").count == 1)
  }

  @Test("the last failure is wrapped; a permanent failure is not retried")
  func lastFailure() async throws {
    let clock = TestClock()
    let list = NoteList()
    list.failures = [Self.locked, Self.locked, CocoaError(.managedObjectMerge), Self.locked]
    do {
      try await list.saveWithRetry(Self.notes[0], clock: clock)
      Issue.record("The save should fail.")
    } catch PersistenceError.saveFailed(let cause) {
      #expect((cause as? CocoaError)?.code == .managedObjectMerge)
    }
    #expect(clock.pauses.count == 2)
    list.failures = [CocoaError(.validationMissingMandatoryProperty)]
    await #expect(throws: PersistenceError.self) {
      try await list.saveWithRetry(Self.notes[0], clock: clock)
    }
    #expect(clock.pauses.count == 2)
    #expect(list.saveCount == 4)
    list.failures = [CocoaError(.fileNoSuchFile)]
    try await list.saveWithRetry(
      Self.notes[0], attempts: 2, clock: clock, isTransient: { _ in true })
    #expect(clock.pauses.last == .seconds(1))
  }

  @Test("a cancelled save is not retried, and its error is not wrapped")
  func cancelledRetry() async throws {
    let error = await Task { () -> (any Error)? in
      let list = NoteList()
      list.failures = [Self.locked, Self.locked]
      withUnsafeCurrentTask { $0?.cancel() }
      do { try await list.saveWithRetry(Self.notes[0], clock: TestClock()) } catch { return error }
      return nil
    }.value
    #expect(error is CancellationError)
  }
}
