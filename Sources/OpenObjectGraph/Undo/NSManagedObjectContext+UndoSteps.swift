internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// Carrying out a step: objects come back, values and members are as they were, objects leave.

extension NSManagedObjectContext {
  /// Carries out what a registration recorded, and registers the opposite.
  func carryOut(_ deltas: [ObjectDelta], _ direction: UndoDirection) {
    // Steps of an undo manager that the context had before do nothing.
    guard let undoTracking, let undoManager, undoManager.activity != .none else { return }
    undoTracking.isCarryingOut = true
    ownSteps += 1
    defer {
      ownSteps -= 1
      undoTracking.isCarryingOut = false
    }
    undoManager.registerUndo(withTarget: self) { $0.carryOut(deltas, direction.opposite) }
    let revived = bringBack(deltas.filter { $0.appears(direction) })
    let staying = deltas.filter { !$0.disappears(direction) && holds($0.object) }
    for delta in staying { restoreValues(delta, direction) }
    for delta in staying { restoreMembers(delta, direction) }
    for object in revived { object.dropStrayMembers() }
    let leaving = deltas.filter { $0.disappears(direction) }
    withdraw(leaving.filter { !$0.areRulesDue }.map(\.object))
    for delta in leaving where delta.areRulesDue { deleteAgain(delta.object) }
    for delta in staying { restoreOrders(delta, direction) }
    settle(staying)
    for delta in staying { awake(delta, direction) }
    processPendingChanges()
  }

  /// Whether an object is in this context, and not deleted.
  private func holds(_ object: NSManagedObject) -> Bool {
    object.isPresent && object.registry === registry
  }

  // MARK: Objects that come back

  /// - Returns: The objects whose deletion was not saved; the others were inserted again.
  private func bringBack(_ deltas: [ObjectDelta]) -> [NSManagedObject] {
    var (revived, inserted): ([NSManagedObject], [ObjectDelta]) = ([], [])
    for delta in deltas {
      switch delta.object.registration {
      // What others deleted meanwhile stays deleted: that is not this context's to take back.
      case .deleted where delta.object.isRowMissing: continue
      case .deleted where delta.object.deletion == .withdrawal:
        delta.object.detach()
        if insertAgain(delta.object) { inserted.append(delta) }
      case .deleted where delta.object.registry === registry:
        undelete(delta.object)
        revived.append(delta.object)
      case .detached where insertAgain(delta.object): inserted.append(delta)
      default: continue
      }
    }
    for object in revived { object.joinToMany() }
    for delta in inserted { give(delta.contents.values, to: delta.object) }
    for delta in inserted { give(delta.contents.members, to: delta.object) }
    return revived
  }

  /// Inserts an object that left the context, under the key that it had.
  private func insertAgain(_ object: NSManagedObject) -> Bool {
    guard object.key != 0 else { return false }
    let (store, root) = (Int(object.storePosition), object.compiledEntity.rootIndex)
    // What was made for the row in the meantime, a fault or an object found to be gone, stands for nothing.
    if let other = registry.identityMap.object(store: store, root: root, key: object.key) {
      other.detach()
    }
    object.registry = registry
    object.cachedID = nil
    object.row = DefaultRows.row(of: object.compiledEntity, version: object.row.version)
    object.edits.removeAll()
    // Delete rules of others may have left marks after the object was gone.
    object.forgetLoaded()
    object.contents = .realized
    registerInserted(object)
    return true
  }

  private func give(_ values: [(ordinal: Int, value: EditValue)], to object: NSManagedObject) {
    for (ordinal, value) in values { object.restore(value, ordinal) }
  }

  private func give(
    _ members: [(ordinal: Int, objects: [NSManagedObject])], to object: NSManagedObject
  ) {
    for (ordinal, objects) in members
    where object.undoKind(ofToMany: ordinal)?.followsInverse == false {
      _ = object.loadedMembers(ordinal)
      for member in objects where holds(member) { object.addMember(member, ordinal) }
    }
  }

  // MARK: Objects that stay

  private func restoreValues(_ delta: ObjectDelta, _ direction: UndoDirection) {
    for change in delta.values {
      delta.object.restore(change.value(direction), change.ordinal)
    }
  }

  private func restoreMembers(_ delta: ObjectDelta, _ direction: UndoDirection) {
    for change in delta.members {
      if change.gained.isEmpty, change.lost.isEmpty { continue }
      // Members that are loaded know what is one already: the other side may have said so.
      _ = delta.object.loadedMembers(change.ordinal)
      let isBackward = direction == .backward
      let (gained, lost) = (change.gained, change.lost)
      for member in isBackward ? gained : lost where holds(member) {
        delta.object.removeMember(member, change.ordinal)
      }
      for member in isBackward ? lost : gained where holds(member) {
        delta.object.addMember(member, change.ordinal)
      }
    }
  }

  private func restoreOrders(_ delta: ObjectDelta, _ direction: UndoDirection) {
    for (ordinal, order) in delta.appears(direction) ? delta.contents.members : [] {
      delta.object.restoreOrder(order, ordinal)
    }
    for change in delta.members {
      guard let order = change.order(direction) else { continue }
      delta.object.restoreOrder(order, change.ordinal)
    }
  }

  // MARK: Objects that leave

