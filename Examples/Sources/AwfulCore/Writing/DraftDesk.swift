import CoreData
public import Foundation
import OpenPersistenceKit
import StoreSharing

/// Manages the reader's drafts and their editors. Drafts are saved at every pause in typing.
///
/// A draft can be open in several windows. Each window passes the revision that its text is based on, so that no window overwrites the
/// changes of another.
public actor DraftDesk {
  private let store: PersonalStore
  private let now: @Sendable () -> Date
  private var editors: [String: DraftEditor] = [:]
  /// The context on whose queue drafts are created, one at a time.
  private let creation: NSManagedObjectContext
  /// The number of drafts that stay open with their undo steps.
  private static let editorLimit = 100

  /// Creates the desk of a store.
  ///
  /// - Parameters:
  ///   - store: The store that holds the drafts.
  ///   - now: A closure that returns the current date.
  public init(_ store: PersonalStore, now: @escaping @Sendable () -> Date = { Date() }) {
    self.store = store
    self.now = now
    creation = store.newBackgroundContext()
  }

  // MARK: Reading

  /// Returns the draft with an id.
  ///
  /// - Throws: `WritingError` with code `.missing` if the draft does not exist.
  public func draft(_ id: String) async throws -> DraftRow {
    guard let row = try await store.draft(id) else {
      throw WritingError(.missing, "The draft has already been sent or discarded.")
    }
    return row
  }

  /// Returns the reader's draft for a target, or nil if there is none. Ignores drafts that are on their way to the site.
  public func draft(for target: DraftTarget) async throws -> DraftRow? {
    try await store.performBackgroundTask { try Self.draft(for: target, in: $0) }
  }

  private static func draft(
    for target: DraftTarget, in context: NSManagedObjectContext
  ) throws -> DraftRow? {
    try drafts(for: target, in: [.writing, .conflict, .refused], context).first
  }

  /// Checks that no draft with the same text is on its way to a target. The reader may have submitted a form twice.
  private static func requireNew(
    _ text: DraftText, for target: DraftTarget, in context: NSManagedObjectContext
  ) throws {
    let others = try drafts(for: target, in: [.waiting, .sending, .unconfirmed], context)
    if let same = others.first(where: { $0.text == text }) {
      throw WritingError(
        .onItsWay, "A draft with the same text is already on its way to the site.", stored: same)
    }
  }

  /// Returns the drafts for a target that have one of the given states, newest first.
  private static func drafts(
    for target: DraftTarget, in states: [DraftState], _ context: NSManagedObjectContext
  ) throws -> [DraftRow] {
    let request = request()
    request.predicate = NSPredicate(
      format: "kind == %@ AND targetID == %@ AND state IN %@",
      argumentArray: [target.kind.rawValue, target.id, states.map(\.rawValue)])
    return try context.fetch(request).map { try DraftRow($0) }
  }

  /// Returns all drafts, newest first.
  public func drafts() async throws -> [DraftRow] {
    try await store.performBackgroundTask { try Self.rows(in: $0) }
  }

  static func rows(in context: NSManagedObjectContext) throws -> [DraftRow] {
    try context.fetch(request()).map { try DraftRow($0) }
  }

  /// Returns a request for all drafts, newest first.
  static func request() -> NSFetchRequest<Draft> {
    let request = NSFetchRequest<Draft>(entityName: "Draft")
    request.sortDescriptors = [
      NSSortDescriptor(key: "changedAt", ascending: false),
      NSSortDescriptor(key: "draftID", ascending: true),
    ]
    return request
  }

  // MARK: Writing

  /// Creates a draft. An empty draft is not stored.
  ///
  /// - Parameters:
  ///   - target: The destination of the draft.
  ///   - text: The initial text.
  ///   - original: The text of the post on the site, for a draft that edits a post.
  /// - Returns: The draft, or nil if the text is empty.
  public func begin(
    _ target: DraftTarget, _ text: DraftText, original: String? = nil
  ) async throws -> DraftRow? {
    if text.isEmpty { return nil }
    let (store, instant) = (store, now())
    let (editor, row) = try await creation.perform {
      try DraftEditor.make(target, text, original: original, at: instant, in: store)
    }
    keep(editor, row.id)
    return row
  }

  /// Writes the text of the reader's draft for a target, and creates the draft if there is none. An empty draft is not stored.
  ///
  /// Simultaneous calls with the same text create one draft.
  ///
  /// - Parameters:
  ///   - text: The new text.
  ///   - target: The destination of the draft.
  ///   - revision: The revision that the text is based on.
  ///   - original: The text of the post on the site, for a new draft that edits a post.
  /// - Returns: The draft, or nil if there is none and the text is empty.
  /// - Throws: `WritingError` with code `.onItsWay` if a draft with the same text is already on its way to the target, because the reader
  ///   may have submitted a form twice; the same errors as ``write(_:_:basedOn:)``.
  public func write(
    _ text: DraftText, to target: DraftTarget, basedOn revision: Int, original: String? = nil
  ) async throws -> DraftRow? {
    let (store, instant) = (store, now())
    // One block searches for a draft and creates it, so that no other call creates a draft in between.
    let (editor, row) = try await creation.perform { () throws -> (DraftEditor?, DraftRow?) in
      let present = try store.performBatchOperation { (context) throws -> DraftRow? in
        if let present = try Self.draft(for: target, in: context) { return present }
        try Self.requireNew(text, for: target, in: context)
        return nil
      }
      if present != nil || text.isEmpty { return (nil, present) }
      let made = try DraftEditor.make(target, text, original: original, at: instant, in: store)
      return (made.editor, made.row)
    }
    guard let row else { return nil }
    guard let editor else { return try await write(row.id, text, basedOn: revision) }
    keep(editor, row.id)
    return row
  }

  /// Writes the text of a draft. Writing the same text again changes nothing.
  ///
  /// - Parameters:
  ///   - id: The draft's id.
  ///   - text: The new text.
  ///   - revision: The revision that the text is based on.
  /// - Throws: `WritingError` with code `.changedElsewhere` if the draft has another revision, `.onItsWay` if it is being sent, or
  ///   `.missing` if it no longer exists; or any error from the save, which leaves the draft unchanged.
  public func write(
    _ id: String, _ text: DraftText, basedOn revision: Int
  ) async throws -> DraftRow {
    let stored = try await draft(id)
    try Self.requireWritable(stored)
    if stored.text == text { return stored }
    guard stored.revision == revision else { throw Self.changedElsewhere(stored) }
    return try await change(stored) { try await $0.write(text, at: $1) }
  }

  /// Undoes the last change of a draft's text.
  ///
  /// - Throws: `WritingError` with code `.nothingToUndo` if this program has not changed the text.
  public func undo(_ id: String) async throws -> DraftRow {
    let stored = try await draft(id)
    try Self.requireWritable(stored)
    return try await change(stored) { try await $0.undo(at: $1) }
  }

  /// Redoes the change that was undone last.
  ///
  /// - Throws: `WritingError` with code `.nothingToUndo` if no change was undone.
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
      // Between the check above and the save, another window saved the draft, or the outbox began to send it.
      editors[stored.id] = nil
      let current = try await draft(stored.id)
      try Self.requireWritable(current)
      throw Self.changedElsewhere(current)
    }
  }

  private static func changedElsewhere(_ stored: DraftRow) -> WritingError {
    WritingError(
      .changedElsewhere, "The draft was changed in another window.", stored: stored)
  }

  /// Withdraws a draft that waits to be sent, so that it is not sent.
  ///
  /// - Throws: `WritingError` with code `.onItsWay` if it is already being sent, or `.missing` if it no longer exists.
  public func takeBack(_ id: String) async throws {
    try await store.changeDraft(id) { _, draft in
      try Self.requireWritable(try DraftRow(draft))
      guard draft.state == DraftState.waiting.rawValue else { return }
      draft.state = DraftState.writing.rawValue
      draft.problem = nil
    }
  }

  /// Deletes a draft permanently.
  ///
  /// - Throws: `WritingError` with code `.onItsWay` if it is being sent.
  public func discard(_ id: String) async throws {
    editors[id] = nil
    do {
      try await store.changeDraft(id) { context, draft in
        if draft.state == DraftState.sending.rawValue {
          throw WritingError(
            .onItsWay, "The draft cannot be discarded while it is being sent.",
            stored: try DraftRow(draft))
        }
        context.delete(draft)
      }
    } catch let error as WritingError where error.code == .missing {
      // The draft has already been sent or discarded.
    }
  }

  static func requireWritable(_ draft: DraftRow) throws {
    switch draft.state {
    case .writing, .waiting, .conflict, .refused: break
    case .sending, .unconfirmed:
      throw WritingError(
        .onItsWay, "The draft is being sent. Wait until the site has accepted or refused it.",
        stored: draft)
    }
  }

  /// Returns the editor that wrote the draft last, or a new one without undo steps if the draft has been written elsewhere since.
  private func editor(of draft: DraftRow) async throws -> DraftEditor {
    if let editor = editors[draft.id], editor.revision == draft.revision { return editor }
    guard let editor = try await DraftEditor.open(draft.id, in: store) else {
      throw WritingError(.missing, "The draft has already been sent or discarded.")
    }
    return editor
  }

  private func keep(_ editor: DraftEditor, _ id: String) {
    if editors.count >= Self.editorLimit, editors[id] == nil { editors = [:] }
    editors[id] = editor
  }
}
