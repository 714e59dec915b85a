import CoreData
import Foundation
import OpenPersistenceKit
import StoreSharing

/// An open draft. Changes are made in a child context, and can be undone as long as the editor exists.
///
/// The child is saved to its parent, and the parent to the store, so a failed write leaves the stored draft unchanged.
struct DraftEditor: Sendable {
  private let store: PersonalStore
  private let context: NSManagedObjectContext
  private let object: NSManagedObjectID
  /// The revision that the editor last wrote or read.
  private(set) var revision: Int

  private static func makeContext(of store: PersonalStore) -> NSManagedObjectContext {
    let parent = store.newBackgroundContext()
    // A save must not overwrite the changes of another window or program.
    parent.mergePolicy = NSErrorMergePolicy
    let context = store.newChildContext(of: parent, concurrencyType: .privateQueueConcurrencyType)
    let undo = UndoManager()
    undo.groupsByEvent = false
    context.undoManager = undo
    return context
  }

  /// Creates and saves a draft.
  static func make(
    _ target: DraftTarget, _ text: DraftText, original: String?, at instant: Date,
    in store: PersonalStore
  ) throws -> (editor: DraftEditor, row: DraftRow) {
    let context = makeContext(of: store)
    return try context.performAndWait {
      let draft = Draft(context: context)
      draft.draftID = UUID().uuidString
      draft.kind = target.kind.rawValue
      draft.targetID = target.id
      draft.threadID = target.threadID
      draft.originalBody = original
      set(text, of: draft)
      draft.revision = 1
      draft.changedAt = instant
      try context.obtainPermanentIDs(for: [draft])
      try store.saveWithParent(context: context)
      // Creating the draft is not an undo step.
      context.undoManager?.removeAllActions()
      let editor = DraftEditor(
        store: store, context: context, object: draft.objectID, revision: 1)
      return (editor, try DraftRow(draft))
    }
  }

  /// Opens a stored draft.
  ///
  /// - Returns: The editor, or nil if there is no draft with the id.
  static func open(_ id: String, in store: PersonalStore) async throws -> DraftEditor? {
    let context = makeContext(of: store)
    return try await context.perform {
      let drafts = try context.fetch(PersonalStore.request(Draft.self, "draftID", id))
      return drafts.first.map {
        DraftEditor(
          store: store, context: context, object: $0.objectID, revision: Int($0.revision))
      }
    }
  }

  /// Writes a text as one undo step. Writing the same text again adds no step.
  mutating func write(_ text: DraftText, at instant: Date) async throws -> DraftRow {
    try await save(at: instant) { draft, undo in
      undo.beginUndoGrouping()
      Self.set(text, of: draft)
      draft.managedObjectContext?.processPendingChanges()
      undo.endUndoGrouping()
    }
  }

  /// Undoes the last step.
  mutating func undo(at instant: Date) async throws -> DraftRow {
    try await save(at: instant) { _, undo in
      guard undo.canUndo else {
        throw WritingError(.nothingToUndo, "There is nothing to undo in this draft.")
      }
      undo.undo()
    }
  }

  /// Redoes the step that was undone last.
  mutating func redo(at instant: Date) async throws -> DraftRow {
    try await save(at: instant) { _, undo in
      guard undo.canRedo else {
        throw WritingError(.nothingToUndo, "There is nothing to redo in this draft.")
      }
      undo.redo()
    }
  }

  private mutating func save(
    at instant: Date, _ change: @escaping @Sendable (Draft, UndoManager) throws -> Void
  ) async throws -> DraftRow {
    let (store, context, object, revision) = (store, context, object, revision)
    let row = try await context.perform {
      // Retained until the end, so that the parent's save is based on the row that was compared here and detects later changes.
      let base = try Self.base(of: object, in: context, revision)
      defer { withExtendedLifetime(base) {} }
      guard let draft = try context.existingObject(with: object) as? Draft,
        let undo = context.undoManager
      else { throw WritingError(.missing, "The draft has already been sent or discarded.") }
      do {
        try change(draft, undo)
        guard draft.hasChanges else { return try DraftRow(draft) }
        // Revisions and dates advance even if a text is undone.
        context.processPendingChanges()
        undo.disableUndoRegistration()
        draft.revision += 1
        draft.changedAt = instant
        context.processPendingChanges()
        undo.enableUndoRegistration()
        try store.saveWithParent(context: context)
      } catch {
        // Rolling back would discard the undo steps.
        if context.hasChanges { context.rollback() }
        context.parent?.performAndWait { context.parent?.rollback() }
        throw error
      }
      return try DraftRow(draft)
    }
    self.revision = row.revision
    return row
  }

  /// Returns the parent's object with its current stored values.
  ///
  /// - Throws: `CocoaError` 133020 if the stored draft differs from the one that the editor knows, or `WritingError` with code `.onItsWay`
  ///   if the draft is being sent. A child's save does not detect conflicts by itself: it applies its changes even if the parent has read
  ///   newer values since.
  private static func base(
    of object: NSManagedObjectID, in context: NSManagedObjectContext, _ revision: Int
  ) throws -> NSManagedObject? {
    guard let parent = context.parent else { return nil }
    return try parent.performAndWait {
      guard let draft = try parent.existingObject(with: object) as? Draft else {
        throw WritingError(.missing, "The draft has already been sent or discarded.")
      }
      parent.refresh(draft, mergeChanges: false)
      guard draft.revision == revision else { throw CocoaError(.managedObjectMerge) }
      // The outbox may have begun to send the stored text.
      try DraftDesk.requireWritable(try DraftRow(draft))
      return draft
    }
  }

  private static func set(_ text: DraftText, of draft: Draft) {
    if draft.subject != text.subject { draft.subject = text.subject }
    if draft.iconID != text.iconID { draft.iconID = text.iconID }
    if draft.secondIconID != text.secondIconID { draft.secondIconID = text.secondIconID }
    if draft.body != text.body { draft.body = text.body }
  }
}
