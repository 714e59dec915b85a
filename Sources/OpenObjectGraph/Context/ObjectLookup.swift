internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// Finds the objects of a context by their ids.
///
/// An id may come from another coordinator with the same stores or the same model.
///
/// > Concurrency: Confined to the context's queue.
package enum ObjectLookup {
  /// Implements `registeredObject(for:)`.
  static func registeredObject(
    withID objectID: NSManagedObjectID, in context: NSManagedObjectContext
  ) -> NSManagedObject? {
    // The parent may have given the object the id since.
    context.source.adoptRenames(in: context)
    guard let entity = entity(of: objectID, in: context),
      let position = storePosition(of: objectID, in: context)
    else { return nil }
    let (index, root) = entity._withUnsafeGuaranteedRef { ($0.index, $0.rootIndex) }
    let key = objectID.key
    let known: NSManagedObject? = borrowing(context.registry) { registry -> NSManagedObject? in
      if let object = registry.identityMap.object(store: position, root: root, key: key) {
        return object
      }
      // The object may have been assigned to another store since its id was read.
      return key < 0 ? registry.identityMap.unsavedObject(root: root, key: key) : nil
    }
    guard let known, context.isUsable(known, as: index) else { return nil }
    return known
  }

  /// Implements `object(with:)`.
  static func objectOrFault(
    withID objectID: NSManagedObjectID, in context: NSManagedObjectContext
  ) -> NSManagedObject {
    if let object = knownOrFault(withID: objectID, in: context) { return object }
    context.deferredErrors.note(
      ObjectError(foreign(objectID), entityName: objectID.compiledEntity.name))
    let description = objectID.entity
    // The object represents an error, so which of several classes it has does not matter.
    let type = try? ClassLookup.managedClass(named: objectID.compiledEntity.className)
    return (type ?? NSManagedObject.self).init(__materializing: description)
  }

  /// Returns the registered object with an id, or a new fault; nil if the context does not have the
  /// store or the entity of the id.
  package static func knownOrFault(
    withID objectID: NSManagedObjectID, in context: NSManagedObjectContext
  ) -> NSManagedObject? {
    if let object = context.registeredObject(for: objectID) { return object }
    guard let entity = entity(of: objectID, in: context),
      let position = storePosition(of: objectID, in: context)
    else { return nil }
    return entity._withUnsafeGuaranteedRef {
      context.makeFault($0, key: objectID.key, store: position)
    }
  }

  /// Returns whether a context has the store and the entity of an id.
  package static func has(_ objectID: NSManagedObjectID, in context: NSManagedObjectContext) -> Bool
  {
    entity(of: objectID, in: context) != nil && storePosition(of: objectID, in: context) != nil
  }

  /// Implements `existingObject(with:)`.
  static func filledObject(
    withID objectID: NSManagedObjectID, in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    guard has(objectID, in: context) else { throw CocoaError.make(.coreData, foreign(objectID)) }
    let known = context.registeredObject(for: objectID)
    let object = known ?? context.object(with: objectID)
    guard object.registration != .deleted else { throw missing(object) }
    if object.contents == .fault {
      try context.loadingFreely { () throws(any Error) in try FaultResolver.load(object) }
    }
    guard object.contents != .fault else {
      if let actual = try actualObject(withID: objectID, in: context) { return actual }
      // An object that was registered before may be a destination or a member.
      defer { if known == nil || objectID.isTemporaryID { object.detach() } }
      throw missing(object)
    }
    object.realizeIfNeeded()
    return object
  }

  /// Returns the object of the row with the key of an id, if the row has another entity than the
  /// id.
  private static func actualObject(
    withID objectID: NSManagedObjectID, in context: NSManagedObjectContext
  ) throws -> NSManagedObject? {
    guard let entity = entity(of: objectID, in: context),
      let position = storePosition(of: objectID, in: context),
      let store = context.registry.store(at: position),
      let row = try row(
        root: entity._withUnsafeGuaranteedRef { $0.rootIndex }, key: objectID.key, of: store,
        in: context),
      entity._withUnsafeGuaranteedRef({ $0.index }) != row.entityIndex
    else { return nil }
    let object = context.registered(
      context.model.entities[row.entityIndex], key: row.key, store: position)
    FaultResolver.attach(row, to: object)
    guard object.isPresent else { return nil }
    object.realizeIfNeeded()
    return object
  }

  /// Returns the row with a key of a root entity, which a fault has read just now; nil if there is
  /// no such row.
  private static func row(
    root: Int, key: Int64, of store: NSPersistentStore, in context: NSManagedObjectContext
  ) throws -> Row? {
    if let row = context.knownRow(root: root, key: key, in: store) { return row }
    let source = context.source
    // A context with a short staleness interval or a query generation does not use cached rows.
    guard key > 0, source.parent == nil, !source.trustsRowCache, store.requests == nil else {
      return nil
    }
    return try surfacingErrors { () throws -> Row? in
      var row: Row?
      for chunk in try source.rows(of: context.model.entities[root], keys: [key], in: store) {
        chunk.forEachRow { row = $0 }
      }
      return row
    }
  }

  // MARK: Parts of an id

  /// The context's entity for an id; nil if the model does not have the entity or the context has
  /// no coordinator.
  // Compiled entities are never released.
  private static func entity(
    of objectID: NSManagedObjectID, in context: NSManagedObjectContext
  ) -> Unmanaged<CompiledEntity>? {
    let entity = Unmanaged.passUnretained(objectID.compiledEntity)
    let (index, token) = entity._withUnsafeGuaranteedRef { ($0.index, $0.token) }
    if borrowing(context.registry, { $0.holds(entity: index, token) }) { return entity }
    guard context.persistentStoreCoordinator != nil else { return nil }
    return context.model.entity(named: objectID.compiledEntity.name).map(Unmanaged.passUnretained)
  }

  /// The position of an id's store among the coordinator's stores; nil if the coordinator does not
  /// have the store.
  static func storePosition(
    of objectID: NSManagedObjectID, in context: NSManagedObjectContext
  ) -> Int? {
    let isReady: Void? = borrowing(context.persistentStoreCoordinator) { coordinator in
      borrowing(context.registry) { $0.refresh(from: coordinator) }
    }
    guard isReady != nil else { return nil }
    let known = borrowing(objectID.store) { store in
      borrowing(context.registry) { $0.position(of: store) }
    }
    guard let known else {
      return objectID.isTemporaryID ? positionOfUnsavedObject(withID: objectID, in: context) : nil
    }
    if let known { return known }
    // The store was removed and added again, or belongs to another coordinator of the same file.
    return objectID.store.flatMap { context.persistentStoreCoordinator?.position(of: $0) }
  }

  /// The position of the store of an unsaved object whose id does not contain the store, because
  /// the id was read before the object had a store.
  private static func positionOfUnsavedObject(
    withID objectID: NSManagedObjectID, in context: NSManagedObjectContext
  ) -> Int {
    guard let entity = entity(of: objectID, in: context) else { return 0 }
    let object = context.registry.identityMap.unsavedObject(
      root: entity._withUnsafeGuaranteedRef { $0.rootIndex }, key: objectID.key)
    // Objects that were inserted before a store was added belong to the first store.
    return object.map { Int($0.storePosition) } ?? 0
  }

  // MARK: Errors

  private static func foreign(_ objectID: NSManagedObjectID) -> String {
    "The context does not have the store of an object id, or its entity \(objectID.compiledEntity.name). Set the "
      + "context's coordinator, or use only ids of objects in the context's stores."
  }

  private static func missing(_ object: NSManagedObject) -> CocoaError {
    let reason =
      object.currentID.isTemporaryID && object.deletion != .withdrawal
      ? "Its id is temporary and belongs to no object of this context. Use the id that the object has after a save."
      : "It may have been deleted."
    return CocoaError.make(
      .managedObjectReferentialIntegrity,
      "The object \(object.currentID.uriRepresentation().absoluteString) has no row in the store. \(reason)",
      userInfo: [NSAffectedObjectsErrorKey: [object]])
  }
}
