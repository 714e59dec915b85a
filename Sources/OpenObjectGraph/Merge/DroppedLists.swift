internal import OpenObjectModel

/// The objects whose unsaved lists were dropped, although unsaved values of the members still refer
/// to the objects.
///
/// A refresh drops the lists of an object, but not the changes of the members. Such a list is read
/// with the members that only unsaved values contain. The owners and their members are retained
/// until the changes end.
///
/// > Concurrency: Confined to the context's queue.
struct DroppedLists {
  /// The dropped lists of one object.
  private struct Lists {
    let owner: NSManagedObject
    /// The members that were unsaved when the lists were dropped, by the ordinal of the
    /// relationship.
    var members: [Int: [NSManagedObject]] = [:]
  }

  private var lists: [ObjectIdentifier: Lists] = [:]

  /// Records an owner's list that is about to be dropped.
  mutating func note(_ list: ToManyState, of owner: NSManagedObject) {
    lists[ObjectIdentifier(owner), default: Lists(owner: owner)]
      .members[list.ordinal, default: []] += list.added.objects
  }

  /// Returns the members of a dropped list whose unsaved to-one values still refer to the owner;
  /// empty unless the list was dropped.
  func members(
    of owner: NSManagedObject, _ property: CompiledProperty
  ) -> [NSManagedObject] {
    guard !lists.isEmpty, let inverse = property.relationship?.inverseOrdinal,
      let members = lists[ObjectIdentifier(owner)]?.members[property.ordinal]
    else { return [] }
    return members.filter { member in
      guard member.isPresent, member.registry === owner.registry,
        case .object(let destination)? = member.edits[inverse]
      else { return false }
      return destination === owner
    }
  }

  /// Returns the owners, and removes the records of the owners and their lists.
  mutating func take() -> [NSManagedObject] {
    if lists.isEmpty { return [] }
    defer { lists.removeAll() }
    return lists.values.map(\.owner)
  }
}
