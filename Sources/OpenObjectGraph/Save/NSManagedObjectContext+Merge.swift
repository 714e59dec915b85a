public import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

// Taking over what another context saved.

extension NSManagedObjectContext {
  /// Takes over the changes that a save of another context announced.
  ///
  /// Registered objects have the saved values afterwards, under this context's own unsaved changes.
  ///
  /// > Reference: Apple, mergeChanges(fromContextDidSave:).
  public func mergeChanges(fromContextDidSave notification: Notification) {
    func ids(_ key: String) -> [NSManagedObjectID] {
      (notification.userInfo?[key] as? Set<NSManagedObject>)?.map(\.objectID) ?? []
    }
    performAndWait {
      merge(
        inserted: ids(NSInsertedObjectsKey), updated: ids(NSUpdatedObjectsKey),
        deleted: ids(NSDeletedObjectsKey))
    }
  }

  /// Takes over changes given by id, in several contexts.
  ///
  /// - Parameters:
  ///   - changes: Arrays of object ids or of their URIs under the keys of a save notification.
  ///   - contexts: The contexts; each merges on its own queue.
  /// > Reference: Apple, mergeChanges(fromRemoteContextSave:into:).
  public class func mergeChanges(
    fromRemoteContextSave changes: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    for context in contexts {
      func ids(_ keys: [String]) -> [NSManagedObjectID] {
        keys.flatMap { context.objectIDs(in: changes[$0]) }
      }
      context.performAndWait {
        context.merge(
          inserted: ids([NSInsertedObjectsKey, "inserted_objectIDs"]),
          updated: ids([NSUpdatedObjectsKey, "updated_objectIDs"]),
          deleted: ids([NSDeletedObjectsKey, "deleted_objectIDs"]))
      }
    }
  }

  private func objectIDs(in value: Any?) -> [NSManagedObjectID] {
    let members: [Any]
    switch value {
    case let array as [Any]: members = array
    case let set as Set<NSManagedObjectID>: members = Array(set)
    case let set as Set<AnyHashable>: members = set.map(\.base)
    default: return []
    }
    return members.compactMap { member in
      if let id = member as? NSManagedObjectID { return id }
      if let object = member as? NSManagedObject { return object.objectID }
      return (member as? URL).flatMap {
        persistentStoreCoordinator?.managedObjectID(forURIRepresentation: $0)
      }
    }
  }

  private func merge(
    inserted: [NSManagedObjectID], updated: [NSManagedObjectID], deleted: [NSManagedObjectID]
  ) {
    for id in deleted {
      if let object = registeredObject(for: id), object.registration == .persistent {
        acceptDeletion(of: object)
      }
    }
    var refreshed: [NSManagedObject] = []
    for id in updated {
      guard let object = registeredObject(for: id), object.registration == .persistent else {
        continue
      }
      refreshRow(of: object)
      refreshed.append(object)
    }
    let fresh = inserted.map { object(with: $0) }
    announceMerge(inserted: fresh, refreshed: refreshed)
  }

  /// Takes over a save of another context on the same coordinator.
  func merge(_ changes: SavedChanges) {
    let map = registry.identityMap
    for id in changes.deleted {
      let root = model.entities[Int(id.entityIndex)].rootIndex
      if let object = map.object(store: changes.position, root: root, key: id.key),
        object.registration == .persistent
      {
        acceptDeletion(of: object)
      }
    }
    var refreshed: [NSManagedObject] = []
    for row in changes.updated + changes.recomputed {
      let root = model.entities[row.entityIndex].rootIndex
      guard let object = map.object(store: changes.position, root: root, key: row.key),
        object.registration == .persistent
      else { continue }
      let wasFault = object.isFault
      take(row, object)
      if !wasFault { refreshed.append(object) }
    }
    let inserted = changes.inserted.map { row in
      let object = registered(
        model.entities[row.entityIndex], key: row.key, store: changes.position)
      FaultResolver.attach(row, to: object)
      return object
    }
    dropStaleMembers(of: changes)
    announceMerge(inserted: inserted, refreshed: refreshed)
  }

  /// A new row under the object's unsaved changes.
  func take(_ row: Row, _ object: NSManagedObject) {
    guard object.contents == .unresolved || row.version >= object.row.version else { return }
    let wasResolved = object.contents != .unresolved
    object.row = row
    if !wasResolved { object.contents = .fault }
    object.extras?.removeDestinations()
    object.extras?.values.removeAll()
  }

  /// Loaded to-many relationships that a save may have changed are read again when they are next used.
  private func dropStaleMembers(of changes: SavedChanges) {
    let touched = Set(
      (changes.inserted + changes.updated).map(\.entityIndex)
        + changes.deleted.map { Int($0.entityIndex) })
    for object in registry.identityMap.all() where object.registration == .persistent {
      guard let extras = object.extras else { continue }
      var stale: [Int] = []
      extras.forEachMembers { state in
        guard state.isLoaded, !state.isEdited,
          let relationship = object.compiledEntity.properties[state.ordinal].relationship
        else { return }
        let destinations = model.entities[relationship.destinationIndex].subtree
        if touched.contains(where: destinations.contains) { stale.append(state.ordinal) }
      }
      for ordinal in stale { extras.removeMembers(ordinal) }
    }
  }

  private func acceptDeletion(of object: NSManagedObject) {
    unitOfWork.delete(object)
    object.registration = .deleted
    object.flags.insert([.missingRow, .propagated])
  }

  private func announceMerge(inserted: [NSManagedObject], refreshed: [NSManagedObject]) {
    var userInfo: [AnyHashable: Any] = [:]
    if !inserted.isEmpty { userInfo[NSInsertedObjectsKey] = Set(inserted) }
    if !refreshed.isEmpty { userInfo[NSRefreshedObjectsKey] = Set(refreshed) }
    if unitOfWork.hasUnprocessedChanges { processPendingChanges() }
    guard !userInfo.isEmpty else { return }
    NotificationCenter.default.post(
      name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: userInfo)
  }
}
