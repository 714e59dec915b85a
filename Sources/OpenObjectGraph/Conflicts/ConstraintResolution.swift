internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// What a policy makes of objects with the same values under a uniqueness constraint.
struct ConstraintResolution {
  let type: NSMergePolicyType

  private var isObjectTrump: Bool {
    type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
  }

  func apply(to conflict: NSConstraintConflict) throws {
    var losers = conflict.conflictingObjects.filter { $0.context != nil }
    let survivor = conflict.databaseObject ?? (losers.isEmpty ? nil : losers.removeFirst())
    guard let survivor, let context = survivor.context else { return }
    for loser in losers where loser !== survivor {
      if loser.registration == .inserted {
        merge(loser, into: survivor, context)
      } else if isObjectTrump {
        throw NSMergePolicy.failure(of: [conflict])
      } else {
        restore(loser, conflict.constraint, context)
      }
    }
  }

  /// Gives the unsaved object up for the surviving one.
  private func merge(
    _ loser: NSManagedObject, into survivor: NSManagedObject, _ context: NSManagedObjectContext
  ) {
    survivor.realizeIfNeeded()
    for property in loser.compiledEntity.properties {
      guard let ordinal = survivor.compiledEntity.ordinal(of: property.name) else { continue }
      guard let relationship = property.relationship else {
        if isObjectTrump { takeValue(of: property, loser, survivor, ordinal) }
        continue
      }
      relationship.isToMany
        ? moveMembers(property, loser, survivor, ordinal)
        : moveDestination(property, loser, survivor, ordinal)
    }
    if type != .rollbackMergePolicyType { redirect(loser, to: survivor, context) }
    forget(loser, context)
  }

  /// Takes a value over that the loser has; one that it never got erases nothing.
  private func takeValue(
    of property: CompiledProperty, _ loser: NSManagedObject, _ survivor: NSManagedObject,
    _ ordinal: Int
  ) {
    guard property.attribute?.derivation == nil else { return }
    if let edit = loser.edits?[property.ordinal] {
      survivor.extras?.values[ordinal] = nil
      return survivor.setEdit(edit, ordinal)
    }
    guard property.slot != nil else { return }
    let value = loser.row.value(of: property, in: loser.compiledEntity.model)
    if value != .null { survivor.setEdit(.value(value), ordinal) }
  }

  private func moveDestination(
    _ property: CompiledProperty, _ loser: NSManagedObject, _ survivor: NSManagedObject,
    _ ordinal: Int
  ) {
    guard let destination = loser.destination(property.ordinal) else { return }
    loser.setDestination(nil, property.ordinal)
    guard type != .rollbackMergePolicyType else { return }
    if isObjectTrump || survivor.destination(ordinal) == nil {
      survivor.setDestination(destination, ordinal)
    }
  }

  private func moveMembers(
    _ property: CompiledProperty, _ loser: NSManagedObject, _ survivor: NSManagedObject,
    _ ordinal: Int
  ) {
    for member in loser.members(property.ordinal) {
      loser.removeMember(member, property.ordinal)
      if type != .rollbackMergePolicyType { survivor.addMember(member, ordinal) }
    }
  }

  /// Lets unsaved relationships without inverse lead to the surviving object.
  private func redirect(
    _ loser: NSManagedObject, to survivor: NSManagedObject, _ context: NSManagedObjectContext
  ) {
    for object in context.unitOfWork.inserted + context.unitOfWork.updated {
      guard let edits = object.edits else { continue }
      for ordinal in edits.ordinals.members {
        if case .object(let destination)? = edits[ordinal], destination === loser {
          object.setEdit(.object(survivor), ordinal)
        }
      }
    }
  }

  private func forget(_ loser: NSManagedObject, _ context: NSManagedObjectContext) {
    context.unitOfWork.delete(loser)
    loser.registration = .deleted
    loser.detach()
    loser.flags.insert(.propagated)
  }

  /// Gives a saved object its stored values back: those of the constraint, or all.
  private func restore(
    _ object: NSManagedObject, _ constraint: [String], _ context: NSManagedObjectContext
  ) {
    guard type == .mergeByPropertyStoreTrumpMergePolicyType else {
      return context.dropChanges(of: object)
    }
    for name in constraint {
      if let ordinal = object.compiledEntity.ordinal(of: name) {
        context.dropEdit(ordinal, of: object)
      }
    }
  }
}
