public import Foundation
internal import OpenObjectModel
package import OpenStoreContract
internal import Synchronization

/// A store that a coordinator has opened.
///
/// Custom stores are subclasses of `NSAtomicStore` or `NSIncrementalStore`.
///
/// > Concurrency: Usable on any thread.
/// > Reference: Apple, NSPersistentStore.
// Invariant of the unchecked conformance: immutable but for `state`, which is behind its lock;
// `backend`, `requests`, `position` and `storeToken` are set once more for custom stores, before
// the coordinator hands the store out.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  /// The backend that reads and writes the store.
  @exclusivity(unchecked) package private(set) final var backend: any StoreBackend
  /// The backend that executes the requests of contexts; nil except for incremental stores.
  @exclusivity(unchecked) private(set) final var requests: RequestBackend?
  final let rowCache: RowCache
  /// The writes of this process to the store.
  final let writes = StoreWrites()
  private let metadataTurn = NSRecursiveLock()
  /// The position of the store in its coordinator.
  @exclusivity(unchecked) private(set) final var position: Int
  /// The number of the store in references to objects. Stores of the process with the same
  /// identifier share the number.
  package final var token: UInt32 { storeToken.number }
  @exclusivity(unchecked) private final var storeToken: StoreToken
  /// Whether the store records persistent history.
  final let keepsHistory: Bool
  private let configuration: String?
  private let givenOptions: [AnyHashable: Any]?
  private let state: Mutex<State>
  private let coordinator: WeakReference<NSPersistentStoreCoordinator>
  static let defaultConfigurationName = NSManagedObjectModel.defaultConfigurationName

  private struct State {
    var type: String
    var url: URL?
    var isReadOnly: Bool
    /// Whether a custom store has finished opening.
    var isOpen = true
    var pending: PendingMetadata?
    var settings = 0
    /// The error of the last read of the metadata; nil if the read succeeded.
    var failure: StoreError?
  }

  init(
    backend: any StoreBackend, model: CompiledModel, type: String, url: URL?, isReadOnly: Bool,
    configurationName: String?, options: [AnyHashable: Any]?,
    coordinator: NSPersistentStoreCoordinator, position: Int
  ) {
    self.backend = backend
    keepsHistory = backend.history != nil
    self.position = position
    rowCache = RowCache(roots: model.entities.map(\.rootIndex))
    storeToken = StoreToken(backend.identifier)
    configuration = configurationName
    givenOptions = options
    state = Mutex(State(type: type, url: url, isReadOnly: isReadOnly))
    self.coordinator = coordinator.weakReference
    super.init()
    RemoteChanges.register(self)
  }

  /// Creates a custom store without reading its contents.
  ///
  /// To add a store, a coordinator calls this initializer of the class that is registered for the
  /// store type. A subclass must mark an override of the initializer as `required`.
  ///
  /// - Parameters:
  ///   - root: The coordinator; nil for a store without a coordinator.
  ///   - name: The name of a configuration of the model; nil for all entities.
  ///   - url: The URL of the store.
  ///   - options: The options with which the store is added; nil for no options.
  /// > Reference: Apple, init(persistentStoreCoordinator:configurationName:at:options:).
  public required init(
    persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?,
    at url: URL, options: [AnyHashable: Any]? = nil
  ) {
    backend = UnopenedStore.shared
    keepsHistory = false
    position = -1
    rowCache = RowCache(roots: root?.model.entities.map(\.rootIndex) ?? [0])
    storeToken = StoreToken("")
    configuration = name
    givenOptions = options
    let isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
    state = Mutex(State(type: "", url: url, isReadOnly: isReadOnly, isOpen: false))
    coordinator = root?.weakReference ?? WeakReference()
    super.init()
  }

  /// A description with the type, the URL without its password, and the identifier.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "type": DebugText.Verbatim(type), "url": url, "identifier": identifier as String?,
        "configuration": configuration, "isReadOnly": isReadOnly ? true : nil,
      ])
  }

  /// The type of the store, for example `NSSQLiteStoreType`.
  open var type: String { state.withLock { $0.type } }
  /// The name of the model configuration whose entities the store contains. If the store contains
  /// all entities, the value is `PF_DEFAULT_CONFIGURATION_NAME`.
  open var configurationName: String { configuration ?? Self.defaultConfigurationName }
  /// The name of the configuration with which the store was added; nil for all entities.
  package final var addedConfigurationName: String? {
    let name = configurationName
    return name == Self.defaultConfigurationName ? nil : name
  }
  /// The options with which the store was opened; nil if the store was opened without options.
  open var options: [AnyHashable: Any]? { givenOptions }
  /// The URL with which the store was added. If the store was added without a URL, the value is nil
  /// for a built-in store and `/dev/null` for a custom store.
  open var url: URL? {
    get { state.withLock { $0.url } }
    set { state.withLock { $0.url = newValue } }
  }
  /// The store's UUID, which is part of every object id; nil until a custom store sets the UUID.
  ///
  /// Only a custom store can set its identifier, and only before the store is open. In all other
  /// cases, setting the identifier has no effect.
  open var identifier: String! {
    get {
      let (isOpen, pending) = state.withLock { ($0.isOpen, $0.pending?.values[NSStoreUUIDKey]) }
      return isOpen ? backend.identifier : pending as? String
    }
    set {
      if state.withLock({ $0.isOpen }) { return }
      metadata[NSStoreUUIDKey] = newValue
    }
  }
  /// Whether the store is open for reading only; if true, a save that changes objects in the store
  /// throws `CocoaError` 134030.
  ///
  /// Setting false does not allow writing to a store that was opened for reading only.
  open var isReadOnly: Bool {
    get { state.withLock { $0.isReadOnly } }
    set {
      state.withLock { $0.isReadOnly = newValue }
      // The contexts must choose the stores of new objects again.
      if let owner = coordinator.target { owner.revision.add(1, ordering: .releasing) }
    }
  }
  /// The coordinator that opened the store; nil if the store was created without a coordinator, and
  /// after the coordinator is deallocated.
  ///
  /// The store is closed when its coordinator is deallocated.
  public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? { coordinator.target }

  /// Returns whether another instance, of this or another coordinator, represents this store.
  final func isSame(as other: NSPersistentStore) -> Bool {
    self === other || backend.identifier == other.backend.identifier
  }

  /// The store's metadata. After a change, the next save of any context of the coordinator writes
  /// the metadata.
  ///
  /// Numbers and Boolean values are `NSNumber` objects, which you can cast to any numeric type.
  /// Setting nil has the same effect as setting an empty dictionary. Setting the metadata of an
  /// open store does not change the store's type and identifier.
  ///
  /// If the metadata cannot be read, the value contains only the store's type and identifier.
  /// Setting the metadata then makes the next save throw the read error, because the save would
  /// overwrite entries that the application has not seen. On Apple platforms, the save does not
  /// throw this error. In the following cases, the next save throws `CocoaError` 134030, and the
  /// new metadata is discarded:
  ///
  /// - A value is not a property-list value, or has more than 50 nested collections (D-424).
  /// - The store is open for reading only.
  ///
  /// A custom store sets the metadata, including at least its identifier, while the coordinator
  /// opens the store.
  ///
  /// > Reference: Apple, metadata.
  open var metadata: [String: Any]! {
    get {
      let (isOpen, pending, kind) = state.withLock { ($0.isOpen, $0.pending, $0.type) }
      guard isOpen else { return (pending?.values ?? [:]).mapValues(PropertyListValue.boxed) }
      var metadata: [String: Any] = [:]
      do throws(StoreError) {
        let values = if let pending { pending.values } else { try backend.metadata() }
        metadata = values.mapValues(PropertyListValue.boxed)
        state.withLock { $0.failure = nil }
      } catch {
        GraphLog.error("The metadata of \(name) cannot be read: \(error)")
        state.withLock { $0.failure = error }
      }
      metadata[NSStoreTypeKey] = kind
      metadata[NSStoreUUIDKey] = backend.identifier
      return metadata
    }
    set {
      let new: [String: Any] = newValue ?? [:]
      let plain = new.compactMapValues(PropertyListValue.plain)
      let unfit = PropertyListValue.failure(of: new)
      state.withLock { state in
        state.settings += 1
        state.pending = PendingMetadata(
          values: plain, number: state.settings,
          failure: state.isOpen ? state.failure ?? unfit : nil)
      }
    }
  }

  /// Returns the metadata to write with the next save; nil if no metadata was set.
  ///
  /// - Throws: `CocoaError` if the metadata that the application set cannot be written. The new
  ///   metadata is then discarded.
  final func pendingMetadata() throws -> PendingMetadata? {
    let pending = state.withLock { $0.pending }
    guard let pending, let failure = pending.failure else { return pending }
    forget(pending)
    throw CocoaError.make(failure)
  }

  /// Adds the unsaved metadata to changes, and returns it; nil if no metadata can be written.
  ///
  /// The caller prevents other commits until the commit of the changes ends. Otherwise, the commit
  /// might write older metadata over newer metadata.
  final func addMetadata(to changes: inout ChangeSet) -> PendingMetadata? {
    guard let pending = state.withLock({ $0.pending }), pending.failure == nil else { return nil }
    changes.metadata = pending.values
    return pending
  }

  /// Forgets written or discarded metadata, unless the application has set newer metadata.
  final func forget(_ metadata: PendingMetadata) {
    state.withLock { state in
      if state.pending?.number == metadata.number { state.pending = nil }
    }
  }

  /// Adopts the unsaved metadata of the removed store that this store represents, unless the
  /// application has already set metadata of this store.
  final func adoptPendingMetadata(of removed: NSPersistentStore) {
    let (pending, settings) = removed.state.withLock { ($0.pending, $0.settings) }
    state.withLock { state in
      if state.pending == nil { (state.pending, state.settings) = (pending, settings) }
    }
  }

  // MARK: Stores of the application

  /// Returns the metadata of a custom store without opening the store; subclasses override the
  /// method.
  ///
  /// - Parameter url: The URL of the store.
  /// - Returns: The metadata values by key.
  /// - Throws: `CocoaError` 134091 if the subclass does not override this method.
  /// > Reference: Apple, metadataForPersistentStore(with:).
  open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    throw CocoaError.make(
      .persistentStoreUnsupportedRequestType,
      "The class \(self) does not override metadataForPersistentStore(with:).", path: url.path)
  }

  /// Writes the metadata of a custom store without opening the store; subclasses override the
  /// method.
  ///
  /// - Parameters:
  ///   - metadata: The metadata values by key; nil for no values.
  ///   - url: The URL of the store.
  /// - Throws: `CocoaError` 134091 if the subclass does not override this method.
  /// > Reference: Apple, setMetadata(_:forPersistentStoreAt:).
  open class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreAt url: URL
  ) throws {
    throw CocoaError.make(
      .persistentStoreUnsupportedRequestType,
      "The class \(self) does not override setMetadata(_:forPersistentStoreAt:).", path: url.path)
  }

  /// Sets ``metadata`` when a coordinator adds a custom store; the default implementation does
  /// nothing. A subclass must override this method.
  ///
  /// The metadata of an atomic store must contain the store's UUID under `NSStoreUUIDKey`. If the
  /// UUID of an incremental store is missing, the library calls `identifierForNewStore(at:)`.
  ///
  /// - Throws: Any error that the subclass throws. The call that adds the store then throws.
  /// > Reference: Apple, loadMetadata().
  open func loadMetadata() throws {}

  /// Called by a coordinator after it adds the store; the default implementation does nothing.
  ///
  /// > Reference: Apple, didAdd(to:).
  open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

  /// Called by a coordinator before it removes the store; the default implementation does nothing.
  ///
  /// - Parameter coordinator: The coordinator; never nil.
  /// > Reference: Apple, willRemove(from:).
  open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

  final func adoptType(_ type: String) { state.withLock { $0.type = type } }

  /// Creates the backend of a custom store that is being added.
  ///
  /// - Returns: The backend.
  /// - Throws: The errors of the application, and `StoreError`.
  func makeBackend(
    _ settings: StoreConfiguration, for coordinator: NSPersistentStoreCoordinator
  ) throws -> any StoreBackend {
    throw StoreError(
      .unsupported,
      "The class \(Swift.type(of: self)) is neither an NSAtomicStore nor an NSIncrementalStore.")
  }

  /// Opens a custom store with its backend and its position in the coordinator.
  final func open(_ backend: any StoreBackend, position: Int) {
    self.backend = backend
    requests = backend as? RequestBackend
    self.position = position
    storeToken = StoreToken(backend.identifier)
    state.withLock { state in
      state.isOpen = true
      state.pending = nil
    }
  }

  /// Runs a closure that calls methods of the application's store class. An incremental store runs
  /// the closures of different threads one at a time.
  func serially(_ calls: () -> Void) { calls() }

  /// Assigns permanent keys to new objects, if the application chooses the keys.
  ///
  /// - Returns: A key for each object; nil if the store numbers the rows.
  /// - Throws: The errors of the application.
  func permanentKeys(for objects: [NSManagedObject]) throws -> [Int64]? { nil }

  /// Whether the store assigns permanent keys to new objects before it writes the objects.
  var namesObjectsItself: Bool { false }

  /// Writes the changes of a save and the unsaved metadata to this store.
  ///
  /// - Parameters:
  ///   - changes: The changes as rows.
  ///   - share: The changed objects.
  ///   - context: The context that saves.
  /// - Returns: The outcome of the commit.
  func commit(
    _ changes: inout ChangeSet, of share: SaveSet, in context: NSManagedObjectContext
  ) throws(StoreError) -> CommitOutcome {
    guard state.withLock({ $0.pending != nil }) else { return try backend.commit(&changes) }
    metadataTurn.lock()
    defer { metadataTurn.unlock() }
    let metadata = addMetadata(to: &changes)
    let outcome = try backend.commit(&changes)
    if let metadata, case .committed = outcome { forget(metadata) }
    return outcome
  }

  /// The reference objects of the application; nil if the store numbers its rows.
  var references: ReferenceTable? { nil }

  /// Returns the last path component of the URI of an object.
  final func uriName(of key: Int64, _ entity: CompiledEntity) -> String {
    references?.uriName(of: key, root: entity.rootIndex) ?? "p\(key)"
  }

  /// Returns the key for the last path component of a URI; nil if the component is invalid.
  final func key(named name: String, of entity: CompiledEntity) -> Int64? {
    if let references { return references.key(named: name, root: entity.rootIndex) }
    guard let key = Int64(name.dropFirst()), key > 0, name == "p\(key)" else { return nil }
    return key
  }

  // MARK: Writing

  /// The name of the store in errors: its path or its identifier.
  final var name: String { url?.path ?? backend.identifier }

  /// Throws `CocoaError` 134030 if the store is open for reading only.
  final func refuseReadOnly() throws {
    guard isReadOnly else { return }
    throw CocoaError.make(
      .persistentStoreSave, "The store is open for reading only. Nothing was written.",
      path: url?.path)
  }

  /// Throws if the store is read-only or closed, or if its file was deleted.
  final func requireWritable() throws {
    try refuseReadOnly()
    try surfacingErrors { try backend.requireWritable() }
  }
}

/// Metadata that the application has set and that the next save writes.
struct PendingMetadata {
  let values: StoreMetadata
  /// The number of times that the metadata of the store has been set.
  fileprivate let number: Int
  /// The error that the next save throws instead of writing the values; nil if it can write them.
  fileprivate let failure: StoreError?
}
