internal import OpenObjectModel
internal import OpenStoreContract

// Changes of relationships that are not stored in a column of a row: join rows and the order of
// members.

extension ChangeSetBuilder {
  mutating func addJoinRows(of object: NSManagedObject) {
    guard object.extras != nil, borrowing(object.compiledEntity, { writesJoinRows($0) }),
      let extras = object.extras, extras.hasToManyEdits
    else { return }
    for ordinal in extras.editedToMany {
      let property = object.compiledEntity.properties[ordinal]
      guard !property.isTransient, let relationship = property.relationship,
        let state = extras.members(ordinal)
      else { continue }
      if relationship.isOrdered { addOrdering(object, property, state) }
      guard isOwner(object.compiledEntity, property, relationship) else { continue }
      for member in state.added.objects {
        references.note(member, ordinal, of: object)
        references.noteRow(of: object)
        addJoinRow(object, property, member, isAdded: true)
      }
      for member in state.removed.objects where member.isPresent {
        addJoinRow(object, property, member, isAdded: false)
      }
    }
  }

  /// Returns whether any relationship of an entity writes join rows or an order of members. Most
  /// entities have no such relationship.
  private mutating func writesJoinRows(_ entity: CompiledEntity) -> Bool {
    if let known = joinRowWriters[entity.index] { return known }
    let sends = entity.properties.contains { property in
      guard let relationship = property.relationship, relationship.isToMany else { return false }
      return relationship.isOrdered || isOwner(entity, property, relationship)
    }
    joinRowWriters[entity.index] = sends
    return sends
  }

  /// Returns whether this side of a relationship writes its join rows.
  ///
  /// If the inverse is a to-one relationship, its foreign key is stored in a row, and there are no
  /// join rows. One side of a many-to-many relationship writes the join rows.
  private func isOwner(
    _ entity: CompiledEntity, _ property: CompiledProperty, _ relationship: CompiledRelationship
  ) -> Bool {
    guard let inverse = relationship.inverseOrdinal else { return true }
    let destination = entity.model.entities[relationship.destinationIndex]
    let other = destination.properties[inverse]
    guard other.relationship?.isToMany == true else { return false }
    if property.declaringEntityIndex != other.declaringEntityIndex {
      return property.declaringEntityIndex < other.declaringEntityIndex
    }
    return property.name <= other.name
  }

  private mutating func addJoinRow(
    _ source: NSManagedObject, _ property: CompiledProperty, _ member: NSManagedObject,
    isAdded: Bool
  ) {
    let isReflexive =
      property.relationship?.inverseOrdinal == property.ordinal
      && property.relationship?.destinationIndex == property.declaringEntityIndex
    if isReflexive, source.key > member.key { return }
    changes.joinRows.append(
      ChangeSet.JoinRow(
        entityIndex: property.declaringEntityIndex, ordinal: property.ordinal,
        source: ObjectKey(entityIndex: source.compiledEntity.index, key: source.key),
        destination: ObjectKey(entityIndex: member.compiledEntity.index, key: member.key),
        isAdded: isAdded))
  }

  private mutating func addOrdering(
    _ source: NSManagedObject, _ property: CompiledProperty, _ state: ToManyState
  ) {
    references.noteRow(of: source)
    // Objects that are about to be deleted have no place any more.
    let members = (state.members ?? state.added).objects.filter(\.isPresent)
    changes.orderings.append(
      ChangeSet.Ordering(
        entityIndex: property.declaringEntityIndex, ordinal: property.ordinal,
        source: ObjectKey(entityIndex: source.compiledEntity.index, key: source.key),
        members: members.map(\.key), isWhole: state.isLoaded,
        removed: state.removed.objects.filter(\.isPresent).map(\.key)))
  }
}
