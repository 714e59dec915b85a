internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// Reading relationships; `RelationshipEdit` changes them.

extension NSManagedObject {
  // MARK: To-one

  /// Destination of a to-one relationship by key.
  final func destination(_ key: __ManagedKey) -> NSManagedObject? {
    guard let position = key.position(in: self, as: .integer) else { return nil }
    let destination = destination(position.ordinal)
    noteRead(.property(position.ordinal))
    return destination
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
    guard let foreignKey = borrowing(compiledEntity, { $0.foreignKey(ordinal) }),
      !view.isNull(foreignKey.slot)
    else { return nil }
    guard let context else {
      noteLostContext(reading: "The relationship \(compiledEntity.properties[ordinal].name)")
      return nil
    }
    return context.destination(of: self, ordinal, foreignKey)
  }

  /// Destination of a to-one relationship as values refer to it; no object is made for it.
  final func destinationReference(_ ordinal: Int) -> ObjectReference? {
    realizeIfNeeded()
    if let edit = edits[ordinal] {
      if case .object(let object) = edit { return object.reference }
      return nil
    }
    guard let foreignKey = borrowing(compiledEntity, { $0.foreignKey(ordinal) }),
      !view.isNull(foreignKey.slot),
      let key = borrowing(registry, { $0.presentKey(view.integer(at: foreignKey.byteOffset)) })
    else { return nil }
    return ObjectReference(
      entityToken: foreignKey.destinationRootToken, storeToken: storeToken, key: key)
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
    guard contents != .fault,
      let foreignKey = borrowing(compiledEntity, { $0.foreignKey(ordinal) }),
      !view.isNull(foreignKey.slot)
    else { return nil }
    return borrowing(registry) { registry in
      registry.identityMap.object(
        store: Int(storePosition), root: foreignKey.destinationRoot,
        key: registry.presentKey(view.integer(at: foreignKey.byteOffset)))
    } ?? nil
  }

  // MARK: To-many

  /// Members of a to-many relationship by key.
  final func members(_ key: __ManagedKey) -> [NSManagedObject] {
    if KeyRecorder.records(key.name, on: self) { return [] }
    guard let ordinal = compiledEntity.ordinal(of: key.name) else { return [] }
    let members = members(ordinal)
    noteRead(.property(ordinal))
    return members
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
      noteLostContext(reading: "The relationship \(property.name)")
      state.load([])
      return state
    }
    state.load(try context.faults.members(of: self, property, relationship, in: context))
    context.registry.note(state, of: self)
    return state
  }

  /// The members of a to-many relationship that the source of rows names, whatever is unsaved here.
  final func storedMembers(_ property: CompiledProperty) throws(StoreError) -> [NSManagedObject] {
    guard let context, let store, context.source.mayHaveRow(key) else { return [] }
    let keys = try context.source.destinations(
      of: property, in: compiledEntity, sources: [key], in: store)
    return (keys.first ?? []).map { context.registered($0, store: Int(storePosition)) }
  }

  // MARK: Editing

  /// Sets a to-one relationship and its inverse.
  final func setDestination(_ new: NSManagedObject?, _ ordinal: Int) {
    RelationshipEdit(self, ordinal)?.setDestination(new)
  }

  /// Adds a member and sets the inverse.
  final func addMember(_ member: NSManagedObject, _ ordinal: Int) {
    RelationshipEdit(toMany: ordinal, of: self)?.add(member)
  }

  /// Removes a member and clears the inverse.
  final func removeMember(_ member: NSManagedObject, _ ordinal: Int) {
    RelationshipEdit(toMany: ordinal, of: self)?.remove(member)
  }

  /// Notes that `source` now points at this object.
  final func addInverse(_ source: NSManagedObject, _ ordinal: Int) {
    RelationshipEdit(self, ordinal)?.addSource(source)
  }

  /// Notes that `source` no longer points at this object.
  final func removeInverse(_ source: NSManagedObject, _ ordinal: Int) {
    RelationshipEdit(self, ordinal)?.removeSource(source)
  }
}
