public import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Inserts objects into a context.
///
/// > Concurrency: Confined to the context's queue.
enum ObjectInsertion {
  /// Implements `insert(_:)`.
  static func insert(_ object: NSManagedObject, into context: NSManagedObjectContext) {
    context.checkQueue("an object was inserted")
    guard context.persistentStoreCoordinator != nil else {
      return context.deferredErrors.note(
        "The context has no persistent store coordinator.", of: object)
    }
    guard object.registration == .detached else { return insertAgain(object, into: context) }
    let (index, token) = (object.compiledEntity.index, object.entityToken)
    guard borrowing(context.registry, { $0.holds(entity: index, token) }) else {
      let hasEntity = object.compiledEntity !== EmptyEntity.shared
      context.deferredErrors.note(
        ObjectError(
          "The entity of the object is not in the model of the context. Use an entity of this model.",
          entityName: hasEntity ? object.compiledEntity.name : nil))
      return
    }
    if object.key > 0 { dropForeignKeys(of: object) }
    object.registry = context.registry
    // An object whose id was already read keeps its key.
    if object.key >= 0 { object.key = TemporaryKey.next() }
    object.cachedID = nil
    borrowing(context.registry) { registry in
      borrowing(context.persistentStoreCoordinator) { registry.refresh(from: $0) }
      object.storePosition = registry.defaultStorePositions[index]
    }
    register(object, in: context)
    object.awakeFromInsert()
  }

  /// Removes the foreign keys from the row of an object that was saved before.
  ///
  /// The object lost its relationships when it left its context. The rows with these keys may have
  /// been deleted, or the new context may have another store with other rows.
  private static func dropForeignKeys(of object: NSManagedObject) {
    let (entity, former) = (object.compiledEntity, object.view)
    var values: [SlotValue] = []
    for property in entity.properties {
      guard let foreignKey = entity.foreignKey(property.ordinal), !former.isNull(foreignKey.slot)
      else { continue }
      values.append(SlotValue(slot: foreignKey.slot, content: .null))
      if let discriminator = property.relationship?.discriminatorSlot {
        values.append(SlotValue(slot: discriminator, content: .null))
      }
    }
    if values.isEmpty { return }
    var writer = RowWriter(capacity: former.byteCount + 8)
    object.row = writer.row(
      of: entity, key: 0, version: former.version, over: former, values: values)
  }

  /// Registers an object that already has a key as an inserted object.
  static func register(_ object: NSManagedObject, in context: NSManagedObjectContext) {
    borrowing(context.registry) {
      $0.identityMap.insert(
        object, store: Int(object.storePosition), root: object.compiledEntity.rootIndex,
        key: object.key)
      if $0.observation.tracksReads { object.contents = .watched }
    }
    context.unitOfWork.insert(object)
    context.retain(object)
    if let observers = object.extras?.observers { context.observation.note(object, observers) }
  }

  /// Undoes the deletion of an object of the context; an object that is not deleted is not changed.
  private static func insertAgain(
    _ object: NSManagedObject, into context: NSManagedObjectContext
  ) {
    guard object.registry === context.registry else {
      return context.deferredErrors.note(
        "An NSManagedObjectContext cannot insert objects in other contexts. Use object(with:) to get "
          + "the object in this context.", of: object)
    }
    guard object.registration == .deleted else { return }
    guard !object.isRowMissing else {
      return context.deferredErrors.note(
        "The deletion of the object cannot be undone because another context deleted its row. "
          + "Insert a new object.", of: object)
    }
    let lostRelationships = object.flags.contains(.propagated)
    ObjectDeletion.undo(of: object, in: context)
    guard lostRelationships else { return }
    context.loadingFreely { restoreInverses(of: object) }
    // Lists that were read after the deletion lack the object.
    context.memberships.unloadLists(admitting: [object])
  }

  /// Restores the other sides of an object's relationships after a deletion whose delete rules had
  /// been applied.
  ///
  /// The object has kept its own sides. The method removes a destination or member from the own
  /// side if it remains deleted or has another destination by now.
  private static func restoreInverses(of object: NSManagedObject) {
    for property in object.compiledEntity.properties {
      guard let relationship = property.relationship, let inverse = relationship.inverseOrdinal,
        relationship.deleteRule == .nullify || relationship.deleteRule == .cascade
      else { continue }
      let ordinal = property.ordinal
      if relationship.isToMany {
        for member in object.members(ordinal) where !restore(object, as: inverse, of: member) {
          object.extras?.members(ordinal)?.forget(member)
        }
      } else if let destination = object.destination(ordinal),
        !restore(object, as: inverse, of: destination)
      {
        object.setEdit(.value(.null), ordinal)
        object.forgetDestination(ordinal)
      }
    }
  }

  /// Makes an object the destination or a member of a relationship of another object.
  ///
  /// - Returns: `false` if the other object is not in the context or has another destination.
  private static func restore(
    _ object: NSManagedObject, as ordinal: Int, of other: NSManagedObject
  ) -> Bool {
    guard other.isPresent, other.registry === object.registry else { return false }
    if other.compiledEntity.properties[ordinal].relationship?.isToMany == false {
      // If the other object cannot be read, its present destination is not known.
      guard other.becomesEditable() else { return true }
      // Reading the object may reveal that its row no longer exists.
      guard other.isPresent else { return false }
      if let destination = other.destination(ordinal) { return destination === object }
    }
    let list = other.extras?.members(ordinal)
    let isStored = list.map { !$0.isReordered && $0.removed.contains(object) } ?? false
    RelationshipEdit(other, ordinal)?.addSource(object)
    if isStored, let list, list.isOrdered {
      // The stored order contains the object, which is the last member now.
      list.forgetOrder()
      object.context?.memberships.unload(list, of: other)
    }
    object.context?.memberships.dropAddition(of: object, to: other, ordinal)
    return true
  }

  /// The description of the entity of a class in a context's model.
  static func entity(
    of type: NSManagedObject.Type, in context: NSManagedObjectContext
  ) -> NSEntityDescription {
    let index = borrowing(context.persistentStoreCoordinator) { $0.entityIndex(of: type) }
    if let index, let index { return context.descriptions[index] }
    context.deferredErrors.note(
      ObjectError(
        "An NSManagedObject of class '\(type)' must have a valid NSEntityDescription: no entity in "
          + "the context's model uses this class."))
    return NSEntityDescription()
  }
}

extension NSEntityDescription {
  /// Returns the entity with the given name in a context's model.
  ///
  /// - Parameters:
  ///   - entityName: The name of the entity.
  ///   - context: The context whose model is searched.
  /// - Returns: The entity; nil if the model has no entity with this name, or if the context has no
  ///   coordinator.
  /// > Reference: Apple, entity(forEntityName:in:).
  public class func entity(
    forEntityName entityName: String, in context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    context.model.entity(named: entityName).map { context.descriptions[$0.index] }
  }

  /// Creates an object of the entity with the given name, and inserts the object into a context.
  ///
  /// In the following cases, the method returns an object without an entity, and the next save
  /// throws `ObjectError`:
  ///
  /// - The context has no coordinator.
  /// - The model has no such entity.
  /// - The entity is abstract.
  ///
  /// - Parameters:
  ///   - entityName: The name of the entity.
  ///   - context: The context that receives the object.
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
