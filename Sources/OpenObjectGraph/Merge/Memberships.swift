internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Keeps the lists of members of a context's objects in step with rows that change beneath them.
///
/// A list that a change elsewhere made wrong is dropped, and read again when it is next used; its unsaved additions
/// and removals stay. One with an unsaved order must be read before that order is saved: until then its owner is kept
/// here. The work is in proportion to the change and to the loaded lists, never to the registered objects.
///
/// Owned by its context, and confined to its queue.
final class Memberships {
  /// Whose objects the lists have.
  @exclusivity(unchecked) var registry = ContextRegistry.none
  /// Owners of ordered relationships whose members must be read again before their unsaved order is saved.
  @exclusivity(unchecked) private var unreadOrders: [NSManagedObject] = []

  private var model: CompiledModel { registry.model }

  // MARK: Rows

  /// Puts a newer row under an object's unsaved changes; an older one changes nothing.
  func take(_ row: Row, _ object: NSManagedObject) {
    guard object.contents == .fault || row.version >= object.row.version else { return }
    replaceRow(of: object, with: row)
    object.extras?.values.removeAll()
  }

  /// Puts another row under an object's unsaved changes.
  func replaceRow(of object: NSManagedObject, with row: Row) {
    let old = object.contents == .fault ? nil : object.row
    unloadLists(leftBy: old, joinedBy: row, at: Int(object.storePosition))
    object.row = row
    if old == nil { object.contents = .unfired }
    object.forgetDestinations()
    keepUnsavedMemberships(of: object, insteadOf: old)
  }

  /// Lets the lists that a row was in, or is in now, be read again.
  ///
  /// - Parameters:
  ///   - old: The row as the context knew it; nil when it did not.
  ///   - new: The row as it is; nil when it is gone.
  func unloadLists(leftBy old: Row?, joinedBy new: Row?, at store: Int) {
    guard let some = new ?? old else { return }
    for property in model.entities[some.entityIndex].properties {
      guard let relationship = property.relationship, !relationship.isToMany,
        let inverse = relationship.inverseOrdinal, let slot = property.slot
      else { continue }
      let before = old.flatMap { Self.key(property, slot, in: $0) }
      let after = new.flatMap { Self.key(property, slot, in: $0) }
      guard before != after else { continue }
      let root = model.entities[relationship.destinationIndex].rootIndex
      if let before { unload(inverse, ofKey: before, root: root, at: store) }
      if let after { unload(inverse, ofKey: after, root: root, at: store) }
    }
  }

  /// The key of a to-one relationship's destination.
  private static func key(_ property: CompiledProperty, _ slot: Int, in row: Row) -> Int64? {
    row.isNull(slot) ? nil : row.integer(at: property.byteOffset)
  }

  /// Puts an object with a new row into the lists that its unsaved destinations have.
  ///
  /// A destination that was set back to the stored one counts as no change of the list, until the row changes; the
  /// lists that the former row named have nothing to remove any more.
  private func keepUnsavedMemberships(of object: NSManagedObject, insteadOf old: Row?) {
    guard object.registration == .persistent else { return }
    object.edits.forEach { ordinal, edit in
      let property = object.compiledEntity.properties[ordinal]
      guard let relationship = property.relationship, let inverse = relationship.inverseOrdinal
      else { return }
      if let slot = property.slot, let former = old.flatMap({ Self.key(property, slot, in: $0) }),
        former != Self.key(property, slot, in: object.row)
      {
        let root = model.entities[relationship.destinationIndex].rootIndex
        registeredOwner(ofKey: former, root: root, at: Int(object.storePosition))?
          .extras?.members(inverse)?.forgetRemoval(of: object)
      }
      guard case .object(let destination) = edit,
        let opposite = destination.compiledEntity.properties[inverse].relationship,
        opposite.isToMany
      else { return }
      destination.makeExtras().makeMembers(inverse, opposite).keepAdded(object)
    }
  }

  // MARK: Dropped edits

  /// Drops the unsaved values of an object, and the unsaved pairs that it is in.
  func dropEdits(of object: NSManagedObject) {
    dropPairs(of: object)
    object.edits.forEach { ordinal, edit in restoreLists(of: object, ordinal, edit) }
    object.edits.removeAll()
  }

  /// Drops the unsaved value of one property.
  func dropEdit(_ ordinal: Int, of object: NSManagedObject) {
    guard let edit = object.edits[ordinal] else { return }
    restoreLists(of: object, ordinal, edit)
    object.edits.remove(ordinal)
  }

  /// Takes an object out of the unsaved pairs that it is in, which the lists of both sides hold.
  private func dropPairs(of object: NSManagedObject) {
    object.extras?.forEachMembers { list in
      guard list.isEdited,
        let inverse = object.compiledEntity.properties[list.ordinal].relationship?.inverseOrdinal
      else { return }
      for member in list.added.objects + list.removed.objects {
        let opposite = member.compiledEntity.properties[inverse].relationship
        guard opposite?.isToMany == true, let others = member.extras?.members(inverse) else {
          continue
        }
        others.forget(object)
        unload(others, of: member)
      }
    }
  }

