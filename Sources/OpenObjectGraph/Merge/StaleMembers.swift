internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// Lists of members that changes elsewhere made wrong: they are read again when they are next used. Unsaved
// additions and removals of the list stay.

extension NSManagedObjectContext {
  /// Lets the lists that a row was in, or is in now, be read again.
  ///
  /// - Parameters:
  ///   - old: The row as the context knew it; nil when it did not.
  ///   - new: The row as it is; nil when it is gone.
  func dropMemberships(from old: Row?, to new: Row?, at store: Int) {
    guard let some = new ?? old else { return }
    for property in model.entities[some.entityIndex].properties {
      guard let relationship = property.relationship, !relationship.isToMany,
        let inverse = relationship.inverseOrdinal, let slot = property.slot
      else { continue }
      let before = old.flatMap { Self.key(property, slot, in: $0) }
      let after = new.flatMap { Self.key(property, slot, in: $0) }
      guard before != after else { continue }
      let root = model.entities[relationship.destinationIndex].rootIndex
      for key in [before, after].compactMap({ $0 }) {
        unload(inverse, ofKey: key, root: root, at: store)
      }
    }
  }

  /// The key of a to-one relationship's destination.
  private static func key(_ property: CompiledProperty, _ slot: Int, in row: Row) -> Int64? {
    row.isNull(slot) ? nil : row.integer(at: property.byteOffset)
  }

  /// Lets the lists that pairs and orders of a save concern be read again.
  func dropMembers(of changes: SavedChanges) {
    var owners: Set<Int> = []
    for link in changes.links {
      let entity = model.entities[link.entityIndex]
      unload(link.ordinal, of: link.source, at: changes.position)
      guard let inverse = entity.properties[link.ordinal].relationship?.inverseOrdinal else {
        if link.isAdded { owners.insert(Int(link.source.entityIndex)) }
        continue
      }
      unload(inverse, of: link.destination, at: changes.position)
    }
    unloadListsWithoutInverse(ofOwners: owners)
    for ordering in changes.orderings {
      unload(ordering.ordinal, of: ordering.source, at: changes.position)
    }
  }

  /// Lets the loaded lists of relationships without inverse be read again: a row is a member of one list at a time, so
  /// each addition to a list of one owner may take a member from that of another one.
  func unloadListsWithoutInverse(ofOwners entities: Set<Int>) {
    guard !entities.isEmpty else { return }
    for place in registry.loadedLists.relationships {
      guard relationship(at: place)?.inverseOrdinal == nil else { continue }
      let root = model.entities[place.entityIndex].rootIndex
      guard entities.contains(where: { model.entities[$0].rootIndex == root }) else { continue }
      forEachLoadedList(at: place) { unload($0, of: $1) }
    }
  }

  /// Lets lists without inverse be read again from which this context's own save took a member.
  func unloadListsWithoutInverse(takenFromBy changes: SavedChanges) {
    /// New owners by relationship and by key of the member.
    var owners: [Int: [Int: [Int64: Int64]]] = [:]
    for link in changes.links where link.isAdded {
      let property = model.entities[link.entityIndex].properties[link.ordinal]
      guard property.relationship?.inverseOrdinal == nil else { continue }
      owners[link.entityIndex, default: [:]][link.ordinal, default: [:]][link.destination.key] =
        link.source.key
    }
    guard !owners.isEmpty else { return }
    for place in registry.loadedLists.relationships {
      guard
        let property = relationship(at: place)?.inverseOrdinal == nil
          ? model.entities[place.entityIndex].properties[place.ordinal] : nil,
        let taken = owners[property.declaringEntityIndex]?[place.ordinal]
      else { continue }
      forEachLoadedList(at: place) { state, owner in
        let isConcerned =
          Int(owner.storePosition) == changes.position
          && state.members?.objects.contains { member in
            taken[member.key].map { $0 != owner.key } ?? false
          } == true
        if isConcerned { unload(state, of: owner) }
      }
    }
  }

