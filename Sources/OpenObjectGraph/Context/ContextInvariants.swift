internal import OpenObjectModel
internal import OpenStoreContract

extension NSManagedObjectContext {
  /// Checks, for tests, that the parts of the context agree about the context's objects.
  ///
  /// The check compares the identity map and the unit of work with each object's key, state, flags,
  /// values and edits. The check reads no store.
  ///
  /// - Returns: One sentence for each contradiction; an empty array if the parts agree.
  /// - Complexity: O(*n*) in registered objects.
  /// > Concurrency: Call on the context's queue, but not during a save or a hook.
  package func checkInvariants() -> [String] {
    guard persistentStoreCoordinator != nil else { return [] }
    let objects = registry.identityMap.all()
    var check = ContextInvariants(context: self)
    for object in objects { check.examine(object) }
    return check.violations + check.contradictions(of: unitOfWork, among: objects)
  }
}

/// Compares the parts of a context and collects the contradictions.
private struct ContextInvariants {
  let context: NSManagedObjectContext
  private(set) var violations: [String] = []

  init(context: NSManagedObjectContext) { self.context = context }

  mutating func examine(_ object: NSManagedObject) {
    checkIdentity(of: object)
    checkPlace(of: object)
    checkValues(of: object)
    checkRelationships(of: object)
    checkKept(object)
  }

  private mutating func require(
    _ holds: Bool, _ object: NSManagedObject, _ violation: @autoclosure () -> String
  ) {
    if holds { return }
    violations.append(
      "\(object.compiledEntity.name) \(object.key) (\(object.standing.state), "
        + "\(object.contents)): \(violation())")
  }

  /// Checks that the identity map has the object under its own key, and that the object's id has
  /// the same key.
  private mutating func checkIdentity(of object: NSManagedObject) {
    require(object.registry === context.registry, object, "belongs to another context")
    // Keys that a parent made permanent are filed at the next merge or save.
    let filed = context.registry.identityMap.object(
      store: Int(object.storePosition), root: object.compiledEntity.rootIndex, key: object.key)
    require(filed === object, object, "is registered under a key other than its own")
    require(object.key != 0, object, "has no key")
    if let id = object.cachedID {
      require(id.key == object.key, object, "has an id with the key \(id.key)")
      require(id.compiledEntity === object.compiledEntity, object, "has an id of another entity")
      require(id.store == nil || id.store === object.store, object, "has an id of another store")
    }
    // The id of a fault may be a temporary id of another context.
    if object.registration == .persistent, object.contents != .fault {
      require(context.source.mayHaveRow(object.key), object, "is saved, but has a temporary key")
    }
  }

  /// Checks that the registration, deletion and marks of the object agree.
  private mutating func checkPlace(of object: NSManagedObject) {
    let flags = object.flags
    require(object.registration != .detached, object, "is registered, but not in a context")
    require(
      (object.registration == .deleted) == (object.deletion != .none), object,
      "has a registration that contradicts its deletion (\(object.deletion))")
    if flags.contains(.updated) {
      require(
        object.registration == .persistent, object, "is marked as updated, but is not persistent")
    }
    if flags.contains(.propagated) {
      require(
        object.registration == .deleted, object, "has applied delete rules, but is not deleted")
      require(object.deletion != .withdrawal, object, "is withdrawn, but still registered")
    }
    require(!flags.contains(.met), object, "still has the mark of a list that was being read")
    require(!flags.contains(.untracked), object, "is not tracked")
    require(!flags.contains(.askedWillSave), object, "still has the mark of a save")
    require(
      flags.isDisjoint(with: [.runsWillSave, .deleting]), object, "still has the mark of a hook")
  }

