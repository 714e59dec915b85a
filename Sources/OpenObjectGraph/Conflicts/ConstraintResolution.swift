internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Applies a merge policy to objects with the same values under a uniqueness constraint.
///
/// Confined to the conflicts of one save. ``redirectRelationships()`` is the last step.
struct ConstraintResolution {
  let type: NSMergePolicyType
  /// Whether survivors also take the attributes that are nil because they were never set.
  private let takesUnsetValues: Bool
  /// The surviving objects, by the identity of the discarded object; nil if relationships to the
  /// discarded object become nil.
  ///
  /// Contains only discarded objects that may be destinations of relationships without an inverse.
  private var survivors: [ObjectIdentifier: NSManagedObject?] = [:]
  private var contexts: [NSManagedObjectContext] = []
  /// Whether relationships without an inverse may lead to objects of an entity, by the entity's
  /// position in the model.
  private var areLedTo: [Int: Bool] = [:]
  /// The discarded objects, which are retained so that no other object receives their identity.
  private var givenUp: [NSManagedObject] = []

  init(type: NSMergePolicyType, takesUnsetValues: Bool) {
    self.type = type
    self.takesUnsetValues = takesUnsetValues
  }

  private var isObjectTrump: Bool {
    type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
  }

  mutating func apply(to conflict: NSConstraintConflict) throws {
    // A custom policy may have deleted objects to resolve the conflict itself.
    let saved = conflict.databaseObject.flatMap { $0.registration == .deleted ? nil : $0 }
    var losers = conflict.conflictingObjects.filter(\.isPresent)
    let survivor = saved ?? (losers.isEmpty ? nil : losers.removeFirst())
    guard let survivor, let context = survivor.context else { return }
    for loser in losers where loser !== survivor {
      if loser.registration == .inserted, !isObjectTrump || canReplace(loser, survivor) {
        merge(loser, into: survivor, context)
      } else if isObjectTrump {
        throw NSMergePolicy.failure(of: [conflict])
      } else {
        restore(loser, conflict.constraint, context)
      }
    }
  }

  /// Returns whether a surviving object has all properties of a discarded object, and can be the
  /// destination of the same relationships.
  private func canReplace(_ loser: NSManagedObject, _ survivor: NSManagedObject) -> Bool {
    loser.compiledEntity.subtree.contains(survivor.compiledEntity.index)
  }

  /// Discards an unsaved object in favor of the surviving object.
  private mutating func merge(
    _ loser: NSManagedObject, into survivor: NSManagedObject, _ context: NSManagedObjectContext
  ) {
    survivor.realizeIfNeeded()
    // The survivor's will-save hook must run again, because the survivor may take over values.
    survivor.setAsked(false)
    let isSameEntity = loser.compiledEntity === survivor.compiledEntity
    for property in loser.compiledEntity.properties {
      guard
        let ordinal = isSameEntity
          ? property.ordinal : survivor.compiledEntity.ordinal(of: property.name)
      else { continue }
      guard let relationship = property.relationship else {
        if isObjectTrump { takeValue(of: property, loser, survivor, ordinal) }
        continue
      }
      relationship.isToMany
        ? moveMembers(property, loser, survivor, ordinal)
        : moveDestination(property, loser, survivor, ordinal)
    }
    if isLedTo(loser.compiledEntity) {
      let isReplaced = type != .rollbackMergePolicyType && canReplace(loser, survivor)
      let successor = isReplaced ? survivor : nil
      survivors.updateValue(successor, forKey: ObjectIdentifier(loser))
      givenUp.append(loser)
      if !contexts.contains(where: { $0 === context }) { contexts.append(context) }
    }
    // A custom merge policy may read the values of the discarded object.
    loser.leaveContext()
    guard let save = context.runningSave else { return loser.releaseObjects() }
    save.noteMerge(of: loser)
    // An object that the program inserted again after a merge would otherwise close a cycle.
    survivor.extras?.survivor = nil
    loser.makeExtras().survivor = survivor
  }

  /// Whether relationships without an inverse may lead to objects of an entity.
  private mutating func isLedTo(_ entity: CompiledEntity) -> Bool {
    if let known = areLedTo[entity.index] { return known }
    let entities = entity.model.entities
    let isLedTo = entities.contains { source in
      source.properties.contains { property in
        guard let relationship = property.relationship else { return false }
        return relationship.inverseOrdinal == nil
          && entities[relationship.destinationIndex].subtree.contains(entity.index)
      }
    }
    areLedTo[entity.index] = isLedTo
    return isLedTo
  }

