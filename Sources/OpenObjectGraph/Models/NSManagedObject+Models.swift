package import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// The interface of managed objects for a layer of typed models, such as SwiftData. The layer has no
// other access to the graph.

/// An object whose model exists only while it is retained.
package protocol ModelOwning {
  /// The object's model, which is created if necessary.
  var ownedModel: AnyObject? { get }
}

extension NSManagedObject {
  // MARK: Reads

  /// Records a read of a property if Observation tracks the running code.
  ///
  /// The accessors of managed objects record reads only in contexts with
  /// ``NSManagedObjectContext/tracksObservation``. This method records reads in any context.
  @inline(__always)
  package final func noteModelRead(_ key: __ManagedKey) {
    if ModelReads.isTracked { noteTrackedRead(key) }
  }

  /// Records a read of a value that is not a property of the model, if Observation tracks the
  /// running code.
  package final func noteModelRead(named name: String) {
    if ModelReads.isTracked { makeObservers().access(ObservedKey(name, of: self), of: self) }
  }

  @inline(never)
  private final func noteTrackedRead(_ key: __ManagedKey) {
    makeObservers().access(ObservedKey(key.name, of: self), of: self)
  }

  /// Changes a value that is not a property of the model, and notifies the observers of the value.
  ///
  /// - Parameters:
  ///   - name: The name under which the value is observed.
  ///   - change: The closure that changes the value.
  /// - Returns: The result of `change`.
  /// - Throws: The error of `change`.
  package final func changing<Result, Failure: Error>(
    named name: String, _ change: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let observers = extras?.observers else { return try change() }
    let key = ObservedKey(name, of: self)
    observers.willChange(key, in: self)
    defer { observers.didChange(key, in: self) }
    return try change()
  }

  // MARK: Relationships

  /// Returns the destination of a to-one relationship; nil if the relationship has no destination.
  package final func destinationObject(_ key: __ManagedKey) -> NSManagedObject? {
    key.position(in: self, as: .integer).flatMap { destination($0.ordinal) }
  }

  /// Retains the typed model of a to-one relationship's destination, as long as the object retains
  /// the destination.
  ///
  /// Does nothing if the destination is unsaved or the object is in no context.
  ///
  /// - Parameters:
  ///   - model: The typed model to retain.
  ///   - destination: The destination that was read.
  ///   - key: The to-one relationship.
  package final func keepDestinationModel(
    _ model: AnyObject, of destination: NSManagedObject, _ key: __ManagedKey
  ) {
    // An unsaved destination must not be taken for one that was read.
    guard !isDetached, let ordinal = key.position(in: self, as: .integer)?.ordinal,
      edits[ordinal] == nil
    else { return }
    borrowing(makeExtras()) { $0.keepModel(model, of: destination, ordinal) }
  }

  /// Sets a to-one relationship and its inverse; nil removes the destination.
  package final func setDestinationObject(_ key: __ManagedKey, _ object: NSManagedObject?) {
    RelationshipEdit.setDestination(of: self, key, to: object)
  }

  /// Returns the members of a to-many relationship.
  ///
  /// The members of an ordered relationship have the order of the relationship. Other members have
  /// the order of their rows, followed by unsaved members in the order of their insertion.
  package final func memberObjects(_ key: __ManagedKey) -> [NSManagedObject] {
    guard let position = key.position(in: self, as: .integer) else { return [] }
    let objects = members(position.ordinal)
    if compiledEntity.properties[position.ordinal].relationship?.isOrdered == true {
      return objects
    }
    return Self.inOrderOfRows(objects)
  }

  /// Retains the typed models of a to-many relationship's members, as long as the members are
  /// loaded.
  ///
  /// The models replace the models that the relationship retained before.
  package final func keepMemberModels(_ models: AnyObject, _ key: __ManagedKey) {
    guard !isDetached, let position = key.position(in: self, as: .integer) else { return }
    extras?.members(position.ordinal)?.models = models
  }

