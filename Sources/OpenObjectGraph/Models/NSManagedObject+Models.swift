package import OpenObjectModel
internal import OpenPredicates

// What a layer of typed models needs of the object behind a model. Nothing else of the graph is open to it.

extension NSManagedObject {
  // MARK: Reads

  /// Notes a read of a property where code runs that Observation tracks.
  ///
  /// Unlike the accessors of managed objects, which ask only in contexts with ``NSManagedObjectContext/tracksObservation``.
  @inline(__always)
  package final func noteModelRead(_ key: __ManagedKey) {
    if ModelReads.isTracked { noteTrackedRead(key) }
  }

  /// Notes a read of something that is no property of the model.
  package final func noteModelRead(named name: String) {
    if ModelReads.isTracked { makeObservers().access(ObservedKey(name, of: self), of: self) }
  }

  @inline(never)
  private final func noteTrackedRead(_ key: __ManagedKey) {
    makeObservers().access(ObservedKey(key.name, of: self), of: self)
  }

  /// Runs a change of something that is no property of the model, and tells those who read it under the name.
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

  /// The destination of a to-one relationship.
  package final func destinationObject(_ key: __ManagedKey) -> NSManagedObject? {
    key.position(in: self, as: .integer).flatMap { destination($0.ordinal) }
  }

  /// Keeps the model of a to-one relationship's destination that was read, as long as the destination.
  package final func keepDestinationModel(
    _ model: AnyObject, of destination: NSManagedObject, _ key: __ManagedKey
  ) {
    // An unsaved destination must not look like one that was read.
    guard !isDetached, let ordinal = key.position(in: self, as: .integer)?.ordinal,
      edits[ordinal] == nil
    else { return }
    borrowing(makeExtras()) { $0.keepModel(model, of: destination, ordinal) }
  }

  /// Sets a to-one relationship and its inverse.
  package final func setDestinationObject(_ key: __ManagedKey, _ object: NSManagedObject?) {
    RelationshipEdit.setDestination(of: self, key, to: object)
  }

  /// The members of a to-many relationship in the order of their rows, those that are not saved last, in the order in which they
  /// were inserted.
  package final func memberObjects(_ key: __ManagedKey) -> [NSManagedObject] {
    guard let position = key.position(in: self, as: .integer) else { return [] }
    let objects = members(position.ordinal)
    if compiledEntity.properties[position.ordinal].relationship?.isOrdered == true {
      return objects
    }
    return Self.inOrderOfRows(objects)
  }

  /// Keeps the models of a to-many relationship's members instead of those before, as long as the members are known.
  package final func keepMemberModels(_ models: AnyObject, _ key: __ManagedKey) {
    guard !isDetached, let position = key.position(in: self, as: .integer) else { return }
    extras?.members(position.ordinal)?.models = models
  }

  /// Keys of unsaved objects are negative, and the later ones less.
  private static func isBefore(_ one: NSManagedObject, _ other: NSManagedObject) -> Bool {
    if one.key < 0, other.key < 0 { return one.key > other.key }
    if one.key < 0 || other.key < 0 { return one.key >= 0 }
    return one.key < other.key
  }

  private static func inOrderOfRows(_ objects: [NSManagedObject]) -> [NSManagedObject] {
    for index in objects.indices.dropFirst()
    where !isBefore(objects[index - 1], objects[index]) {
      // Objects in no context have no keys: they stay as they were added, which a stable sort keeps.
      return objects.sorted(by: isBefore)
    }
    return objects
  }

  /// Makes objects the only members of a to-many relationship, and sets the inverses.
  package final func setMemberObjects(_ key: __ManagedKey, _ objects: [NSManagedObject]) {
    guard let position = key.position(in: self, as: .integer),
      let edit = RelationshipEdit(toMany: position.ordinal, of: self)
    else { return }
    edit.setMembers(objects)
  }

  /// The objects that loaded or edited relationships lead to, without reading any store.
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

  /// Gives an object that was never in a context another entity; it loses all values.
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

  /// Whether the object is in no context.
  package final var isDetached: Bool { registration == .detached }

  /// The compiled entity.
  package final var modelEntity: CompiledEntity { compiledEntity }

  /// Whether another object's entity is of the same compiled model.
  package final func sharesModel(with other: NSManagedObject) -> Bool {
    borrowing(compiledEntity) { mine in
      borrowing(other.compiledEntity) { theirs in mine.isOfSameModel(as: theirs) }
    }
  }

  /// Whether the object's entity is of the model that a context uses.
  package final func isOfModel(of context: NSManagedObjectContext) -> Bool {
    borrowing(compiledEntity) { $0.isPart(of: context.model) }
  }

  /// A number that tells entities of all models apart.
  package final var modelEntityToken: UInt32 {
    @inline(__always) get { entityToken }
  }

  /// Assigns a temporary key to an object without a context; the object keeps the key when it is inserted.
  package final func assignTemporaryKey() {
    if registration == .detached, key >= 0 {
      key = TemporaryKey.next()
      cachedID = nil
    }
  }

  /// Makes the next save throw an error of a call that could not throw; without context it is only logged.
  package final func deferError(_ message: String, property: String? = nil) {
    reportMisuse(message, property)
  }
}

extension NSManagedObjectID {
  /// Whether the id is that of a row before another one of the same entity; nil where numbers of rows do not tell.
  package func isRow(before other: NSManagedObjectID) -> Bool? {
    guard let store, store === other.store, compiledEntity === other.compiledEntity,
      !isTemporaryID, !other.isTemporaryID, store.references == nil
    else { return nil }
    return key < other.key
  }
}

extension NSManagedObjectContext {
  /// Lets one task or actor at a time use the context, on whichever thread it runs; called once, before the context is used.
  ///
  /// What other contexts have saved waits until the user calls ``runWaitingWork()``.
  ///
  /// - Parameters:
  ///   - isUser: Tells whether the caller is the user, for the check of queues; nil if this is unknown.
  ///   - wake: Called on any thread when work waits that did not before; nil for a user that finds out by itself.
  package final func becomeVisited(
    by isUser: (@Sendable () -> Bool)? = nil, wake: (@Sendable () -> Void)? = nil
  ) {
    queue.becomeVisited(WaitingWork(isUser, wake: wake))
  }

  /// Runs work that other threads added to a context used by one task at a time.
  @inline(__always)
  package final func runWaitingWork() { queue.runWaitingWork() }

  /// Whether the next save throws an error of an earlier call.
  package final var hasDeferredErrors: Bool { !deferredErrors.isEmpty }

  /// Makes the next save throw an error.
  package final func deferError(_ error: any Error) {
    GraphLog.error("\(error)")
    deferredErrors.note(error)
  }

  /// Unsaved changes in the order in which they were made: inserted, changed and deleted objects.
  package final var unsavedObjects:
    (inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject])
  {
    (unitOfWork.inserted, unitOfWork.updated, unitOfWork.deleted)
  }
}
