internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The comparison of an object with its baseline, which finds the changes since the last
/// registration.
///
/// A comparison is created for one registration. An object without a baseline is compared with its
/// committed state.
///
/// > Concurrency: Confined to the context's queue.
struct UndoComparison {
  private let object: NSManagedObject
  private let entity: CompiledEntity
  private let baseline: UndoBaseline?

  init(of object: NSManagedObject) {
    self.object = object
    entity = object.compiledEntity
    baseline = object.extras?.undoBaseline
  }

  /// Whether the object was in the context according to the baseline.
  private var wasPresent: Bool { baseline?.isPresent ?? (object.registration != .inserted) }

  /// Returns the changes of the object since its baseline; nil if the object is unchanged or not in
  /// the context.
  func delta() -> ObjectDelta? {
    guard object.isPresent else { return nil }
    guard wasPresent else {
      return ObjectDelta(object: object, presence: .appears, contents: contents())
    }
    let delta = ObjectDelta(
      object: object, presence: .stays, values: valueChanges(), members: memberChanges())
    return delta.values.isEmpty && delta.members.isEmpty ? nil : delta
  }

  /// Returns the values and members that the deletion of the object will remove. Call this method
  /// before the deletion takes effect.
  ///
  /// The result is nil if the object was inserted since the last registration or if its row is
  /// missing.
  func deltaOfDeletion() -> ObjectDelta? {
    guard object.isPresent, wasPresent, !object.isRowMissing else { return nil }
    return ObjectDelta(
      object: object, presence: .disappears, values: valueChanges(), members: memberChanges(),
      contents: contents())
  }

  // MARK: Values

  private func valueChanges() -> [ObjectDelta.ValueChange] {
    let old = baseline?.edits ?? [:]
    var ordinals = object.edits.ordinals
    for ordinal in old.keys { ordinals.insert(ordinal) }
    return ordinals.members.compactMap { ordinal in
      let edit = object.edits[ordinal]
      if edit == nil, entity.properties[ordinal].isTransient { return nil }
      let before = old[ordinal] ?? EditValue.committed(ordinal, of: object)
      let after = edit ?? EditValue.committed(ordinal, of: object)
      if EditValue.isSame(before, after) { return nil }
      return ObjectDelta.ValueChange(ordinal: ordinal, before: before, after: after)
    }
  }

  /// Returns whether a given value is the current value of a property. The value nil represents a
  /// transient attribute without a value, or a committed value that cannot be decoded.
  func isCurrent(_ value: EditValue?, _ ordinal: Int) -> Bool {
    EditValue.isSame(value, object.edits[ordinal] ?? EditValue.committed(ordinal, of: object))
  }

  // MARK: Members

  private func memberChanges() -> [ObjectDelta.MemberChange] {
    let old = baseline?.members ?? [:]
    let ordinals = Set(object.extras?.editedToMany ?? []).union(old.keys)
    return ordinals.sorted().compactMap { ordinal in
      guard let relationship = RecordedRelationship(ordinal, of: entity) else { return nil }
      do {
        let change = try memberChange(ordinal, relationship, old[ordinal])
        return change.isEmpty ? nil : change
      } catch {
        object.noteUnread(error, "The relationship \(entity.properties[ordinal].name)")
        return nil
      }
    }
  }

  /// Returns the change of a to-many relationship since the baseline.
  ///
  /// - Throws: The error of a failed read. Then, the undo step must omit the relationship.
  private func memberChange(
    _ ordinal: Int, _ relationship: RecordedRelationship, _ old: UndoBaseline.Members?
  ) throws -> ObjectDelta.MemberChange {
    var change = ObjectDelta.MemberChange(ordinal: ordinal)
    if !relationship.followsInverse { try compareMembers(old, &change) }
    if relationship.isOrdered { try compareOrder(old?.order, &change) }
    return change
  }

