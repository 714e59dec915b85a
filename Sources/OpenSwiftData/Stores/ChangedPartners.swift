internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// The models whose to-many relationships change because the inverse relationship of another model
/// changes.
///
/// The object graph does not load these models for the change, but their snapshots have different
/// members.
///
/// > Concurrency: Created for one save, and confined to the queue of its context.
struct ChangedPartners {
  private(set) var objects: [__ModelObject] = []
  private var known: Set<NSManagedObjectID>

  /// Finds the models that the inverse relationships of changed and deleted models affect.
  ///
  /// - Parameters:
  ///   - changed: The inserted and updated models.
  ///   - deleted: The deleted models.
  ///   - known: The identifiers of the models that the save already writes.
  init(of changed: [__ModelObject], deleted: [__ModelObject], known: Set<NSManagedObjectID>) {
    self.known = known
    for object in changed {
      for (name, value) in object.changedValues() { add(object, name, value) }
    }
    for object in deleted {
      for name in object.entity.relationshipsByName.keys { add(object, name, nil) }
    }
  }

  private mutating func add(_ object: __ModelObject, _ name: String, _ value: Any?) {
    guard let relationship = object.entity.relationshipsByName[name],
      relationship.inverseRelationship?.isToMany == true
    else { return }
    let present = Self.members(value)
    let former = Self.members(object.committedValues(forKeys: [name])[name])
    for partner in present.symmetricDifference(former) where known.insert(partner.objectID).inserted
    {
      objects.append(partner)
    }
  }

  private static func members(_ value: Any?) -> Set<__ModelObject> {
    switch value {
    case let object as __ModelObject: [object]
    case let set as NSSet: Set(set.compactMap { $0 as? __ModelObject })
    case let set as NSOrderedSet: Set(set.compactMap { $0 as? __ModelObject })
    default: []
    }
  }
}
