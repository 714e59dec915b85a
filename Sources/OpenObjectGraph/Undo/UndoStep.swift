internal import OpenObjectModel
internal import OpenStoreContract

/// One step of an undo manager that a context executes, backward or forward.
///
/// Created by ``UndoRecorder`` for each time that a step is undone or redone. Objects come back first, because values and
/// members lead to them; objects leave once no value of another one is at stake; orders are last, because they need
/// all members.
///
/// > Concurrency: Confined to the context's queue.
struct UndoStep {
  private let context: NSManagedObjectContext
  private let registry: ContextRegistry
  private let deltas: [ObjectDelta]
  private let direction: UndoDirection

  init(
    _ deltas: [ObjectDelta], _ direction: UndoDirection, in context: NSManagedObjectContext
  ) {
    self.deltas = deltas
    self.direction = direction
    self.context = context
    registry = context.registry
  }

  func run() {
    let revived = bringBack()
    let staying = deltas.filter { !$0.disappears(direction) && registry.hasPresent($0.object) }
      .map(restoration)
    for object in staying { object.restoreValues() }
    for object in staying { object.restoreMembers() }
    for object in revived { dropStrayMembers(of: object) }
    let leaving = deltas.filter { $0.disappears(direction) }
    withdraw(leaving.filter { !$0.areRulesDue }.map(\.object))
    for delta in leaving where delta.areRulesDue { deleteAgain(delta.object) }
    for object in staying { object.restoreOrders() }
    settle(staying)
    for object in staying { object.awake() }
  }

  private func restoration(of delta: ObjectDelta) -> ObjectRestoration {
    ObjectRestoration(delta, direction, in: registry)
  }

  // MARK: Objects that come back

  /// - Returns: The objects whose deletion was not saved; the other ones were inserted again.
  private func bringBack() -> [NSManagedObject] {
    var (revived, inserted): ([NSManagedObject], [ObjectRestoration]) = ([], [])
    for delta in deltas where delta.appears(direction) {
      switch delta.object.registration {
      // What others deleted meanwhile stays deleted: that is not this context's to take back.
      case .deleted where delta.object.isRowMissing: continue
      case .deleted where delta.object.deletion == .withdrawal:
        delta.object.detach()
        if insertAgain(delta.object) { inserted.append(restoration(of: delta)) }
      case .deleted where delta.object.registry === registry:
        context.undelete(delta.object)
        revived.append(delta.object)
      case .detached where insertAgain(delta.object): inserted.append(restoration(of: delta))
      default: continue
      }
    }
    for object in revived { joinToMany(object) }
    for object in inserted { object.giveValues() }
    for object in inserted { object.giveMembers() }
    return revived
  }

  /// Inserts an object that left the context, under the key that it had.
  private func insertAgain(_ object: NSManagedObject) -> Bool {
    guard object.key != 0 else { return false }
    let (store, root) = (Int(object.storePosition), object.compiledEntity.rootIndex)
    // The object created for the row in the meantime, a fault or an object found to be deleted, is no longer needed.
    if let other = registry.identityMap.object(store: store, root: root, key: object.key) {
      other.detach()
    }
    object.registry = registry
    object.cachedID = nil
    object.row = DefaultRows.row(of: object.compiledEntity, version: object.row.version)
    object.edits.removeAll()
    // Delete rules of others may have left marks after the object was gone.
    object.forgetLoaded()
    object.becomeRealized()
    context.registerInserted(object)
    return true
  }

  /// Makes an object a member again where it was one; to-one relationships at it are values of the step.
  private func joinToMany(_ object: NSManagedObject) {
    forEachInverse(of: object) { destination, inverse in
      let entity = destination.compiledEntity
      guard entity.properties[inverse].relationship?.isToMany == true else { return }
      if RecordedRelationship(inverse, of: entity) != nil {
        _ = destination.loadedMembers(inverse)
      }
      destination.addInverse(object, inverse)
      context.memberships.dropAddition(of: object, to: destination, inverse)
    }
  }

  /// Drops members that point elsewhere: the deletion parted them, and nothing in the step joins them again.
  private func dropStrayMembers(of object: NSManagedObject) {
    object.extras?.forEachMembers { state in
      let relationship = object.compiledEntity.properties[state.ordinal].relationship
      guard let inverse = relationship?.inverseOrdinal else { return }
      for member in state.members?.objects ?? [] {
        guard member.compiledEntity.properties[inverse].relationship?.isToMany == false else {
          return
        }
        if registry.hasPresent(member), member.destination(inverse) === object { continue }
        state.remove(member)
      }
    }
  }

  // MARK: Objects that leave

  /// Takes objects out of the context: insertions are forgotten, saved objects are deleted by the next save.
  ///
  /// Among themselves the objects stay related, as in any deletion.
  private func withdraw(_ objects: [NSManagedObject]) {
    let leaving = objects.filter(registry.hasPresent)
    let identities = Set(leaving.map(ObjectIdentifier.init))
    for object in leaving {
      forEachInverse(of: object) { destination, inverse in
        guard !identities.contains(ObjectIdentifier(destination)) else { return }
        destination.removeInverse(object, inverse)
      }
    }
    // The row of one may have been found to be gone just now.
    for object in leaving where registry.hasPresent(object) { withdraw(object) }
  }

  /// No delete rule is applied: what it did to other objects is part of the step.
  private func withdraw(_ object: NSManagedObject) {
    guard object.registration != .inserted else {
      context.undoRecorder?.noteWithdrawal(of: object)
      return object.detach()
    }
    context.unitOfWork.move(object, by: .delete)
    context.unitOfWork.notePropagation(of: object)
  }

  /// Deletes an object whose delete rules apply later, as they would have before the step was taken back.
  private func deleteAgain(_ object: NSManagedObject) {
    guard registry.hasPresent(object) else { return }
    context.unitOfWork.move(object, by: .delete)
  }

  // MARK: Relationships

  /// Calls `body` with each object in the context that a relationship leads to, and the relationship back.
  ///
  /// To-many relationships that leave objects alone when this one is deleted are passed over.
  private func forEachInverse(
    of object: NSManagedObject, _ body: (NSManagedObject, Int) -> Void
  ) {
    for property in object.compiledEntity.properties {
      guard let relationship = property.relationship, let inverse = relationship.inverseOrdinal
      else { continue }
      if relationship.isToMany {
        guard relationship.deleteRule != .noAction, relationship.deleteRule != .deny else {
          continue
        }
        for member in object.members(property.ordinal) where registry.hasPresent(member) {
          body(member, inverse)
        }
      } else if let destination = object.destination(property.ordinal),
        registry.hasPresent(destination)
      {
        body(destination, inverse)
      }
    }
  }

  // MARK: Afterwards

  /// Drops edits that are as the store has it, so that objects without any other change are clean again.
  private func settle(_ objects: [ObjectRestoration]) {
    for object in objects { object.dropEditsWithoutEffect() }
    for object in context.unitOfWork.unannounced
    where object.edits.isEmpty && object.extras?.hasToManyEdits != true {
      context.unitOfWork.discardUpdate(of: object)
    }
  }
}

extension ContextRegistry {
  /// Whether an object is in the registry's context, and not deleted.
  func hasPresent(_ object: NSManagedObject) -> Bool {
    object.isPresent && object.registry === self
  }
}