  /// Checks that the row and the edits of the object agree with its contents and its registration.
  private mutating func checkValues(of object: NSManagedObject) {
    if object.contents == .fault {
      require(object.edits.isEmpty, object, "has unsaved values, but no row")
      require(
        object.chunk == nil || object.base == DefaultRows.row(of: object.compiledEntity).base,
        object, "is a fault, but has a row")
    }
    if object.registration == .persistent, !object.flags.contains(.updated) {
      require(object.edits.isEmpty, object, "is unchanged, but has unsaved values")
      require(
        object.extras?.hasToManyEdits != true, object, "is unchanged, but has unsaved members")
    }
    // Other objects may have the entity's row of defaults, or an empty row.
    guard object.contents != .fault,
      object.registration == .persistent || object.deletion == .own
    else { return }
    let row = object.row
    require(
      row.entityIndex == object.compiledEntity.index, object, "has a row of another entity")
    require(
      presentKey(row.key, of: object) == presentKey(object.key, of: object), object,
      "has the row with the key \(row.key)")
  }

  private func presentKey(_ key: Int64, of object: NSManagedObject) -> Int64 {
    context.registry.presentPlace(ofKey: key, at: Int(object.storePosition)).key
  }

  /// Checks that unsaved relationships with an inverse lead to objects of the same context.
  private mutating func checkRelationships(of object: NSManagedObject) {
    // A deleted object keeps its destinations for the case that the deletion is undone.
    guard object.isPresent else { return }
    object.edits.forEach { ordinal, edit in
      guard case .object(let destination) = edit,
        object.compiledEntity.properties[ordinal].relationship?.inverseOrdinal != nil
      else { return }
      require(
        destination.registry === context.registry, object,
        "refers to an object that left the context: "
          + object.compiledEntity.properties[ordinal].name)
    }
    object.extras?.forEachMembers { state in
      let name = object.compiledEntity.properties[state.ordinal].name
      guard object.compiledEntity.properties[state.ordinal].relationship?.inverseOrdinal != nil
      else { return }
      for member in state.added.objects {
        require(
          member.registry === context.registry, object,
          "has an added member outside its context: \(name)")
        require(!state.removed.contains(member), object, "has added and removed a member: \(name)")
        require(
          state.members?.contains(member) ?? true, object, "lacks an added member: \(name)")
      }
      for member in state.removed.objects {
        require(
          state.members?.contains(member) != true, object, "still has a removed member: \(name)")
      }
    }
  }

  private mutating func checkKept(_ object: NSManagedObject) {
    guard context.retainsRegisteredObjects else { return }
    require(
      context.retained[ObjectIdentifier(object)] === object, object,
      "is not retained, although the context retains its objects")
  }

  /// Returns the contradictions between the lists of the unit of work and the marks of the objects.
  ///
  /// - Parameter objects: All objects of the context.
  func contradictions(of unitOfWork: UnitOfWork, among objects: [NSManagedObject]) -> [String] {
    let known = Set(objects.map(ObjectIdentifier.init))
    var found = unitOfWork.refusals.map(\.message)
    var members: Set<ObjectIdentifier> = []
    for list in unitOfWork.lists {
      let own = list.members(of: context.registry)
      members.formUnion(own.map(ObjectIdentifier.init))
      if own.count != list.memberCount {
        found.append(
          "The \(list.kind) list counts \(list.memberCount) objects, but contains \(own.count).")
      }
      for object in own where !known.contains(ObjectIdentifier(object)) {
        found.append("The \(list.kind) object \(object.key) is not in the identity map.")
      }
      let listed = Set(list.listed.map(ObjectIdentifier.init))
      for object in objects
      where object.flags.contains(list.kind.mark) != listed.contains(ObjectIdentifier(object)) {
        found.append("The mark of the object \(object.key) contradicts the \(list.kind) list.")
      }
    }
    let due = Set(unitOfWork.unpropagated.map(ObjectIdentifier.init))
    let unannounced = Set(unitOfWork.unannounced.map(ObjectIdentifier.init))
    for object in objects {
      let id = ObjectIdentifier(object)
      if object.hasChanges, object.deletion != .withdrawal, !members.contains(id) {
        found.append("The \(object.standing.state) object \(object.key) is not on any list.")
      }
      if object.registration == .deleted, !object.flags.contains(.propagated), !due.contains(id) {
        found.append("The delete rules of the object \(object.key) will never be applied.")
      }
      if object.flags.contains(.announced) != unannounced.contains(id) {
        found.append(
          "The announcement mark of the object \(object.key) contradicts the change lists.")
      }
    }
    return found
  }
}
