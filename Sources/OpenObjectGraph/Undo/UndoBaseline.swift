internal import OpenObjectModel

/// How an object stood when its changes were registered last: what the next registration compares it with.
///
/// Kept by changed objects of contexts with an undo manager only. An object without one is as the store has it.
final class UndoBaseline {
  /// The unsaved members of a to-many relationship.
  struct Members {
    var added: [NSManagedObject] = []
    var removed: [NSManagedObject] = []
    /// All members in their order; for ordered relationships only.
    var order: [NSManagedObject]?
  }

  /// Whether the object was in the context, and not deleted.
  let isPresent: Bool
  /// The unsaved values by ordinal; of saved objects also the values of transient attributes.
  let edits: [Int: EditValue]
  let members: [Int: Members]

  init(isPresent: Bool, edits: [Int: EditValue] = [:], members: [Int: Members] = [:]) {
    self.isPresent = isPresent
    self.edits = edits
    self.members = members
  }

  /// What remains after a save: transient values, which no row has.
  func afterSave(of entity: CompiledEntity) -> UndoBaseline? {
    let kept = edits.filter { entity.properties[$0.key].isTransient }
    return kept.isEmpty ? nil : UndoBaseline(isPresent: true, edits: kept)
  }
}

extension NSManagedObject {
  /// Whether the object is in its context, and not deleted.
  final var isPresent: Bool { registration == .inserted || registration == .persistent }

  /// Whether the baseline has the object in the context.
  final var wasPresent: Bool { extras?.undoBaseline?.isPresent ?? (registration != .inserted) }

  /// Takes the present state as registered.
  final func takeUndoBaseline() {
    guard registration != .detached else { return }
    let baseline = makeUndoBaseline()
    if baseline != nil || extras != nil { makeExtras().undoBaseline = baseline }
  }

  private final func makeUndoBaseline() -> UndoBaseline? {
    guard isPresent else { return UndoBaseline(isPresent: false) }
    var values: [Int: EditValue] = [:]
    edits.forEach { values[$0] = $1 }
    for (ordinal, value) in extras?.undoBaseline?.edits ?? [:]
    where values[ordinal] == nil && compiledEntity.properties[ordinal].isTransient {
      values[ordinal] = value
    }
    let members = memberBaselines()
    if registration == .persistent, values.isEmpty, members.isEmpty { return nil }
    return UndoBaseline(isPresent: true, edits: values, members: members)
  }

  private final func memberBaselines() -> [Int: UndoBaseline.Members] {
    var baselines: [Int: UndoBaseline.Members] = [:]
    for ordinal in extras?.editedToMany ?? [] {
      guard let kind = undoKind(ofToMany: ordinal), let state = extras?.members(ordinal) else {
        continue
      }
      baselines[ordinal] = UndoBaseline.Members(
        added: kind.followsInverse ? [] : state.added.objects,
        removed: kind.followsInverse ? [] : state.removed.objects,
        order: kind.isOrdered ? members(ordinal) : nil)
    }
    return baselines
  }

  /// How a to-many relationship is undone; nil when its to-one inverse says everything.
  final func undoKind(ofToMany ordinal: Int) -> (followsInverse: Bool, isOrdered: Bool)? {
    guard let relationship = compiledEntity.properties[ordinal].relationship,
      relationship.isToMany
    else { return nil }
    let destination = compiledEntity.model.entities[relationship.destinationIndex]
    let inverse = relationship.inverseOrdinal.flatMap { destination.properties[$0].relationship }
    let followsInverse = inverse?.isToMany == false
    if followsInverse, !relationship.isOrdered { return nil }
    return (followsInverse, relationship.isOrdered)
  }
}
