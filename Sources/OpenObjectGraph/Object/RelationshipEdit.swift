internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// A change to a relationship of one object. The edit also updates the inverse relationship.
///
/// Each call creates its own edit. The other side changes through edits of the objects that join or
/// leave the relationship. A to-many side that was never loaded only records the addition or
/// removal. A value that the relationship does not allow changes nothing, and the next save throws.
///
/// > Concurrency: Confined to the context's queue.
struct RelationshipEdit {
  private let object: NSManagedObject
  private let ordinal: Int
  let relationship: CompiledRelationship

  /// Creates the edit of a relationship; nil for any other property.
  @inline(__always)
  init?(_ object: NSManagedObject, _ ordinal: Int) {
    guard let relationship = object.compiledEntity.properties[ordinal].relationship else {
      return nil
    }
    self.object = object
    self.ordinal = ordinal
    self.relationship = relationship
  }

  /// Creates the edit of a to-many relationship; reports misuse and returns nil otherwise.
  init?(toMany ordinal: Int, of object: NSManagedObject) {
    guard let edit = RelationshipEdit(object, ordinal), edit.relationship.isToMany else {
      object.reportMisuse(
        "The relationship is not to-many.", object.compiledEntity.properties[ordinal].name)
      return nil
    }
    self = edit
  }

  private var name: String { object.compiledEntity.properties[ordinal].name }

  // MARK: To-one

  /// Sets a to-one relationship by key and updates the inverse.
  static func setDestination(
    of object: NSManagedObject, _ key: __ManagedKey, to new: NSManagedObject?
  ) {
    let position = key.position(in: object, as: .integer)
    if let position,
      borrowing(new, { setFirstDestination(of: object, position.ordinal, to: $0) }) == true
    {
      return
    }
    guard let position, let edit = RelationshipEdit(object, position.ordinal) else {
      return object.reportMisuse(
        "The entity has no to-one relationship with this name.", key.name)
    }
    edit.setDestination(new)
  }

  /// Sets a to-one relationship in the most frequent cases of an import.
  ///
  /// These are the first destination of an inserted object, and the destination that a saved object
  /// already has.
  ///
  /// - Returns: `false` in any other case; nothing was set then.
  private static func setFirstDestination(
    of object: NSManagedObject, _ ordinal: Int, to new: NSManagedObject
  ) -> Bool {
    guard object.contents == .realized, object.registry === new.registry,
      let foreignKey = borrowing(object.compiledEntity, { $0.foreignKey(ordinal) }),
      foreignKey.destinationToken == new.entityToken, !object.edits.contains(ordinal),
      foreignKey.inverse?.isToMany != false
    else { return false }
    guard object.registration == .inserted else {
      return foreignKey.inverse != nil && isStored(new, asDestinationOf: object, foreignKey)
    }
    object.setEdit(.object(new), ordinal)
    object.forgetDestination(ordinal)
    guard let inverse = foreignKey.inverse else { return true }
    addMember(object, to: new, inverse.ordinal, isOrdered: inverse.isOrdered)
    return true
  }

  /// Returns whether a saved object is the stored destination, according to the keys alone.
  @inline(__always)
  private static func isStored(
    _ new: NSManagedObject, asDestinationOf object: NSManagedObject,
    _ foreignKey: CompiledForeignKey
  ) -> Bool {
    object.registration == .persistent && new.registration == .persistent
      && new.storePosition == object.storePosition && !object.view.isNull(foreignKey.slot)
      && object.view.integer(at: foreignKey.byteOffset) == new.key
  }

  /// Sets the destination of a to-one relationship and updates the inverse.
  func setDestination(_ new: NSManagedObject?) {
    guard object.becomesEditable() else { return }
    if let new, !accepts(new) {
      if let (edit, survivor) = redirected(to: new) { edit.setDestination(survivor) }
      return
    }
    let foreignKey = object.compiledEntity.foreignKey(ordinal)
    if let new, let foreignKey, relationship.inverseOrdinal != nil, !object.edits.contains(ordinal),
      Self.isStored(new, asDestinationOf: object, foreignKey)
    {
      return
    }
    let inverseKey = foreignKey?.inverse
    let isPair = inverseKey?.isToMany == false
    let isFresh = object.registration == .inserted && !object.edits.contains(ordinal)
    // The inverse of the old destination changes even if the old destination was not registered.
    let old = relationship.inverseOrdinal == nil || isFresh ? nil : object.destination(ordinal)
    if let new, old === new { return }
    if let inverseKey, isPair, !Self.areReadable(old, new, inverseKey.ordinal) { return }
    put(new)
    guard let inverse = relationship.inverseOrdinal else { return }
    // A merged object has no context, and its destinations no longer refer to it.
    if let old, old.registry === object.registry, let other = RelationshipEdit(old, inverse) {
      other.removeSource(object)
      if !relationship.isToMany { other.release() }
    }
    if let new { RelationshipEdit(new, inverse)?.addSource(object) }
  }

