internal import OpenStoreContract

/// What only some objects have: loaded relationships, transient values, and the siblings of a fault.
///
/// Made on first need, so that a plain fetched object stays one allocation.
final class ObjectExtras {
  /// Destinations of to-one relationships that were read, kept alive as long as this object.
  @exclusivity(unchecked) private var toOne: [(ordinal: Int, object: NSManagedObject)] = []
  /// To-many relationships that were read or edited.
  @exclusivity(unchecked) private var toMany: [(ordinal: Int, state: ToManyState)] = []
  /// Decoded values of transformable attributes and values of transient ones, by ordinal.
  @exclusivity(unchecked) var values: [Int: Any] = [:]
  /// The faults that are worth reading together with this one.
  @exclusivity(unchecked) var siblings: FaultGroup?

  func destination(_ ordinal: Int) -> NSManagedObject? {
    for entry in toOne where entry.ordinal == ordinal { return entry.object }
    return nil
  }

  func setDestination(_ object: NSManagedObject?, _ ordinal: Int) {
    if let index = toOne.firstIndex(where: { $0.ordinal == ordinal }) {
      if let object { toOne[index].object = object } else { toOne.remove(at: index) }
    } else if let object {
      toOne.append((ordinal, object))
    }
  }

  func members(_ ordinal: Int) -> ToManyState? {
    for entry in toMany where entry.ordinal == ordinal { return entry.state }
    return nil
  }

  func makeMembers(_ ordinal: Int) -> ToManyState {
    if let state = members(ordinal) { return state }
    let state = ToManyState()
    toMany.append((ordinal, state))
    return state
  }

  func setMembers(_ state: ToManyState?, _ ordinal: Int) {
    toMany.removeAll { $0.ordinal == ordinal }
    if let state { toMany.append((ordinal, state)) }
  }

  /// Ordinals of to-many relationships with unsaved additions or removals.
  var editedToMany: [Int] { toMany.filter { $0.state.isEdited }.map(\.ordinal) }

  var hasToManyEdits: Bool { toMany.contains { $0.state.isEdited } }

  func forEachMembers(_ body: (Int, ToManyState) throws -> Void) rethrows {
    for entry in toMany { try body(entry.ordinal, entry.state) }
  }

  /// Forgets what was read; called when the object becomes a fault.
  func removeLoaded() {
    toOne.removeAll()
    toMany.removeAll()
    values.removeAll()
    siblings = nil
  }

  /// Forgets destinations that were read, but keeps to-many relationships.
  func removeDestinations() { toOne.removeAll() }
}
