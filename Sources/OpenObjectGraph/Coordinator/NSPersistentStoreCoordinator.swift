public import Foundation
public import OpenObjectModel
internal import OpenStoreContract
internal import Synchronization

/// Opens stores for a model, and serves all the contexts that work on them.
///
/// Reads of several contexts run side by side; each store keeps its own order of writes. The rows that
/// contexts hold are shared through one cache a store.
///
/// > Concurrency: Usable on any thread.
/// > Reference: Apple, NSPersistentStoreCoordinator.
// Invariant of the unchecked conformance: immutable but for `state`, which is behind its lock; model and
// descriptions are frozen when the coordinator is made.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
  /// The model, frozen when the coordinator was created.
  public let managedObjectModel: NSManagedObjectModel
  package let model: CompiledModel
  /// The error of a model that cannot be used; adding a store throws it.
  let modelError: ModelError?
  let descriptions: [NSEntityDescription]
  let classes: [NSManagedObject.Type]
  let planner: FetchPlanner
  private let stores = Mutex(AttachedStores())
  /// How the stores find the coordinator.
  let weakReference = WeakReference<NSPersistentStoreCoordinator>()
  /// Raised when a store is added or removed.
  let revision = Atomic<Int>(0)
  /// The contexts that merge saves of other contexts.
  let mergingContexts = WeakContexts()
  /// The queue of ``perform(_:)`` and ``performAndWait(_:)``.
  let queue = ContextQueue(.privateQueueConcurrencyType)
  private let label = Mutex<String?>(nil)

  /// Creates a coordinator and freezes the model.
  ///
  /// If the model is invalid, for example with a dangling inverse, `addPersistentStore` throws.
  public init(managedObjectModel model: NSManagedObjectModel) {
    managedObjectModel = model
    let parts = Parts(model, objectClass: nil)
    (self.model, classes, modelError) = (parts.model, parts.classes, parts.error)
    descriptions = parts.model.entities.map(\.entityDescription)
    planner = FetchPlanner(model: parts.model)
    super.init()
    weakReference.begin(self)
  }

  /// Creates a coordinator whose objects are all of one class, whatever classes the model names, and freezes the model.
  package init(_ model: NSManagedObjectModel, objectClass: NSManagedObject.Type) {
    managedObjectModel = model
    let parts = Parts(model, objectClass: objectClass)
    (self.model, classes, modelError) = (parts.model, parts.classes, parts.error)
    descriptions = parts.model.entities.map(\.entityDescription)
    planner = FetchPlanner(model: parts.model)
    super.init()
    weakReference.begin(self)
  }

  /// What a coordinator makes of its model.
  private struct Parts {
    var model: CompiledModel
    var classes: [NSManagedObject.Type]
    var error: ModelError?

    init(_ model: NSManagedObjectModel, objectClass: NSManagedObject.Type?) {
      do throws(ModelError) {
        let compiled = try model.compiled()
        if let objectClass {
          classes = compiled.entities.map { _ in objectClass }
        } else {
          classes = try ClassLookup.managedClasses(of: compiled.entities)
        }
        self.model = compiled
      } catch {
        self.model = EmptyEntity.shared.model
        classes = self.model.entities.map { _ in NSManagedObject.self }
        self.error = error
      }
    }
  }

  deinit {
    weakReference.end()
    // Nodes of atomic stores keep ids, which keep their store.
    for store in stores.withLock({ $0.all }) { store.coordinatorWillDeallocate() }
  }

  /// A name for logs; kept for the application.
  ///
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, name.
  open var name: String? {
    get { label.withLock { $0 } }
    set { label.withLock { $0 = newValue } }
  }

  /// The name and the stores.
  open override var description: String {
    DebugText.text(
      of: self,
      ["name": name, "stores": persistentStores.map { DebugText.Verbatim($0.description) }])
  }

  /// The stores, in the order in which they were added.
  open var persistentStores: [NSPersistentStore] { stores.withLock { $0.all } }

  /// The stores, or the error that says that there are none.
  func requireStores(_ action: String) throws -> [NSPersistentStore] {
    let stores = persistentStores
    guard !stores.isEmpty else {
      throw CocoaError.make(
        .coreData,
        "This NSPersistentStoreCoordinator has no persistent stores. It cannot perform a \(action) "
          + "operation. Load a store first.")
    }
    return stores
  }

  /// The position of a store, or of the one that follows it: the same store added again, the one that took its
  /// place, or, for a store of another coordinator, the one with its identifier.
  ///
  /// - Returns: The position; nil when there is no such store.
  func position(of store: NSPersistentStore) -> Int? {
    let isOwn = store.persistentStoreCoordinator === self
    return stores.withLock { stores in
      if isOwn, stores.store(at: store.position) != nil { return store.position }
      return stores.store(identifiedBy: store.backend.identifier)?.position
    }
  }

  /// The store as it is attached now: itself, or the same store added again.
  func attached(_ store: NSPersistentStore) -> NSPersistentStore? {
    stores.withLock { stores in
      stores.contains(store) ? store : stores.store(identifiedBy: store.backend.identifier)
    }
  }

  /// The store opened from a URL.
  ///
  /// - Returns: The store opened from a URL; nil if there is none.
  open func persistentStore(for url: URL) -> NSPersistentStore? {
    persistentStores.first { $0.url == url }
  }

  /// The entity whose class is the given one; when several are, the first.
  func entityIndex(of type: NSManagedObject.Type) -> Int? {
    if let index = classes.firstIndex(where: { $0 == type }) { return index }
    guard let index = ClassLookup.entityIndex(of: type, in: model) else { return nil }
    // Objects of the entity are of another class with the same name.
    return classes[index] == NSManagedObject.self ? index : nil
  }

  /// Opens or creates a store and adds it.
  ///
  /// - Parameters:
  ///   - storeType: `NSSQLiteStoreType`, `NSInMemoryStoreType`, `NSXMLStoreType`, `NSBinaryStoreType`, or a type for which
  ///     the application registered a class.
  ///   - configuration: The name of a configuration of the model; nil for all entities.
  ///   - storeURL: The store's file. `/dev/null` creates an in-memory SQLite store, and `/dev/null/NAME` one that all
  ///     coordinators of the process share while one of them has it open; nil is only for stores of other types
  ///     without a file.
  ///   - options: Store options by key.
  /// - Returns: The store.
  /// - Throws: `CocoaError` with Apple's codes: 134000 unknown type, 134080 cannot be opened, 134020 tables that do
  ///   not match the model, 134100 a store of another model version, 134081 the same file twice, 134060 an invalid
  ///   model.
  @discardableResult
  open func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    if let modelError { throw CocoaError.make(modelError) }
    try requireNew(storeType, storeURL, among: persistentStores)
    let parts = try openStore(storeType, configuration, storeURL, options)
    let store = try attach(parts, storeType, storeURL)
    revision.add(1, ordering: .releasing)
    store.didAdd(to: self)
    announceStores([NSAddedPersistentStoresKey: [store]])
    return store
  }

  /// Reserves a store's position.
  private func attach(
    _ parts: OpenedStore, _ storeType: String, _ storeURL: URL?
  ) throws -> NSPersistentStore {
    do {
      return try stores.withLock { stores in
        // Another thread may have added the file meanwhile, or the file is new and has an identity only now.
        try requireNew(storeType, storeURL, among: stores.all)
        let store = makeStore(parts, position: try stores.takePosition(for: parts.backend))
        stores.append(store)
        return store
      }
    } catch {
      parts.backend.close()
      throw (error as? StoreError).map(CocoaError.surfaced) ?? error
    }
  }

  /// Closes and removes a store; its file is kept.
  ///
  /// Pinned query generations of the store are closed: reading from them throws. Objects of the store keep their
  /// values and unsaved changes, but cannot be read or saved until a store with the same identifier is added again. A
  /// save throws while there are changes to objects of a removed store.
  ///
  /// - Throws: Never. A store of another coordinator is ignored.
  /// > Reference: Apple, NSPersistentStoreCoordinator, remove(_:). Differs: D-120.
  open func remove(_ store: NSPersistentStore) throws {
    guard stores.withLock({ $0.contains(store) }) else { return }
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
    store.willRemove(from: self)
    guard stores.withLock({ $0.remove(store) }) else { return }
    revision.add(1, ordering: .releasing)
    store.backend.close()
    announceStores([NSRemovedPersistentStoresKey: [store]])
  }

  /// Replaces a store with one that has the same rows under the same keys.
  ///
  /// Objects refer to stores by position, and so go on in the new store.
  func exchange(_ old: NSPersistentStore, for parts: OpenedStore) throws -> NSPersistentStore {
    let store = try stores.withLock { stores in
      guard stores.contains(old) else {
        throw CocoaError.make(.persistentStoreOperation, "The store is not the coordinator's.")
      }
      let store = makeStore(parts, position: old.position)
      stores.replace(old, with: store)
      return store
    }
    revision.add(1, ordering: .releasing)
    return store
  }

  private func makeStore(_ parts: OpenedStore, position: Int) -> NSPersistentStore {
    if let store = parts.custom {
      store.open(parts.backend, position: position)
      return store
    }
    return NSPersistentStore(
      backend: parts.backend, model: model, type: parts.type, url: parts.url,
      isReadOnly: parts.isReadOnly, configurationName: parts.configurationName,
      options: parts.options, coordinator: self, position: position)
  }

  func announceStores(_ changes: [String: Any]) {
    Notification(
      name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: changes
    ).announce(.stores)
  }

  /// A store's metadata, including unsaved changes.
  ///
  /// - Returns: A store's metadata, including unsaved changes.
  open func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Sets a store's metadata; the next save of any context writes it.
  open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    store.metadata = metadata ?? [:]
  }

  /// The object id that a URI names.
  ///
  /// - Parameter url: The `uriRepresentation()` of a permanent id.
  /// - Returns: The id; nil if the coordinator does not have the store, the model does not have the entity, or the
  ///   URI is that of a temporary id. The method does not check whether the row exists.
  /// > Reference: Apple, managedObjectID(forURIRepresentation:).
  open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
    guard url.scheme == "x-coredata", let host = url.host,
      let store = persistentStores.first(where: {
        $0.identifier.caseInsensitiveCompare(host) == .orderedSame
      }),
      url.pathComponents.count == 3, let entity = model.entity(named: url.pathComponents[1]),
      let key = store.key(named: url.pathComponents[2], of: entity)
    else { return nil }
    return NSManagedObjectID(store: store, entity: entity, key: key)
  }

  /// The object id for the string of a URI.
  ///
  /// - Returns: The object id; nil if there is none.
  /// > Reference: Apple, managedObjectID(for:).
  open func managedObjectID(for uri: String) -> NSManagedObjectID? {
    URL(string: uri).flatMap(managedObjectID(forURIRepresentation:))
  }

  /// Runs store work and turns its errors into Apple's.
  func mapping<Result>(_ work: () throws(StoreError) -> Result) throws -> Result {
    do throws(StoreError) { return try work() } catch { throw CocoaError.surfaced(error) }
  }

  /// Hands a save's outcome to the contexts that merge by themselves.
  func announce(_ changes: SavedChanges, from source: NSManagedObjectContext) {
    let listeners = mergingContexts.all.filter { $0 !== source }
    guard !listeners.isEmpty else { return }
    let changes = ForeignChanges(changes)
    for context in listeners {
      context.perform { [reference = context.weakReference] in reference.target?.merge(changes) }
    }
  }
}