  private func unload(_ ordinal: Int, of id: ObjectKey, at store: Int) {
    let root = model.entities[Int(id.entityIndex)].rootIndex
    unload(ordinal, ofKey: id.key, root: root, at: store)
  }

  private func unload(_ ordinal: Int, ofKey key: Int64, root: Int, at store: Int) {
    guard let owner = registered(ofKey: key, root: root, at: store),
      let state = owner.extras?.members(ordinal)
    else { return }
    unload(state, of: owner)
  }

  /// Lets a list be read again; one with an unsaved order has to be before that is saved.
  func unload(_ state: ToManyState, of owner: NSManagedObject) {
    state.unload()
    if state.needsMembers { unreadOrders.append(owner) }
  }

  /// Reads the members of lists whose unsaved order would be saved without them.
  ///
  /// - Throws: `StoreError` when they cannot be read; they are read again by the next save.
  func readOrders() throws {
    guard !unreadOrders.isEmpty else { return }
    for owner in unreadOrders where owner.isPresent && owner.registry === registry {
      var ordinals: [Int] = []
      owner.extras?.forEachMembers { if $0.needsMembers { ordinals.append($0.ordinal) } }
      for ordinal in ordinals { try owner.loadMembers(ordinal) }
    }
    unreadOrders.removeAll()
  }

  /// The list of a registered object, named by its key in rows; nil when none is kept.
  func members(_ ordinal: Int, ofKey key: Int64, root: Int, at store: Int) -> ToManyState? {
    registered(ofKey: key, root: root, at: store)?.extras?.members(ordinal)
  }

  private func registered(ofKey key: Int64, root: Int, at store: Int) -> NSManagedObject? {
    registry.identityMap.object(store: store, root: root, key: registry.presentKey(key))
  }

  /// Takes objects that are gone out of all lists, also those that only unsaved changes put them into.
  ///
  /// The work is in proportion to the objects and to the loaded lists of relationships that no row describes.
  func dropFromLists(_ gone: [NSManagedObject]) {
    guard !gone.isEmpty else { return }
    for object in gone {
      dropUnsavedLinks(of: object)
      if object.contents != .unresolved {
        dropMemberships(from: object.row, to: nil, at: Int(object.storePosition))
      }
    }
    let objects = Dictionary(grouping: gone, by: \.compiledEntity.index)
    dropUnsavedMembers(objects)
    for place in registry.loadedLists.relationships {
      guard let relationship = relationship(at: place) else { continue }
      let entities = model.entities[relationship.destinationIndex].subtree
      var members = objects.filter { entities.contains($0.key) }.flatMap(\.value)
      if isInverseToOne(relationship) { members.removeAll { $0.contents != .unresolved } }
      unloadLists(at: place, having: members)
    }
  }

  /// Lets those loaded lists of a relationship be read again that have one of some objects.
  private func unloadLists(at place: LoadedLists.Relationship, having members: [NSManagedObject]) {
    guard !members.isEmpty else { return }
    let identities = Set(members.map(ObjectIdentifier.init))
    forEachLoadedList(at: place) { state, owner in
      guard let list = state.members else { return }
      let isConcerned =
        members.count <= list.count
        ? members.contains(where: list.contains)
        : list.objects.contains { identities.contains(ObjectIdentifier($0)) }
      if isConcerned { unload(state, of: owner) }
    }
  }

  private func relationship(at place: LoadedLists.Relationship) -> CompiledRelationship? {
    model.entities[place.entityIndex].properties[place.ordinal].relationship
  }

  /// Whether the rows of a relationship's members say which list they are in.
  private func isInverseToOne(_ relationship: CompiledRelationship) -> Bool {
    guard let inverse = relationship.inverseOrdinal else { return false }
    let properties = model.entities[relationship.destinationIndex].properties
    return properties[inverse].relationship?.isToMany == false
  }

