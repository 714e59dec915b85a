public import Foundation
public import OpenObjectModel
internal import OpenStoreContract
internal import Synchronization

/// Opens stores for a model, and connects contexts to the stores.
///
/// Several contexts can read at the same time. Each store performs only one write at a time. The
/// contexts of a coordinator share a row cache for each store.
///
/// A coordinator closes its stores when it is deallocated. Contexts retain their coordinator, but
/// objects and object ids do not.
///
/// > Concurrency: Usable on any thread.
/// > Reference: Apple, NSPersistentStoreCoordinator.
// Invariant of the unchecked conformance: immutable but for `state`, which is behind its lock;
// model and descriptions are frozen when the coordinator is made.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
  /// The model, which has been immutable since the coordinator was created.
  open private(set) var managedObjectModel: NSManagedObjectModel
  /// ``managedObjectModel`` as a ``CompiledModel``; an empty model if the model is invalid.
  package let model: CompiledModel
  /// The error of an invalid model; adding a store throws it.
  let modelError: ModelError?
  let descriptions: [NSEntityDescription]
  let classes: [NSManagedObject.Type]
  let planner: FetchPlanner
  private let stores = Mutex(AttachedStores())
  /// A weak reference to the coordinator, which its stores use.
  let weakReference = WeakReference<NSPersistentStoreCoordinator>()
  /// A number that is incremented when a store is added or removed.
  let revision = Atomic<Int>(0)
  /// The contexts that merge saves of other contexts.
  let mergingContexts = WeakContexts()
  /// The queue of ``perform(_:)`` and ``performAndWait(_:)``.
  let queue = ContextQueue(.privateQueueConcurrencyType)
  private let label = Mutex<String?>(nil)

  /// Creates a coordinator and makes the model immutable.
  ///
  /// If the model is invalid, for example because an inverse relationship is missing, adding a
  /// store throws `CocoaError` 134060.
  public init(managedObjectModel model: NSManagedObjectModel) {
    managedObjectModel = model
    let parts = ModelClasses(model, objectClass: nil)
    (self.model, classes, modelError) = (parts.model, parts.classes, parts.error)
    descriptions = parts.model.entities.map(\.entityDescription)
    planner = FetchPlanner(model: parts.model)
    super.init()
    weakReference.begin(self)
  }

  /// Creates a coordinator for objects of a single class, and makes the model immutable.
  ///
  /// - Parameters:
  ///   - model: The model, whose class names are ignored.
  ///   - objectClass: The class of the objects.
  package init(_ model: NSManagedObjectModel, objectClass: NSManagedObject.Type) {
    managedObjectModel = model
    let parts = ModelClasses(model, objectClass: objectClass)
    (self.model, classes, modelError) = (parts.model, parts.classes, parts.error)
    descriptions = parts.model.entities.map(\.entityDescription)
    planner = FetchPlanner(model: parts.model)
    super.init()
    weakReference.begin(self)
  }

  deinit {
    weakReference.end()
    // Object ids may still retain the stores, so the stores are closed explicitly.
    for store in stores.withLock({ $0.all }) { store.backend.close() }
  }

  /// The name of the coordinator, for the application's own use; nil by default.
  ///
  /// > Reference: Apple, name.
  open var name: String? {
    get { label.withLock { $0 } }
    set { label.withLock { $0 = newValue } }
  }

  /// A description with the name and the stores.
  open override var description: String {
    DebugText.text(
      of: self,
      ["name": name, "stores": persistentStores.map { DebugText.Verbatim($0.description) }])
  }

  /// The stores, in the order in which they were added.
  open var persistentStores: [NSPersistentStore] { stores.withLock { $0.all } }

  /// The attached stores at the time of the call.
  var attachedStores: AttachedStores { stores.withLock { $0 } }

  /// Returns the stores, or throws if there are none.
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

  /// Returns the position of a store, or of the attached store that represents it.
  ///
  /// The attached store may be the given store added again, a replacement of the given store, or,
  /// for a store of another coordinator, the store with the same identifier.
  ///
  /// - Returns: The position; nil if no attached store represents the given store.
  func position(of store: NSPersistentStore) -> Int? {
    let isOwn = store.persistentStoreCoordinator === self
    return stores.withLock { stores in
      if isOwn, stores.store(at: store.position) != nil { return store.position }
      return stores.store(identifiedBy: store.backend.identifier)?.position
    }
  }

  /// Returns the given store if the store is attached; otherwise the attached store with the same
  /// identifier; nil if no attached store has this identifier.
  func attached(_ store: NSPersistentStore) -> NSPersistentStore? {
    stores.withLock { stores in
      stores.contains(store) ? store : stores.store(identifiedBy: store.backend.identifier)
    }
  }

  /// Returns the store with the given URL; nil if no store of the coordinator has the URL.
  open func persistentStore(for url: URL) -> NSPersistentStore? {
    persistentStores.first { $0.url == url }
  }

  /// Returns the index of the first entity with the given class; nil if no entity has the class.
  func entityIndex(of type: NSManagedObject.Type) -> Int? {
    if let index = classes.firstIndex(where: { $0 == type }) { return index }
    guard let index = ClassLookup.entityIndex(of: type, in: model) else { return nil }
    // Objects of the entity are of another class with the same name.
    return classes[index] == NSManagedObject.self ? index : nil
  }

  /// Opens or creates a store, and adds it to the coordinator.
  ///
  /// - Parameters:
  ///   - storeType: `NSSQLiteStoreType`, `NSInMemoryStoreType`, `NSXMLStoreType`,
  ///     `NSBinaryStoreType`, or another registered store type.
  ///   - configuration: The name of a configuration of the model; nil for all entities.
  ///   - storeURL: The URL of the store's file; nil for a store without a file. For a SQLite store,
  ///     `/dev/null` creates an in-memory store, and `/dev/null/NAME` opens an in-memory store that
  ///     all coordinators of the process share.
  ///   - options: Store options by key; nil for no options.
  /// - Returns: The added store.
  /// - Throws: Any error from a migration or a custom store, or a `CocoaError`, for example:
  ///   - 134000: The type is unknown.
  ///   - 134060: The model is invalid, or the configuration is unknown.
  ///   - 259: The file is damaged or not a store.
  ///   - 260: A read-only store does not exist.
  ///   - 512: The folder of a new store does not exist.
  ///   - 134020: The tables do not match the model.
  ///   - 134100: The store has another model version.
  ///   - 134081: The coordinator already has the store.
  ///   - 134080: Another store has the identifier, the type rejects the URL, or access is denied.
  ///   - 134090: Another process locks the store for longer than the timeout.
  ///   - 134091: The store does not support a property of the model or the value of an option.
  @discardableResult
  open func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    if let modelError { throw CocoaError.make(modelError) }
    try attachedStores.requireNew(storeType, at: storeURL)
    let parts = try openStore(storeType, configuration, storeURL, options)
    let store = try attach(parts, storeType, storeURL)
    revision.add(1, ordering: .releasing)
    store.serially { store.didAdd(to: self) }
    announceStores([NSAddedPersistentStoresKey: [store]])
    return store
  }

  /// Attaches an opened store at a new position.
  private func attach(
    _ parts: OpenedStore, _ storeType: String, _ storeURL: URL?
  ) throws -> NSPersistentStore {
    do {
      return try stores.withLock { stores in
        // Another thread may have added the file meanwhile, or the file is new and has an identity
        // only now.
        try stores.requireNew(storeType, at: storeURL)
        try stores.requireOther(parts)
        let store = makeStore(parts, position: try stores.takePosition(for: parts.backend))
        stores.append(store)
        return store
      }
    } catch {
      parts.backend.close()
      throw (error as? StoreError).map(CocoaError.surfaced) ?? error
    }
  }

  /// Closes a store and removes it from the coordinator without deleting the store's file.
  ///
  /// The method also closes the store's pinned query generations. Reading a closed generation
  /// throws `CocoaError` 134070. The method ignores a store that belongs to another coordinator.
  ///
  /// Registered objects of the store keep their loaded values and unsaved changes. Until a store
  /// with the same identifier is added, faults of the store cannot fire. A save throws `CocoaError`
  /// 134070 if the context has changes to objects in the store, and 134060 if the coordinator has
  /// no stores.
  ///
  /// - Throws: No error. The method is declared with `throws` to match Apple's declaration.
  /// > Reference: Apple, NSPersistentStoreCoordinator, remove(_:). Differs: D-120.
  open func remove(_ store: NSPersistentStore) throws {
    guard stores.withLock({ $0.contains(store) }) else { return }
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
    store.serially { store.willRemove(from: self) }
    guard stores.withLock({ $0.remove(store) }) else { return }
    revision.add(1, ordering: .releasing)
    store.backend.close()
    announceStores([NSRemovedPersistentStoresKey: [store]])
  }

  /// Replaces a store with another store that has the same rows and keys.
  ///
  /// Objects refer to stores by position, so the objects of the old store then belong to the new
  /// store.
  ///
  /// - Parameter writeCount: The number of ended writes before the old store was copied.
  /// - Throws: `CocoaError` 134070 if the old store does not belong to the coordinator, or was
  ///   written since.
  func exchange(
    _ old: NSPersistentStore, for parts: OpenedStore, copiedAfter writeCount: Int
  ) throws -> NSPersistentStore {
    let store = try stores.withLock { stores in
      guard stores.contains(old) else {
        throw CocoaError.make(
          .persistentStoreOperation, "The store does not belong to the coordinator.")
      }
      try old.writes.close(after: writeCount)
      let store = makeStore(parts, position: old.position)
      stores.replace(old, with: store)
      return store
    }
    revision.add(1, ordering: .releasing)
    return store
  }

  /// Restores the order of stores after some of them were removed and added again.
  ///
  /// - Parameter positions: The positions of the stores in the former order. Other stores follow.
  func sortStores(by positions: [Int]) {
    stores.withLock { $0.sort(by: positions) }
    revision.add(1, ordering: .releasing)
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

  /// Executes a batch request, a history request or a fetch request in a context.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - context: A context of this coordinator.
  /// - Returns: For a fetch request, the array of results; for any other request, an
  ///   `NSPersistentStoreResult`.
  /// - Throws: `CocoaError` 134070 if the context has another coordinator; otherwise, the errors of
  ///   `fetch(_:)` or ``NSManagedObjectContext/execute(_:)``.
  /// > Concurrency: Call on the context's queue.
  /// > Reference: Apple, NSPersistentStoreCoordinator, execute(_:with:).
  @discardableResult
  open func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
  ) throws -> Any { try RequestDispatch.execute(request, in: context, of: self) }

  /// Deletes the contents of a store, including its log and external values.
  ///
  /// If the coordinator has the store open, the method first closes and removes it, as
  /// ``remove(_:)`` does. You can then add a new store at the same URL. After an error, the method
  /// adds the removed store again.
  ///
  /// The empty database file of a SQLite store remains, because other programs may have the file
  /// open. If the file is damaged, or if the options set `NSPersistentStoreForceDestroyOption`, the
  /// method deletes the file. The file of an XML or binary store is deleted, even while the store
  /// is open. A missing file is not an error. An in-memory store loses its contents when it is
  /// removed. The method deletes a file that is not a store of the given type only if the type is
  /// SQLite and the options set `NSPersistentStoreForceDestroyOption`.
  ///
  /// - Parameters:
  ///   - url: The URL of the store.
  ///   - storeType: The type of the store.
  ///   - options: Store options by key; nil for no options.
  /// - Throws: `CocoaError` 134090 if another coordinator or process is saving the XML or binary
  ///   store, or has the SQLite store open; for SQLite, the option
  ///   `NSPersistentStoreForceDestroyOption` prevents this error. 259 if the file is not a store of
  ///   the type; 134000 for an unknown type; 134080 if the type does not allow the URL; 134091 for
  ///   a custom store. If the removed store cannot be added again, the error contains both errors
  ///   under `NSDetailedErrorsKey`.
  /// > Reference: Apple, NSPersistentStoreCoordinator, destroyPersistentStore(at:ofType:options:).
  /// > Differs: D-038, D-408.
  open func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    try StoreFileAccess(storeType, at: url, options).destroy(in: self)
  }

  /// Copies a store to another location, and replaces any store at that location.
  ///
  /// The copy includes the source's log, external values and identifier. At any moment, the
  /// destination contains either the old store or the complete copy, even if the process is killed.
  /// For an in-memory store, the method does nothing.
  ///
  /// If the coordinator has the destination open, the method first closes and removes it, as
  /// ``remove(_:)`` does. To use the copy, add a store at the destination's URL. If the source is
  /// missing, or is the destination itself, the destination stays open. After another error, the
  /// method adds the removed store again. An open source stays open.
  ///
  /// - Parameters:
  ///   - destinationURL: The URL of the copy.
  ///   - destinationOptions: The options of the destination, by key; nil for no options.
  ///   - sourceURL: The URL of the store to copy.
  ///   - sourceOptions: The options of the source, which have no effect.
  ///   - storeType: The type of both stores.
  /// - Throws: `CocoaError` 260 if the source is missing; 259 if the source is not a store; 134000
  ///   for an unknown type; 134080 if the type does not allow one of the URLs; 134091 for a custom
  ///   or PostgreSQL store; 134090 if another coordinator or process is saving the XML or binary
  ///   destination, or has the SQLite destination open. For SQLite, the destination's option
  ///   `NSPersistentStoreForceDestroyOption` prevents error 134090. If the removed store cannot be
  ///   added again, the error contains both errors under `NSDetailedErrorsKey`.
  /// > Reference: Apple, NSPersistentStoreCoordinator,
  ///   replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:).
  /// > Differs: D-408.
  open func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
    ofType storeType: String
  ) throws {
    try StoreFileAccess(storeType, at: destinationURL, destinationOptions)
      .replace(withStoreAt: sourceURL, in: self)
  }

  /// Returns the metadata of a store, including values that are set but not yet saved.
  open func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Sets the metadata of a store; the next save of any context writes the metadata to the store.
  ///
  /// - Parameters:
  ///   - metadata: The metadata values by key; nil for no values. If a property list cannot contain
  ///     a value, the next save throws `CocoaError` 134030 and discards the metadata.
  ///   - store: A store of the coordinator.
  open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    store.metadata = metadata ?? [:]
  }

  /// Returns the object id for a URI.
  ///
  /// - Parameter url: The `uriRepresentation()` of a permanent id.
  /// - Returns: The id; nil if the URL is not the URI of a permanent id, the coordinator does not
  ///   have the store, or the model does not have the entity. The method does not check whether the
  ///   row exists.
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

  /// Returns the object id for the string form of a URI.
  ///
  /// - Parameter uri: The string of the `uriRepresentation()` of a permanent id.
  /// - Returns: The id; nil if the string is not a URL, or if
  ///   ``managedObjectID(forURIRepresentation:)`` returns nil.
  /// > Reference: Apple, managedObjectID(for:).
  open func managedObjectID(for uri: String) -> NSManagedObjectID? {
    URL(string: uri).flatMap(managedObjectID(forURIRepresentation:))
  }

  /// Passes the outcome of a save to the contexts that merge automatically.
  func announce(_ changes: SavedChanges, from source: NSManagedObjectContext) {
    mergingContexts.send(ForeignChanges(changes)) { $0 !== source }
  }
}
