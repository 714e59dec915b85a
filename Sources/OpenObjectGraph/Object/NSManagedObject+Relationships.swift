internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// Reading relationships; `RelationshipEdit` changes them.

extension NSManagedObject {
  // MARK: To-one

  /// Returns the destination of a to-one relationship by key.
  final func destination(_ key: __ManagedKey) -> NSManagedObject? {
    guard let position = key.position(in: self, as: .integer) else { return nil }
    let destination = destination(position.ordinal)
    noteRead(.property(position.ordinal))
    return destination
  }

  /// Returns the destination of a to-one relationship; a fault if it is not loaded.
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

  /// Returns the destination in the committed row; a fault if it is not loaded.
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

  final func makeExtras() -> ObjectExtras {
    if let extras { return extras }
    let made = ObjectExtras()
    extras = made
    return made
  }

  /// Returns the unsaved or registered destination without loading anything.
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
      registry.object(
        root: foreignKey.destinationRoot, key: view.integer(at: foreignKey.byteOffset),
        at: Int(storePosition))
    } ?? nil
  }

  /// Retains the registered destination of a to-one relationship that has no unsaved value.
  final func keepKnownDestination(_ ordinal: Int) {
    guard registration == .persistent, !edits.contains(ordinal), loadedDestination(ordinal) == nil,
      let destination = knownDestination(ordinal)
    else { return }
    keepDestination(destination, ordinal)
  }

  // MARK: To-many

  /// Returns the members of a to-many relationship by key.
  final func members(_ key: __ManagedKey) -> [NSManagedObject] {
    if KeyRecorder.records(key.name, on: self) { return [] }
    guard let ordinal = compiledEntity.ordinal(of: key.name) else { return [] }
    let members = members(ordinal)
    noteRead(.property(ordinal))
    return members
  }

  /// Returns the members of a to-many relationship; the first call loads their keys.
  final func members(_ ordinal: Int) -> [NSManagedObject] {
    loadedMembers(ordinal).objects()
  }

  /// Returns the state of a to-many relationship, with its stored members if they can be read.
  final func loadedMembers(_ ordinal: Int) -> ToManyState {
    do {
      return try loadMembers(ordinal)
    } catch {
      let property = compiledEntity.properties[ordinal]
      noteUnread(error, "The relationship \(property.name)")
      return makeExtras().makeMembers(ordinal, property.relationship)
    }
  }

  /// Loads the stored members of a to-many relationship, and returns its state.
  ///
  /// - Throws: `StoreError` or `StrictLoadingError`.
  @discardableResult
  final func loadMembers(_ ordinal: Int) throws -> ToManyState {
    let property = compiledEntity.properties[ordinal]
    let state = makeExtras().makeMembers(ordinal, property.relationship)
    guard !state.isLoaded, let relationship = property.relationship else { return state }
    let unsaved = context?.memberships.dropped.members(of: self, property) ?? []
    guard registration != .inserted || key > 0, let context, registration != .detached else {
      noteLostContext(reading: "The relationship \(property.name)")
      state.load(unsaved)
      return state
    }
    var members = try context.faults.members(of: self, property, relationship, in: context)
    if !unsaved.isEmpty { members += unsaved }
    state.load(members)
    context.registry.note(state, of: self)
    return state
  }
}

extension NSManagedObject: RelationshipReadable {
  package final func isToMany(_ path: [String]) -> Bool { compiledEntity.isToMany(path[...]) }
}

extension CompiledEntity {
  /// Returns whether a path of relationships leads to a to-many relationship.
  fileprivate func isToMany(_ path: ArraySlice<String>) -> Bool {
    guard let key = path.first, let ordinal = ordinal(of: key),
      let relationship = properties[ordinal].relationship
    else { return false }
    return path.count == 1
      ? relationship.isToMany : relationship.destination.isToMany(path.dropFirst())
  }
}
