internal import OpenObjectModel
internal import OpenStoreContract
internal import Synchronization

/// The part of a context that the context's objects retain. The registry has no strong reference to
/// the context.
///
/// The registry outlives the context, so that an object that is released later can still leave the
/// identity map.
// Invariant of the unchecked conformance: all but `weakReference` is used on the context's queue
// only; the identity map and the renames have their own locks.
final class ContextRegistry: @unchecked Sendable {
  let identityMap: IdentityMap
  /// The model of the objects.
  let model: CompiledModel
  /// The context; nil after the context is released. Read it only on the context's queue.
  var context: NSManagedObjectContext? { uncountedContext?.takeUnretainedValue() }
  @exclusivity(unchecked) private var uncountedContext: Unmanaged<NSManagedObjectContext>?
  private let weakReference: WeakReference<NSManagedObjectContext>?
  /// The coordinator's stores as last seen by the context, followed by the removed stores with
  /// registered objects.
  @exclusivity(unchecked) private var stores: [NSPersistentStore] = []
  /// The positions of `stores`.
  @exclusivity(unchecked) private var positions: [Int] = []
  /// The number of the coordinator's stores in `stores`.
  @exclusivity(unchecked) private var attachedCount = 0
  /// For each of the coordinator's stores, whether the store accepts new objects of each entity;
  /// nil if the store accepts all entities.
  @exclusivity(unchecked) private var accepted: [[Bool]?] = []

  /// The observation of the context's objects.
  let observation: ContextObservation
  /// The loaded to-many relationships. A merge also updates them for changes that no row contains.
  @exclusivity(unchecked) var loadedLists = LoadedLists()

  /// The tokens of the entities of the context's model, by position; empty without a coordinator.
  private let entityTokens: [UInt32]

  /// Whether the context's model contains the entity with a position and a token.
  @inline(__always)
  func holds(entity index: Int, _ token: UInt32) -> Bool {
    index < entityTokens.count && entityTokens[index] == token
  }

  /// The positions of the stores for new objects, by entity position.
  @exclusivity(unchecked) var defaultStorePositions: [UInt32] = []
  /// The revision of the coordinator's list of stores from which `stores` was read.
  @exclusivity(unchecked) private var revision = -1

  /// Reads the coordinator's stores again if any store was added or removed.
  @inline(__always)
  func refresh(from coordinator: NSPersistentStoreCoordinator) {
    let current = coordinator.revision.load(ordering: .acquiring)
    if current != revision { read(coordinator, current) }
  }

  private func read(_ coordinator: NSPersistentStoreCoordinator, _ current: Int) {
    revision = current
    let attached = coordinator.persistentStores
    let present = Set(attached.map(\.position))
    let removed = stores.filter { store in
      !present.contains(store.position) && identityMap.hasObjects(of: store.position)
    }
    if let context {
      for store in attached { store.requests?.written.readers.insert(context) }
    }
    stores = attached + removed
    positions = stores.map(\.position)
    attachedCount = attached.count
    accepted = attached.map { coordinator.heldEntities(in: $0) }
    defaultStorePositions = coordinator.defaultStorePositions
  }

  /// The empty registry of contexts without a coordinator.
  static let none = ContextRegistry()

  private init() {
    model = EmptyEntity.shared.model
    identityMap = IdentityMap(model: model)
    entityTokens = []
    observation = ContextObservation()
    weakReference = nil
  }

  init(context: NSManagedObjectContext, model: CompiledModel) {
    self.model = model
    identityMap = IdentityMap(model: model)
    entityTokens = model.entities.map(\.token)
    uncountedContext = .passUnretained(context)
    weakReference = context.weakReference
    observation = context.observation
  }

  /// Calls `body` with the context if the context still exists. Call this method on the context's
  /// queue.
  @inline(__always)
  func withContext(_ body: (NSManagedObjectContext) -> Void) {
    uncountedContext?._withUnsafeGuaranteedRef(body)
  }

  /// Removes the reference to the context, which is being deallocated.
  func endContext() {
    uncountedContext = nil
    observation.end()
  }

