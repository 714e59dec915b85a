internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// Reading and editing relationships. Setting one side changes the inverse at once; a to-many side that was
// never loaded only notes the addition or removal.

extension NSManagedObject {
  // MARK: To-one

  /// Destination of a to-one relationship by key.
  final func destination(_ key: __ManagedKey) -> NSManagedObject? {
    guard let position = key.position(in: self, as: .integer) else { return nil }
    return destination(position.ordinal)
  }

  /// Destination of a to-one relationship; a fault when it is not loaded.
  final func destination(_ ordinal: Int) -> NSManagedObject? {
    realizeIfNeeded()
    if let edit = edits[ordinal] {
      if case .object(let object) = edit { return object }
      return nil
    }
    if let loaded = loadedDestination(ordinal) { return loaded }
    guard let object = committedDestination(ordinal) else { return nil }
    keepDestination(object, ordinal)
    return object
  }

  /// Destination as the committed row has it; a fault when it is not loaded.
  final func committedDestination(_ ordinal: Int) -> NSManagedObject? {
    guard let link = borrowing(compiledEntity, { $0.link(ordinal) }), !view.isNull(link.slot),
      let context
    else { return nil }
    return context.destination(of: self, ordinal, link)
  }

  /// Destination of a to-one relationship as values refer to it; no object is made for it.
  final func destinationReference(_ ordinal: Int) -> ObjectReference? {
    realizeIfNeeded()
    if let edit = edits[ordinal] {
      if case .object(let object) = edit { return object.reference }
      return nil
    }
    guard let link = borrowing(compiledEntity, { $0.link(ordinal) }), !view.isNull(link.slot),
      let key = borrowing(registry, { $0.presentKey(view.integer(at: link.byteOffset)) })
    else { return nil }
    return ObjectReference(
      entityToken: link.destinationRootToken, storeToken: storeToken, key: key)
  }

  final func makeExtras() -> ObjectExtras {
    if let extras { return extras }
    let made = ObjectExtras()
    extras = made
    return made
  }

  /// Destination as edited or as registered, without loading anything.
  final func knownDestination(_ ordinal: Int) -> NSManagedObject? {
    if let edit = edits[ordinal] {
      if case .object(let object) = edit { return object }
      return nil
    }
    if let loaded = loadedDestination(ordinal) { return loaded }
    guard contents != .unresolved, let link = borrowing(compiledEntity, { $0.link(ordinal) }),
      !view.isNull(link.slot)
    else { return nil }
    return borrowing(registry) { registry in
      registry.identityMap.object(
        store: Int(storePosition), root: link.destinationRoot,
        key: registry.presentKey(view.integer(at: link.byteOffset)))
    } ?? nil
  }

  /// Sets a to-one relationship and its inverse.
  final func setDestination(_ object: NSManagedObject?, _ key: __ManagedKey) {
    let position = key.position(in: self, as: .integer)
    if let position,
      borrowing(object, { setFirstDestination($0, position.ordinal) }) == true
    {
      return
    }
    guard let position, compiledEntity.properties[position.ordinal].relationship != nil else {
      return reportMisuse("The entity has no to-one relationship of this name.", key.name)
    }
    setDestination(object, position.ordinal)
  }

  /// Sets a to-one relationship and its inverse.
  final func setDestination(_ new: NSManagedObject?, _ ordinal: Int) {
    guard becomesEditable() else { return }
    let property = compiledEntity.properties[ordinal]
    guard let relationship = property.relationship else { return }
    if let new, !accepts(new, property, relationship) { return }
    if let new, relationship.inverseOrdinal != nil, !edits.contains(ordinal),
      let link = compiledEntity.link(ordinal), hasStoredDestination(new, link)
    {
      return
    }
    let isFresh = registration == .inserted && !edits.contains(ordinal)
    let inverseLink = compiledEntity.link(ordinal)?.inverse
    let isPair = inverseLink?.isToMany == false
    var old: NSManagedObject?
    if relationship.inverseOrdinal != nil, !isFresh {
      // The other side of a pair has a foreign key to empty, registered or not.
      old = isPair ? destination(ordinal) : knownDestination(ordinal)
    }
    if let new, old === new { return }
    if let inverseLink, isPair, !areInversesReadable(old, new, inverseLink.ordinal) { return }
    setEdit(new.map { .object($0) } ?? .value(.null), ordinal)
    forgetDestination(ordinal)
    guard let inverse = relationship.inverseOrdinal else { return }
    old?.removeInverse(self, inverse)
    if let old, !relationship.isToMany { old.releaseInverse(self, inverse) }
    new?.addInverse(self, inverse)
  }

