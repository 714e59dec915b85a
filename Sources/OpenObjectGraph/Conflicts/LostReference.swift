internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// An unsaved reference to an object whose row was deleted.
struct LostReference {
  let source: NSManagedObject
  let ordinal: Int

  private var relationship: CompiledRelationship? {
    source.compiledEntity.properties[ordinal].relationship
  }

  /// Finds the unsaved references of a context's objects to the given destinations.
  ///
  /// - Returns: The references, by the identity of the destination.
  static func all(
    to destinations: [NSManagedObject], in context: NSManagedObjectContext
  ) -> [ObjectIdentifier: [LostReference]] {
    guard !destinations.isEmpty else { return [:] }
    var found: [ObjectIdentifier: [LostReference]] = [:]
    for destination in destinations { found[ObjectIdentifier(destination)] = [] }
    for source in context.unitOfWork.inserted + context.unitOfWork.updated {
      source.edits.forEach { ordinal, edit in
        guard case .object(let destination) = edit else { return }
        found[ObjectIdentifier(destination)]?.append(
          LostReference(source: source, ordinal: ordinal))
      }
      source.extras?.forEachMembers { state in
        for member in state.added.objects {
          found[ObjectIdentifier(member)]?.append(
            LostReference(source: source, ordinal: state.ordinal))
        }
      }
    }
    return found
  }

  /// Whether the reference can be removed without violating the relationship's minimum count.
  ///
  /// - Parameter restoresStored: Whether the stored destination replaces the lost destination.
  func isDispensable(restoresStored: Bool) -> Bool {
    let property = source.compiledEntity.properties[ordinal]
    guard let relationship else { return true }
    if relationship.isToMany {
      guard relationship.minCount > 0 else { return true }
      let count = source.members(ordinal).count - 1
      return count >= relationship.minCount || property.isOptional && count == 0
    }
    if property.isOptional { return true }
    guard restoresStored, source.registration == .persistent, let slot = property.slot else {
      return false
    }
    return !source.view.isNull(slot)
  }

  /// Removes the reference.
  ///
  /// - Parameters:
  ///   - destination: The object to which the reference refers.
  ///   - restoresStored: Whether the stored destination replaces the lost destination.
  func drop(_ destination: NSManagedObject, restoresStored: Bool) {
    guard let context = source.context, let relationship else { return }
    if relationship.isToMany {
      source.extras?.members(ordinal)?.forget(destination)
    } else if restoresStored, source.registration == .persistent {
      context.memberships.dropEdit(ordinal, of: source)
    } else {
      source.setEdit(.value(.null), ordinal)
      source.forgetDestination(ordinal)
    }
    context.unitOfWork.noteResolution(of: source)
  }
}