  /// Removes an object from the identity map.
  @inline(__always)
  func remove(_ object: NSManagedObject) {
    identityMap.remove(
      address: UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()),
      store: Int(object.storePosition), root: object.compiledEntity.rootIndex, key: object.key)
  }

  /// The context, for other threads.
  var sharedContext: NSManagedObjectContext? { weakReference?.target }

  // MARK: Keys and stores that a parent assigned

  /// The stores and keys that the parent assigned to its unsaved objects.
  private let renamed = Mutex(Renames())

  /// Notes the permanent keys and the stores that the parent assigned to its unsaved objects.
  ///
  /// - Returns: The renames of the objects that are not registered, which a child of this context
  ///   may carry out first.
  /// > Concurrency: Any thread.
  func note(_ renames: [ObjectRename]) -> [ObjectRename] {
    // If these are the last references, the objects are deallocated only after the lock is
    // released, because `deinit` may run code of the application.
    var found: [NSManagedObject] = []
    defer { withExtendedLifetime(found) {} }
    return renamed.withLock { state in
      renames.filter { rename in
        let object = identityMap.unsavedObject(root: rename.root, key: rename.temporaryKey)
        state.note(rename, isRegistered: object != nil)
        if let object { found.append(object) }
        return object == nil
      }
    }
  }

  /// Returns the renames of registered objects that are still to be performed, and forgets that
  /// they are due.
  func takeRenames() -> [ObjectRename] { renamed.withLock { $0.takeDue() } }

  /// Adds the places that another context knows, because rows of that context become rows of this
  /// context.
  func addPlaces(of other: ContextRegistry) {
    let others = other.renamed.withLock { $0 }
    if others.count > 0 { renamed.withLock { $0.take(others) } }
  }

  /// The number of temporary keys with a known place.
  var renameCount: Int { renamed.withLock { $0.count } }

  /// Returns whether the context must remove renames that it no longer needs.
  func requestsRemovalOfRenames() -> Bool { renamed.withLock { $0.requestRemoval() } }

  /// Removes the renames that existed when the removal was requested.
  ///
  /// - Parameter needed: The temporary keys whose renames must stay.
  func removeRenames(except needed: Set<Int64>) { renamed.withLock { $0.remove(except: needed) } }

  /// Returns the store and the key that a parent assigned to an unsaved object, or the given store
  /// and key if a parent assigned none.
  @inline(__always)
  func presentPlace(ofKey key: Int64, at store: Int) -> (store: Int, key: Int64) {
    key < 0 ? renamedPlace(ofKey: key, at: store) : (store, key)
  }

  private func renamedPlace(ofKey key: Int64, at store: Int) -> (store: Int, key: Int64) {
    renamed.withLock { $0.place(ofKey: key) } ?? (store, key)
  }

  /// Returns the registered object to which a row or a change refers by a key.
  ///
  /// A parent may have saved an unsaved object since the row was read, or moved it to another
  /// store.
  ///
  /// - Parameter store: The position of the store of the row.
  @inline(__always)
  func object(root: Int, key: Int64, at store: Int) -> NSManagedObject? {
    key < 0
      ? unsavedObject(root: root, key: key, at: store)
      : identityMap.object(store: store, root: root, key: key)
  }

  private func unsavedObject(root: Int, key: Int64, at store: Int) -> NSManagedObject? {
    let place = presentPlace(ofKey: key, at: store)
    return identityMap.object(store: place.store, root: root, key: place.key)
      ?? identityMap.unsavedObject(root: root, key: key)
  }

  /// The token of the store at a position; 0 without a store.
  func storeToken(at position: Int) -> UInt32 {
    guard let place = place(of: position) else { return 0 }
    return borrowing(stores[place]) { $0.token }
  }

  /// The store at a position; also a removed store while objects of that store are registered.
  func store(at position: Int) -> NSPersistentStore? { place(of: position).map { stores[$0] } }

  /// The position of a store of the coordinator; nil for any other store.
  func position(of store: NSPersistentStore) -> Int? {
    for place in 0..<attachedCount where positions[place] == store.position {
      return borrowing(stores[place]) { $0 === store } ? store.position : nil
    }
    return nil
  }

  /// Whether the coordinator has a store at a position.
  func isAttached(_ position: Int) -> Bool {
    place(of: position).map { $0 < attachedCount } ?? false
  }

  /// Whether the coordinator has a writable store at a position.
  func isWritable(_ position: Int) -> Bool {
    guard let place = place(of: position), place < attachedCount else { return false }
    return borrowing(stores[place]) { !$0.isReadOnly }
  }

  /// Whether all of the coordinator's stores accept new objects of all entities.
  var acceptsAllEntities: Bool { accepted.allSatisfy { $0 == nil } }

  /// Whether the coordinator has a store at a position, and the store accepts new objects of an
  /// entity.
  func accepts(_ entity: CompiledEntity, at position: Int) -> Bool {
    guard let place = place(of: position), place < attachedCount else { return false }
    return accepted[place]?[entity.index] ?? true
  }

  @inline(__always)
  private func place(of position: Int) -> Int? {
    for place in 0..<positions.count where positions[place] == position { return place }
    return nil
  }
}