  /// Returns whether an object precedes another object in the order of rows.
  ///
  /// Keys of unsaved objects are negative and decrease with each new object.
  private static func isBefore(_ one: NSManagedObject, _ other: NSManagedObject) -> Bool {
    if one.key < 0, other.key < 0 { return one.key > other.key }
    if one.key < 0 || other.key < 0 { return one.key >= 0 }
    return one.key < other.key
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

  /// Replaces all members of a to-many relationship and updates their inverses.
  package final func setMemberObjects(_ key: __ManagedKey, _ objects: [NSManagedObject]) {
    guard let position = key.position(in: self, as: .integer),
      let edit = RelationshipEdit(toMany: position.ordinal, of: self)
    else { return }
    edit.setMembers(objects)
  }

  /// The related objects that are known without reading a store.
  ///
  /// These are the unsaved destinations of to-one relationships, and the loaded and added members
  /// of to-many relationships.
  package final var knownNeighbors: [NSManagedObject] {
    if edits.isEmpty, extras == nil { return [] }
    var found: [NSManagedObject] = []
    for property in compiledEntity.properties {
      guard let relationship = property.relationship else { continue }
      if relationship.isToMany {
        found += extras?.members(property.ordinal)?.members?.objects ?? []
        found += extras?.members(property.ordinal)?.added.objects ?? []
      } else if case .object(let object)? = edits[property.ordinal] {
        found.append(object)
      }
    }
    return found
  }

  // MARK: Standing

  /// Changes the entity of an object that was never in a context.
  ///
  /// The object loses all values. The method does nothing for any other object.
  package final func become(of entity: CompiledEntity) {
    guard registration == .detached, registry == nil else { return }
    edits.removeAll()
    forgetLoaded()
    extras?.observers = nil
    dropRow()
    compiledEntity = entity
    entityToken = entity.token
    base = DefaultRows.base(of: entity)
    contents = .realized
    cachedID = nil
  }

  /// Whether the object does not belong to a context.
  package final var isDetached: Bool { registration == .detached }

  /// The object's compiled entity.
  package final var modelEntity: CompiledEntity { compiledEntity }

  /// Returns whether the entities of both objects belong to the same model in use.
  package final func sharesModel(with other: NSManagedObject) -> Bool {
    borrowing(compiledEntity) { mine in
      borrowing(other.compiledEntity) { theirs in mine.isOfSameModel(as: theirs) }
    }
  }

  /// Returns whether the object's entity belongs to the model of a context.
  package final func isOfModel(of context: NSManagedObjectContext) -> Bool {
    borrowing(compiledEntity) { $0.isPart(of: context.model) }
  }

  /// A number that identifies the entity among the entities of all models.
  package final var modelEntityToken: UInt32 {
    @inline(__always) get { entityToken }
  }

  /// Assigns a temporary key to an object that was never in a context.
  ///
  /// The object keeps the key when it is inserted. An object that has left its context keeps the
  /// key of its row.
  package final func assignTemporaryKey() {
    if registration == .detached, key == 0 {
      key = TemporaryKey.next()
      cachedID = nil
    }
  }

  /// Gives an object that a save merged into another object the identifier of the other object.
  ///
  /// The method does nothing if the object is in a context.
  ///
  /// - Parameter survivor: The object that survived.
  package final func takeIdentifier(of survivor: NSManagedObject) {
    guard registration == .detached, registry == nil else { return }
    key = survivor.key
    cachedID = survivor.currentID
  }

  /// Makes the next save throw an error; for an object without a context, only logs the error.
  ///
  /// - Parameters:
  ///   - message: The description of the misuse.
  ///   - property: The name of the property concerned; nil if there is none.
  package final func deferError(_ message: String, property: String? = nil) {
    reportMisuse(message, property)
  }

  /// Makes saves throw the error of a read that could not return the stored value.
  ///
  /// If the object has a row, every save throws the error until the object is refreshed, or the
  /// context is rolled back or reset. If the object is unsaved or deleted, only the next save
  /// throws the error. If the object has no context, the method only logs the error.
  ///
  /// - Parameter error: The error of the read.
  package final func deferFailedRead(_ error: any Error) {
    guard registration == .persistent, let context else { return note(error) }
    context.deferFailedRead(error, of: self)
  }

  /// Makes the next save throw the error of a write that changed nothing.
  ///
  /// If the object has no context, it keeps the error for ``takeFailedWrites()``.
  ///
  /// - Parameters:
  ///   - error: The error of the write.
  ///   - property: The name of the property.
  package final func deferFailedWrite(_ error: any Error, of property: String) {
    guard context == nil else { return note(error) }
    GraphLog.error("\(error)")
    makeExtras().failedWrites[property] = error
  }

  /// Forgets the failed write to a property, after a successful write to the property.
  package final func forgetFailedWrite(of property: String) {
    if let extras, !extras.failedWrites.isEmpty { extras.failedWrites[property] = nil }
  }

  /// Returns the errors that the object has kept, in the order of the properties' names, and
  /// forgets them.
  package final func takeFailedWrites() -> [any Error] {
    guard let extras, !extras.failedWrites.isEmpty else { return [] }
    let errors = extras.failedWrites.sorted { $0.key < $1.key }.map(\.value)
    extras.failedWrites.removeAll()
    return errors
  }
}

extension NSManagedObjectID {
  /// Returns whether the row of this id precedes the row of another id of the same entity.
  ///
  /// - Parameter other: The id to compare.
  /// - Returns: Whether this row comes first; nil if the keys do not determine the order of the
  ///   rows.
  package func isRow(before other: NSManagedObjectID) -> Bool? {
    guard let store, store === other.store, compiledEntity === other.compiledEntity,
      !isTemporaryID, !other.isTemporaryID, store.references == nil
    else { return nil }
    return key < other.key
  }
}
