internal import OpenObjectModel

/// Access of typed models to the relationships of their managed objects.
///
/// Reading a relationship does not record the read for Observation. If a relationship cannot be
/// read from the store, the methods return no destinations, and saves throw the error of the read.
///
/// > Concurrency: Confined to the context's queue.
package enum ModelRelationship {
  // MARK: To-one

  /// Returns the destination of a to-one relationship.
  ///
  /// - Parameters:
  ///   - key: The to-one relationship.
  ///   - object: The object that has the relationship.
  /// - Returns: The destination; nil if the relationship has no destination.
  package static func destination(
    _ key: __ManagedKey, of object: NSManagedObject
  ) -> NSManagedObject? {
    key.position(in: object, as: .integer).flatMap { object.destination($0.ordinal) }
  }

  /// Sets a to-one relationship and its inverse.
  ///
  /// - Parameters:
  ///   - key: The to-one relationship.
  ///   - object: The object that has the relationship.
  ///   - destination: The new destination; nil removes the destination.
  package static func setDestination(
    _ key: __ManagedKey, of object: NSManagedObject, to destination: NSManagedObject?
  ) {
    RelationshipEdit.setDestination(of: object, key, to: destination)
  }

  /// Retains the typed model of a to-one relationship's destination, as long as the object retains
  /// the destination.
  ///
  /// Does nothing if the relationship has an unsaved change, or if the object does not belong to a
  /// context.
  ///
  /// - Parameters:
  ///   - model: The typed model to retain.
  ///   - destination: The destination that was read.
  ///   - key: The to-one relationship.
  ///   - object: The object that has the relationship.
  /// - Returns: Whether the object retains the model.
  package static func keepModel(
    _ model: AnyObject, of destination: NSManagedObject, _ key: __ManagedKey,
    in object: NSManagedObject
  ) -> Bool {
    // An unsaved destination must not be taken for one that was read.
    guard !object.isDetached, let ordinal = key.position(in: object, as: .integer)?.ordinal,
      object.edits[ordinal] == nil
    else { return false }
    borrowing(object.makeExtras()) { $0.keepModel(model, of: destination, ordinal) }
    return true
  }

  /// Retains the typed models of the destinations of an object's to-one relationships, as long as
  /// the object retains the destinations.
  ///
  /// Does nothing for destinations that the object does not retain yet, for relationships with an
  /// unsaved change, and for an object without a context.
  ///
  /// - Parameters:
  ///   - object: The object that has the relationships.
  ///   - model: A closure that returns the typed model of a destination, or nil if the destination
  ///     has no typed model.
  package static func keepModels(
    ofDestinationsOf object: NSManagedObject, _ model: (NSManagedObject) -> AnyObject?
  ) {
    if object.isDetached { return }
    for property in object.compiledEntity.properties
    where property.relationship?.isToMany == false && object.edits[property.ordinal] == nil {
      guard let destination = object.loadedDestination(property.ordinal),
        let model = model(destination)
      else { continue }
      object.makeExtras().keepModel(model, of: destination, property.ordinal)
    }
  }

  // MARK: To-many

  /// Returns the members of a to-many relationship.
  ///
  /// The members of an ordered relationship have the order of the relationship. Other members have
  /// the order of their rows, followed by unsaved members in the order of their insertion.
  ///
  /// - Parameters:
  ///   - key: The to-many relationship.
  ///   - object: The object that has the relationship.
  /// - Returns: The members.
  package static func members(_ key: __ManagedKey, of object: NSManagedObject) -> [NSManagedObject]
  {
    guard let position = key.position(in: object, as: .integer) else { return [] }
    let members = object.members(position.ordinal)
    if object.compiledEntity.properties[position.ordinal].relationship?.isOrdered == true {
      return members
    }
    return inOrderOfRows(members)
  }

  /// Replaces all members of a to-many relationship and updates their inverses.
  ///
  /// - Parameters:
  ///   - key: The to-many relationship.
  ///   - object: The object that has the relationship.
  ///   - members: The new members.
  package static func setMembers(
    _ key: __ManagedKey, of object: NSManagedObject, to members: [NSManagedObject]
  ) {
    guard let position = key.position(in: object, as: .integer),
      let edit = RelationshipEdit(toMany: position.ordinal, of: object)
    else { return }
    edit.setMembers(members)
  }

  /// Stores an object that retains the typed models of a to-many relationship's members.
  ///
  /// `models` replaces the object that the relationship retained before. The relationship retains
  /// `models` until `object` becomes a fault, or until a save while the members are not loaded.
  /// Does nothing if the members are not loaded and have no unsaved change, or if `object` has no
  /// context.
  ///
  /// - Parameters:
  ///   - models: The object that retains the typed models.
  ///   - key: The to-many relationship.
  ///   - object: The object that has the relationship.
  package static func keepModels(
    _ models: AnyObject, _ key: __ManagedKey, in object: NSManagedObject
  ) {
    guard !object.isDetached, let position = key.position(in: object, as: .integer) else { return }
    object.extras?.members(position.ordinal)?.models = models
  }

  private static func inOrderOfRows(_ objects: [NSManagedObject]) -> [NSManagedObject] {
    for index in objects.indices.dropFirst()
    where !isBefore(objects[index - 1], objects[index]) {
      // Objects without a context have no keys. A stable sort keeps them in the order in which they
      // were added.
      return objects.sorted(by: isBefore)
    }
    return objects
  }

  /// Returns whether an object precedes another object in the order of rows.
  ///
  /// Keys of unsaved objects are negative and decrease with each new object.
  private static func isBefore(_ one: NSManagedObject, _ other: NSManagedObject) -> Bool {
    if one.key < 0, other.key < 0 { return one.key > other.key }
    if one.key < 0 || other.key < 0 { return one.key >= 0 }
    return one.key < other.key
  }

  // MARK: All relationships

  /// Returns whether a relationship of an object that was never saved has destinations.
  ///
  /// - Parameters:
  ///   - key: The relationship.
  ///   - object: The object that has the relationship.
  /// - Returns: `true` if the relationship has destinations; `false` if it has none, or if the
  ///   object's entity has no property with this key.
  package static func hasDestinations(_ key: __ManagedKey, of object: NSManagedObject) -> Bool {
    if object.edits.isEmpty, object.extras == nil { return false }
    guard let ordinal = key.position(in: object, as: .integer)?.ordinal else { return false }
    if case .object? = object.edits[ordinal] { return true }
    guard let state = object.extras?.members(ordinal) else { return false }
    return state.members?.isEmpty == false || !state.added.isEmpty
  }

  /// Returns the related objects that are known without reading a store.
  ///
  /// The related objects are the destinations of to-one relationships with an unsaved change, and
  /// the loaded and added members of to-many relationships.
  ///
  /// - Parameter object: The object that has the relationships.
  /// - Returns: The related objects; an object may occur several times.
  package static func knownNeighbors(of object: NSManagedObject) -> [NSManagedObject] {
    if object.edits.isEmpty, object.extras == nil { return [] }
    var found: [NSManagedObject] = []
    for property in object.compiledEntity.properties {
      guard let relationship = property.relationship else { continue }
      if relationship.isToMany {
        let state = object.extras?.members(property.ordinal)
        found += state?.members?.objects ?? []
        found += state?.added.objects ?? []
      } else if case .object(let object)? = object.edits[property.ordinal] {
        found.append(object)
      }
    }
    return found
  }
}
