internal import Foundation
public import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// Registration: inserting, deleting, finding objects by id.

extension NSManagedObjectContext {
  /// Implements `insert(_:)`.
  final func register(_ object: NSManagedObject) {
    checkQueue("an object was inserted")
    guard persistentStoreCoordinator != nil else {
      return noteMisuse("The context has no persistent store coordinator.", of: object)
    }
    guard object.registration == .detached else { return insertAgain(object) }
    guard holds(object.compiledEntity.index, object.entityToken) else {
      let hasEntity = object.compiledEntity !== EmptyEntity.shared
      deferredErrors.note(
        ObjectError(
          "The entity of the object is not in the model of the context. Use an entity of this model.",
          entityName: hasEntity ? object.compiledEntity.name : nil))
      return
    }
    object.registry = registry
    // An object whose id was already read keeps its key.
    if object.key >= 0 { object.key = TemporaryKey.next() }
    object.cachedID = nil
    borrowing(registry) { registry in
      borrowing(persistentStoreCoordinator) { registry.refresh(from: $0) }
      object.storePosition = registry.defaultStorePositions[object.compiledEntity.index]
    }
    registerInserted(object)
    object.awakeFromInsert()
  }

  /// Registers an object that already has a key as an inserted object.
  func registerInserted(_ object: NSManagedObject) {
    borrowing(registry) {
      $0.identityMap.insert(
        object, store: Int(object.storePosition), root: object.compiledEntity.rootIndex,
        key: object.key)
      if $0.observation.tracksReads { object.contents = .watched }
    }
    unitOfWork.insert(object)
    retain(object)
    if let observers = object.extras?.observers { observation.note(object, observers) }
  }

  /// Undoes the deletion of an object of the context; an object that is not deleted is not changed.
  private func insertAgain(_ object: NSManagedObject) {
    guard object.registry === registry else {
      return noteMisuse(
        "An NSManagedObjectContext cannot insert objects in other contexts. Use object(with:) to get "
          + "the object in this context.", of: object)
    }
    guard object.registration == .deleted else { return }
    guard !object.isRowMissing else {
      return noteMisuse(
        "The deletion of the object cannot be undone because another context deleted its row. "
          + "Insert a new object.", of: object)
    }
    undelete(object)
  }

  /// Undoes an unsaved deletion.
  func undelete(_ object: NSManagedObject) {
    unitOfWork.move(object, by: .undelete)
    if object.registration == .persistent, !object.hasEdits {
      unitOfWork.announce(object)
    } else {
      unitOfWork.update(object)
    }
    object.compareForObservers()
  }

  /// Implements `delete(_:)`.
  final func markDeleted(_ object: NSManagedObject) {
    checkQueue("an object was deleted")
    guard object.registry === registry, object.registration != .detached else {
      if object.registration != .detached {
        noteMisuse("An NSManagedObjectContext cannot delete objects in other contexts.", of: object)
      }
      return
    }
    // The hook may delete the object, or another object whose hook deletes this object.
    if object.flags.contains(.deleting) { return }
    guard loadingFreely({ object.becomesEditable() }) else { return }
    // Loading may find that the row is missing, and the hook may remove the object from the
    // context.
    if object.isPresent {
      object.setDeleting(true)
      object.prepareForDeletion()
      object.setDeleting(false)
    }
    guard object.isPresent else { return }
    undoRecorder?.noteDeletion(of: object)
    unitOfWork.move(object, by: .delete)
    object.compareForObservers()
  }

  /// Implements `registeredObject(for:)`.
  final func registeredObject(withID objectID: NSManagedObjectID) -> NSManagedObject? {
    guard let root = ownEntity(of: objectID)?._withUnsafeGuaranteedRef({ $0.rootIndex }),
      let position = storePosition(of: objectID)
    else { return nil }
    return borrowing(registry) {
      $0.identityMap.object(store: position, root: root, key: objectID.key)
    }
  }

  /// Implements `object(with:)`.
  final func objectOrFault(withID objectID: NSManagedObjectID) -> NSManagedObject {
    if let object = registeredObject(for: objectID) { return object }
    guard let entity = ownEntity(of: objectID), let position = storePosition(of: objectID) else {
      deferredErrors.note(
        ObjectError(Self.foreign(objectID), entityName: objectID.compiledEntity.name))
      let description = objectID.entity
      // The object represents an error, so which of several classes it has does not matter.
      let type = try? ClassLookup.managedClass(named: objectID.compiledEntity.className)
      return (type ?? NSManagedObject.self).init(__materializing: description)
    }
    return entity._withUnsafeGuaranteedRef { makeFault($0, key: objectID.key, store: position) }
  }

