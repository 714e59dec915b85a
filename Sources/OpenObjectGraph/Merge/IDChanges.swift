internal import Foundation
internal import OpenObjectModel

/// Objects that were inserted, updated and deleted elsewhere, by their ids.
struct IDChanges: Sendable {
  var inserted: [NSManagedObjectID]
  var updated: [NSManagedObjectID]
  var deleted: [NSManagedObjectID]
  /// Whether the newest values are in the store only, not in the coordinator's row cache.
  var areStored = false
  /// Whether faults are not announced as refreshed.
  var skipsFaults = false

  init(
    inserted: [NSManagedObjectID], updated: [NSManagedObjectID], deleted: [NSManagedObjectID]
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    skipsFaults = true
  }

  /// Reads the user info of a notification, or a dictionary of the same form.
  ///
  /// - Parameters:
  ///   - info: Arrays or sets of ids, URIs or objects under the keys for objects or for ids.
  ///   - context: The context that takes the changes over; its coordinator reads URIs.
  init(_ info: [AnyHashable: Any], for context: NSManagedObjectContext, areStored: Bool) {
    func ids(_ keys: [String]) -> [NSManagedObjectID] {
      keys.flatMap { Self.ids(in: info[$0], for: context) }
    }
    inserted = ids([NSInsertedObjectsKey, NSInsertedObjectIDsKey])
    updated = ids([
      NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey,
    ])
    deleted = ids([NSDeletedObjectsKey, NSDeletedObjectIDsKey])
    self.areStored = areStored
  }

  private static func ids(
    in value: Any?, for context: NSManagedObjectContext
  ) -> [NSManagedObjectID] {
    let members: [Any]
    switch value {
    case let array as [Any]: members = array
    case let set as Set<NSManagedObject>: members = Array(set)
    case let set as Set<NSManagedObjectID>: members = Array(set)
    case let set as Set<AnyHashable>: members = set.map(\.base)
    case let set as NSSet: members = set.allObjects
    default: return []
    }
    return members.compactMap { id(of: $0, for: context) }
  }

  private static func id(
    of member: Any, for context: NSManagedObjectContext
  ) -> NSManagedObjectID? {
    var id: NSManagedObjectID?
    switch member {
    case let known as NSManagedObjectID: id = known
    case let object as NSManagedObject: id = object.objectID
    case let url as URL:
      id = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url)
    default: break
    }
    guard let id, context.storePosition(of: id) != nil,
      id.compiledEntity.isPart(of: context.model)
        || context.model.entity(named: id.compiledEntity.name) != nil
    else { return nil }
    return id
  }
}