  /// Takes objects out of the context: insertions are forgotten, saved objects are deleted by the next save.
  ///
  /// Among themselves the objects stay related, as in any deletion.
  private func withdraw(_ objects: [NSManagedObject]) {
    let leaving = objects.filter(holds)
    let identities = Set(leaving.map(ObjectIdentifier.init))
    for object in leaving {
      object.forEachInverse { destination, inverse in
        guard !identities.contains(ObjectIdentifier(destination)) else { return }
        destination.removeInverse(object, inverse)
      }
    }
    for object in leaving { withdraw(object) }
  }

  /// No delete rule is applied: what it did to other objects is part of the step.
  private func withdraw(_ object: NSManagedObject) {
    guard object.registration != .inserted else {
      undoTracking?.withdrawn.append(object)
      return object.detach()
    }
    unitOfWork.move(object, by: .delete)
    unitOfWork.notePropagation(of: object)
  }

  /// Deletes an object whose delete rules apply later, as they would have before the step was taken back.
  private func deleteAgain(_ object: NSManagedObject) {
    guard holds(object) else { return }
    unitOfWork.move(object, by: .delete)
  }

  // MARK: Afterwards

  /// Drops edits that are as the store has it, so that objects without any other change are clean again.
  private func settle(_ deltas: [ObjectDelta]) {
    for delta in deltas { delta.object.dropEditsWithoutEffect(delta.values.map(\.ordinal)) }
    for object in unitOfWork.unannounced
    where object.edits.isEmpty && object.extras?.hasToManyEdits != true {
      unitOfWork.discardUpdate(of: object)
    }
  }

  private func awake(_ delta: ObjectDelta, _ direction: UndoDirection) {
    let object = delta.object
    object.untracked {
      switch delta.presence {
      case .stays: object.awake(fromSnapshotEvents: .undoUpdate)
      case .appears: object.awake(fromSnapshotEvents: .undoInsertion)
      case .disappears: object.awake(fromSnapshotEvents: .undoDeletion)
      }
    }
  }
}

extension NSManagedObject {
  /// Sets a property to a recorded value, with the inverse; nil takes the value of a transient attribute away.
  fileprivate final func restore(_ recorded: EditValue?, _ ordinal: Int) {
    realizeIfNeeded()
    if Self.isSame(recorded, currentEdit(ordinal)) { return }
    if compiledEntity.properties[ordinal].relationship != nil {
      guard case .object(let destination) = recorded, isPresent(with: destination) else {
        return setDestination(nil, ordinal)
      }
      return setDestination(destination, ordinal)
    }
    extras?.values[ordinal] = nil
    if let recorded { return setEdit(recorded, ordinal) }
    edits.remove(ordinal)
    markChanged()
  }

  /// Whether another object is in this object's context, and not deleted.
  private final func isPresent(with other: NSManagedObject) -> Bool {
    other.isPresent && other.registry === registry
  }

  fileprivate final func restoreOrder(_ order: [NSManagedObject], _ ordinal: Int) {
    guard compiledEntity.properties[ordinal].relationship?.isOrdered == true else { return }
    if loadedMembers(ordinal).reorder(order) { markChanged() }
  }

  /// Removes the edits among some that say what the row says.
  fileprivate final func dropEditsWithoutEffect(_ ordinals: [Int]) {
    let changed = ChangeSetBuilder.changedSlots(of: self, edits)
    for ordinal in ordinals {
      guard let slot = compiledEntity.properties[ordinal].slot else { continue }
      if !changed.contains(slot) { edits.remove(ordinal) }
    }
  }

  /// Becomes a member again where it was one; to-one relationships at it are values of the step.
  fileprivate final func joinToMany() {
    forEachInverse { destination, inverse in
      guard destination.compiledEntity.properties[inverse].relationship?.isToMany == true else {
        return
      }
      if destination.undoKind(ofToMany: inverse) != nil { _ = destination.loadedMembers(inverse) }
      destination.addInverse(self, inverse)
    }
  }

  /// Drops members that point elsewhere: the deletion parted them, and nothing in the step joins them again.
  fileprivate final func dropStrayMembers() {
    extras?.forEachMembers { state in
      guard let inverse = compiledEntity.properties[state.ordinal].relationship?.inverseOrdinal
      else { return }
      for member in state.members?.objects ?? [] {
        guard member.compiledEntity.properties[inverse].relationship?.isToMany == false else {
          return
        }
        if isPresent(with: member), member.destination(inverse) === self { continue }
        state.remove(member)
      }
    }
  }

  /// Calls `body` with each object in the context that a relationship leads to, and the relationship back.
  ///
  /// To-many relationships that leave objects alone when this one is deleted are passed over.
  fileprivate final func forEachInverse(_ body: (NSManagedObject, Int) -> Void) {
    for property in compiledEntity.properties {
      guard let relationship = property.relationship, let inverse = relationship.inverseOrdinal
      else { continue }
      if relationship.isToMany {
        guard relationship.deleteRule != .noAction, relationship.deleteRule != .deny else {
          continue
        }
        for member in members(property.ordinal) where isPresent(with: member) {
          body(member, inverse)
        }
      } else if let destination = destination(property.ordinal),
        isPresent(with: destination)
      {
        body(destination, inverse)
      }
    }
  }
}