  private func forEachLoadedList(
    at place: LoadedLists.Relationship, _ body: (ToManyState, NSManagedObject) -> Void
  ) {
    registry.loadedLists.visit(place, model.entities[place.entityIndex].rootIndex, registry, body)
  }

  /// Takes objects that are gone out of the changed lists of relationships without inverse.
  private func dropUnsavedMembers(_ gone: [Int: [NSManagedObject]]) {
    let members = gone.filter { isMemberWithoutInverse(model.entities[$0.key]) }.flatMap(\.value)
    guard !members.isEmpty else { return }
    for owner in unitOfWork.inserted + unitOfWork.updated {
      owner.extras?.forEachMembers { state in
        let relationship = owner.compiledEntity.properties[state.ordinal].relationship
        guard state.isEdited, relationship?.inverseOrdinal == nil else { return }
        for member in members { state.forget(member) }
      }
    }
  }

  private func dropUnsavedLinks(of object: NSManagedObject) {
    for property in object.compiledEntity.properties {
      guard let relationship = property.relationship, let inverse = relationship.inverseOrdinal
      else { continue }
      var others = object.extras?.members(property.ordinal)?.added.objects ?? []
      if case .object(let destination)? = object.edits[property.ordinal] {
        others.append(destination)
      }
      for other in others { other.forgetUnsaved(object, inverse) }
    }
  }

  /// Lets all lists that objects may be members of be read again: they came back from a deletion.
  func dropLists(of objects: [NSManagedObject]) {
    let entities = Set(objects.map(\.compiledEntity.index))
    guard !entities.isEmpty else { return }
    for place in registry.loadedLists.relationships {
      guard let relationship = relationship(at: place) else { continue }
      let members = model.entities[relationship.destinationIndex].subtree
      guard entities.contains(where: members.contains) else { continue }
      forEachLoadedList(at: place) { unload($0, of: $1) }
    }
  }

  /// Puts an object with a new row into the lists that its unsaved destinations have.
  ///
  /// A destination that was set back to the stored one counts as no change of the list, until the row changes; the
  /// lists that the former row named have nothing to remove any more.
  func keepUnsavedMemberships(of object: NSManagedObject, insteadOf old: Row?) {
    guard object.registration == .persistent else { return }
    object.edits.forEach { ordinal, edit in
      let property = object.compiledEntity.properties[ordinal]
      guard let relationship = property.relationship, let inverse = relationship.inverseOrdinal
      else { return }
      if let slot = property.slot, let former = old.flatMap({ Self.key(property, slot, in: $0) }),
        former != Self.key(property, slot, in: object.row)
      {
        let root = model.entities[relationship.destinationIndex].rootIndex
        members(inverse, ofKey: former, root: root, at: Int(object.storePosition))?
          .forgetRemoval(of: object)
      }
      guard case .object(let destination) = edit,
        let opposite = destination.compiledEntity.properties[inverse].relationship,
        opposite.isToMany
      else { return }
      destination.makeExtras().makeMembers(inverse, opposite).keepAdded(object)
    }
  }

  /// Whether a to-many relationship without inverse leads to an entity.
  private func isMemberWithoutInverse(_ entity: CompiledEntity) -> Bool {
    model.entities.contains { owner in
      owner.properties.contains { property in
        guard let relationship = property.relationship, relationship.isToMany,
          relationship.inverseOrdinal == nil
        else { return false }
        return model.entities[relationship.destinationIndex].subtree.contains(entity.index)
      }
    }
  }
}

extension NSManagedObject {
  /// Forgets that unsaved changes made an object the destination, or a member, of a relationship.
  fileprivate final func forgetUnsaved(_ object: NSManagedObject, _ ordinal: Int) {
    extras?.members(ordinal)?.forget(object)
    if case .object(let destination)? = edits[ordinal], destination === object {
      setEdit(.value(.null), ordinal)
    }
  }
}