  /// Returns whether the other sides of a one-to-one relationship can be set.
  ///
  /// If one of the objects cannot be read, neither side changes.
  private static func areReadable(
    _ old: NSManagedObject?, _ new: NSManagedObject?, _ inverse: Int
  ) -> Bool {
    if let old, !old.becomesEditable() { return false }
    guard let new else { return true }
    guard new.becomesEditable() else { return false }
    return new.destination(inverse)?.becomesEditable() ?? true
  }

  /// Sets only this side.
  private func put(_ destination: NSManagedObject?) {
    object.setEdit(destination.map { .object($0) } ?? .value(.null), ordinal)
    object.forgetDestination(ordinal)
  }

  // MARK: To-many

  /// Adds a member and updates the inverse.
  func add(_ member: NSManagedObject) {
    guard accepts(member) else {
      if let (edit, survivor) = redirected(to: member) { edit.add(survivor) }
      return
    }
    let other = otherSide(at: member)
    if let other, !other.relationship.isToMany { return other.setDestination(object) }
    guard change(member, .insertion) else { return }
    object.markChanged()
    other?.addSource(object)
  }

  /// Removes a member and updates the inverse.
  func remove(_ member: NSManagedObject) {
    let other = otherSide(at: member)
    if let other, !other.relationship.isToMany {
      if member.destination(other.ordinal) === object { other.setDestination(nil) }
      return
    }
    guard change(member, .removal), member.registry === object.registry else { return }
    other?.removeSource(object)
  }

  /// Adds or removes a member on this side only.
  ///
  /// - Returns: Whether the relationship has changed.
  private func change(_ member: NSManagedObject, _ kind: NSKeyValueChange) -> Bool {
    object.changingMember(member, kind, of: ordinal) {
      object.takeEventBaseline()
      let state = state(changing: member, kind)
      if !state.isLoaded, state.mayRepeatStored(member) {
        object.refuseEdit()
        return false
      }
      guard kind == .insertion ? state.add(member) : state.remove(member) else { return false }
      if kind == .removal || !object.isNotedAsChanged { object.markChanged() }
      return true
    }
  }

  /// Returns the state of the list.
  ///
  /// The members are read if only the stored members show whether an unsaved addition or removal is
  /// still a change. The members of an ordered relationship are also read if a removed member comes
  /// back, because the member is then the last one.
  private func state(
    changing member: NSManagedObject, _ kind: NSKeyValueChange
  ) -> ToManyState {
    let state = object.makeExtras().makeMembers(ordinal, relationship)
    let opposite = kind == .insertion ? state.removed : state.added
    let reverts = !state.isLoaded && opposite.contains(member)
    if reverts, isPaired { state.expectRepeats() }
    let movesToEnd = reverts && kind == .insertion && relationship.isOrdered
    return movesToEnd || state.mayRepeatStored(member) ? object.loadedMembers(ordinal) : state
  }

  /// Whether the store has a row for each pair of members, and not a foreign key in the members.
  private var isPaired: Bool {
    object.compiledEntity.model.inverse(of: relationship)?.relationship?.isToMany != false
  }

  /// Replaces all members with the given objects.
  func setMembers(_ objects: [NSManagedObject]) {
    guard object.loadedMembers(ordinal).isLoaded else { return object.refuseEdit() }
    object.changing(ordinal) { replaceMembers(with: objects) }
  }

  /// Replaces or reorders the members of an ordered relationship.
  ///
  /// An object that occurs several times receives the position of its first occurrence.
  func rearrange(to objects: [NSManagedObject]) {
    guard object.loadedMembers(ordinal).isLoaded else { return object.refuseEdit() }
    var known: Set<ObjectIdentifier> = []
    let members = objects.filter { known.insert(ObjectIdentifier($0)).inserted }
    object.changingPlaces(of: ordinal, to: members) { replaceMembers(with: members) }
  }

  private func replaceMembers(with objects: [NSManagedObject]) {
    let wanted = Set(objects.map(ObjectIdentifier.init))
    for member in object.members(ordinal) where !wanted.contains(ObjectIdentifier(member)) {
      remove(member)
    }
    for member in objects { add(member) }
    guard relationship.isOrdered else { return }
    object.takeEventBaseline()
    if object.loadedMembers(ordinal).reorder(objects) { object.markChanged() }
  }

  /// Changes the positions of members of an ordered relationship.
  ///
  /// `change` returns whether the indexes exist and match the objects.
  func changeOrder(_ change: (inout MemberOrder) -> Bool) {
    let state = object.loadedMembers(ordinal)
    guard state.isLoaded else { return object.refuseEdit() }
    var order = MemberOrder(state.objects())
    guard change(&order) else {
      return object.reportMisuse(
        "The indexes are out of range for the ordered relationship, or do not match the objects.",
        name)
    }
    rearrange(to: order.members)
  }