  /// Takes an object out of the list of an unsaved destination, back into that of the stored one.
  private func restoreLists(of object: NSManagedObject, _ ordinal: Int, _ edit: EditValue) {
    let property = object.compiledEntity.properties[ordinal]
    guard let relationship = property.relationship, !relationship.isToMany,
      let inverse = relationship.inverseOrdinal, let slot = property.slot
    else { return }
    if case .object(let destination) = edit {
      destination.extras?.members(inverse)?.forget(object)
    }
    guard object.contents != .fault,
      let key = Self.key(property, slot, in: object.row),
      let stored = registeredOwner(
        ofKey: key, root: model.entities[relationship.destinationIndex].rootIndex,
        at: Int(object.storePosition)),
      let list = stored.extras?.members(inverse)
    else { return }
    list.forget(object)
    unload(list, of: stored)
  }

  /// Unloads a list in which an object is an unsaved addition although the object's row already says the same: if the
  /// row is deleted, the object leaves the list like any other member.
  func dropAddition(of object: NSManagedObject, to owner: NSManagedObject, _ ordinal: Int) {
    guard let list = owner.extras?.members(ordinal), list.added.contains(object),
      let inverse = owner.compiledEntity.properties[ordinal].relationship?.inverseOrdinal,
      object.compiledEntity.properties[inverse].relationship?.isToMany == false,
      object.edits[inverse] == nil
    else { return }
    list.forget(object)
    unload(list, of: owner)
  }

  // MARK: Pairs and orders

  /// Lets the lists that pairs and orders of a save concern be read again.
  func unloadLists(
    with joinRows: [ChangeSet.JoinRow], _ orderings: [ChangeSet.Ordering], at store: Int
  ) {
    var roots: Set<Int> = []
    for joinRow in joinRows {
      unload(joinRow.ordinal, of: joinRow.source, at: store)
      let property = model.entities[joinRow.entityIndex].properties[joinRow.ordinal]
      if let inverse = property.relationship?.inverseOrdinal {
        unload(inverse, of: joinRow.destination, at: store)
      } else if joinRow.isAdded {
        roots.insert(model.entities[Int(joinRow.source.entityIndex)].rootIndex)
      }
    }
    unloadListsWithoutInverse(ofRoots: roots)
    for ordering in orderings { unload(ordering.ordinal, of: ordering.source, at: store) }
  }

  /// Lets the loaded lists of relationships without inverse be read again: a row is a member of one list at a time, so
  /// each addition to a list of one owner may take a member from that of another one.
  func unloadListsWithoutInverse(ofRoots roots: Set<Int>) {
    guard !roots.isEmpty else { return }
    forEachLoadedRelationship { place, relationship in
      guard relationship.inverseOrdinal == nil,
        roots.contains(model.entities[place.entityIndex].rootIndex)
      else { return }
      forEachList(at: place, unload)
    }
  }

  /// Unloads the lists without inverse from which this context's own save took a member, so that they are read again.
  func unloadListsWithoutInverse(takenFromBy changes: SavedChanges) {
    /// New owners by relationship and by key of the member.
    var owners: [Int: [Int: [Int64: Int64]]] = [:]
    for joinRow in changes.joinRows where joinRow.isAdded {
      let property = model.entities[joinRow.entityIndex].properties[joinRow.ordinal]
      guard property.relationship?.inverseOrdinal == nil else { continue }
      owners[joinRow.entityIndex, default: [:]][joinRow.ordinal, default: [:]][
        joinRow.destination.key] =
        joinRow.source.key
    }
    guard !owners.isEmpty else { return }
    forEachLoadedRelationship { place, relationship in
      let property = model.entities[place.entityIndex].properties[place.ordinal]
      guard relationship.inverseOrdinal == nil,
        let taken = owners[property.declaringEntityIndex]?[place.ordinal]
      else { return }
      forEachList(at: place) { list, owner in
        guard Int(owner.storePosition) == changes.position, let members = list.members else {
          return
        }
        let isConcerned = members.objects.contains { member in
          taken[member.key].map { $0 != owner.key } ?? false
        }
        if isConcerned { unload(list, of: owner) }
      }
    }
  }

  // MARK: Members that leave and come back

  /// Removes deleted objects from all lists, even from lists with unsaved changes.
  ///
  /// - Parameters:
  ///   - gone: The objects.
  ///   - changed: The objects of the context that may have unsaved members.
  func remove(_ gone: [NSManagedObject], changed: @autoclosure () -> [NSManagedObject]) {
    guard !gone.isEmpty else { return }
    for object in gone {
      forgetUnsavedMemberships(to: object)
      if object.contents != .fault {
        unloadLists(leftBy: object.row, joinedBy: nil, at: Int(object.storePosition))
      }
    }
    let objects = Dictionary(grouping: gone, by: \.compiledEntity.index)
    let loose = objects.filter { isMemberWithoutInverse(model.entities[$0.key]) }.flatMap(\.value)
    if !loose.isEmpty { for owner in changed() { forgetUnsavedMembers(loose, of: owner) } }
    forEachLoadedRelationship { place, relationship in
      let entities = model.entities[relationship.destinationIndex].subtree
      var members = objects.filter { entities.contains($0.key) }.flatMap(\.value)
      if isInverseToOne(relationship) { members.removeAll { $0.contents != .fault } }
      unloadLists(at: place, having: members)
    }
  }