  /// Whether the other sides of a one-to-one relationship can be set; where one cannot be read, neither side changes.
  private final func areInversesReadable(
    _ old: NSManagedObject?, _ new: NSManagedObject?, _ inverse: Int
  ) -> Bool {
    if let old, !old.becomesEditable() { return false }
    guard let new else { return true }
    guard new.becomesEditable() else { return false }
    return new.destination(inverse)?.becomesEditable() ?? true
  }

  /// Empties the other side of a one-to-one relationship also where its row is of another time and leads elsewhere:
  /// the stored one may lead here, which the save is going to find out.
  private final func releaseInverse(_ source: NSManagedObject, _ ordinal: Int) {
    guard compiledEntity.properties[ordinal].relationship?.isToMany == false,
      isPresent, !edits.contains(ordinal)
    else { return }
    setEdit(.value(.null), ordinal)
    forgetDestination(ordinal)
  }

  /// Sets a to-one relationship as imports do all the time: the first destination of an inserted object, or the one
  /// that a saved object has already.
  ///
  /// - Returns: false when it is not as simple as that; nothing was set then.
  private final func setFirstDestination(_ new: NSManagedObject, _ ordinal: Int) -> Bool {
    guard contents == .realized, registry === new.registry,
      let link = borrowing(compiledEntity, { $0.link(ordinal) }),
      link.destinationToken == new.entityToken, !edits.contains(ordinal),
      link.inverse?.isToMany != false
    else { return false }
    guard registration == .inserted else {
      return link.inverse != nil && hasStoredDestination(new, link)
    }
    setEdit(.object(new), ordinal)
    forgetDestination(ordinal)
    guard let inverse = link.inverse else { return true }
    new.addMember(self, inverse.ordinal, isOrdered: inverse.isOrdered)
    return true
  }

  /// Notes that `source` now points at this object by the inverse of a to-many relationship.
  private final func addMember(_ source: NSManagedObject, _ ordinal: Int, isOrdered: Bool) {
    let isNew = borrowing(makeExtras()) { $0.add(source, to: ordinal, isOrdered: isOrdered) }
    if isNew, !isNotedAsChanged { markChanged() }
  }

  /// Whether a to-one relationship without unsaved value leads to a saved object, by their keys alone.
  @inline(__always)
  private final func hasStoredDestination(_ object: NSManagedObject, _ link: CompiledLink) -> Bool {
    registration == .persistent && object.registration == .persistent
      && object.storePosition == storePosition && !view.isNull(link.slot)
      && view.integer(at: link.byteOffset) == object.key
  }

  /// Checks that an object may stand at the end of a relationship of this object.
  private final func accepts(
    _ object: NSManagedObject, _ property: CompiledProperty,
    _ relationship: CompiledRelationship
  ) -> Bool {
    let destination = relationship.destination
    guard
      object.compiledEntity === destination
        || object.compiledEntity.model === destination.model
          && destination.subtree.contains(object.compiledEntity.index)
    else {
      reportMisuse(
        "Unacceptable type of value for to-one relationship: desired \(destination.name), "
          + "given \(object.compiledEntity.name).", property.name)
      return false
    }
    return registry === object.registry && registry != nil || join(object, property.name)
  }

  /// Brings the object into this object's context if it has none.
  ///
  /// - Returns: false when the two are in different contexts.
  private final func join(_ object: NSManagedObject, _ name: String) -> Bool {
    switch (context, object.context) {
    case (let mine?, nil):
      mine.insert(object)
    case (nil, let theirs?):
      theirs.insert(self)
    case (let mine?, let theirs?) where mine !== theirs:
      reportMisuse(
        "Illegal attempt to establish a relationship '\(name)' between objects in different "
          + "contexts. Get the object in this context by its id first.", name)
      return false
    default: break
    }
    return true
  }

  /// Notes that `source` now points at this object.
  final func addInverse(_ source: NSManagedObject, _ ordinal: Int) {
    guard let relationship = compiledEntity.properties[ordinal].relationship else { return }
    if relationship.isToMany {
      return addMember(source, ordinal, isOrdered: relationship.isOrdered)
    }
    realizeIfNeeded()
    if let displaced = destination(ordinal), displaced !== source,
      let back = relationship.inverseOrdinal, !displaced.isPaired(elsewhereThan: self, back),
      displaced.becomesEditable(), displaced.isPresent
    {
      displaced.setEdit(.value(.null), back)
      displaced.forgetDestination(back)
    }
    setEdit(.object(source), ordinal)
    forgetDestination(ordinal)
  }

