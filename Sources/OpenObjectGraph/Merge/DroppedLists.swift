internal import OpenObjectModel

/// The objects whose unsaved lists were dropped, although unsaved values of the members still refer
/// to the objects.
///
/// A refresh drops the lists of an object, but not the changes of the members. Such a list is read
/// with the members that only unsaved values contain. The objects are retained until the changes
/// end.
///
/// > Concurrency: Confined to the context's queue.
struct DroppedLists {
  private var owners: [ObjectIdentifier: NSManagedObject] = [:]

  mutating func note(_ owner: NSManagedObject) { owners[ObjectIdentifier(owner)] = owner }

  /// Returns the changed objects that are members of an owner's list according to their unsaved
  /// to-one values; empty unless the list was dropped.
  func members(
    of owner: NSManagedObject, _ relationship: CompiledRelationship,
    in context: NSManagedObjectContext
  ) -> [NSManagedObject] {
    guard !owners.isEmpty, owners[ObjectIdentifier(owner)] != nil,
      let inverse = relationship.inverseOrdinal
    else { return [] }
    let entities = context.model.entities[relationship.destinationIndex].subtree
    return (context.unitOfWork.inserted + context.unitOfWork.updated).filter { member in
      guard entities.contains(member.compiledEntity.index),
        case .object(let destination)? = member.edits[inverse]
      else { return false }
      return destination === owner
    }
  }

  /// Returns the owners, and forgets them.
  mutating func take() -> [NSManagedObject] {
    if owners.isEmpty { return [] }
    defer { owners.removeAll() }
    return Array(owners.values)
  }
}