  /// The context's entity for an id; nil if the model does not have the entity or the context has
  /// no coordinator.
  // Compiled entities are never released.
  private func ownEntity(of objectID: NSManagedObjectID) -> Unmanaged<CompiledEntity>? {
    let entity = Unmanaged.passUnretained(objectID.compiledEntity)
    let (index, token) = entity._withUnsafeGuaranteedRef { ($0.index, $0.token) }
    if holds(index, token) { return entity }
    guard persistentStoreCoordinator != nil else { return nil }
    return model.entity(named: objectID.compiledEntity.name).map(Unmanaged.passUnretained)
  }

  /// Whether the context's model contains the entity with a position and a token.
  @inline(__always)
  private func holds(_ index: Int, _ token: UInt32) -> Bool {
    borrowing(registry) { $0.holds(entity: index, token) }
  }

  private static func foreign(_ objectID: NSManagedObjectID) -> String {
    "The context does not have the store of an object id, or its entity \(objectID.compiledEntity.name). Set the "
      + "context's coordinator, or use only ids of objects in the context's stores."
  }

  /// Implements `existingObject(with:)`.
  final func filledObject(withID objectID: NSManagedObjectID) throws -> NSManagedObject {
    guard ownEntity(of: objectID) != nil, storePosition(of: objectID) != nil else {
      throw CocoaError.make(.coreData, Self.foreign(objectID))
    }
    let object = object(with: objectID)
    guard object.registration != .deleted else { throw missing(object) }
    if object.contents == .fault {
      try loadingFreely { () throws(any Error) in try FaultResolver.load(object) }
    }
    guard object.contents != .fault else {
      defer { object.detach() }
      throw missing(object)
    }
    object.realizeIfNeeded()
    return object
  }

  private func missing(_ object: NSManagedObject) -> CocoaError {
    let reason =
      object.currentID.isTemporaryID && object.deletion != .withdrawal
      ? "Its id is temporary and belongs to no object of this context. Use the id that the object has after a save."
      : "It may have been deleted."
    return CocoaError.make(
      .managedObjectReferentialIntegrity,
      "The object \(object.currentID.uriRepresentation().absoluteString) has no row in the store. \(reason)",
      userInfo: [NSAffectedObjectsErrorKey: [object]])
  }

  /// The position of an id's store among the coordinator's stores; nil if the coordinator does not
  /// have the store.
  func storePosition(of objectID: NSManagedObjectID) -> Int? {
    let isReady: Void? = borrowing(persistentStoreCoordinator) { coordinator in
      borrowing(registry) { $0.refresh(from: coordinator) }
    }
    guard isReady != nil else { return nil }
    let known = borrowing(objectID.store) { store in
      borrowing(registry) { $0.position(of: store) }
    }
    guard let known else {
      return objectID.isTemporaryID ? positionOfUnsavedObject(withID: objectID) : nil
    }
    if let known { return known }
    // The store was removed and added again, or belongs to another coordinator of the same file.
    return objectID.store.flatMap { persistentStoreCoordinator?.position(of: $0) }
  }

  /// The position of the store of an unsaved object whose id does not contain the store, because
  /// the id was read before the object had a store.
  private func positionOfUnsavedObject(withID objectID: NSManagedObjectID) -> Int {
    guard let entity = ownEntity(of: objectID) else { return 0 }
    let (index, root) = entity._withUnsafeGuaranteedRef { ($0.index, $0.rootIndex) }
    let position = Int(registry.defaultStorePositions[index])
    let object = registry.identityMap.object(store: position, root: root, key: objectID.key)
    // Objects that were inserted before a store was added belong to the first store.
    return object == nil ? 0 : position
  }

  /// Creates a registered fault of an entity.
  func makeFault(_ entity: CompiledEntity, key: Int64, store: Int) -> NSManagedObject {
    let object = materialize(entity.index)
    object.registry = registry
    object.standing = .fetched
    object.contents = .fault
    // A fault that cannot be read has no values, not even the model's default ones.
    object.dropRow()
    object.storePosition = UInt32(truncatingIfNeeded: store)
    object.key = key
    borrowing(registry) {
      $0.identityMap.insert(object, store: store, root: entity.rootIndex, key: key)
    }
    retain(object)
    return object
  }

  /// Creates an unregistered object of an entity's class.
  @inline(__always)
  func materialize(_ entityIndex: Int) -> NSManagedObject {
    classes[entityIndex].init(__materializing: descriptions[entityIndex])
  }

  @inline(__always)
  func retain(_ object: NSManagedObject) {
    if retainsRegisteredObjects { retained[ObjectIdentifier(object)] = object }
  }

  /// The registered object with a key, or a new fault.
  func registered(_ entity: CompiledEntity, key: Int64, store: Int) -> NSManagedObject {
    registry.identityMap.object(store: store, root: entity.rootIndex, key: key)
      ?? makeFault(entity, key: key, store: store)
  }

  /// The registered object with a key, or a new fault.
  func registered(_ id: ObjectKey, store: Int) -> NSManagedObject {
    registered(model.entities[Int(id.entityIndex)], key: id.key, store: store)
  }

