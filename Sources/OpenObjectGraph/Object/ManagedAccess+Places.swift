public import Foundation
internal import OpenObjectModel

// Accessors of ordered to-many relationships with positions: the bodies of `insertIntoXs(_:at:)` and its like.
// A position that does not exist changes nothing, and the next save reports it.

extension NSManagedObject {
  /// Puts an object at a place of an ordered relationship; a member moves there.
  public final func __insertMember(_ member: NSManagedObject, _ key: String, at index: Int) {
    changeOrder(key) { members in
      members.removeAll { $0 === member }
      guard (0...members.count).contains(index) else { return false }
      members.insert(member, at: index)
      return true
    }
  }

  /// Removes the object at a place of an ordered relationship.
  public final func __removeMember(_ key: String, at index: Int) {
    changeOrder(key) { members in
      guard members.indices.contains(index) else { return false }
      members.remove(at: index)
      return true
    }
  }

  /// Puts an object in the place of another.
  public final func __replaceMember(_ key: String, at index: Int, with member: NSManagedObject) {
    changeOrder(key) { members in
      guard members.indices.contains(index) else { return false }
      let replaced = members[index]
      members[index] = member
      if replaced !== member,
        let other = members.indices.first(where: { $0 != index && members[$0] === member })
      {
        members.remove(at: other)
      }
      return true
    }
  }

  /// Puts objects at places, lowest first.
  public final func __insertMembers(_ members: some Sequence, _ key: String, at indexes: NSIndexSet)
  {
    let given = members.compactMap { $0 as? NSManagedObject }
    let places = indexes.map { $0 }
    changeOrder(key) { members in
      guard given.count == places.count else { return false }
      members.removeAll { member in given.contains { $0 === member } }
      for (object, place) in zip(given, places) {
        guard (0...members.count).contains(place) else { return false }
        members.insert(object, at: place)
      }
      return true
    }
  }

  /// Removes the objects at places.
  public final func __removeMembers(_ key: String, at indexes: NSIndexSet) {
    changeOrder(key) { members in
      for place in indexes.map({ $0 }).reversed() {
        guard members.indices.contains(place) else { return false }
        members.remove(at: place)
      }
      return true
    }
  }

  /// Puts objects in the places of others.
  public final func __replaceMembers(
    _ key: String, at indexes: NSIndexSet, with members: some Sequence
  ) {
    let given = members.compactMap { $0 as? NSManagedObject }
    let places = indexes.map { $0 }
    changeOrder(key) { members in
      guard given.count == places.count, places.allSatisfy(members.indices.contains) else {
        return false
      }
      for (object, place) in zip(given, places) { members[place] = object }
      return Set(members.map(ObjectIdentifier.init)).count == members.count
    }
  }

  /// Changes the whole list of members; `change` tells whether the places exist.
  private final func changeOrder(_ key: String, _ change: (inout [NSManagedObject]) -> Bool) {
    guard let ordinal = compiledEntity.ordinal(of: key),
      compiledEntity.properties[ordinal].relationship?.isOrdered == true
    else { return reportMisuse("The entity has no ordered relationship of this name.", key) }
    let state = loadedMembers(ordinal)
    guard state.isLoaded else { return refuseEdit() }
    var members = state.members?.objects ?? []
    guard change(&members) else {
      return reportMisuse("The ordered relationship has no such places.", key)
    }
    setMembers(members, ordinal)
  }
}
