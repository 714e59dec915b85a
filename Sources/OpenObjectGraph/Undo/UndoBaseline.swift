internal import OpenObjectModel

/// The state of an object when its changes were last registered. The next registration compares the
/// object with this state.
///
/// Only changed objects of contexts with an undo manager have a baseline. An object without a
/// baseline is compared with its committed state.
///
/// > Concurrency: Immutable. Baselines are created and read on the context's queue.
final class UndoBaseline {
  /// The unsaved changes of a to-many relationship's members.
  struct Members {
    var added: [NSManagedObject] = []
    var removed: [NSManagedObject] = []
    /// All members in order, for ordered relationships only; nil if they cannot be read.
    var order: [NSManagedObject]?
  }

  /// Whether the object was in the context and not deleted.
  let isPresent: Bool
  /// The unsaved values and, for saved objects, the values of transient attributes, by ordinal.
  let edits: [Int: EditValue]
  let members: [Int: Members]

  private init(
    isPresent: Bool, edits: [Int: EditValue] = [:], members: [Int: Members] = [:]
  ) {
    self.isPresent = isPresent
    self.edits = edits
    self.members = members
  }

  /// Returns the baseline after a save. It contains only the values of transient attributes, which
  /// rows do not contain; nil if there are none.
  func afterSave(of entity: CompiledEntity) -> UndoBaseline? {
    let kept = edits.filter { entity.properties[$0.key].isTransient }
    return kept.isEmpty ? nil : UndoBaseline(isPresent: true, edits: kept)
  }

  // MARK: Taking

  /// Stores the current state of an object as its baseline.
  static func take(of object: NSManagedObject) {
    guard object.registration != .detached else { return }
    let baseline = present(of: object)
    if baseline != nil || object.extras != nil { object.makeExtras().undoBaseline = baseline }
  }

  /// Stores the value of a transient attribute before the first change of the value, because the
  /// row of a saved object does not contain the value.
  static func keepTransientValue(_ ordinal: Int, of object: NSManagedObject) {
    // An untracked change, for example of `awakeFromFetch`, is not undone.
    guard object.context?.undoRecorder != nil, object.registration == .persistent,
      !object.flags.contains(.untracked)
    else { return }
    let known = object.extras?.undoBaseline
    guard known?.edits[ordinal] == nil, object.edits[ordinal] == nil,
      let value = object.extras?.values[ordinal]
    else { return }
    var edits = known?.edits ?? [:]
    edits[ordinal] = .boxed(AnyBox(value))
    object.makeExtras().undoBaseline = UndoBaseline(
      isPresent: known?.isPresent ?? true, edits: edits, members: known?.members ?? [:])
  }

  /// Returns the current state of an object, or nil if it equals the committed state.
  private static func present(of object: NSManagedObject) -> UndoBaseline? {
    guard object.isPresent else { return UndoBaseline(isPresent: false) }
    var values: [Int: EditValue] = [:]
    object.edits.forEach { values[$0] = $1 }
    for (ordinal, value) in object.extras?.undoBaseline?.edits ?? [:]
    where values[ordinal] == nil && object.compiledEntity.properties[ordinal].isTransient {
      values[ordinal] = value
    }
    let members = members(of: object)
    if object.registration == .persistent, values.isEmpty, members.isEmpty { return nil }
    return UndoBaseline(isPresent: true, edits: values, members: members)
  }

  private static func members(of object: NSManagedObject) -> [Int: Members] {
    var baselines: [Int: Members] = [:]
    for ordinal in object.extras?.editedToMany ?? [] {
      guard let relationship = RecordedRelationship(ordinal, of: object.compiledEntity),
        let state = object.extras?.members(ordinal)
      else { continue }
      baselines[ordinal] = Members(
        added: relationship.followsInverse ? [] : state.added.objects,
        removed: relationship.followsInverse ? [] : state.removed.objects,
        order: relationship.isOrdered ? object.loadedMembers(ordinal).members?.objects : nil)
    }
    return baselines
  }
}

extension NSManagedObject {
  /// Whether the object is in its context and not deleted.
  final var isPresent: Bool { registration == .inserted || registration == .persistent }
}
