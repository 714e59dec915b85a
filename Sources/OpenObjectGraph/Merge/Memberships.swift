internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Keeps the lists of members of a context's objects consistent with rows that change.
///
/// A list that another context's change invalidates is dropped and read again at its next use. Its
/// unsaved additions and removals remain. A list with an unsaved order must be read before that
/// order is saved; until then, `Memberships` retains the list's owner. The cost is proportional to
/// the change and to the loaded lists, not to the registered objects.
///
/// > Concurrency: Confined to the queue of the context that owns the instance.
final class Memberships {
  /// The registry of the objects that own the lists.
  @exclusivity(unchecked) var registry = ContextRegistry.none
  /// The owners of ordered relationships whose members must be read before their order is saved.
  @exclusivity(unchecked) private var unreadOrders: [ObjectIdentifier: NSManagedObject] = [:]

  /// The owners of dropped lists with unsaved members.
  @exclusivity(unchecked) private(set) var dropped = DroppedLists()

  private var model: CompiledModel { registry.model }

  // MARK: Rows

  /// Replaces the row under an object's unsaved changes with a newer row; ignores an older row.
  func take(_ row: Row, _ object: NSManagedObject) {
    guard object.represents(row),
      object.contents == .fault || row.version >= object.row.version
    else { return }
    replaceRow(of: object, with: row)
  }

  /// Replaces the row under an object's unsaved changes.
  ///
  /// - Parameter keepsEdits: `false` if a save has written the unsaved memberships with the row.
  func replaceRow(of object: NSManagedObject, with row: Row, keepsEdits: Bool = true) {
    let old = object.contents == .fault ? nil : object.row
    unloadLists(leftBy: old, joinedBy: row, at: Int(object.storePosition))
    object.row = row
    if old == nil { object.contents = .unfired }
    DestinationLookup.forgetReplacedDestinations(of: object)
    object.extras?.removeDecodedValues(of: object.compiledEntity)
    if keepsEdits { keepUnsavedMemberships(of: object, insteadOf: old) }
  }

  /// Unloads the lists that an object has left or joined, so that they are read again.
  ///
  /// - Parameters:
  ///   - old: The row as the context knew it; nil if the context did not know it.
  ///   - new: The current row; nil if the row was deleted.
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

  /// The key of a to-one relationship's destination; nil for null.
  private static func key(_ property: CompiledProperty, _ slot: Int, in row: Row) -> Int64? {
    row.isNull(slot) ? nil : row.integer(at: property.byteOffset)
  }

  /// Adds an object with a new row to the lists of its unsaved destinations.
  ///
  /// Setting a destination back to the stored destination is not a change of the list until the row
  /// changes. The lists of the former row no longer need to remove the object.
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

  /// Drops the unsaved values of an object and the unsaved join rows that contain it.
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

  /// Removes an object from the unsaved join rows that contain it, which the lists of both sides
  /// hold.
  private func dropPairs(of object: NSManagedObject) {
    object.extras?.forEachMembers { list in
      guard list.isEdited,
        let relationship = object.compiledEntity.properties[list.ordinal].relationship,
        let inverse = relationship.inverseOrdinal
      else { return }
      let members = list.added.objects + list.removed.objects
      if isInverseToOne(relationship) {
        if !members.isEmpty { dropped.note(list, of: object) }
        return
      }
      for member in members {
        guard let others = member.extras?.members(inverse) else { continue }
        others.forget(object)
        unload(others, of: member)
      }
    }
  }

  /// Moves an object from the list of an unsaved destination back to the list of the stored one.
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

  /// Unloads a list with an unsaved addition that the object's row already contains.
  ///
  /// If the row is deleted later, the object leaves the list like any other member.
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