  /// Unloads all lists that may contain the objects, which came back from a deletion, so that the lists are read
  /// again.
  func unloadLists(admitting objects: [NSManagedObject]) {
    let entities = Set(objects.map(\.compiledEntity.index))
    guard !entities.isEmpty else { return }
    forEachLoadedRelationship { place, relationship in
      let members = model.entities[relationship.destinationIndex].subtree
      if entities.contains(where: members.contains) { forEachList(at: place, unload) }
    }
  }

  /// Lets those loaded lists of a relationship be read again that have one of some objects.
  private func unloadLists(at place: LoadedLists.Relationship, having members: [NSManagedObject]) {
    guard !members.isEmpty else { return }
    let identities = Set(members.map(ObjectIdentifier.init))
    forEachList(at: place) { list, owner in
      guard let present = list.members else { return }
      let isConcerned =
        members.count <= present.count
        ? members.contains(where: present.contains)
        : present.objects.contains { identities.contains(ObjectIdentifier($0)) }
      if isConcerned { unload(list, of: owner) }
    }
  }

  /// Whether the rows of a relationship's members say which list they are in.
  private func isInverseToOne(_ relationship: CompiledRelationship) -> Bool {
    guard let inverse = relationship.inverseOrdinal else { return false }
    let properties = model.entities[relationship.destinationIndex].properties
    return properties[inverse].relationship?.isToMany == false
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

  /// Takes objects out of an owner's changed lists of relationships without inverse.
  private func forgetUnsavedMembers(_ members: [NSManagedObject], of owner: NSManagedObject) {
    owner.extras?.forEachMembers { list in
      let relationship = owner.compiledEntity.properties[list.ordinal].relationship
      guard list.isEdited, relationship?.inverseOrdinal == nil else { return }
      for member in members { list.forget(member) }
    }
  }

  /// Removes unsaved changes that made an object the destination, or a member, of relationships.
  private func forgetUnsavedMemberships(to object: NSManagedObject) {
    for property in object.compiledEntity.properties {
      guard let inverse = property.relationship?.inverseOrdinal else { continue }
      var others = object.extras?.members(property.ordinal)?.added.objects ?? []
      if case .object(let destination)? = object.edits[property.ordinal] {
        others.append(destination)
      }
      for other in others {
        other.extras?.members(inverse)?.forget(object)
        if case .object(let destination)? = other.edits[inverse], destination === object {
          other.setEdit(.value(.null), inverse)
        }
      }
    }
  }

  // MARK: Lists

  /// Unloads a list so that it is read again; a list with an unsaved order must be read before the order is saved.
  func unload(_ list: ToManyState, of owner: NSManagedObject) {
    let relationship = owner.compiledEntity.properties[list.ordinal].relationship
    list.unload(isSentAsPairs: relationship.map { !isInverseToOne($0) } ?? false)
    if list.needsMembers { unreadOrders.append(owner) }
  }

  private func unload(_ ordinal: Int, of id: ObjectKey, at store: Int) {
    let root = model.entities[Int(id.entityIndex)].rootIndex
    unload(ordinal, ofKey: id.key, root: root, at: store)
  }

  private func unload(_ ordinal: Int, ofKey key: Int64, root: Int, at store: Int) {
    guard let owner = registeredOwner(ofKey: key, root: root, at: store),
      let list = owner.extras?.members(ordinal)
    else { return }
    unload(list, of: owner)
  }

  /// The registered object that rows name by a key.
  private func registeredOwner(ofKey key: Int64, root: Int, at store: Int) -> NSManagedObject? {
    registry.identityMap.object(store: store, root: root, key: registry.presentKey(key))
  }

  private func forEachLoadedRelationship(
    _ body: (LoadedLists.Relationship, CompiledRelationship) -> Void
  ) {
    for place in registry.loadedLists.relationships {
      let property = model.entities[place.entityIndex].properties[place.ordinal]
      if let relationship = property.relationship { body(place, relationship) }
    }
  }

  private func forEachList(
    at place: LoadedLists.Relationship, _ body: (ToManyState, NSManagedObject) -> Void
  ) {
    registry.loadedLists.visit(place, model.entities[place.entityIndex].rootIndex, registry, body)
  }

  // MARK: Unsaved orders

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

  /// Forgets the owners of unsaved orders, which were dropped.
  func forgetOrders() { unreadOrders.removeAll() }
}
