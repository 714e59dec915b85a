internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The save of a child context, which turns the child's changes into unsaved changes of the parent.
///
/// The save writes to no store. The parent does not validate the changes. There are no conflicts,
/// because the child's values always replace the parent's values. Confined to one save; the changes
/// of the parent are made on the parent's queue.
struct ParentSave {
  private let child: NSManagedObjectContext
  private let parent: NSManagedObjectContext

  init(of child: NSManagedObjectContext, into parent: NSManagedObjectContext) {
    self.child = child
    self.parent = parent
  }

  /// Applies changes to the parent, and replaces the rows of the child's objects by the saved rows.
  ///
  /// - Throws: `CocoaError` for a value that cannot be packed, and for an object of the parent that
  ///   cannot be read; 133000 for an object that the parent no longer has. After an error, the
  ///   parent is unchanged.
  func run(_ changes: SaveSet) throws {
    child.source.adoptRenames(in: child)
    try surfacingErrors { try child.memberships.readOrders() }
    var builder = ChangeSetBuilder(share: changes, raisesVersions: false)
    do throws(StoreError) {
      try builder.archiveValues()
      try builder.pack(naming: .temporary)
    } catch {
      throw UnfitValue.saveError(error, in: child)
    }
    try parent.performForChild { () throws(any Error) in
      // An ancestor may have saved or moved objects since the child began to save.
      parent.source.adoptRenames(in: parent)
      child.source.adoptRenames(in: child)
      try parent.loadingFreely { () throws(any Error) in
        let own = try requireReadable(changes)
        try requirePresent(changes)
        withExtendedLifetime(own) {
          accept(changes)
          for object in guarded { guardCounterpart(of: object) }
        }
      }
    }
    for packed in builder.rows { packed.object.adopt(packed.row) }
  }

  /// The child's objects for which the application requested conflict detection.
  private var guarded: [NSManagedObject] {
    child.guardedObjects.all.filter { $0.registration == .persistent && $0.contents != .fault }
  }

  /// Throws an error if the child changed objects that the parent no longer has, refers to such
  /// objects in unsaved relationships, or must detect conflicts for such objects.
  ///
  /// Call this method after the parent has read the objects.
  private func requirePresent(_ changes: SaveSet) throws {
    var lost: [NSManagedObject] = []
    var checked: Set<ObjectIdentifier> = []
    func check(_ object: NSManagedObject, _ isLost: (NSManagedObject) -> Bool) {
      guard object.registration == .persistent,
        checked.insert(ObjectIdentifier(object)).inserted, isLost(object)
      else { return }
      lost.append(object)
    }
    for object in changes.updated where hasNewValues(object) { check(object, lacksValues) }
    for object in changes.inserted + changes.updated {
      var destinations: [NSManagedObject] = []
      object.edits.forEach { _, edit in
        if case .object(let destination) = edit { destinations.append(destination) }
      }
      object.extras?.forEachMembers { destinations += $0.added.objects }
      for destination in destinations { check(destination, isLost) }
    }
    // A destination that passed its check may still lack a row.
    for object in guarded where lacksRow(object) && !lost.contains(object) { lost.append(object) }
    guard !lost.isEmpty else { return }
    throw CocoaError.make(
      .managedObjectReferentialIntegrity,
      "Nothing was saved because the parent context no longer contains \(lost.count) objects that were changed in this "
        + "context, are destinations of changed relationships, or were passed to detectConflicts(for:). Delete these "
        + "objects, or discard the changes with rollback() or reset().",
      userInfo: [NSAffectedObjectsErrorKey: lost])
  }

  /// Whether a changed object has unsaved values that the parent must receive.
  ///
  /// A relationship that no longer refers to an object needs no object in the parent.
  private func hasNewValues(_ object: NSManagedObject) -> Bool {
    var hasNewValues = false
    object.edits.forEach { ordinal, edit in
      if case .value(.null) = edit, object.compiledEntity.properties[ordinal].relationship != nil {
        return
      }
      hasNewValues = true
    }
    object.extras?.forEachMembers { list in
      if !list.added.isEmpty || list.isReordered { hasNewValues = true }
    }
    return hasNewValues
  }

