internal import OpenObjectModel

/// Applies the delete rules of a context's deleted objects, and of the objects that these rules
/// delete.
///
/// The unit of work lists the objects whose rules have not been applied. If an object's
/// relationships, or the objects that its rules delete, cannot be read, the object remains in the
/// list, and saves fail until its rules can be applied. Confined to the context's queue.
struct DeleteRules {
  private let context: NSManagedObjectContext

  init(in context: NSManagedObjectContext) { self.context = context }

  /// Applies the rules of all listed objects.
  func apply() {
    var unread: [(object: NSManagedObject, error: any Error)] = []
    while !context.unitOfWork.unpropagated.isEmpty {
      for object in context.unitOfWork.takeUnpropagated() {
        do {
          try load(object)
          apply(to: object)
        } catch {
          GraphLog.error("The delete rules of \(object.currentID) could not be applied: \(error)")
          unread.append((object, error))
        }
      }
    }
    for (object, error) in unread {
      context.unitOfWork.deferPropagation(of: object, because: error)
    }
  }

  /// Reads the destinations that the delete rules of an object affect, and the rows of the
  /// destinations that the rules delete.
  private func load(_ object: NSManagedObject) throws {
    guard object.registration == .deleted, !object.flags.contains(.propagated) else { return }
    for property in object.compiledEntity.properties {
      guard let relationship = property.relationship,
        relationship.deleteRule == .cascade || relationship.deleteRule == .nullify
      else { continue }
      if relationship.isToMany { try object.loadMembers(property.ordinal) }
      let affected = try context.throwingFailedReads {
        destinations(of: object, property, relationship)
      }
      guard relationship.deleteRule == .cascade else { continue }
      for destination in affected where destination.isPresent && destination.contents == .fault {
        try FaultResolver.load(destination)
      }
    }
  }

  private func destinations(
    of object: NSManagedObject, _ property: CompiledProperty, _ relationship: CompiledRelationship
  ) -> [NSManagedObject] {
    if relationship.isToMany { return object.members(property.ordinal) }
    return object.destination(property.ordinal).map { [$0] } ?? []
  }

  private func apply(to object: NSManagedObject) {
    guard context.unitOfWork.notePropagation(of: object) else { return }
    for property in object.compiledEntity.properties {
      if let relationship = property.relationship { apply(relationship, property, of: object) }
    }
    if object.deletion == .withdrawal { object.detach() }
  }

  private func apply(
    _ relationship: CompiledRelationship, _ property: CompiledProperty, of object: NSManagedObject
  ) {
    let destinations = self.destinations(of: object, property, relationship)
    switch relationship.deleteRule {
    case .noAction, .deny: return
    case .cascade:
      for destination in destinations where destination.registration != .deleted {
        context.delete(destination)
      }
    case .nullify:
      guard let inverse = relationship.inverseOrdinal else { return }
      for destination in destinations where destination.registration != .deleted {
        RelationshipEdit(destination, inverse)?.removeSource(object)
      }
    }
  }
}
