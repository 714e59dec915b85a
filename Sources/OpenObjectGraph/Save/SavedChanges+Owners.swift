internal import OpenObjectModel
internal import OpenStoreContract

// The members of to-many relationships without an inverse: each member has one owner.

extension SavedChanges {
  /// Returns the owners of the members that the save added to lists without an inverse, by
  /// relationship and by the member's key.
  func ownersWithoutInverse(in model: CompiledModel) -> [Int: [Int: [Int64: Int64]]] {
    var owners: [Int: [Int: [Int64: Int64]]] = [:]
    for joinRow in joinRows where joinRow.isAdded {
      let property = model.entities[joinRow.entityIndex].properties[joinRow.ordinal]
      guard property.relationship?.inverseOrdinal == nil else { continue }
      owners[joinRow.entityIndex, default: [:]][joinRow.ordinal, default: [:]][
        joinRow.destination.key] =
        joinRow.source.key
    }
    return owners
  }

  /// Logs that lists of the context lost members because the save added these members to the lists
  /// of other owners.
  static func warnAboutTakenMembers(of property: CompiledProperty, _ model: CompiledModel) {
    guard let relationship = property.relationship else { return }
    let owner = model.entities[property.declaringEntityIndex].name
    let member = model.entities[relationship.destinationIndex].name
    GraphLog.warning(
      "A save removed objects from the relationship \(property.name) of \(owner), because the save added the objects to the "
        + "lists of other owners. The relationship has no inverse, so each \(member) belongs to only one \(owner). Declare an "
        + "inverse that is a to-many relationship of \(member), so that an object can belong to several owners."
    )
  }
}
