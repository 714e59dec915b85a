internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// Gives faults their values from an attached row, the coordinator's row cache, or the store.
enum FaultResolver {
  /// Fires a fault when a property is accessed.
  @inline(never)
  static func realize(_ object: NSManagedObject, for key: __ManagedKey? = nil) {
    if object.contents != .watched { fill(object, key) }
    if object.contents == .watched, let key { object.noteRead(key) }
  }

  @inline(__always)
  private static func fill(_ object: NSManagedObject, _ key: __ManagedKey?) {
    if object.contents == .unfired, !QueueCheck.isOn { return awake(object) }
    let context = object.context
    context?.checkQueue("a fault was fired")
    if object.contents == .fault {
      do {
        try load(object)
      } catch {
        return object.noteUnread(error, "The fault \(object.currentID)")
      }
    }
    switch object.contents {
    case .realized, .watched: return
    case .fault: handleMissingRow(of: object, key, in: context)
    case .unfired: awake(object)
    }
  }

  private static func awake(_ object: NSManagedObject) {
    object.becomeRealized()
    object.view.prefetchNext()
    object.withContext { $0.counters.counts.faultsFired &+= 1 }
    object.untracked { object.awakeFromFetch() }
    if !object.edits.isEmpty, !object.isMarkedUpdated { keepTransientValues(of: object) }
  }

  /// Keeps transient values that `awakeFromFetch()` or `awake(fromSnapshotEvents:)` has set like
  /// saved ones, because they are not changes that an undo reverses.
  static func keepTransientValues(of object: NSManagedObject) {
    for ordinal in object.edits.ordinals.members {
      let property = object.compiledEntity.properties[ordinal]
      guard property.isTransient, property.attribute != nil else { continue }
      if case .boxed(let box)? = object.edits[ordinal] {
        object.makeExtras().values[ordinal] = box.value
      }
      object.edits.remove(ordinal)
    }
  }

  /// Attaches the object's row, if the row exists, and the rows of its unread siblings.
  static func load(_ object: NSManagedObject) throws {
    if object.registration == .inserted { return becomeNew(object) }
    guard let context = object.context else {
      object.noteLostContext(reading: "The values")
      return becomeEmpty(object)
    }
    context.refreshStores()
    guard let store = object.store else { return becomeEmpty(object) }
    if object.key <= 0 { return try loadUnsaved(object, in: context) }
    try context.faults.load(object, from: store, in: context)
  }

  /// Attaches the values of an object with a temporary id, which only an ancestor of the context
  /// can have.
  ///
  /// If the ancestor has saved the object or moved it to another store, the object first receives
  /// its new key and its new store.
  private static func loadUnsaved(
    _ object: NSManagedObject, in context: NSManagedObjectContext
  ) throws {
    // A temporary id of another context has no row.
    guard context.source.hasUnsavedRows else { return }
    context.source.adoptRenames(in: context)
    while object.contents == .fault, let store = object.store {
      let place = (object.key, object.storePosition)
      try context.faults.load(object, from: store, in: context)
      context.source.adoptRenames(in: context)
      if place == (object.key, object.storePosition) { return }
    }
  }

  /// Attaches a row to a fault without firing it. If the row has another entity, the fault leaves
  /// its context.
  static func attach(_ row: Row, to object: NSManagedObject) {
    guard object.contents == .fault, object.represents(row) else { return }
    object.row = row
    object.contents = .unfired
    object.extras?.siblings = nil
  }

  /// Attaches rows to the faults among their registered objects.
  ///
  /// - Parameters:
  ///   - root: The position of the rows' root entity in the model.
  ///   - store: The position of the store from which the rows were read.
  static func attach(
    rowsOf chunk: RowChunk, root: Int, store: Int, in registry: ContextRegistry
  ) {
    chunk.forEachRow { row in
      if let object = registry.identityMap.object(store: store, root: root, key: row.key) {
        attach(row, to: object)
      }
    }
  }

  /// Gives an unsaved object without values the default values of the model.
  private static func becomeNew(_ object: NSManagedObject) {
    object.row = DefaultRows.row(of: object.compiledEntity)
    object.becomeRealized()
  }

  /// Realizes an object whose row cannot be read; its values are nil.
  private static func becomeEmpty(_ object: NSManagedObject) {
    object.dropRow()
    object.becomeRealized()
  }

  /// Handles a fault without a row.
  ///
  /// - Parameter former: The context of the object before the read. A fault whose row has another
  ///   entity leaves its context.
  private static func handleMissingRow(
    of object: NSManagedObject, _ key: __ManagedKey?, in former: NSManagedObjectContext?
  ) {
    guard let context = object.context else {
      former?.deferredErrors.note(
        CocoaError.make(
          .managedObjectReferentialIntegrity,
          "CoreData could not fulfill a fault for '\(object.currentID)': its row has another entity. "
            + "Use the id of a fetched object."))
      return becomeEmpty(object)
    }
    let entity = object.compiledEntity.entityDescription
    let property = key.flatMap { entity.propertiesByName[$0.name] }
    guard
      context.shouldHandleInaccessibleFault(
        object, for: object.currentID, triggeredByProperty: property)
    else {
      let reason =
        object.key < 0 ? "its id is a temporary id of another context" : "its row was deleted"
      return object.note(
        CocoaError.make(
          .managedObjectReferentialIntegrity,
          "CoreData could not fulfill a fault for '\(object.currentID)': \(reason)."))
    }
    becomeEmpty(object)
    MissingRow.note(of: object, in: context)
  }
}

extension NSManagedObject {
  /// The state of the object's committed values.
  enum Contents: UInt8 {
    /// Only the object's key is known.
    case fault
    /// The row is loaded, but the fault has not fired: `isFault` is still true.
    case unfired
    case realized
    /// The object is realized and observed: its ``ObjectObservers`` receive reads and changes.
    case watched

    /// Whether the values are available.
    @inline(__always)
    var hasValues: Bool { rawValue >= Contents.realized.rawValue }
  }

  @inline(__always)
  final func realizeIfNeeded() {
    if contents != .realized { FaultResolver.realize(self) }
  }

  /// Fires the object's fault before an edit.
  ///
  /// - Returns: `false` if the values cannot be read. Nothing may be edited then: a new value could
  ///   depend on a value that was never read, and would overwrite an unread row.
  @inline(__always)
  final func becomesEditable() -> Bool { contents == .realized || realizedForEdit() }

  @inline(never)
  private final func realizedForEdit() -> Bool {
    FaultResolver.realize(self)
    if contents != .fault { return true }
    refuseEdit()
    return false
  }

  /// Logs that a change was refused; the error of the read makes saves throw.
  final func refuseEdit() {
    GraphLog.error(
      "A change to \(currentID) was rejected because its values could not be read. Refresh the object, then change "
        + "it again.")
  }

  /// Logs that a value cannot be read because the context was deallocated.
  @inline(never)
  final func noteLostContext(reading what: String) {
    guard registry != nil, context == nil else { return }
    GraphLog.warning(
      "\(what) of \(currentID) cannot be read because the context was released. Retain the context for as long as you use its objects."
    )
  }
}
