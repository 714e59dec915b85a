internal import Foundation
internal import OpenObjectModel

/// Changes whose beginning and end the observers of an object receive.
extension ObjectObservers {
  /// Changes a value that is not a property of the model.
  func changing<Result, Failure: Error>(
    named name: String, of object: NSManagedObject, _ change: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let key = ObservedKey(name, of: object)
    willChange(key, in: object)
    defer { didChange(key, in: object) }
    return try change()
  }

  /// Changes a property.
  func changing(_ ordinal: Int, of object: NSManagedObject, _ change: () -> Void) {
    let keys = keys(ordinal, of: object.compiledEntity)
    for key in keys { willChange(key, in: object) }
    change()
    for key in keys { didChange(key, in: object) }
  }

  /// Returns the keys under which a property is observed.
  ///
  /// A composite attribute changes together with its elements.
  private func keys(_ ordinal: Int, of entity: CompiledEntity) -> [ObservedKey] {
    guard let composite = entity.composite(of: entity.properties[ordinal]) else {
      return [.property(ordinal)]
    }
    return [.property(ordinal), .property(composite.ordinal)]
  }

  /// Adds or removes a member of a to-many relationship.
  ///
  /// - Parameter change: Changes the list, and returns whether the list has changed.
  func changingMember(
    _ member: NSManagedObject, _ kind: NSKeyValueChange, _ ordinal: Int,
    of object: NSManagedObject, _ change: () -> Bool
  ) -> Bool {
    let state = object.loadedMembers(ordinal)
    // Observers are not notified if nothing changes.
    guard let members = state.members, members.contains(member) == (kind == .removal) else {
      return change()
    }
    var place: Int?
    if state.isOrdered {
      let list = members.objects
      place = kind == .insertion ? list.count : list.firstIndex { $0 === member }
    }
    let how = ObservedChange.members([member], kind, at: place.map { IndexSet(integer: $0) })
    willChange(.property(ordinal), how, in: object)
    let isChanged = change()
    didChange(.property(ordinal), how, in: object)
    return isChanged
  }

  /// Changes the members or positions of an ordered relationship.
  ///
  /// - Parameters:
  ///   - members: The members after the change.
  ///   - change: Changes the list.
  func changingPlaces(
    _ ordinal: Int, to members: [NSManagedObject], of object: NSManagedObject,
    _ change: () -> Void
  ) {
    guard let former = object.loadedMembers(ordinal).members?.objects,
      let how = ObservedChange.between(former, members)
    else { return change() }
    willChange(.property(ordinal), how, in: object)
    change()
    didChange(.property(ordinal), how, in: object)
  }
}
