internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Makes the two sides of one-to-one relationships agree after a merge or a merge policy replaced
/// stored rows.
///
/// Each row of a pair has a foreign key. A merge policy or a merge decides for each row separately.
/// The decision for one side must also apply to the other side, and to the objects that were paired
/// with either side before.
///
/// Confined to one resolution or merge.
struct PairSettlement {
  /// The side that wins if an unsaved value of one side contradicts the stored value of the other
  /// side.
  enum Preference {
    case unsaved
    case stored
  }

  /// One side of a pair, and the destination of that side before its row was replaced.
  private struct Side {
    let object: NSManagedObject
    let ordinal: Int
    let inverse: Int
    /// The former unsaved destination, if there was one.
    let former: NSManagedObject?
  }

  private let context: NSManagedObjectContext
  private let preference: Preference
  private var sides: [Side] = []
  /// Ordinals of one-to-one relationships and their inverses, by entity.
  private var ordinals: [Int: [(own: Int, inverse: Int)]] = [:]

  init(_ preference: Preference, in context: NSManagedObjectContext) {
    self.preference = preference
    self.context = context
  }

  /// Notes an object that is about to get another row or to lose unsaved values.
  mutating func note(_ object: NSManagedObject) {
    for (own, inverse) in pairs(of: object.compiledEntity) {
      var former: NSManagedObject?
      if case .object(let destination)? = object.edits[own] { former = destination }
      sides.append(Side(object: object, ordinal: own, inverse: inverse, former: former))
    }
  }

  private mutating func pairs(of entity: CompiledEntity) -> [(own: Int, inverse: Int)] {
    if let known = ordinals[entity.index] { return known }
    let found = entity.properties.compactMap { property -> (own: Int, inverse: Int)? in
      guard let relationship = property.relationship, !relationship.isToMany,
        let inverse = relationship.inverseOrdinal,
        relationship.destination.properties[inverse].relationship?.isToMany == false
      else { return nil }
      return (property.ordinal, inverse)
    }
    ordinals[entity.index] = found
    return found
  }

  /// Settles every noted pair, and the pairs of objects whose rows are replaced while the method
  /// runs.
  ///
  /// Call this method after the rows and the unsaved values are in place.
  mutating func settle() {
    var next = 0
    while next < sides.count {
      let side = sides[next]
      if side.object.registration == .persistent { settle(side) }
      next += 1
    }
  }

  private mutating func settle(_ side: Side) {
    let object = side.object
    if side.former == nil, !object.edits.contains(side.ordinal) {
      // Only an unsaved value of the other side can contradict a stored one.
      guard let other = object.knownDestination(side.ordinal), other.edits.contains(side.inverse)
      else { return }
    }
    let current = object.destination(side.ordinal)
    if let former = side.former, former !== current { release(former, from: object, side) }
    if let stored = object.committedDestination(side.ordinal), stored !== current,
      stored.isPresent
    {
      readAgain(stored)
      release(stored, from: object, side)
    }
    if let current, current.isPresent { join(object, current, side) }
  }

  /// Sets the destination of the other side to nil if that destination is still the object.
  private func release(_ other: NSManagedObject, from object: NSManagedObject, _ side: Side) {
    guard other.isPresent, other.destination(side.inverse) === object else { return }
    other.setEdit(.value(.null), side.inverse)
    other.forgetDestination(side.inverse)
    context.unitOfWork.noteResolution(of: other)
  }

  /// Sets the inverse of an object's destination to the object, or sets the object's destination to
  /// nil.
  private mutating func join(
    _ object: NSManagedObject, _ destination: NSManagedObject, _ side: Side
  ) {
    if destination.destination(side.inverse) === object { return }
    if !destination.edits.contains(side.inverse) { readAgain(destination) }
    if destination.destination(side.inverse) === object { return }
    if !object.edits.contains(side.ordinal) {
      // A row that the save does not write may be older or newer than the row of its destination.
      readAgain(object)
      guard object.destination(side.ordinal) === destination else { return }
    }
    if holds(object, destination, side) {
      RelationshipEdit(destination, side.inverse)?.addSource(object)
      context.unitOfWork.noteResolution(of: destination)
    } else {
      object.setEdit(.value(.null), side.ordinal)
      object.forgetDestination(side.ordinal)
      context.unitOfWork.noteResolution(of: object)
    }
  }

  /// Whether the object's side wins over the side of a destination whose inverse does not refer to
  /// the object.
  private func holds(
    _ object: NSManagedObject, _ destination: NSManagedObject, _ side: Side
  ) -> Bool {
    switch (object.edits.contains(side.ordinal), destination.edits.contains(side.inverse)) {
    case (true, false): preference == .unsaved
    case (false, true): preference == .stored
    case (true, true), (false, false): true
    }
  }

  /// Reads the stored row of an object that the save does not write; the save compares the rows of
  /// all other objects.
  ///
  /// The unsaved values of the object may contradict the new row, so the object's pairs are
  /// settled, too.
  private mutating func readAgain(_ object: NSManagedObject) {
    guard object.registration == .persistent, object.key > 0, let store = object.store,
      ChangeSetBuilder.changedSlots(of: object, object.edits).isEmpty
    else { return }
    let count = sides.count
    note(object)
    let former = version(of: object)
    do {
      try ObjectRefresh(in: context).readAgain(object, in: store)
    } catch {
      GraphLog.error(
        "The object \(object.currentID) cannot be read to set a one-to-one relationship: \(error)")
    }
    if version(of: object) == former { sides.removeLast(sides.count - count) }
  }

  private func version(of object: NSManagedObject) -> Int64? {
    object.contents == .fault ? nil : object.view.version
  }
}