  /// Whether the parent has no values for a changed object, which the parent has tried to read.
  private func lacksValues(_ object: NSManagedObject) -> Bool {
    guard let own = counterpart(of: object), own.isPresent else { return true }
    return own.contents == .fault && own.registration == .persistent
  }

  /// Whether the row of an unchanged object was deleted. The parent has tried to read the row.
  ///
  /// If the parent itself deletes the object, the parent's save detects conflicts.
  private func lacksRow(_ object: NSManagedObject) -> Bool {
    guard let own = counterpart(of: object) else { return true }
    return own.isRowMissing || own.contents == .fault && own.registration == .persistent
  }

  /// Whether the destination of an unsaved relationship is deleted in the parent, or has a
  /// temporary id and is neither in the parent nor in an ancestor.
  ///
  /// The save of the parent to the stores checks whether the rows of the other destinations exist.
  private func isLost(_ object: NSManagedObject) -> Bool {
    let former = child.registry.presentPlace(ofKey: object.key, at: Int(object.storePosition))
    let root = object.compiledEntity.rootIndex
    if let known = parent.registry.object(root: root, key: former.key, at: former.store) {
      if !known.isPresent { return true }
      if known.registration == .inserted || known.contents != .fault { return false }
    }
    let place = parent.registry.presentPlace(ofKey: former.key, at: former.store)
    guard place.key < 0 else { return false }
    guard let store = parent.registry.store(at: place.store) else { return true }
    return parent.knownRow(root: root, key: place.key, in: store) == nil
  }

  /// Reads the parent's objects that will be edited or deleted, so that a failed read leaves the
  /// parent unchanged.
  ///
  /// An object that was inserted in the child may be a fault in the parent, because the application
  /// passed its id to the parent. This fault has no row.
  ///
  /// - Returns: The objects with their rows. Retain them until they are edited or deleted;
  ///   otherwise the rows may have to be read again.
  private func requireReadable(_ changes: SaveSet) throws -> [NSManagedObject] {
    for object in changes.inserted {
      guard let own = knownObject(for: object), own.registration == .persistent,
        own.contents == .fault
      else { continue }
      try FaultResolver.load(own)
    }
    let edited = changes.updated.compactMap(counterpart)
    let deleted = changes.deleted.filter { !$0.isRowMissing }.compactMap(presentCounterpart)
    let objects = edited + deleted + guarded.compactMap(counterpart)
    for own in objects where own.contents == .fault { try FaultResolver.load(own) }
    return objects
  }

  /// Applies the child's changes to the parent, which announces the changes immediately.
  private func accept(_ changes: SaveSet) {
    parent.refreshStores()
    let inserted = changes.inserted.map { (child: $0, own: insertion(of: $0)) }
    let updated = changes.updated.compactMap { object in
      counterpart(of: object).map { (child: object, own: $0) }
    }
    for (child, own) in inserted + updated { takeEdits(of: child, own) }
    var deleted: [NSManagedObject] = []
    for object in changes.deleted where !object.isRowMissing {
      guard let own = counterpart(of: object) else { continue }
      parent.delete(own)
      deleted.append(own)
    }
    parent.processPendingChanges()
    parent.children.announce(
      inserted: inserted.map(\.own), updated: updated.map(\.own), deleted: deleted, except: child)
  }

  private func guardCounterpart(of object: NSManagedObject) {
    if let own = counterpart(of: object) { GuardedObjects.add(own, in: parent) }
  }

  /// Returns the parent's object for an object of the child; nil if the object is unsaved and no
  /// longer in the parent.
  private func counterpart(of object: NSManagedObject) -> NSManagedObject? {
    let place = child.registry.presentPlace(ofKey: object.key, at: Int(object.storePosition))
    // An ancestor may be renaming the object. A registered object of the parent stays at its former
    // place until the parent moves it.
    let known = parent.registry.identityMap.object(
      store: place.store, root: object.compiledEntity.rootIndex, key: place.key)
    if let known, parent.isUsable(known, as: object.compiledEntity.index) { return known }
    let newest = parent.registry.presentPlace(ofKey: place.key, at: place.store)
    guard parent.source.mayHaveRow(newest.key) else { return nil }
    return parent.registered(object.compiledEntity, key: newest.key, store: newest.store)
  }

