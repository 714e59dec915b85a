internal import OpenObjectModel
internal import OpenStoreContract

/// A step of an undo manager that a context executes, backward or forward.
///
/// Created by ``UndoRecorder`` each time that a step is undone or redone. Objects are inserted
/// again first, because values and members refer to them. Objects are removed when no other
/// object's value refers to them any more. The order of members is restored last, because this
/// needs all members.
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

  /// - Returns: The objects whose deletion was not saved. All other objects were inserted again.
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

  /// Inserts an object that was removed from the context, under its former key.
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

  /// Restores the to-many memberships of an object. To-one relationships to it are restored as
  /// values of the step.
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

  /// Drops members whose inverse refers to another object. The deletion separated them, and the
  /// step does not join them again.
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

  /// Removes objects from the context. New objects are forgotten; the next save deletes saved
  /// objects.
  ///
  /// The objects stay related to each other, as after any deletion.
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

  /// Removes an object without applying delete rules, because their effect on other objects is part
  /// of the step.
  private func withdraw(_ object: NSManagedObject) {
    guard object.registration != .inserted else {
      context.undoRecorder?.noteWithdrawal(of: object)
      return object.detach()
    }
    context.unitOfWork.move(object, by: .delete)
    context.unitOfWork.notePropagation(of: object)
  }

  /// Deletes an object whose delete rules are applied later, as they were before the step was
  /// undone.
  private func deleteAgain(_ object: NSManagedObject) {
    guard registry.hasPresent(object) else { return }
    context.unitOfWork.move(object, by: .delete)
  }

  // MARK: Relationships

  /// Calls `body` with each object in the context that a relationship refers to, and with the
  /// inverse relationship.
  ///
  /// To-many relationships that are not affected by the deletion of this object are skipped.
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

  /// Drops edits that equal the committed values, so that objects without other changes count as
  /// unchanged.
  private func settle(_ objects: [ObjectRestoration]) {
    for object in objects { object.dropEditsWithoutEffect() }
    for object in context.unitOfWork.unannounced
    where object.edits.isEmpty && object.extras?.hasToManyEdits != true {
      context.unitOfWork.discardUpdate(of: object)
    }
  }
}

extension ContextRegistry {
  /// Returns whether an object is in the registry's context and not deleted.
  func hasPresent(_ object: NSManagedObject) -> Bool {
    object.isPresent && object.registry === self
  }
}
