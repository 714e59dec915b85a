internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// What changed of an object since its changes were registered last.

extension NSManagedObject {
  /// The difference to the baseline of an object in the context; nil when there is none.
  final func undoDelta() -> ObjectDelta? {
    guard isPresent else { return nil }
    guard wasPresent else {
      return ObjectDelta(object: self, presence: .appears, contents: undoContents())
    }
    let delta = ObjectDelta(
      object: self, presence: .stays, values: valueChanges(), members: memberChanges())
    return delta.values.isEmpty && delta.members.isEmpty ? nil : delta
  }

  /// What the deletion of the object takes away, before it takes effect; nil for one that was inserted since the last
  /// registration.
  final func undoDeltaOfDeletion() -> ObjectDelta? {
    guard isPresent, wasPresent, !isRowMissing else { return nil }
    return ObjectDelta(
      object: self, presence: .disappears, values: valueChanges(), members: memberChanges(),
      contents: undoContents())
  }

  // MARK: Values

  private final func valueChanges() -> [ObjectDelta.ValueChange] {
    let old = extras?.undoBaseline?.edits ?? [:]
    var ordinals = edits.ordinals
    for ordinal in old.keys { ordinals.insert(ordinal) }
    return ordinals.members.compactMap { ordinal in
      let edit = edits[ordinal]
      if edit == nil, compiledEntity.properties[ordinal].isTransient { return nil }
      let before = old[ordinal] ?? committedEdit(ordinal)
      let after = edit ?? committedEdit(ordinal)
      if Self.isSame(before, after) { return nil }
      return ObjectDelta.ValueChange(ordinal: ordinal, before: before, after: after)
    }
  }

  /// The present value, as an edit; nil for a transient attribute that was never set.
  final func currentEdit(_ ordinal: Int) -> EditValue? { edits[ordinal] ?? committedEdit(ordinal) }

  /// The committed value, as an edit.
  private final func committedEdit(_ ordinal: Int) -> EditValue? {
    let property = compiledEntity.properties[ordinal]
    guard property.slot != nil, !property.isTransient else { return nil }
    guard property.relationship != nil else {
      return .value(row.value(of: property, in: compiledEntity.model))
    }
    return committedDestination(ordinal).map { .object($0) } ?? .value(.null)
  }

  static func isSame(_ one: EditValue?, _ other: EditValue?) -> Bool {
    switch (one, other) {
    case (nil, nil): true
    case (.value(let one), .value(let other)): one == other
    case (.object(let one), .object(let other)): one === other
    case (.boxed(let one), .boxed(let other)): one === other
    default: false
    }
  }

  // MARK: Members

  private final func memberChanges() -> [ObjectDelta.MemberChange] {
    let old = extras?.undoBaseline?.members ?? [:]
    let ordinals = Set(extras?.editedToMany ?? []).union(old.keys)
    return ordinals.sorted().compactMap { ordinal in
      guard let kind = undoKind(ofToMany: ordinal) else { return nil }
      var change = ObjectDelta.MemberChange(ordinal: ordinal)
      if !kind.followsInverse { compareMembers(old[ordinal], &change) }
      if kind.isOrdered { compareOrder(old[ordinal]?.order, &change) }
      return change.isEmpty ? nil : change
    }
  }

  private final func compareMembers(
    _ old: UndoBaseline.Members?, _ change: inout ObjectDelta.MemberChange
  ) {
    let state = extras?.members(change.ordinal)
    let (added, removed) = (state?.added.objects ?? [], state?.removed.objects ?? [])
    let (oldAdded, oldRemoved) = (old?.added ?? [], old?.removed ?? [])
    change.gained = Self.without(oldAdded, added) + Self.without(removed, oldRemoved)
    var taken = Self.without(oldRemoved, removed)
    // What is taken from members that were never read need not have been one.
    if !taken.isEmpty, state?.isLoaded != true {
      taken = Self.common(taken, committedMembers(change.ordinal))
    }
    change.lost = Self.without(added, oldAdded) + taken
  }

  private final func compareOrder(
    _ old: [NSManagedObject]?, _ change: inout ObjectDelta.MemberChange
  ) {
    let after = members(change.ordinal)
    let before = old ?? committedOrder(change.ordinal, after)
    guard !before.elementsEqual(after, by: ===) else { return }
    change.before = before
    change.after = after
  }

  /// The order in the store: what is loaded without what was added, unless members left or moved.
  private final func committedOrder(_ ordinal: Int, _ present: [NSManagedObject])
    -> [NSManagedObject]
  {
    guard let state = extras?.members(ordinal) else { return present }
    if state.removed.isEmpty, !state.isReordered {
      return Self.without(state.added.objects, present)
    }
    return committedMembers(ordinal)
  }

  /// The members in the store, whatever unsaved changes say.
  private final func committedMembers(_ ordinal: Int) -> [NSManagedObject] {
    guard let store, let context, key > 0 || context.parentContext != nil else { return [] }
    let property = compiledEntity.properties[ordinal]
    do {
      let keys = try context.destinations(
        of: property, in: compiledEntity, sources: [key], in: store)
      return (keys.first ?? []).map { id in
        context.registered(
          context.model.entities[Int(id.entityIndex)], key: id.key, store: Int(storePosition))
      }
    } catch {
      GraphLog.error("The relationship \(property.name) cannot be read for undo: \(error)")
      return []
    }
  }

  private static func without(
    _ excluded: [NSManagedObject], _ objects: [NSManagedObject]
  ) -> [NSManagedObject] {
    if excluded.isEmpty { return objects }
    let identities = Set(excluded.map(ObjectIdentifier.init))
    return objects.filter { !identities.contains(ObjectIdentifier($0)) }
  }

  private static func common(
    _ objects: [NSManagedObject], _ others: [NSManagedObject]
  ) -> [NSManagedObject] {
    let identities = Set(others.map(ObjectIdentifier.init))
    return objects.filter { identities.contains(ObjectIdentifier($0)) }
  }

  // MARK: Contents

  /// Everything that the object would need to be made anew.
  private final func undoContents() -> ObjectDelta.Contents {
    let hasDefaults = base == DefaultRows.row(of: compiledEntity).base
    var contents = ObjectDelta.Contents()
    for property in compiledEntity.properties {
      let ordinal = property.ordinal
      if property.relationship?.isToMany == true {
        if let members = undoMembers(ordinal) { contents.members.append((ordinal, members)) }
      } else if let edit = edits[ordinal] {
        contents.values.append((ordinal, edit))
      } else if property.isTransient, let value = extras?.values[ordinal] {
        contents.values.append((ordinal, .boxed(AnyBox(value))))
      } else if !hasDefaults, let value = committedEdit(ordinal) {
        contents.values.append((ordinal, value))
      }
    }
    return contents
  }

  /// The members that the object would need; nil when its to-one inverses bring them, or when it never had any.
  private final func undoMembers(_ ordinal: Int) -> [NSManagedObject]? {
    guard undoKind(ofToMany: ordinal) != nil else { return nil }
    if key < 0, extras?.members(ordinal) == nil { return nil }
    return members(ordinal)
  }
}
