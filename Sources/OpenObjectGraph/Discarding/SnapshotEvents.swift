/// Tells objects that their values were replaced by a refresh, a merge, a rollback or a merge
/// policy.
///
/// > Concurrency: Confined to the queue of the objects' context.
enum SnapshotEvents {
  /// Calls `awake(fromSnapshotEvents:)` on the saved objects that have values. A fault calls
  /// `awakeFromFetch()` when it fires instead.
  static func announce(_ event: NSSnapshotEventType, to objects: [NSManagedObject]) {
    for object in objects { announce(event, to: object) }
  }

  /// Calls `awake(fromSnapshotEvents:)` on an object unless it is a fault or is not saved.
  ///
  /// Properties that the method sets do not mark the object as changed.
  static func announce(_ event: NSSnapshotEventType, to object: NSManagedObject) {
    guard object.registration == .persistent, object.contents.hasValues else { return }
    object.untracked { object.awake(fromSnapshotEvents: event) }
    if !object.edits.isEmpty, !object.isMarkedUpdated {
      FaultResolver.keepTransientValues(of: object)
    }
  }
}