  /// Copies a value of the discarded object to the survivor. A value that was never set is copied
  /// only if the policy takes unset values.
  private func takeValue(
    of property: CompiledProperty, _ loser: NSManagedObject, _ survivor: NSManagedObject,
    _ ordinal: Int
  ) {
    guard property.attribute?.derivation == nil else { return }
    if let edit = loser.edits[property.ordinal] {
      survivor.extras?.values[ordinal] = nil
      return survivor.setEdit(edit, ordinal)
    }
    // An object that an undo inserted again may have a stored value that cannot be decoded.
    guard property.slot != nil, !RowValue.isUnreadable(property, in: loser) else { return }
    let value = loser.row.value(of: property, in: loser.compiledEntity.model)
    if value != .null || takesUnsetValues { survivor.setEdit(.value(value), ordinal) }
  }

  private func moveDestination(
    _ property: CompiledProperty, _ loser: NSManagedObject, _ survivor: NSManagedObject,
    _ ordinal: Int
  ) {
    guard let destination = loser.destination(property.ordinal) else { return }
    RelationshipEdit(loser, property.ordinal)?.leave(destination)
    guard type != .rollbackMergePolicyType else { return }
    if isObjectTrump || survivor.destination(ordinal) == nil {
      RelationshipEdit(survivor, ordinal)?.setDestination(destination)
    }
  }

  private func moveMembers(
    _ property: CompiledProperty, _ loser: NSManagedObject, _ survivor: NSManagedObject,
    _ ordinal: Int
  ) {
    let edit = RelationshipEdit(loser, property.ordinal)
    for member in loser.members(property.ordinal) {
      edit?.leave(member)
      guard type != .rollbackMergePolicyType else { continue }
      RelationshipEdit(toMany: ordinal, of: survivor)?.add(member)
    }
  }

  /// Redirects unsaved relationships without an inverse to the surviving objects.
  func redirectRelationships() {
    for context in contexts {
      for object in context.unitOfWork.inserted + context.unitOfWork.updated { redirect(object) }
    }
  }

  private func redirect(_ object: NSManagedObject) {
    var redirected: [(ordinal: Int, successor: NSManagedObject?)] = []
    object.edits.forEach { ordinal, edit in
      if case .object(let destination) = edit, let successor = successor(of: destination) {
        redirected.append((ordinal, successor))
      }
    }
    for (ordinal, successor) in redirected {
      object.setEdit(successor.map { .object($0) } ?? .value(.null), ordinal)
    }
    object.extras?.forEachMembers { state in
      for member in state.added.objects {
        guard let successor = successor(of: member) else { continue }
        state.forget(member)
        if let successor { state.add(successor) }
      }
    }
  }

  /// Returns the surviving object for a discarded object, which may be nil; nil for an object that
  /// was not discarded.
  private func successor(of object: NSManagedObject) -> NSManagedObject?? {
    guard var successor = survivors[ObjectIdentifier(object)] else { return nil }
    while let current = successor, let next = survivors[ObjectIdentifier(current)] {
      successor = next
    }
    return .some(successor)
  }

  /// Restores the stored values of a saved object: with the store-trump policy, only the values of
  /// the constraint's properties; otherwise, all values.
  private func restore(
    _ object: NSManagedObject, _ constraint: [String], _ context: NSManagedObjectContext
  ) {
    context.unitOfWork.noteResolution(of: object)
    guard type == .mergeByPropertyStoreTrumpMergePolicyType else {
      PairedEdits(in: context).drop(of: object)
      return ObjectRefresh(in: context).dropChanges(of: object)
    }
    for name in constraint {
      if let ordinal = object.compiledEntity.ordinal(of: name) {
        PairedEdits(in: context).drop(ordinal, of: object)
        context.memberships.dropEdit(ordinal, of: object)
      }
    }
  }
}

extension NSManagedObject {
  /// The object into which the running save merged this object, directly or through other merged
  /// objects; nil if the object was not merged or is in a context again.
  final var presentSurvivor: NSManagedObject? {
    guard registry == nil, var survivor = extras?.survivor else { return nil }
    while survivor.registry == nil, let next = survivor.extras?.survivor { survivor = next }
    return survivor
  }
}
