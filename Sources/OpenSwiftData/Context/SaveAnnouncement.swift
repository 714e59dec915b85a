public import Foundation
internal import OpenObjectGraph

extension ModelContext {
  /// The name of the notification that a context posts before a save. The notification's object is
  /// the context. A save of a context without changes and without deferred errors posts no
  /// notification.
  ///
  /// > Reference: Apple, willSave.
  public static let willSave = Notification.Name("SwiftDataModelContextWillSave")
  /// The name of the notification that a context posts after a successful save, and after a save
  /// that wrote only some of the stores. The notification's object is the context.
  ///
  /// The keys of the user info are raw values of ``NotificationKey``.
  ///
  /// > Reference: Apple, didSave.
  public static let didSave = Notification.Name("SwiftDataModelContextDidSave")

  /// The keys in the user info of ``didSave``.
  ///
  /// The user info contains an array of ``PersistentIdentifier`` values under each of the keys
  /// `insertedIdentifiers`, `updatedIdentifiers` and `deletedIdentifiers`, whose raw values are
  /// `"inserted"`, `"updated"` and `"deleted"`. The other cases exist for source compatibility. The
  /// user info never contains their values.
  ///
  /// > Reference: Apple, NotificationKey. Differs: D-392.
  public enum NotificationKey: String, Sendable {
    /// A key for source compatibility; the user info never contains a value for this key.
    case queryGeneration
    /// A key for source compatibility; the user info never contains a value for this key.
    case invalidatedAllIdentifiers
    /// The identifiers of the inserted models.
    case insertedIdentifiers = "inserted"
    /// The identifiers of the changed models.
    case updatedIdentifiers = "updated"
    /// The identifiers of the deleted models.
    case deletedIdentifiers = "deleted"
    /// A key for source compatibility; the user info never contains a value for this key.
    case historyTokens
  }
}

/// The notification about a save.
struct SaveAnnouncement {
  private let context: ModelContext
  private var inserted: [NSManagedObject]
  private var updated: [NSManagedObject]
  private var deleted: [(object: NSManagedObject, identifier: PersistentIdentifier)]

  /// Records the models that are about to be saved.
  init(of context: ModelContext) {
    self.context = context
    // Delete rules and validation can add models. Processing the pending changes applies the delete
    // rules first.
    context.graph.processPendingChanges()
    let unsaved = context.graph.unsavedObjects
    inserted = unsaved.inserted
    updated = unsaved.updated
    deleted = unsaved.deleted.map { ($0, PersistentIdentifier($0.objectID)) }
  }

  /// The notification without the models whose changes are still unsaved, after a save that wrote
  /// only some of the stores.
  var ofSavedModels: SaveAnnouncement {
    var saved = self
    saved.inserted.removeAll { $0.hasChanges }
    saved.updated.removeAll { $0.hasChanges }
    saved.deleted.removeAll { $0.object.hasChanges }
    return saved
  }

  /// The inserted and updated objects.
  var saved: [NSManagedObject] { inserted + updated }

  /// Posts the notification after the save.
  ///
  /// - Parameter survivors: The objects into which the save merged inserted objects.
  func post(_ survivors: [NSManagedObject]) {
    let keys = ModelContext.NotificationKey.self
    // An inserted object that was merged into another object is no longer in the context.
    let saved = inserted.filter { !$0.isDetached }
    NotificationCenter.default.post(
      name: ModelContext.didSave, object: context,
      userInfo: [
        keys.insertedIdentifiers.rawValue: identifiers(of: saved),
        keys.updatedIdentifiers.rawValue: identifiers(of: updated + others(in: survivors)),
        keys.deletedIdentifiers.rawValue: deleted.map { $0.identifier },
      ])
  }

  private func identifiers(of objects: [NSManagedObject]) -> [PersistentIdentifier] {
    objects.map { PersistentIdentifier($0.objectID) }
  }

  /// Returns the stored objects that only the save updated.
  private func others(in survivors: [NSManagedObject]) -> [NSManagedObject] {
    guard !survivors.isEmpty else { return [] }
    var known = Set(saved.map { ObjectIdentifier($0) })
    return survivors.filter { !$0.isDetached && known.insert(ObjectIdentifier($0)).inserted }
  }
}