  /// Returns the inverse at a member; nil if there is none, or if the inverse is this side.
  private func otherSide(at member: NSManagedObject) -> RelationshipEdit? {
    guard let inverse = relationship.inverseOrdinal, member !== object || inverse != ordinal else {
      return nil
    }
    return RelationshipEdit(member, inverse)
  }

  // MARK: The other side of an edit

  /// Records that `source` now refers to this object.
  func addSource(_ source: NSManagedObject) {
    if relationship.isToMany {
      _ = change(source, .insertion)
      return
    }
    if let displaced = object.destination(ordinal), displaced !== source {
      otherSide(at: displaced)?.lose(object)
    }
    put(source)
  }

  /// Records that `source` no longer refers to this object.
  func removeSource(_ source: NSManagedObject) {
    if relationship.isToMany {
      _ = change(source, .removal)
    } else if object.knownDestination(ordinal) === source || object.contents == .fault {
      put(nil)
    }
  }

  /// Records that `source` now refers to an object, as a member of a to-many relationship.
  private static func addMember(
    _ source: NSManagedObject, to object: NSManagedObject, _ ordinal: Int, isOrdered: Bool
  ) {
    if !object.isNotedAsChanged { object.takeEventBaseline() }
    let isNew = borrowing(object.makeExtras()) { extras -> Bool? in
      extras.observers == nil ? extras.add(source, to: ordinal, isOrdered: isOrdered) : nil
    }
    guard let isNew else {
      _ = RelationshipEdit(object, ordinal)?.change(source, .insertion)
      return
    }
    if isNew, !object.isNotedAsChanged { object.markChanged() }
  }

  /// Clears one side of a pair whose other side got a new partner.
  ///
  /// An unsaved value that refers to another object remains.
  private func lose(_ partner: NSManagedObject) {
    if case .object(let destination)? = object.edits[ordinal], destination !== partner { return }
    if object.becomesEditable(), object.isPresent { put(nil) }
  }

  /// Clears one side of a pair, even if its row is outdated and refers to another object.
  ///
  /// The stored row may refer to this object, which the save will detect.
  private func release() {
    guard !relationship.isToMany, object.isPresent, !object.edits.contains(ordinal) else { return }
    put(nil)
  }

  /// Removes this object from the other side of the relationship; this side does not change.
  func leave(_ other: NSManagedObject) { otherSide(at: other)?.removeSource(object) }

  // MARK: Checks

  /// Returns whether an object has the entity of the destination or a subentity; otherwise reports
  /// a misuse.
  func hasEntity(_ other: NSManagedObject) -> Bool {
    let destination = relationship.destination
    if other.compiledEntity === destination
      || other.compiledEntity.model === destination.model
        && destination.subtree.contains(other.compiledEntity.index)
    {
      return true
    }
    object.reportMisuse(
      "Unacceptable type of value for a relationship: desired \(destination.name), "
        + "given \(other.compiledEntity.name).", name)
    return false
  }

  /// Returns whether an object can be a destination, and moves both objects into one context.
  private func accepts(_ other: NSManagedObject) -> Bool {
    guard hasEntity(other) else { return false }
    return object.registry === other.registry && object.registry != nil || join(other)
  }

  /// Inserts the other object into this object's context, or this object into the other context.
  ///
  /// - Returns: `false` if the objects are in different contexts, or if the running save merged one
  ///   of them into another object.
  private func join(_ other: NSManagedObject) -> Bool {
    if object.presentSurvivor != nil || other.presentSurvivor != nil { return false }
    switch (object.context, other.context) {
    case (let mine?, nil): mine.insert(other)
    case (nil, let theirs?): theirs.insert(object)
    case (let mine?, let theirs?) where mine !== theirs:
      object.reportMisuse(
        "Illegal attempt to establish a relationship '\(name)' between objects in different "
          + "contexts. First use object(with:) to get the object in this context.", name)
      return false
    default: break
    }
    return true
  }

  /// Returns the edit and the other object with survivors in place of objects that the running save
  /// merged into them; nil if neither object was merged.
  private func redirected(
    to other: NSManagedObject
  ) -> (edit: RelationshipEdit, other: NSManagedObject)? {
    let (survivor, survivorOfOther) = (object.presentSurvivor, other.presentSurvivor)
    let owner = survivor ?? object
    guard survivor != nil || survivorOfOther != nil,
      let ordinal = owner.compiledEntity.ordinal(of: name),
      let edit = RelationshipEdit(owner, ordinal),
      edit.relationship.isToMany == relationship.isToMany
    else { return nil }
    return (edit, survivorOfOther ?? other)
  }
}
