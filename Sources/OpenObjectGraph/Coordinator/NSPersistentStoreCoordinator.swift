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
  /// The model, frozen when the coordinator was made.
  public let managedObjectModel: NSManagedObjectModel
  package let model: CompiledModel
  /// The error of a model that cannot be used; adding a store throws it.
  let modelError: ModelError?
  let descriptions: [NSEntityDescription]
  let classes: [NSManagedObject.Type]
  let planner: FetchPlanner
  private let state = Mutex(State())
  /// How the stores find the coordinator.
  let link = WeakLink<NSPersistentStoreCoordinator>()
  /// Raised when a store is added or removed.
  let generation = Atomic<Int>(0)
  /// The contexts that take over what others save.
  let mergingContexts = WeakContexts()

  private struct State {
    /// Stores by position; positions are never reused, so that objects may refer to them.
    var table: [NSPersistentStore] = []
    var removed: Set<Int> = []
  }

  /// Makes a coordinator and freezes the model.
  ///
  /// A model that cannot be used, with a dangling inverse for example, makes `addPersistentStore` throw.
  public init(managedObjectModel model: NSManagedObjectModel) {
    managedObjectModel = model
    do throws(ModelError) {
      let compiled = try model.compiled()
      classes = try ClassLookup.managedClasses(of: compiled.entities)
      self.model = compiled
      modelError = nil
    } catch {
      self.model = EmptyEntity.shared.model
      classes = self.model.entities.map { _ in NSManagedObject.self }
      modelError = error
    }
    let descriptions = self.model.entities.map(\.entityDescription)
    self.descriptions = descriptions
    planner = FetchPlanner(model: self.model)
    super.init()
    link.begin(self)
  }

  deinit { link.end() }

  /// The stores, in the order in which they were added.
  public var persistentStores: [NSPersistentStore] {
    state.withLock { state in
      if state.removed.isEmpty { return state.table }
      return state.table.enumerated().filter { !state.removed.contains($0.offset) }.map(\.element)
    }
  }

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

  /// All stores that ever were added, by position.
  var storeTable: [NSPersistentStore] { state.withLock { $0.table } }

  func position(of store: NSPersistentStore) -> Int? {
    state.withLock { state in
      state.table.firstIndex { $0 === store }
        ?? state.table.firstIndex { $0.identifier == store.identifier }
    }
  }

  /// The store opened from a URL.
  public func persistentStore(for url: URL) -> NSPersistentStore? {
    persistentStores.first { $0.url == url }
  }

  /// The entity whose class is the given one; when several are, the first.
  func entityIndex(of type: NSManagedObject.Type) -> Int? {
    if let index = classes.firstIndex(where: { $0 == type }) { return index }
    guard let index = ClassLookup.entityIndex(of: type, in: model) else { return nil }
    // Objects of the entity are of another class with the same name.
    return classes[index] == NSManagedObject.self ? index : nil
  }

  /// Opens or makes a store and adds it.
  ///
  /// - Parameters:
  ///   - storeType: `NSSQLiteStoreType` or `NSInMemoryStoreType`.
  ///   - configuration: Name of a configuration of the model; nil for all entities.
  ///   - storeURL: The store's file; may be nil for a store in memory.
  ///   - options: Store options by key.
  /// - Returns: The store.
  /// - Throws: `CocoaError` of Apple's codes: 134000 unknown type, 134080 cannot be opened, 134020 tables
  ///   that do not fit the model, 134100 a store of another version of the model, 134081 the same file twice, 134060 a model that cannot be used.
  @discardableResult
  open func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    if let modelError { throw CocoaError.make(modelError) }
    if let storeURL, storeURL.path != "/dev/null", persistentStore(for: storeURL) != nil {
      throw CocoaError.make(CocoaError.Code(rawValue: 134081), "Can't add the same store twice")
    }
    let parts = try openStore(storeType, configuration, storeURL, options)
    let store = state.withLock { state in
      let store = makeStore(parts, position: state.table.count)
      state.table.append(store)
      return store
    }
    generation.add(1, ordering: .releasing)
    announceStores([NSAddedPersistentStoresKey: [store]])
    return store
  }

  /// Closes a store and takes it away; its file stays.
  open func remove(_ store: NSPersistentStore) throws {
    guard let position = position(of: store) else { return }
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
    state.withLock { _ = $0.removed.insert(position) }
    generation.add(1, ordering: .releasing)
    store.backend.close()
    announceStores([NSRemovedPersistentStoresKey: [store]])
  }

  /// Puts a store with the same rows under the same keys in the place of another one.
  ///
  /// Objects refer to stores by position, and so go on in the new store.
  func exchange(_ old: NSPersistentStore, for parts: OpenedStore) throws -> NSPersistentStore {
    let store = try state.withLock { state in
      guard let position = state.table.firstIndex(where: { $0 === old }),
        !state.removed.contains(position)
      else {
        throw CocoaError.make(.persistentStoreOperation, "The store is not the coordinator's.")
      }
      let store = makeStore(parts, position: position)
      state.table[position] = store
      return store
    }
    generation.add(1, ordering: .releasing)
    return store
  }

  private func makeStore(_ parts: OpenedStore, position: Int) -> NSPersistentStore {
    NSPersistentStore(
      backend: parts.backend, model: model, type: parts.type, url: parts.url,
      isReadOnly: parts.isReadOnly, configurationName: parts.configurationName,
      options: parts.options, coordinator: self, position: position)
  }

  func announceStores(_ changes: [String: Any]) {
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: changes)
  }

  /// A store's metadata, with changes that are not yet written.
  public func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Sets a store's metadata; the next save of any context writes it.
  public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    store.metadata = metadata ?? [:]
  }

  /// The object id that a URI names, when its store is among the coordinator's.
  public func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
    guard url.scheme == "x-coredata", let host = url.host,
      let store = persistentStores.first(where: {
        $0.identifier.caseInsensitiveCompare(host) == .orderedSame
      }),
      url.pathComponents.count == 3, let entity = model.entity(named: url.pathComponents[1]),
      url.pathComponents[2].hasPrefix("p"), let key = Int64(url.pathComponents[2].dropFirst())
    else { return nil }
    return NSManagedObjectID(store: store, entity: entity, key: key)
  }

  /// Runs store work and turns its errors into Apple's.
  func mapping<Result>(_ work: () throws(StoreError) -> Result) throws -> Result {
    do throws(StoreError) { return try work() } catch { throw CocoaError.make(error) }
  }

  /// Hands a save's outcome to the contexts that merge by themselves.
  func announce(_ changes: SavedChanges, from source: NSManagedObjectContext) {
    for context in mergingContexts.all where context !== source {
      context.perform { [link = context.link] in link.target?.merge(changes) }
    }
  }
}
