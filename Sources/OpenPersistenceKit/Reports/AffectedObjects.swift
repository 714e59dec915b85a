internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// The objects that an error of a save refers to.
enum AffectedObjects {
  /// Apple's key for the objects of an error.
  static let key = "NSAffectedObjectsErrorKey"

  /// Returns the objects without duplicates, in the order of the error's lists.
  static func of(_ error: NSError) -> [NSManagedObject] {
    var seen: Set<ObjectIdentifier> = []
    return all(of: error).filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  private static func all(of error: NSError) -> [NSManagedObject] {
    var objects = error.userInfo[key] as? [NSManagedObject] ?? []
    if let object = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject {
      objects.append(object)
    }
    for conflict in error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any] ?? [] {
      if let conflict = conflict as? NSConstraintConflict {
        objects += conflict.conflictingObjects
        if let saved = conflict.databaseObject { objects.append(saved) }
      } else if let conflict = conflict as? NSMergeConflict {
        objects.append(conflict.sourceObject)
      }
    }
    let details = error.userInfo[NSDetailedErrorsKey] as? [any Error] ?? []
    return objects + details.flatMap { all(of: $0 as NSError) }
  }

  /// Returns the name of an object's entity, and a name of the object for users.
  static func label(_ object: NSManagedObject) -> String {
    "\(object.entity.name ?? "?"): \(name(of: object))"
  }

  private static let nameKeys = ["title", "name", "displayName", "username"]

  private static func name(of object: NSManagedObject) -> String {
    guard let context = object.managedObjectContext else { return "(no context)" }
    let isReadable =
      context.concurrencyType != .mainQueueConcurrencyType || MainQueue.isCurrent
    // Waiting for the main queue could cause a deadlock, because the main thread may wait for this
    // report.
    guard isReadable else { return object.objectID.uriRepresentation().absoluteString }
    let name = context.performAndWait { () -> String? in
      let attributes = object.entity.attributesByName
      let key = nameKeys.first { attributes[$0]?.attributeType == .stringAttributeType }
      return key.flatMap { object.value(forKey: $0) as? String }
    }
    return name.map { "\"\($0)\"" } ?? object.objectID.uriRepresentation().absoluteString
  }
}