  /// Unloads the lists that join rows and orders of a save affect, so that they are read again.
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
        roots.insert(model.root(of: joinRow.source))
      }
    }
    unloadListsWithoutInverse(ofRoots: roots)
    for ordering in orderings { unload(ordering.ordinal, of: ordering.source, at: store) }
  }

  /// Unloads the loaded lists of relationships without an inverse, so that they are read again.
  ///
  /// A row is a member of only one list at a time. Therefore each addition to one owner's list may
  /// remove a member from another owner's list.
  func unloadListsWithoutInverse(ofRoots roots: Set<Int>) {
    guard !roots.isEmpty else { return }
    forEachLoadedRelationship { place, relationship in
      guard relationship.inverseOrdinal == nil,
        roots.contains(model.entities[place.entityIndex].rootIndex)
      else { return }
      forEachList(at: place, unload)
    }
  }

  /// Unloads the lists without an inverse from which this context's own save took a member.
  func unloadListsWithoutInverse(takenFromBy changes: SavedChanges) {
    let owners = changes.ownersWithoutInverse(in: model)
    guard !owners.isEmpty else { return }
    forEachLoadedRelationship { place, relationship in
      let property = model.entities[place.entityIndex].properties[place.ordinal]
      guard relationship.inverseOrdinal == nil,
        let taken = owners[property.declaringEntityIndex]?[place.ordinal]
      else { return }
      var losesMembers = false
      forEachList(at: place) { list, owner in
        guard Int(owner.storePosition) == changes.position, let members = list.members else {
          return
        }
        let isConcerned = members.objects.contains { member in
          taken[member.key].map { $0 != owner.key } ?? false
        }
        if isConcerned { unload(list, of: owner) }
        losesMembers = losesMembers || isConcerned
      }
      if losesMembers { SavedChanges.warnAboutTakenMembers(of: property, model) }
    }
  }

  // MARK: Members that leave and come back

  /// Removes deleted objects from all lists, even from lists with unsaved changes.
  ///
  /// - Parameters:
  ///   - gone: The deleted objects.
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

  /// Unloads the lists that may contain the given restored objects, so that the lists are read
  /// again: all such lists, or only those of relationships without inverse.
  func unloadLists(admitting objects: [NSManagedObject], onlyWithoutInverse: Bool = false) {
    let entities = Set(objects.map(\.compiledEntity.index))
    guard !entities.isEmpty else { return }
    forEachLoadedRelationship { place, relationship in
      if onlyWithoutInverse, relationship.inverseOrdinal != nil { return }
      // No store contains the members of a transient relationship.
      if model.entities[place.entityIndex].properties[place.ordinal].isTransient { return }
      let members = model.entities[relationship.destinationIndex].subtree
      if entities.contains(where: members.contains) { forEachList(at: place, unload) }
    }
  }

  /// Unloads the loaded lists of a relationship that contain any of the given members.
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

  /// Whether the rows of a relationship's members identify the list that contains them.
  private func isInverseToOne(_ relationship: CompiledRelationship) -> Bool {
    guard let inverse = relationship.inverseOrdinal else { return false }
    let properties = model.entities[relationship.destinationIndex].properties
    return properties[inverse].relationship?.isToMany == false
  }

  /// Whether an entity is the destination of a to-many relationship without an inverse.
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

  /// Removes objects from an owner's changed lists of relationships without an inverse.
  private func forgetUnsavedMembers(_ members: [NSManagedObject], of owner: NSManagedObject) {
    owner.extras?.forEachMembers { list in
      let relationship = owner.compiledEntity.properties[list.ordinal].relationship
      guard list.isEdited, relationship?.inverseOrdinal == nil else { return }
      for member in members { list.forget(member) }
    }
  }

  /// Removes unsaved changes that made an object a destination or a member of relationships.
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

  /// Unloads a list so that it is read again.
  ///
  /// A list with an unsaved order must be read before the order is saved.
  func unload(_ list: ToManyState, of owner: NSManagedObject) {
    let relationship = owner.compiledEntity.properties[list.ordinal].relationship
    list.unload(isSentAsPairs: relationship.map { !isInverseToOne($0) } ?? false)
    if list.needsMembers { unreadOrders[ObjectIdentifier(owner)] = owner }
  }

  /// Unloads an object's lists so that they are read again, except the lists of transient
  /// relationships, which no store contains.
  func unloadLists(of owner: NSManagedObject) {
    owner.extras?.forEachMembers { list in
      if !owner.compiledEntity.properties[list.ordinal].isTransient { unload(list, of: owner) }
    }
  }

  private func unload(_ ordinal: Int, of id: ObjectKey, at store: Int) {
    unload(ordinal, ofKey: id.key, root: model.root(of: id), at: store)
  }

  private func unload(_ ordinal: Int, ofKey key: Int64, root: Int, at store: Int) {
    guard let owner = registeredOwner(ofKey: key, root: root, at: store),
      let list = owner.extras?.members(ordinal)
    else { return }
    unload(list, of: owner)
  }

  /// Returns the registered object to which rows refer by a key.
  private func registeredOwner(ofKey key: Int64, root: Int, at store: Int) -> NSManagedObject? {
    registry.object(root: root, key: key, at: store)
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

  /// Reads the members of lists whose unsaved order would otherwise be saved without them.
  ///
  /// - Throws: `StoreError` if the members cannot be read. The next save tries again.
  func readOrders() throws {
    guard !unreadOrders.isEmpty else { return }
    for owner in unreadOrders.values where owner.isPresent && owner.registry === registry {
      var ordinals: [Int] = []
      owner.extras?.forEachMembers { if $0.needsMembers { ordinals.append($0.ordinal) } }
      for ordinal in ordinals { try owner.loadMembers(ordinal) }
    }
    unreadOrders.removeAll()
  }

  /// Forgets the owners of lists with unsaved changes that were saved or dropped.
  func forgetChanges() {
    // A list may have been read with members that only dropped changes contained.
    for owner in dropped.take() where owner.registry === registry { unloadLists(of: owner) }
    unreadOrders.removeAll()
  }
}
