internal import OpenObjectModel
internal import OpenStoreContract

/// The execution of an undo step in a context, backward or forward.
///
/// ``UndoRecorder`` creates an `UndoStep` each time that a step is undone or redone. Removed
/// objects are inserted again first, because restored values and members refer to them. Objects are
/// removed from the context after the values and members of all other objects are restored. The
/// order of members is restored last, because it requires all members.
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
    // Lists without inverse that were read after the deletion lack the objects.
    context.memberships.unloadLists(admitting: revived, onlyWithoutInverse: true)
    settle(staying)
    for object in staying { object.awake() }
  }

  private func restoration(of delta: ObjectDelta) -> ObjectRestoration {
    ObjectRestoration(delta, direction, in: registry)
  }

  // MARK: Objects that come back

  /// Returns objects that the step adds to the context, either by undoing their unsaved deletion or
  /// by inserting them again.
  ///
  /// - Returns: The objects whose unsaved deletion was undone.
  private func bringBack() -> [NSManagedObject] {
    var (revived, inserted): ([NSManagedObject], [ObjectRestoration]) = ([], [])
    for delta in deltas where delta.appears(direction) {
      switch delta.object.registration {
      // An object that another context or process has deleted in the store remains deleted.
      case .deleted where delta.object.isRowMissing: continue
      case .deleted where delta.object.deletion == .withdrawal:
        delta.object.detach()
        if insertAgain(delta.object) { inserted.append(restoration(of: delta)) }
      case .deleted where delta.object.registry === registry:
        ObjectDeletion.undo(of: delta.object, in: context)
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
  ///
  /// - Returns: Whether the object has a former key and was inserted.
  private func insertAgain(_ object: NSManagedObject) -> Bool {
    guard object.key != 0 else { return false }
    let (store, root) = (Int(object.storePosition), object.compiledEntity.rootIndex)
    // The object created for the row in the meantime, a fault or an object found to be deleted, is
    // no longer needed.
    if let other = registry.identityMap.object(store: store, root: root, key: object.key) {
      other.detach()
    }
    object.registry = registry
    object.cachedID = nil
    object.row = DefaultRows.row(reinserting: object)
    object.edits.removeAll()
    // Delete rules of other objects may have left marks after the object was removed.
    object.forgetLoaded()
    object.becomeRealized()
    ObjectInsertion.register(object, in: context)
    return true
  }

  /// Adds an object to the to-many relationships whose members included the object. To-one
  /// relationships to the object are restored as values of the step.
  private func joinToMany(_ object: NSManagedObject) {
    forEachInverse(of: object) { destination, inverse in
      let entity = destination.compiledEntity
      guard entity.properties[inverse].relationship?.isToMany == true else { return }
      if RecordedRelationship(inverse, of: entity) != nil {
        _ = destination.loadedMembers(inverse)
      }
      RelationshipEdit(destination, inverse)?.addSource(object)
      context.memberships.dropAddition(of: object, to: destination, inverse)
    }
  }

  /// Removes members whose to-one inverse does not refer to the object. The deletion separated
  /// these members from the object, and the step does not restore the relationship.
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

  /// Removes objects from the context. Unsaved objects are detached. Saved objects are marked as
  /// deleted, and the next save deletes them.
  ///
  /// The relationships between the removed objects remain, as after any deletion.
  private func withdraw(_ objects: [NSManagedObject]) {
    let leaving = objects.filter(isReadable)
    let identities = Set(leaving.map(ObjectIdentifier.init))
    for object in leaving {
      forEachInverse(of: object) { destination, inverse in
        guard !identities.contains(ObjectIdentifier(destination)) else { return }
        RelationshipEdit(destination, inverse)?.removeSource(object)
      }
    }
    // Reading an inverse may have revealed that the row of an object no longer exists.
    for object in leaving where registry.hasPresent(object) { withdraw(object) }
  }

  /// Removes an object without applying its delete rules, because the step contains the effects of
  /// the rules on other objects.
  private func withdraw(_ object: NSManagedObject) {
    guard object.registration != .inserted else {
      context.undoRecorder?.noteWithdrawal(of: object)
      return object.detach()
    }
    context.unitOfWork.move(object, by: .delete)
    context.unitOfWork.notePropagation(of: object)
  }

  /// Deletes an object whose delete rules were not yet applied when the step was registered. The
  /// rules are applied later.
  private func deleteAgain(_ object: NSManagedObject) {
    if isReadable(object) { context.unitOfWork.move(object, by: .delete) }
  }

  /// Returns whether an object is in the context and its values can be read. A save deletes the row
  /// with the version that was read.
  private func isReadable(_ object: NSManagedObject) -> Bool {
    registry.hasPresent(object) && object.becomesEditable() && registry.hasPresent(object)
  }

  // MARK: Relationships

  /// Calls `body` with each object in the context to which a relationship of an object refers, and
  /// with the ordinal of the inverse relationship.
  ///
  /// To-many relationships whose delete rule is no action or deny are skipped.
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

  // MARK: Afterward

  /// Removes edits that equal the committed values, and marks objects without other edits as
  /// unchanged.
  private func settle(_ objects: [ObjectRestoration]) {
    for object in objects { object.dropEditsWithoutEffect() }
    for object in context.unitOfWork.unannounced
    where !object.hasEdits {
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