  /// Whether an unsaved value leads to another object.
  private final func isPaired(elsewhereThan object: NSManagedObject, _ ordinal: Int) -> Bool {
    guard case .object(let destination)? = edits[ordinal] else { return false }
    return destination !== object
  }

  /// Notes that `source` no longer points at this object.
  final func removeInverse(_ source: NSManagedObject, _ ordinal: Int) {
    guard let relationship = compiledEntity.properties[ordinal].relationship else { return }
    if relationship.isToMany {
      if makeExtras().makeMembers(ordinal, relationship).remove(source) { markChanged() }
      return
    }
    if knownDestination(ordinal) === source || contents == .unresolved {
      setEdit(.value(.null), ordinal)
      forgetDestination(ordinal)
    }
  }

  // MARK: To-many

  /// Members of a to-many relationship by key.
  final func members(_ key: __ManagedKey) -> [NSManagedObject] {
    if KeyRecorder.records(key.name, on: self) { return [] }
    guard let ordinal = compiledEntity.ordinal(of: key.name) else { return [] }
    return members(ordinal)
  }

  /// Members of a to-many relationship; loads their keys at the first call.
  final func members(_ ordinal: Int) -> [NSManagedObject] {
    loadedMembers(ordinal).members?.objects ?? []
  }

  /// The state of a to-many relationship with the members in the store loaded, as far as they can be read.
  final func loadedMembers(_ ordinal: Int) -> ToManyState {
    do {
      return try loadMembers(ordinal)
    } catch {
      let property = compiledEntity.properties[ordinal]
      noteUnread(error, "The relationship \(property.name)")
      return makeExtras().makeMembers(ordinal, property.relationship)
    }
  }

  /// The state of a to-many relationship with the members in the store loaded.
  ///
  /// - Throws: `StoreError`, `StrictLoadingError`.
  @discardableResult
  final func loadMembers(_ ordinal: Int) throws -> ToManyState {
    let property = compiledEntity.properties[ordinal]
    let state = makeExtras().makeMembers(ordinal, property.relationship)
    guard !state.isLoaded, let relationship = property.relationship else { return state }
    guard registration != .inserted || key > 0, let context, registration != .detached else {
      state.load([])
      return state
    }
    state.load(try context.storedMembers(of: self, property, relationship))
    context.registry.note(state, of: self)
    return state
  }

  /// Adds a member and sets the inverse.
  final func addMember(_ member: NSManagedObject, _ ordinal: Int) {
    let property = compiledEntity.properties[ordinal]
    guard let relationship = property.relationship, relationship.isToMany else {
      return reportMisuse("The relationship is not to-many.", property.name)
    }
    guard accepts(member, property, relationship) else { return }
    if let inverse = relationship.inverseOrdinal,
      member.compiledEntity.properties[inverse].relationship?.isToMany == false
    {
      member.setDestination(self, inverse)
      return
    }
    guard makeExtras().makeMembers(ordinal, relationship).add(member) else { return }
    markChanged()
    if let inverse = relationship.inverseOrdinal, member !== self || inverse != ordinal {
      member.addInverse(self, inverse)
    }
  }

  /// Removes a member and clears the inverse.
  final func removeMember(_ member: NSManagedObject, _ ordinal: Int) {
    let property = compiledEntity.properties[ordinal]
    guard let relationship = property.relationship, relationship.isToMany else {
      return reportMisuse("The relationship is not to-many.", property.name)
    }
    if let inverse = relationship.inverseOrdinal,
      member.compiledEntity.properties[inverse].relationship?.isToMany == false
    {
      if member.destination(inverse) === self { member.setDestination(nil, inverse) }
      return
    }
    guard makeExtras().makeMembers(ordinal, relationship).remove(member) else { return }
    markChanged()
    if let inverse = relationship.inverseOrdinal, member !== self || inverse != ordinal {
      member.removeInverse(self, inverse)
    }
  }

  /// Makes the given objects the only members.
  final func setMembers(_ objects: [NSManagedObject], _ ordinal: Int) {
    guard loadedMembers(ordinal).isLoaded else { return refuseEdit() }
    let wanted = Set(objects.map(ObjectIdentifier.init))
    for member in members(ordinal) where !wanted.contains(ObjectIdentifier(member)) {
      removeMember(member, ordinal)
    }
    for object in objects { addMember(object, ordinal) }
    guard compiledEntity.properties[ordinal].relationship?.isOrdered == true else { return }
    if loadedMembers(ordinal).reorder(objects) { markChanged() }
  }
}
