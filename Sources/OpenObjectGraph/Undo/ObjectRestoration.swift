internal import OpenObjectModel
internal import OpenStoreContract

/// The restoration of the values that one object had before or after a step.
///
/// ``UndoStep`` creates a restoration for each object that is in the context during the step.
///
/// > Concurrency: Confined to the context's queue.
struct ObjectRestoration {
  private let delta: ObjectDelta
  private let direction: UndoDirection
  /// The registry of the step's context. Only objects of this context are restored as destinations
  /// and members.
  private let registry: ContextRegistry
  private var object: NSManagedObject { delta.object }

  init(_ delta: ObjectDelta, _ direction: UndoDirection, in registry: ContextRegistry) {
    self.delta = delta
    self.direction = direction
    self.registry = registry
  }

  // MARK: An object that was inserted again

  func giveValues() {
    for (ordinal, value) in delta.contents.values { restore(value, ordinal) }
  }

  func giveMembers() {
    for (ordinal, objects) in delta.contents.members {
      guard let relationship = RecordedRelationship(ordinal, of: object.compiledEntity),
        !relationship.followsInverse
      else { continue }
      _ = object.loadedMembers(ordinal)
      let edit = RelationshipEdit(toMany: ordinal, of: object)
      for member in objects where registry.hasPresent(member) { edit?.add(member) }
    }
  }

  // MARK: Any object

  func restoreValues() {
    for change in delta.values { restore(change.value(direction), change.ordinal) }
  }

  func restoreMembers() {
    for change in delta.members {
      if change.gained.isEmpty, change.lost.isEmpty { continue }
      // Members are loaded first, because the other side of the relationship may already have
      // changed them.
      _ = object.loadedMembers(change.ordinal)
      let isBackward = direction == .backward
      let (gained, lost) = (change.gained, change.lost)
      let edit = RelationshipEdit(toMany: change.ordinal, of: object)
      for member in isBackward ? gained : lost where registry.hasPresent(member) {
        edit?.remove(member)
      }
      for member in isBackward ? lost : gained where registry.hasPresent(member) {
        edit?.add(member)
      }
    }
  }

  func restoreOrders() {
    for (ordinal, order) in delta.appears(direction) ? delta.contents.members : [] {
      restoreOrder(order, ordinal)
    }
    for change in delta.members {
      guard let order = change.order(direction) else { continue }
      restoreOrder(order, change.ordinal)
    }
  }

  /// Removes the edits of the step's properties whose values equal the values in the row.
  func dropEditsWithoutEffect() {
    let changed = ChangeSetBuilder.changedSlots(of: object, object.edits)
    for change in delta.values {
      guard let slot = object.compiledEntity.properties[change.ordinal].slot else { continue }
      if !changed.contains(slot) { object.edits.remove(change.ordinal) }
    }
  }

  /// Calls `awake(fromSnapshotEvents:)` with the event that was undone or redone.
  func awake() {
    object.untracked {
      switch delta.presence {
      case .stays: object.awake(fromSnapshotEvents: .undoUpdate)
      case .appears: object.awake(fromSnapshotEvents: .undoInsertion)
      case .disappears: object.awake(fromSnapshotEvents: .undoDeletion)
      }
    }
  }

  // MARK: Properties

  /// Sets a property to a recorded value and updates the inverse. With nil, the method removes the
  /// value of a transient attribute, or the unsaved value over a committed value that cannot be
  /// decoded.
  private func restore(_ recorded: EditValue?, _ ordinal: Int) {
    object.realizeIfNeeded()
    if UndoComparison(of: object).isCurrent(recorded, ordinal) { return }
    let property = object.compiledEntity.properties[ordinal]
    if property.relationship != nil {
      guard case .object(let destination) = recorded, registry.hasPresent(destination) else {
        RelationshipEdit(object, ordinal)?.setDestination(nil)
        return
      }
      RelationshipEdit(object, ordinal)?.setDestination(destination)
      return
    }
    if recorded == nil, property.slot != nil, !RowValue.isUnreadable(property, in: object) {
      // A save has replaced the stored value, which the step does not contain.
      return RowValue.noteUnreadable(property, of: object)
    }
    object.extras?.values[ordinal] = nil
    if let recorded { return object.setEdit(recorded, ordinal) }
    object.takeEventBaseline()
    object.edits.remove(ordinal)
    object.markChanged()
  }

  private func restoreOrder(_ order: [NSManagedObject], _ ordinal: Int) {
    guard object.compiledEntity.properties[ordinal].relationship?.isOrdered == true else { return }
    if object.loadedMembers(ordinal).reorder(order) { object.markChanged() }
  }
}