  private func compareMembers(
    _ old: UndoBaseline.Members?, _ change: inout ObjectDelta.MemberChange
  ) throws {
    let state = object.extras?.members(change.ordinal)
    let (added, removed) = (state?.added.objects ?? [], state?.removed.objects ?? [])
    let (oldAdded, oldRemoved) = (old?.added ?? [], old?.removed ?? [])
    change.gained = Self.without(oldAdded, added) + Self.without(removed, oldRemoved)
    var taken = Self.without(oldRemoved, removed)
    // An object that was removed from unread members need not have been a member.
    if !taken.isEmpty, state?.isLoaded != true {
      taken = try Self.common(taken, committedMembers(change.ordinal))
    }
    change.lost = Self.without(added, oldAdded) + taken
  }

  private func compareOrder(
    _ old: [NSManagedObject]?, _ change: inout ObjectDelta.MemberChange
  ) throws {
    let after = try object.loadMembers(change.ordinal).members?.objects ?? []
    let before = try old ?? committedOrder(change.ordinal, after)
    guard !before.elementsEqual(after, by: ===) else { return }
    change.before = before
    change.after = after
  }

  /// Returns the members in the order of the store. The store is read only if members were removed
  /// or moved.
  private func committedOrder(
    _ ordinal: Int, _ present: [NSManagedObject]
  ) throws -> [NSManagedObject] {
    guard let state = object.extras?.members(ordinal) else { return present }
    if state.removed.isEmpty, !state.isReordered {
      return Self.without(state.added.objects, present)
    }
    return try committedMembers(ordinal)
  }

  /// Returns the members in the store, without unsaved changes.
  private func committedMembers(_ ordinal: Int) throws(StoreError) -> [NSManagedObject] {
    try PropertyValue.committedMembers(entity.properties[ordinal], of: object)
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

  /// Returns the values and members that are needed to insert the object again.
  private func contents() -> ObjectDelta.Contents {
    let hasDefaults = object.base == DefaultRows.row(of: entity).base
    var contents = ObjectDelta.Contents()
    for property in entity.properties {
      let ordinal = property.ordinal
      if property.relationship?.isToMany == true {
        if let members = neededMembers(ordinal) { contents.members.append((ordinal, members)) }
      } else if let edit = object.edits[ordinal] {
        contents.values.append((ordinal, edit))
      } else if property.isTransient, let value = object.extras?.values[ordinal] {
        contents.values.append((ordinal, .boxed(AnyBox(value))))
      } else if !hasDefaults, let value = EditValue.committed(ordinal, of: object) {
        contents.values.append((ordinal, value))
      }
    }
    return contents
  }

  /// Returns the members to restore; nil if to-one inverses restore the members, if the object
  /// never had members, or if the members cannot be read.
  private func neededMembers(_ ordinal: Int) -> [NSManagedObject]? {
    guard RecordedRelationship(ordinal, of: entity) != nil else { return nil }
    if object.key < 0, object.extras?.members(ordinal) == nil { return nil }
    return object.loadedMembers(ordinal).members?.objects
  }
}

extension EditValue {
  /// Returns the committed value of a property as an edit; nil for a transient attribute, a to-many
  /// relationship or a value that cannot be decoded.
  static func committed(_ ordinal: Int, of object: NSManagedObject) -> EditValue? {
    let property = object.compiledEntity.properties[ordinal]
    guard property.slot != nil, !property.isTransient else { return nil }
    guard property.relationship != nil else {
      let value = object.row.value(of: property, in: object.compiledEntity.model)
      if case .null = value, RowValue.isUnreadable(property, in: object) { return nil }
      return .value(value)
    }
    return object.committedDestination(ordinal).map { .object($0) } ?? .value(.null)
  }

  /// Returns whether two values are equal. The value nil represents a transient attribute without a
  /// value, or a committed value that cannot be decoded.
  static func isSame(_ one: EditValue?, _ other: EditValue?) -> Bool {
    switch (one, other) {
    case (nil, nil): true
    case (.value(let one), .value(let other)): one == other
    case (.object(let one), .object(let other)): one === other
    case (.boxed(let one), .boxed(let other)): one === other
    default: false
    }
  }
}
