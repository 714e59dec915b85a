public import Foundation
public import OpenObjectModel
internal import OpenStoreContract

/// A scratch pad of managed objects: fetches them, tracks their changes, saves them in one step.
///
/// A context has one object for each row: a weak reference while it is unchanged, a strong one while it has unsaved
/// changes. Nothing is written before `save()`, which writes everything or nothing.
///
/// > Concurrency: Confined to its queue: use `perform` or `performAndWait`. A main-queue context may be used
/// > directly on the main thread. References to a context may be passed to any thread, in order to use its queue
/// > there.
/// > Reference: Apple, NSManagedObjectContext.
// Invariant of the unchecked conformance: a context is used on its queue only, as a debug build checks; from other
// threads only the calls that hand work to the queue are allowed.
nonisolated open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  /// The queue kind given to the initializer.
  public let concurrencyType: NSManagedObjectContextConcurrencyType
  let queue: ContextQueue
  /// The way to this context for whatever must not keep it alive.
  final let weakReference = WeakReference<NSManagedObjectContext>()
  @exclusivity(unchecked) private(set) final var registry = ContextRegistry.none
  @exclusivity(unchecked) private var coordinator: NSPersistentStoreCoordinator?
  /// Where rows come from.
  @exclusivity(unchecked) private(set) final var source = RowSource()
  /// Reads the rows of faults.
  final let faults = FaultLoader()
  /// The contexts whose parent this one is.
  final let children = WeakContexts()
  /// The entities of which results are watched here, or in a child.
  final let observedEntities = ObservedEntities()
  @exclusivity(unchecked) final var unitOfWork = UnitOfWork()
  /// Errors of calls that cannot throw, for the next save.
  @exclusivity(unchecked) final var deferredErrors = DeferredErrors()
  /// Uses on other threads than the context's, for the next save.
  final let violations = QueueViolations()
  /// The save that runs; nil outside of one.
  private(set) final var runningSave: SaveOperation?
  /// Validators that run inside of one another.
  var validatorNesting = ValidatorNesting()
  /// Objects whose rows the next save compares with the store, even if they are unchanged.
  final var guardedObjects = GuardedObjects()
  /// What keeps lists of members in step with rows that change.
  final let memberships = Memberships()
  /// What is done for observers of the objects.
  final let observation = ContextObservation()
  /// What the context has done so far.
  @exclusivity(unchecked) final var counters = ContextCounters()
  /// Whether stores may be read for properties that are used.
  @exclusivity(unchecked) final var loading = LoadingRule()
  /// The objects' classes, by entity position.
  @exclusivity(unchecked) final var classes: [NSManagedObject.Type] = []
  @exclusivity(unchecked) final var descriptions: [NSEntityDescription] = []

  /// The name and the kind of the queue.
  open override var description: String { debugText }

  /// A name for logs, and for the history of changes.
  open var name: String?
  /// How a save resolves conflicts with changed rows: one of the policy constants, or a custom policy.
  open var mergePolicy: Any = NSErrorMergePolicy
  /// The author recorded with this context's changes if the store records history.
  open var transactionAuthor: String?
  /// Application-defined information about the context.
  public let userInfo = NSMutableDictionary()
  /// Whether using an object whose row was deleted marks it as deleted, with empty values.
  open var shouldDeleteInaccessibleFaults = true
  /// Whether the context retains unchanged objects; setting it retains or releases its current objects.
  @exclusivity(unchecked) public final var retainsRegisteredObjects = false {
    didSet { keepRegisteredObjects() }
  }
  /// Whether delete rules apply whenever pending changes are processed, not only at the save.
  open var propagatesDeletesAtEndOfEvent = true
  @exclusivity(unchecked) final var retained: [ObjectIdentifier: NSManagedObject] = [:]

  /// The undo manager that registers the context's changes, as one action each time pending changes are processed;
  /// nil by default.
  ///
  /// > Reference: Apple, undoManager.
  open var undoManager: UndoManager? {
    willSet { if undoManager != nil, undoManager !== newValue { processPendingChanges() } }
    didSet { if undoManager !== oldValue { recordUndo() } }
  }
  /// Registers what changes in the undo manager; nil without one.
  @exclusivity(unchecked) private(set) final var undoRecorder: UndoRecorder?

  /// Whether the context merges saves of other contexts of the coordinator, or of the parent, automatically.
  ///
  /// A child context also merges its parent's own saves, and the changes that the parent merges.
  ///
  /// > Reference: Apple, automaticallyMergesChangesFromParent.
  open var automaticallyMergesChangesFromParent = false {
    didSet { registerForMerging() }
  }

  /// Creates a context without stores; set its coordinator next.
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    self.concurrencyType = concurrencyType
    queue = ContextQueue(concurrencyType)
    _ = FetchNesting.installed
    super.init()
    weakReference.begin(self)
    queue.attach(weakReference)
    if concurrencyType == .mainQueueConcurrencyType { processChangesEachTurn() }
  }

  /// Creates a context of the confinement kind, as Apple's deprecated `init()`.
  public convenience override init() {
    self.init(concurrencyType: .confinementConcurrencyType)
  }

  /// Lets the first change of each turn of the main queue be announced at the turn's end.
  private func processChangesEachTurn() {
    unitOfWork.willAnnounceFirst = { [queue, weakReference] in
      queue.enqueue { weakReference.target?.processPendingChanges() }
    }
  }

  /// Records changes for the undo manager, if there is one, from the present state on.
  private func recordUndo() {
    undoRecorder?.end()
    undoRecorder = undoManager.map { UndoRecorder(of: self, in: $0) }
  }

  private func keepRegisteredObjects() {
    retained.removeAll()
    guard retainsRegisteredObjects else { return }
    for object in registry.identityMap.all() { retain(object) }
  }

  /// Whether an object whose row was deleted is treated as deleted, with empty values, instead of being reported.
  ///
  /// - Parameters:
  ///   - fault: The object.
  ///   - oid: Its id.
  ///   - property: The property that was read, if it is known.
  /// - Returns: `true` if the object is treated as deleted.
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

  /// The coordinator of the context or of its root parent; it can be set once.
  ///
  /// Setting another coordinator, or a coordinator for a child context, changes nothing, and the next save throws.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { coordinator }
    set {
      guard let newValue, newValue !== coordinator else { return }
      guard coordinator == nil, source.parent == nil else {
        return refuse("Context already has a coordinator; cannot replace.")
      }
      source = StoreSource(newValue, for: weakReference, after: source)
      adopt(newValue)
    }
  }

  /// The context that this one fetches from and saves into, instead of a coordinator; may be set once.
  ///
  /// A child's objects have the parent's unsaved values. Its save changes the parent only, and releasing the child
  /// discards its changes. Setting a second parent, setting the parent of a context with a coordinator, or setting a
  /// confinement context as the parent changes nothing, and the next save throws.
  ///
  /// > Reference: Apple, parent.
  open var parent: NSManagedObjectContext? {
    get { source.parent }
    set {
      guard let newValue, newValue !== source.parent else { return }
      guard coordinator == nil, source.parent == nil else {
        return refuse("Context already has a coordinator or a parent; cannot replace.")
      }
      guard newValue.concurrencyType != .confinementConcurrencyType else {
        return refuse(
          "Parent NSManagedObjectContext must use either NSPrivateQueueConcurrencyType or "
            + "NSMainQueueConcurrencyType.")
      }
      guard !newValue.descends(from: self) else {
        return refuse("A context cannot be its own ancestor.")
      }
      source = ParentSource(newValue, after: source)
      newValue.children.insert(self)
      if let root = newValue.coordinator { adopt(root) }
    }
  }

  private func descends(from ancestor: NSManagedObjectContext) -> Bool {
    var current: NSManagedObjectContext? = self
    while let context = current {
      if context === ancestor { return true }
      current = context.source.parent
    }
    return false
  }

  private func refuse(_ reason: String) { deferredErrors.note(ObjectError(reason)) }

  private func adopt(_ coordinator: NSPersistentStoreCoordinator) {
    self.coordinator = coordinator
    registry = ContextRegistry(context: self, model: coordinator.model)
    classes = coordinator.classes
    descriptions = coordinator.descriptions
    registry.refresh(from: coordinator)
    unitOfWork.registry = registry
    memberships.registry = registry
    registerForMerging()
    for child in children.all { child.adopt(coordinator) }
  }

  private func registerForMerging() {
    guard let contexts = source.mergingContexts else { return }
    automaticallyMergesChangesFromParent ? contexts.insert(self) : contexts.remove(self)
  }

  package var model: CompiledModel { coordinator?.model ?? EmptyEntity.shared.model }

  // MARK: Work on the queue

  /// Runs a block later on the context's queue, then processes pending changes.
  ///
  /// > Concurrency: The block does not inherit the actor of the calling function.
  /// > Reference: Apple, perform(_:).
  @preconcurrency open func perform(_ block: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      block()
      processPendingChanges()
    }
  }

  /// Runs a block on the calling thread while holding the context's queue; may be nested.
  ///
  /// While the thread waits, the work it waits for may run on the queues that the thread holds.
  ///
  /// > Concurrency: The caller waits, so the block may use everything that the caller may use, including
  /// > managed objects and local variables.
  /// > Reference: Apple, performAndWait(_:). Differs: D-281.
  open func performAndWait(_ block: () -> Void) { queue.sync(.application, block) }

  // MARK: Objects

  /// Registers an object that is not in a context, or undoes its deletion.
  ///
  /// `awakeFromInsert` runs before the call returns, except for an object whose deletion is undone.
  /// An object of another context, and one whose row another context deleted, change nothing, and the next save
  /// throws.
  ///
  /// > Reference: Apple, insert(_:). Differs: D-005.
  open func insert(_ object: NSManagedObject) { register(object) }

  /// Deletes an object with the next save; delete rules apply when pending changes are processed.
  open func delete(_ object: NSManagedObject) { markDeleted(object) }

  /// Looks up a registered object by its id, without reading a store.
  ///
  /// - Returns: The object; nil if it is not registered.
  open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    registeredObject(withID: objectID)
  }

  /// Returns the registered object with an id, or a new fault, without checking whether its row exists.
  ///
  /// An id contains the store's identifier. Ids of another coordinator of the same store, and ids from before the
  /// store was removed and added again, therefore identify the same objects. In a context without a coordinator, or
  /// for an unknown store or entity, the method returns an empty object without a context, and the next save throws.
  ///
  /// - Returns: The object; never nil.
  /// > Reference: Apple, object(with:). Differs: D-121.
  open func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    objectOrFault(withID: objectID)
  }

  /// Returns the object with an id after reading its values.
  ///
  /// - Returns: The object with its values.
  /// - Throws: `CocoaError` with code 133000 if its row does not exist, 134060 if the coordinator does not have its
  ///   store or its entity.
  open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    try filledObject(withID: objectID)
  }

  /// Makes the ids of inserted objects permanent before they are saved.
  ///
  /// - Throws: `CocoaError` if the store cannot be written; `ObjectError` for an object of another context.
  open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    try makePermanentIDs(of: objects)
  }

  /// Refreshes an object with the values of its row.
  ///
  /// - Parameters:
  ///   - object: A registered object.
  ///   - flag: true keeps unsaved changes over the new values; false discards them and turns the object into a fault.
  ///     An inserted object also becomes a fault, loses its values, and has the model's defaults when it is used
  ///     again.
  /// > Reference: Apple, refresh(_:mergeChanges:). Differs: D-160.
  open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    renew(object, mergeChanges: flag)
  }

  /// Turns all objects without unsaved changes into faults.
  ///
  /// > Reference: Apple, refreshAllObjects().
  open func refreshAllObjects() { renewAll() }

  // MARK: Pending changes and requests

  /// Applies delete rules and posts the changes since the last call.
  open func processPendingChanges() { processPendingChanges(merging: ChangeAnnouncement()) }

  /// Discards all unsaved changes: objects return to their committed values, and inserted objects become detached.
  ///
  /// > Reference: Apple, rollback().
  open func rollback() { Rollback(of: self).run() }

  /// Removes all objects from the context and discards all unsaved changes.
  ///
  /// > Reference: Apple, reset().
  open func reset() { forgetAll() }

  /// Undoes the last step of the undo manager; without an undo manager nothing happens.
  open func undo() { undoManager?.undo() }

  /// Redoes the last undone step; without an undo manager nothing happens.
  open func redo() { undoManager?.redo() }

  /// Merges the changes in a save notification of another context.
  ///
  /// Registered objects then have the saved values, except for this context's unsaved changes. Deleted objects are in
  /// `deletedObjects` until the next save, which writes nothing for them. The notification may contain objects or
  /// ids, including those of another coordinator of the same store. Objects of other stores are ignored.
  ///
  /// > Reference: Apple, mergeChanges(fromContextDidSave:).
  open func mergeChanges(fromContextDidSave notification: Notification) { mergeSave(notification) }

  /// Executes a batch request or a history request, or starts an asynchronous fetch.
  ///
  /// A batch request is one transaction in each store. Loaded objects keep their values; merge the ids of the result
  /// to refresh them.
  ///
  /// - Returns: The result, whose type depends on the request.
  /// - Throws: `CocoaError` 134091 for a request that is not supported, 133021 for a violated uniqueness constraint
  ///   or a deny rule, 1570 for a missing value; otherwise the same errors as `save()`.
  /// > Reference: Apple, NSManagedObjectContext, execute(_:).
  @discardableResult
  open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    try carryOut(request)
  }

  // MARK: Saving

  /// Writes the pending changes to the stores.
  ///
  /// Each store is written in one transaction: all of its changes are written, or none. With several stores, the save
  /// first checks that all are writable. After an error, the context still has the edits that were not written. A
  /// child context's changes become unsaved changes of its parent; nothing is written.
  ///
  /// - Throws: `CocoaError` with Apple's codes: 1550–1690 for validation (1560 with all failures under
  ///   `NSDetailedErrors`), 133020 for rows that changed, 133021 for uniqueness constraints, 134030
  ///   for a store that cannot be written; 134040 when one of several stores failed after others were written, which are
  ///   under ``OpenWrittenStoresErrorKey`` and whose objects have no changes. `ObjectError` for a misuse since the
  ///   last save. The error of a read that failed since the last save, until the object is refreshed or the context
  ///   rolled back or reset.
  /// - Complexity: O(changed objects); one transaction for each store, a statement for each changed row.
  /// > Reference: Apple, save().
  open func save() throws {
    checkQueue("a save was made")
    try runningSave?.checkAllowsSave()
    let (outer, operation) = (runningSave, SaveOperation(of: self))
    runningSave = operation
    defer { runningSave = outer }
    try loadingFreely { () throws(any Error) in try operation.run() }
  }

  // MARK: Pending changes

  /// Whether there are unsaved insertions, changes or deletions.
  open var hasChanges: Bool { unitOfWork.hasChanges }
  /// Objects inserted since the last save.
  open var insertedObjects: Set<NSManagedObject> { Set(unitOfWork.inserted) }
  /// Saved objects changed since the last save.
  open var updatedObjects: Set<NSManagedObject> { Set(unitOfWork.updated) }
  /// Saved objects to be deleted by the next save.
  open var deletedObjects: Set<NSManagedObject> { Set(unitOfWork.deleted) }
  /// All registered objects.
  open var registeredObjects: Set<NSManagedObject> { Set(registry.identityMap.all()) }
}
