internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Unloaded rows that refer to an object that a save deletes.
struct RemainingReferences {
  /// The object that the save deletes.
  let target: NSManagedObject
  /// The ordinal of the object's relationship whose inverse the rows contain.
  let ordinal: Int
  /// The keys of the rows.
  let keys: [ObjectKey]

  private var property: CompiledProperty { target.compiledEntity.properties[ordinal] }

  /// Checks that the delete rule and the inverse relationship permit deleting the object.
  ///
  /// - Throws: `CocoaError` 1600 for the deny rule; 1570 for a mandatory inverse relationship.
  func check() throws {
    guard let relationship = property.relationship else { return }
    switch relationship.deleteRule {
    case .deny:
      throw CocoaError.validation(
        NSValidationRelationshipDeniedDeleteError,
        "Items cannot be deleted from \(property.name).", object: target, key: property.name,
        value: nil)
    case .nullify:
      guard let inverse = relationship.inverseOrdinal, let context = target.context else { return }
      for object in referring(in: context) where object.isPresent {
        let opposite = object.compiledEntity.properties[inverse]
        if !opposite.isOptional { throw PropertyValidation(opposite, of: object).missing() }
      }
    case .cascade, .noAction: return
    }
  }

  private func referring(in context: NSManagedObjectContext) -> [NSManagedObject] {
    keys.map { context.registered($0, store: Int(target.storePosition)) }
  }

  /// Applies the delete rule to the rows.
  ///
  /// - Throws: `StoreError` if the rows cannot be read.
  func apply() throws {
    guard let relationship = property.relationship, let inverse = relationship.inverseOrdinal,
      let context = target.context
    else { return }
    let objects = referring(in: context)
    // The save writes the rows of the other objects, and therefore compares these rows.
    let unwritten = objects.filter { object in
      object.edits.contains(inverse)
        || ChangeSetBuilder.changedSlots(of: object, object.edits).isEmpty
    }
    try readAgain(unwritten, context)
    for object in objects where object.isPresent && object.destination(inverse) === target {
      if relationship.deleteRule == .cascade {
        context.delete(object)
      } else {
        object.setEdit(.value(.null), inverse)
        object.forgetDestination(inverse)
      }
      context.unitOfWork.noteResolution(of: object)
    }
  }

  private func readAgain(
    _ objects: [NSManagedObject], _ context: NSManagedObjectContext
  ) throws {
    guard let first = objects.first, let store = target.store else { return }
    let root = context.model.entities[first.compiledEntity.rootIndex]
    let byKey = Dictionary(objects.map { ($0.key, $0) }) { one, _ in one }
    for chunk in try context.source.rows(of: root, keys: objects.map(\.key), in: store) {
      context.source.publish(chunk, in: store)
      chunk.forEachRow { row in
        if let object = byKey[row.key] { context.memberships.take(row, object) }
      }
    }
  }
}