  /// Returns the parent's object for an object of the child; nil if the parent's object is deleted,
  /// because a relationship of the child does not undo the deletion.
  private func presentCounterpart(of object: NSManagedObject) -> NSManagedObject? {
    counterpart(of: object).flatMap { $0.isPresent ? $0 : nil }
  }

  /// Returns the parent's object for an object that was inserted in the child, and inserts it if
  /// necessary. `awakeFromInsert` is not called, because it has already been called in the child.
  private func insertion(of object: NSManagedObject) -> NSManagedObject {
    let known = knownObject(for: object)
    if let known, known.compiledEntity !== object.compiledEntity {
      // The application passed the parent a URI that names another entity.
      known.detachKeepingID()
    } else if let known {
      switch known.standing.state {
      case .deleted:
        // An undo in the child restored an object whose deletion the child had already saved.
        ObjectDeletion.undo(of: known, in: parent)
        parent.memberships.unloadLists(admitting: [known])
        return known
      case .deletedTwice: known.detach()
      case .missing:
        move(known, like: object)
        // The parent tried to read the object and found no row, or the row was deleted.
        parent.unitOfWork.move(known, by: .comeBack)
        known.turnIntoFault()
        parent.unitOfWork.move(known, by: .appear)
        return known
      case .persistent where known.contents == .fault:
        move(known, like: object)
        parent.unitOfWork.move(known, by: .appear)
        return known
      case .detached, .inserted, .persistent, .withdrawn: return known
      }
    }
    let own = parent.materialize(object.compiledEntity.index)
    own.registry = parent.registry
    own.key = object.key
    own.storePosition = object.storePosition
    ObjectInsertion.register(own, in: parent)
    return own
  }

  /// Returns the parent's registered object for an object that was inserted in the child.
  private func knownObject(for object: NSManagedObject) -> NSManagedObject? {
    parent.registry.object(
      root: object.compiledEntity.rootIndex, key: object.key, at: Int(object.storePosition))
  }

  /// Moves the parent's object to the store to which the child assigned the new object after the
  /// parent received the object's id.
  private func move(_ known: NSManagedObject, like object: NSManagedObject) {
    guard known.key == object.key, known.storePosition != object.storePosition else { return }
    let rename = parent.move(known, to: Int(object.storePosition), key: object.key)
    parent.children.announce([rename])
  }

  private func takeEdits(of object: NSManagedObject, _ own: NSManagedObject) {
    own.realizeIfNeeded()
    guard own.registration != .deleted else { return }
    if object.registration == .inserted, own.registration == .inserted,
      !RowValue.unreadableSlots(of: object).isEmpty
    {
      // An undo inserted the child's object again. Values that cannot be decoded are not edits.
      own.row = object.row
    }
    let entity = object.compiledEntity
    object.edits.forEach { ordinal, edit in
      let isDerived = entity.properties[ordinal].attribute?.derivation != nil
      if isDerived, object.registration == .persistent { return }
      switch edit {
      case .object(let destination):
        RelationshipEdit(own, ordinal)?.setDestination(presentCounterpart(of: destination))
      case .value(.null) where own.compiledEntity.properties[ordinal].relationship != nil:
        RelationshipEdit(own, ordinal)?.setDestination(nil)
      case .value:
        own.extras?.values[ordinal] = nil
        own.setEdit(edit, ordinal)
      case .boxed(let box):
        // A box is confined to one context.
        own.extras?.values[ordinal] = nil
        own.setEdit(.boxed(AnyBox(box.value)), ordinal)
      }
    }
    object.extras?.forEachMembers { state in
      if state.isEdited { takeMembers(state, own) }
    }
    own.markChanged()
  }

  private func takeMembers(_ state: ToManyState, _ own: NSManagedObject) {
    let edit = RelationshipEdit(toMany: state.ordinal, of: own)
    for member in state.removed.objects where member.registration != .deleted {
      if let member = presentCounterpart(of: member) { edit?.remove(member) }
    }
    for member in state.added.objects {
      if let member = presentCounterpart(of: member) { edit?.add(member) }
    }
    guard state.isOrdered, let members = state.members else { return }
    let order = members.objects.filter { $0.registration != .deleted }.compactMap(
      presentCounterpart)
    if own.loadedMembers(state.ordinal).reorder(order) { own.markChanged() }
  }
}