  /// The description of the entity of a class in this context's model.
  func entityDescription(of type: NSManagedObject.Type) -> NSEntityDescription {
    let index = borrowing(persistentStoreCoordinator) { $0.entityIndex(of: type) }
    if let index, let index { return descriptions[index] }
    deferredErrors.note(
      ObjectError(
        "An NSManagedObject of class '\(type)' must have a valid NSEntityDescription: no entity in "
          + "the context's model uses this class."))
    return NSEntityDescription()
  }

  /// Implements `obtainPermanentIDs(for:)`.
  final func makePermanentIDs(of objects: [NSManagedObject]) throws {
    let coordinator = try requireCoordinator()
    if let foreign = objects.first(where: {
      $0.registry !== registry && $0.registration != .detached
    }) {
      throw foreign.misuse("A context can obtain permanent ids only for its own objects.", nil)
    }
    let inserted = objects.filter { $0.registration == .inserted && $0.key < 0 }
    try StorePlacement(context: self).place(inserted)
    var renames: [ObjectRename] = []
    defer { announceToChildren(renames) }
    func assign(_ key: Int64, to object: NSManagedObject) {
      renames.append(move(object, to: Int(object.storePosition), key: key))
    }
    for (position, group) in Dictionary(grouping: inserted, by: { Int($0.storePosition) }) {
      guard let store = registry.store(at: position) else { continue }
      if let keys = try store.permanentKeys(for: group) {
        for (object, key) in zip(group, keys) { assign(key, to: object) }
        continue
      }
      let byRoot = Dictionary(grouping: group) { $0.compiledEntity.rootIndex }
      let first = try coordinator.mapping { () throws(StoreError) in
        try store.backend.reserveKeys(byRoot.mapValues(\.count))
      }
      for (root, members) in byRoot {
        guard var key = first[root] else { continue }
        for object in members {
          assign(key, to: object)
          key += 1
        }
      }
    }
  }
}

extension NSManagedObject {
  /// Whether the unit of work and the next change notification already include the object, and the
  /// running save has not called the object's will-save hook since the last change.
  @inline(__always)
  final var isNotedAsChanged: Bool {
    flags.intersection([.announced, .askedWillSave]) == .announced
      && (registration == .inserted || flags.contains(.updated))
  }

  /// Adds the object to the unit of work and to the next change notification.
  final func markChanged() {
    if flags.contains(.untracked) || (registration == .deleted && !isRowMissing) { return }
    var isNoted = false
    if registration == .persistent || registration == .inserted {
      withContext {
        $0.checkQueue("an object was changed")
        $0.unitOfWork.update(self)
        isNoted = true
      }
    }
    if !isNoted { noteLostChange() }
  }

  /// Logs that no save will write a change, because the object has lost its row or its context.
  private final func noteLostChange() {
    guard registration != .detached || key > 0 else { return }
    GraphLog.warning(
      "A change to \(currentID) will not be saved because the object was deleted, or because its context was "
        + "reset or released, or because a save merged it into another object. Fetch the object again, or "
        + "insert a new one.")
  }

  /// Removes the object from its context permanently.
  final func detach() {
    guard let registry else { return }
    registry.withContext { context in
      if registration != .detached { context.unitOfWork.move(self, by: .leave) }
      if context.retainsRegisteredObjects { context.retained[ObjectIdentifier(self)] = nil }
    }
    registry.identityMap.remove(
      address: UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()),
      store: Int(storePosition), root: compiledEntity.rootIndex, key: key)
    self.registry = nil
    forgetLoaded()
    edits.removeObjects()
  }

  /// Removes the object from its context, which is being deallocated.
  ///
  /// The object keeps the registry, so that its id still identifies its store.
  final func outliveContext() {
    registry?.identityMap.remove(
      address: UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()),
      store: Int(storePosition), root: compiledEntity.rootIndex, key: key)
    forgetLoaded()
    edits.removeObjects()
  }
}

extension NSEntityDescription {
  /// Returns the entity with the given name in a context's model.
  ///
  /// - Returns: The entity; nil if the model has no entity with this name.
  /// > Reference: Apple, entity(forEntityName:in:).
  public class func entity(
    forEntityName entityName: String, in context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    context.model.entity(named: entityName).map { context.descriptions[$0.index] }
  }

  /// Creates an object of the entity with the given name, and inserts the object into a context.
  ///
  /// If the model has no such entity, or if the entity is abstract, the method returns an object
  /// without an entity, and the next save throws `ObjectError`.
  ///
  /// - Returns: The new object.
  public class func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    let known = context.model.entity(named: entityName)
    guard let entity = known, !entity.isAbstract else {
      context.deferredErrors.note(
        ObjectError(
          known == nil
            ? "+entityForName: could not locate an entity named '\(entityName)' in this model."
            : "The entity is abstract. Insert an object of one of its subentities.",
          entityName: known?.name))
      return NSManagedObject()
    }
    let object = context.materialize(entity.index)
    context.insert(object)
    return object
  }
}
