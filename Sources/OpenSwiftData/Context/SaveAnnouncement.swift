public import Foundation
internal import OpenObjectGraph

extension ModelContext {
  /// Posted before a context saves; the object is the context.
  ///
  /// > Reference: Apple, willSave.
  public static let willSave = Notification.Name("SwiftDataModelContextWillSave")
  /// Posted after a context has saved; the object is the context, and the keys are raw values of ``NotificationKey``.
  ///
  /// > Reference: Apple, didSave.
  public static let didSave = Notification.Name("SwiftDataModelContextDidSave")

  /// The keys of ``didSave``'s information; those of identifiers have arrays of ``PersistentIdentifier``.
  ///
  /// > Reference: Apple, NotificationKey. Differs: D-392.
  public enum NotificationKey: String, Sendable {
    case queryGeneration
    case invalidatedAllIdentifiers
    case insertedIdentifiers
    case updatedIdentifiers
    case deletedIdentifiers
    case historyTokens
  }
}

/// What a context says after a save.
struct SaveAnnouncement {
  private let context: ModelContext
  private let inserted: [NSManagedObject]
  private let updated: [PersistentIdentifier]
  private let deleted: [PersistentIdentifier]

  /// Notes what is to be saved.
  init(of context: ModelContext) {
    self.context = context
    // Delete rules and validation may add to it, which the graph does first here.
    context.graph.processPendingChanges()
    let unsaved = context.graph.unsavedObjects
    inserted = unsaved.inserted
    updated = unsaved.updated.map { PersistentIdentifier($0.objectID) }
    deleted = unsaved.deleted.map { PersistentIdentifier($0.objectID) }
  }

  func post() {
    let keys = ModelContext.NotificationKey.self
    NotificationCenter.default.post(
      name: ModelContext.didSave, object: context,
      userInfo: [
        keys.insertedIdentifiers.rawValue: inserted.map { PersistentIdentifier($0.objectID) },
        keys.updatedIdentifiers.rawValue: updated, keys.deletedIdentifiers.rawValue: deleted,
      ])
  }
}
