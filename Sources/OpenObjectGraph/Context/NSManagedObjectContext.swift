public import Foundation
public import OpenObjectModel
internal import OpenStoreContract

/// A workspace that fetches managed objects, tracks their changes, and saves the changes.
///
/// A context has at most one object for each row. The context retains objects with unsaved changes and has weak
/// references to all other objects. The context does not write changes until you call `save()`.
///
/// > Concurrency: Confined to its queue: use `perform` or `performAndWait`. A main-queue context may be used
/// > directly on the main thread. Any thread may hold a reference to a context, in order to call these two methods.
/// > Reference: Apple, NSManagedObjectContext.
// Invariant of the unchecked conformance: a context is used on its queue only, as a debug build
// checks; from other threads only the calls that hand work to the queue are allowed.
nonisolated open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  /// The type of the context's queue.
  open private(set) var concurrencyType: NSManagedObjectContextConcurrencyType
  let queue: ContextQueue
  final let weakReference = WeakReference<NSManagedObjectContext>()
  @exclusivity(unchecked) final var registry = ContextRegistry.none
  /// The coordinator of the context or of its root context.
  @exclusivity(unchecked) final var coordinator: NSPersistentStoreCoordinator?
  /// The source of the rows: the stores or the parent.
  @exclusivity(unchecked) final var source = RowSource()
  final let faults = FaultLoader()
  final let children = WeakContexts()
  /// The entities whose results are observed in this context or in a child.
  final let observedEntities = ObservedEntities()
  @exclusivity(unchecked) final var unitOfWork = UnitOfWork()
  /// Errors of calls that cannot throw; the next save throws them.
  final let deferredErrors = DeferredErrors()
  /// Uses of the context off its queue; the next save throws them.
  final let violations = QueueViolations()
  /// The running save; nil outside a save.
  private(set) final var runningSave: SaveOperation?
  var validatorNesting = ValidatorNesting()
  /// Objects whose rows the next save compares with the store, even if they are unchanged.
  final var guardedObjects = GuardedObjects()
  /// Updates loaded to-many relationships when rows change.
  final let memberships = Memberships()
  final let observation = ContextObservation()
  @exclusivity(unchecked) final var counters = ContextCounters()
  /// Whether the use of a property may read a store.
  @exclusivity(unchecked) final var loading = LoadingRule()
  /// The objects' classes, by entity position.
  @exclusivity(unchecked) final var classes: [NSManagedObject.Type] = []
  @exclusivity(unchecked) final var descriptions: [NSEntityDescription] = []
  /// Whether the context's class is an application's subclass, which may override `fetch(_:)` or `count(for:)`.
  package final var mayOverrideFetches = false

  /// A description with the name of the context and the type of its queue.
  open override var description: String { debugText }

  /// The name of the context in logs and in the persistent history; nil by default.
  open var name: String?
  /// The `NSMergePolicy` for conflicts in a save. By default, and with any other value, a save with conflicts throws.
  open var mergePolicy: Any = NSErrorMergePolicy
  /// The author of this context's changes in the persistent history; nil by default.
  open var transactionAuthor: String?
  /// Application-defined information about the context; empty by default.
  open private(set) var userInfo = NSMutableDictionary()
  /// Whether firing a fault without a row marks the object as deleted and sets its values to nil; true by default.
  open var shouldDeleteInaccessibleFaults = true
  /// Whether the context retains all registered objects, even unchanged ones; false by default.
  @exclusivity(unchecked) public final var retainsRegisteredObjects = false {
    didSet { keepRegisteredObjects() }
  }
  /// The maximum age, in seconds, of a cached row that a fault or a refresh may use.
  ///
  /// With a negative number, such as the default -1, the row may have any age. With 0, rows are read from the store.
  ///
  /// > Reference: Apple, stalenessInterval.
  open var stalenessInterval: TimeInterval {
    get { source.stalenessInterval }
    set { source.stalenessInterval = newValue }
  }
  /// Whether delete rules apply each time pending changes are processed, and not only in a save; true by default.
  open var propagatesDeletesAtEndOfEvent = true
  @exclusivity(unchecked) final var retained: [ObjectIdentifier: NSManagedObject] = [:]

  /// The undo manager; nil by default. The context registers one undo action each time it processes pending changes.
  ///
  /// > Reference: Apple, undoManager.
  open var undoManager: UndoManager? {
    willSet { if undoManager != nil, undoManager !== newValue { processPendingChanges() } }
    didSet { if undoManager !== oldValue { recordUndo() } }
  }
  /// Registers changes with the undo manager; nil without an undo manager.
  @exclusivity(unchecked) private(set) final var undoRecorder: UndoRecorder?

  /// Whether the context automatically merges the saves of other contexts with the same coordinator or parent.
  ///
  /// A child context also merges its parent's saves and the changes that the parent merges. The default is false.
  ///
  /// > Reference: Apple, automaticallyMergesChangesFromParent.
  open var automaticallyMergesChangesFromParent = false {
    didSet { registerForMerging() }
  }

  /// Creates a context with a queue of the given type. Set a coordinator or a parent before you use the context.
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    self.concurrencyType = concurrencyType
    queue = ContextQueue(concurrencyType)
    _ = FetchNesting.installed
    super.init()
    mayOverrideFetches = type(of: self) != NSManagedObjectContext.self
    weakReference.begin(self)
    queue.attach(weakReference)
    if concurrencyType == .mainQueueConcurrencyType { processChangesEachTurn() }
  }

  /// Creates a context without a queue, as Apple's deprecated `init()` does.
  public convenience override init() {
    self.init(concurrencyType: .confinementConcurrencyType)
  }

  /// Starts to record changes for the undo manager, if there is one.
  private func recordUndo() {
    undoRecorder?.end()
    undoRecorder = undoManager.map { UndoRecorder(of: self, in: $0) }
  }

  private func keepRegisteredObjects() {
    retained.removeAll()
    guard retainsRegisteredObjects else { return }
    for object in registry.identityMap.all() { retain(object) }
  }

  /// Returns whether firing a fault whose row is missing marks the object as deleted.
  ///
  /// - Parameters:
  ///   - fault: The object whose row is missing.
  ///   - oid: The object's id.
  ///   - property: The property whose use fired the fault; nil if the property is unknown.
  /// - Returns: true to mark the object as deleted and set its values to nil; false to make the next save throw
  ///   `CocoaError` 133000. The default implementation returns ``shouldDeleteInaccessibleFaults``.
  /// > Reference: Apple, shouldHandleInaccessibleFault(_:for:triggeredByProperty:).
  open func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for oid: NSManagedObjectID,
    triggeredByProperty property: NSPropertyDescription?
  ) -> Bool {
    GraphLog.warning("The row of \(oid) was deleted.")
    return shouldDeleteInaccessibleFaults
  }

  deinit {
    weakReference.end()
    guard coordinator != nil else { return }
    counters.report()
    for object in registry.identityMap.all() {
      object.becomeDetached()
      object.outliveContext()
    }
    registry.endContext()
  }

  /// The coordinator; nil until a coordinator is set. A child context returns its parent's coordinator.
  ///
  /// Replacing the coordinator, or setting a child's coordinator, makes the next save throw `ObjectError`.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { coordinator }
    set { attach(to: newValue) }
  }

  /// The parent context, which a child context fetches from and saves to; nil by default. You can set it only once.
  ///
  /// A child's objects have the parent's unsaved values. Saving the child changes only the parent, and releasing the
  /// child discards the child's changes. The next save throws `ObjectError` if the context already has a parent or a
  /// coordinator, or if the new parent has no queue or is a descendant of the context.
  ///
  /// > Reference: Apple, parent.
  open var parent: NSManagedObjectContext? {
    get { source.parent }
    set { attach(toParent: newValue) }
  }

  /// The coordinator's model as a ``CompiledModel``; an empty model if the context has no coordinator.
  package var model: CompiledModel { coordinator?.model ?? EmptyEntity.shared.model }

  // MARK: Work on the queue

  /// Runs a block asynchronously on the context's queue, and then processes pending changes.
  ///
  /// > Concurrency: The block does not inherit the actor of the calling function.
  /// > Reference: Apple, perform(_:).
  @preconcurrency open func perform(_ block: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      block()
      processPendingChanges()
    }
  }

  /// Runs a block on the context's queue and waits until the block has finished; calls may be nested.
  ///
  /// Threads that wait for each other's queues do not deadlock: one of the blocks runs while the other thread waits.
  ///
  /// > Concurrency: The block may use everything that the waiting caller may use, such as objects and local variables.
  /// > Reference: Apple, performAndWait(_:). Differs: D-281.
  open func performAndWait(_ block: () -> Void) { queue.sync(.application, block) }

  // MARK: Objects

  /// Inserts an object that is not in a context, or restores a deleted object and its relationships.
  ///
  /// A restoration does not call `awakeFromInsert()`. If another context contains the object or deleted its row, or if
  /// this context has no coordinator or lacks the entity, nothing changes, and the next save throws `ObjectError`.
  ///
  /// > Reference: Apple, insert(_:). Differs: D-005.
  open func insert(_ object: NSManagedObject) { ObjectInsertion.insert(object, into: self) }

  /// Marks an object for deletion by the next save; delete rules apply when pending changes are processed.
  ///
  /// An object without a context is ignored. For an object of another context, the next save throws `ObjectError`.
  open func delete(_ object: NSManagedObject) { ObjectDeletion.delete(object, from: self) }

  /// Returns the registered object with the given id; nil if no object with this id is registered.
  ///
  /// The method reads a row only if the object is a fault whose entity is not the entity of the id.
  open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    ObjectLookup.registeredObject(withID: objectID, in: self)
  }

  /// Returns the registered object with the given id, or a new fault, without checking whether the row exists.
  ///
  /// An id contains the identifier of its store. An id is therefore valid even if another coordinator created it, or
  /// the store was removed and added again. In a context without a coordinator, or for an unknown store or entity, the
  /// method returns an empty object without a context, and the next save throws `ObjectError`.
  ///
  /// > Reference: Apple, object(with:). Differs: D-121.
  open func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    ObjectLookup.objectOrFault(withID: objectID, in: self)
  }

  /// Returns the object with the given id after reading its values.
  ///
  /// - Returns: The object with its values and the entity of its row, which may differ from the entity of the id.
  /// - Throws: `CocoaError` 133000 if the row does not exist or the object is marked as deleted, 134060 if the
  ///   coordinator does not have the object's store or entity; the store's error if the store cannot be read.
  open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    try ObjectLookup.filledObject(withID: objectID, in: self)
  }

  /// Replaces the temporary ids of inserted objects with permanent ids; ignores all other objects.
  ///
  /// - Throws: `CocoaError` 134070 if no store accepts an object or the store was removed, 134060 if the context has
  ///   no stores, or the store's code if a store cannot be written; `ObjectError` for an object of another context.
  open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    try PermanentIDs.assign(to: objects, in: self)
  }

  /// Refreshes an object with the values of its row.
  ///
  /// - Parameters:
  ///   - object: An object of the context; for an object of another context, the next save throws `ObjectError`.
  ///   - flag: true to read the row and keep unsaved changes; false to discard the changes and make the object a fault.
  ///     With true, to-many relationships are read again on their next use, and then include the unsaved changes. If
  ///     the row cannot be read or the store was removed, the relationships remain loaded. With false, an inserted
  ///     object loses its values and receives the model's default values on its next use.
  /// > Reference: Apple, refresh(_:mergeChanges:). Differs: D-160.
  open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    ObjectRefresh(in: self).run(object, mergeChanges: flag)
  }

  /// Turns all saved objects without unsaved changes into faults, and refreshes saved objects with unsaved changes like
  /// `refresh(_:mergeChanges:)` with true.
  ///
  /// > Reference: Apple, refreshAllObjects().
  open func refreshAllObjects() { ObjectRefresh(in: self).runForAll() }

  /// Sets the store to which a new object will be saved.
  ///
  /// By default, an object is saved to the first writable store whose configuration contains the object's entity.
  /// Nothing changes, and the next save throws `ObjectError`, if the object has a permanent id in another store, or if
  /// the store belongs to another coordinator or does not contain the entity.
  ///
  /// - Parameters:
  ///   - object: An inserted `NSManagedObject` of this context.
  ///   - store: A store of the context's coordinator.
  /// > Reference: Apple, assign(_:to:).
  open func assign(_ object: Any, to store: NSPersistentStore) {
    StoreAssignment.assign(object, to: store, in: self)
  }

  /// Makes the next save check an object for a conflict, even if the object has no unsaved changes.
  ///
  /// If the object's row was changed or deleted in the store after the context read it, the save passes the conflict to
  /// the merge policy. The method fires the fault of the object. If the object is a fault again at the time of the
  /// save, the save does not detect a conflict. A child's save makes the parent's next save detect the conflict; if
  /// the parent finds that the row was deleted, the child's save throws `CocoaError` 133000.
  ///
  /// If the object belongs to another context, the method changes nothing, and the next save throws `ObjectError`.
  ///
  /// > Reference: Apple, detectConflicts(for:).
  open func detectConflicts(for object: NSManagedObject) { GuardedObjects.add(object, in: self) }

  // MARK: Fetching

  /// Fetches the results of a request; in an instance of a subclass, the generic method calls this method.
  ///
  /// - Returns: The same results as the generic method returns, but untyped.
  /// - Throws: The same errors as the generic method.
  /// > Reference: Apple, fetch(_:). Differs: D-418.
  open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
    try results(of: request)
  }

  /// Returns the number of results of a fetch of the request. Subclasses may override this method.
  ///
  /// - Throws: The same errors as `fetch(_:)`.
  open func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
    try resultCount(of: request)
  }

  // MARK: Pending changes, requests and saves

  /// Applies delete rules, registers undo actions, and posts a notification about the pending changes.
  open func processPendingChanges() { processPendingChanges(merging: ChangeAnnouncement()) }

  /// Discards unsaved changes and deferred errors. Objects return to their saved values; new objects leave the context.
  ///
  /// > Reference: Apple, rollback().
  open func rollback() { Rollback(of: self).run() }

  /// Removes all objects from the context, and discards all unsaved changes and deferred errors.
  ///
  /// > Reference: Apple, reset().
  open func reset() { ContextReset(of: self).run() }

  /// Undoes the undo manager's last action; does nothing if the context has no undo manager.
  open func undo() { undoManager?.undo() }

  /// Redoes the undo manager's last undone action; does nothing if the context has no undo manager.
  open func redo() { undoManager?.redo() }

  /// Merges the changes in a save notification from another context. Registered objects receive the saved values but
  /// keep this context's unsaved changes. Objects that the other context deleted are in `deletedObjects` until the
  /// next save; the save writes nothing for these objects. The notification may contain objects or ids, even from
  /// another coordinator that has the same store. The method ignores objects in other stores.
  ///
  /// > Reference: Apple, mergeChanges(fromContextDidSave:).
  open func mergeChanges(fromContextDidSave notification: Notification) { mergeSave(notification) }

  /// Executes a batch request, a history request or a fetch request, or starts an asynchronous fetch.
  ///
  /// Each store executes its part of a batch request in one transaction. Loaded objects keep their values; to refresh
  /// them, pass the ids in the result to `mergeChanges(fromRemoteContextSave:into:)`.
  ///
  /// - Returns: The result, whose type depends on the request; for a fetch, an `NSAsynchronousFetchResult` (D-420).
  /// - Throws: `CocoaError` with one of the following codes, or with another code that the request's class documents:
  ///   - 134091: The type of the request is not supported.
  ///   - 134060: The request is invalid, or the context has no stores.
  ///   - 133021: The request violates a uniqueness constraint or a deny rule.
  ///   - 1570: A mandatory value is missing.
  ///   - 134030: A store is open for reading only.
  /// > Reference: Apple, NSManagedObjectContext, execute(_:).
  @discardableResult
  open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    try RequestDispatch.execute(request, in: self)
  }

  /// Writes the pending changes to the stores.
  ///
  /// The context writes each store in one transaction: all of the store's changes, or none. With several stores, the
  /// save first checks that every store is writable. After an error, the context still has the edits that were not
  /// written. Saving a child context does not write to a store; the changes become unsaved changes in the parent.
  ///
  /// - Throws: Deferred errors: `ObjectError` for misuse, and the error of a failed read, which every save throws until
  ///   a refresh, rollback or reset. Also throws `CocoaError`, for example with one of the following codes:
  ///   - 1550–1690: Validation failed. Error 1560 contains several failures under ``NSDetailedErrorsKey``.
  ///   - 133000: The parent context no longer has an object.
  ///   - 133010: A relationship leads to an object in another store.
  ///   - 133020: Rows have changed in the store.
  ///   - 133021: Objects violate a uniqueness constraint.
  ///   - 134030: A store cannot be written.
  ///   - 134040: A store failed after other stores were written. The user info lists the written stores under
  ///     ``OpenWrittenStoresErrorKey``. The objects of these stores have no unsaved changes.
  ///   - 134060: The context has no stores, or the hooks or validators of objects do not stop changing objects.
  ///   - 134070: The store of an object was removed, or no store accepts an object.
  /// - Complexity: O(*n*) in changed objects. One transaction for each store; at most one statement for each row.
  /// > Reference: Apple, save().
  open func save() throws {
    checkQueue("a save was performed")
    try runningSave?.checkAllowsSave()
    let (outer, operation) = (runningSave, SaveOperation(of: self))
    runningSave = operation
    defer { runningSave = outer }
    try loadingFreely { () throws(any Error) in try operation.run() }
  }

  /// Whether the context has unsaved insertions, changes or deletions.
  open var hasChanges: Bool { unitOfWork.hasChanges }
  /// The objects inserted since the last save.
  open var insertedObjects: Set<NSManagedObject> { Set(unitOfWork.inserted) }
  /// The previously saved objects that were changed since the last save.
  open var updatedObjects: Set<NSManagedObject> { Set(unitOfWork.updated) }
  /// The saved objects deleted since the last save, by this context or in changes merged from another context.
  open var deletedObjects: Set<NSManagedObject> { Set(unitOfWork.deleted) }
  /// All objects that are registered with the context, including faults.
  open var registeredObjects: Set<NSManagedObject> { Set(registry.identityMap.all()) }
}
