import CoreData
public import Foundation
import OpenPersistenceKit

/// What the reader writes: each draft with its editor, saved at every pause of typing.
///
/// A draft can be open in several windows. Each tells which revision its text goes back to, so that none writes over what another
/// has written.
public actor DraftDesk {
  private let store: PersonalStore
  private let now: @Sendable () -> Date
  private var editors: [String: DraftEditor] = [:]
  /// How many drafts stay open, with the steps that can be taken back.
  private static let editorLimit = 100

  /// Makes the desk of a store.
  ///
  /// - Parameters:
  ///   - store: Where drafts are kept.
  ///   - now: The clock.
  public init(_ store: PersonalStore, now: @escaping @Sendable () -> Date = { Date() }) {
    self.store = store
    self.now = now
  }

  // MARK: Reading

  /// The draft of an id.
  ///
  /// - Throws: `WritingError` with code `.missing` if there is none.
  public func draft(_ id: String) async throws -> DraftRow {
    guard let row = try await store.draft(id) else {
      throw WritingError(.missing, "The draft was sent or discarded meanwhile.")
    }
    return row
  }

  /// The draft that the reader writes for a target; nil if there is none but those on their way to the site.
  public func draft(for target: DraftTarget) async throws -> DraftRow? {
    let states = [DraftState.writing, .conflict, .refused].map(\.rawValue)
    return try await store.performBackgroundTask { context in
      let request = NSFetchRequest<Draft>(entityName: "Draft")
      request.predicate = NSPredicate(
        format: "kind == %@ AND targetID == %@ AND state IN %@",
        argumentArray: [target.kind.rawValue, target.id, states])
      request.sortDescriptors = [NSSortDescriptor(key: "changedAt", ascending: false)]
      request.fetchLimit = 1
      return try context.fetch(request).first.map { try DraftRow($0) }
    }
  }

  /// All drafts, the newest first.
  public func drafts() async throws -> [DraftRow] {
    try await store.performBackgroundTask { try Self.rows(in: $0) }
  }

  static func rows(in context: NSManagedObjectContext) throws -> [DraftRow] {
    let request = NSFetchRequest<Draft>(entityName: "Draft")
    request.sortDescriptors = [
      NSSortDescriptor(key: "changedAt", ascending: false),
      NSSortDescriptor(key: "draftID", ascending: true),
    ]
    return try context.fetch(request).map { try DraftRow($0) }
  }

  // MARK: Writing

  /// Begins a draft; nothing is kept of an empty one.
  ///
  /// - Parameters:
  ///   - target: What becomes of it.
  ///   - text: The text so far.
  ///   - original: The text that a post has on the site, for a draft that changes it.
  /// - Returns: The draft; nil for an empty text.
  public func begin(
    _ target: DraftTarget, _ text: DraftText, original: String? = nil
  ) async throws -> DraftRow? {
    if text.subject.isEmpty, text.body.isEmpty { return nil }
    let (editor, row) = try await DraftEditor.make(
      target, text, original: original, at: now(), in: store)
    keep(editor, row.id)
    return row
  }

  /// Writes another text of a draft; the same text again changes nothing.
  ///
  /// - Parameters:
  ///   - id: The draft.
  ///   - text: The text.
  ///   - revision: The revision that the text goes back to.
  /// - Throws: `WritingError` with code `.changedElsewhere` when the draft has another revision, `.onItsWay` when it is being sent,
  ///   `.missing` when it is gone; or what the save throws, and the draft stays as it was.
  public func write(
    _ id: String, _ text: DraftText, basedOn revision: Int
  ) async throws -> DraftRow {
    let stored = try await draft(id)
    try Self.requireWritable(stored)
    if stored.text == text { return stored }
    guard stored.revision == revision else { throw Self.changedElsewhere(stored) }
    return try await change(stored) { try await $0.write(text, at: $1) }
  }

  /// Takes the last change of a draft's text back.
  ///
  /// - Throws: `WritingError` with code `.nothingToUndo` when this program has not changed it.
  public func undo(_ id: String) async throws -> DraftRow {
    let stored = try await draft(id)
    try Self.requireWritable(stored)
    return try await change(stored) { try await $0.undo(at: $1) }
  }

  /// Makes the change again that was taken back last.
  ///
  /// - Throws: `WritingError` with code `.nothingToUndo` when none was.
  public func redo(_ id: String) async throws -> DraftRow {
    let stored = try await draft(id)
    try Self.requireWritable(stored)
    return try await change(stored) { try await $0.redo(at: $1) }
  }

  private func change(
    _ stored: DraftRow, _ work: (inout DraftEditor, Date) async throws -> DraftRow
  ) async throws -> DraftRow {
    var editor = try await editor(of: stored)
    guard editor.revision == stored.revision else {
      throw Self.changedElsewhere(try await draft(stored.id))
    }
    do {
      let row = try await work(&editor, now())
      keep(editor, stored.id)
      return row
    } catch let error as CocoaError where error.code == .managedObjectMerge {
      // Another window was faster, between the check above and the save.
      editors[stored.id] = nil
      throw Self.changedElsewhere(try await draft(stored.id))
    }
  }

  private static func changedElsewhere(_ stored: DraftRow) -> WritingError {
    WritingError(
      .changedElsewhere, "The draft was changed in another window meanwhile.", stored: stored)
  }

  /// Takes a draft that waits to be sent back, so that it is not sent.
  ///
  /// - Throws: `WritingError` with code `.onItsWay` when it is being sent by now, or `.missing` when it is gone.
  public func takeBack(_ id: String) async throws {
    let stored = try await draft(id)
    try Self.requireWritable(stored)
    try await store.performBackgroundTask { context in
      for draft in try context.fetch(PersonalStore.request(Draft.self, "draftID", id))
      where draft.state == DraftState.waiting.rawValue {
        draft.state = DraftState.writing.rawValue
        draft.problem = nil
      }
    }
  }

  /// Deletes a draft; nothing of it stays.
  ///
  /// - Throws: `WritingError` with code `.onItsWay` while it is being sent.
  public func discard(_ id: String) async throws {
    editors[id] = nil
    try await store.performBackgroundTask { context in
      for draft in try context.fetch(PersonalStore.request(Draft.self, "draftID", id)) {
        if draft.state == DraftState.sending.rawValue {
          throw WritingError(
            .onItsWay, "The draft is being sent, and cannot be discarded meanwhile.",
            stored: try DraftRow(draft))
        }
        context.delete(draft)
      }
    }
  }

  private static func requireWritable(_ draft: DraftRow) throws {
    switch draft.state {
    case .writing, .waiting, .conflict, .refused: break
    case .sending, .unconfirmed:
      throw WritingError(
        .onItsWay, "The draft is on its way to the site. Wait until it has arrived or come back.",
        stored: draft)
    }
  }

  /// The editor that wrote the draft last; a new one, without steps to take back, if it was written elsewhere since.
  private func editor(of draft: DraftRow) async throws -> DraftEditor {
    if let editor = editors[draft.id], editor.revision == draft.revision { return editor }
    guard let editor = try await DraftEditor.open(draft.id, in: store) else {
      throw WritingError(.missing, "The draft was sent or discarded meanwhile.")
    }
    return editor
  }

  private func keep(_ editor: DraftEditor, _ id: String) {
    if editors.count >= Self.editorLimit, editors[id] == nil { editors = [:] }
    editors[id] = editor
  }
}
