internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// The models whose to-many relationships change because the other side does.
///
/// The object graph need not load them for that, but their snapshots have other members.
///
/// > Concurrency: Made for one save, on its context's queue.
struct ChangedPartners {
  private(set) var objects: [__ModelObject] = []
  private var known: Set<NSManagedObjectID>

  /// - Parameter known: The models that are written anyway.
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
