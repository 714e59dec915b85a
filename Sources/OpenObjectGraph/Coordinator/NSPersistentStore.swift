public import Foundation
internal import OpenObjectModel
package import OpenStoreContract
internal import Synchronization

/// A store that a coordinator has opened.
///
/// Stores of the application are subclasses of `NSAtomicStore` or `NSIncrementalStore`.
///
/// > Concurrency: Usable on any thread.
/// > Reference: Apple, NSPersistentStore.
// Invariant of the unchecked conformance: immutable but for `state`, which is behind its lock; `backend`, `requests`,
// `position` and `storeToken` are set once more for custom stores, before the coordinator hands the store out.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  @exclusivity(unchecked) package private(set) final var backend: any StoreBackend
  /// What answers the requests of contexts in place of the backend's plans; nil but for incremental stores.
  @exclusivity(unchecked) private(set) final var requests: RequestBackend?
  final let rowCache: RowCache
  /// Position in the coordinator that opened it.
  @exclusivity(unchecked) private(set) final var position: Int
  /// Names the store in references to objects; the same for all stores of the process with its identifier.
  package final var token: UInt32 { storeToken.number }
  @exclusivity(unchecked) private final var storeToken: StoreToken
  /// Whether the store keeps a history of its changes.
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
    /// Whether a custom store has read what it needs.
    var isOpen = true
    var pending: PendingMetadata?
    var settings = 0
    /// Why the last read of the metadata failed; nil when it did not.
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

  /// Creates a custom store, which reads nothing yet.
  ///
  /// Coordinators call it for the class that was registered for a type. A subclass that overrides it marks it `required`.
  ///
  /// - Parameters:
  ///   - root: The coordinator.
  ///   - name: The configuration of the model; nil for all entities.
  ///   - url: The store's location.
  ///   - options: The options that the store is added with.
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

  /// Type, location and identifier; a password in the URL is omitted.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "type": DebugText.Verbatim(type), "url": url, "identifier": identifier as String?,
        "configuration": configuration, "isReadOnly": isReadOnly ? true : nil,
      ])
  }

  /// The kind of store: the type string that it was added with.
  open var type: String { state.withLock { $0.type } }
  /// The store's configuration of the model.
  open var configurationName: String { configuration ?? Self.defaultConfigurationName }
  /// The options it was opened with.
  open var options: [AnyHashable: Any]? { givenOptions }
  /// The store's file; nil for a store without one.
  open var url: URL? {
    get { state.withLock { $0.url } }
    set { state.withLock { $0.url = newValue } }
  }
  /// The store's UUID, which is part of every object id.
  ///
  /// Setting it has an effect only for a custom store, until it is open.
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
  /// Whether saves into the store fail.
  open var isReadOnly: Bool {
    get { state.withLock { $0.isReadOnly } }
    set { state.withLock { $0.isReadOnly = newValue } }
  }
  /// The coordinator that opened the store.
  public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? { coordinator.target }

  /// Whether another store is this one, opened by another coordinator or at another time.
  final func isSame(as other: NSPersistentStore) -> Bool {
    self === other || backend.identifier == other.backend.identifier
  }

  /// The store's metadata; the next save of any context writes new values.
  ///
  /// If the metadata cannot be read, it contains only the store's type and identifier. Setting it then makes the next
  /// save throw the error of the read, because the save would overwrite entries that the application has not seen.
  ///
  /// A custom store sets the metadata before it is open, with at least its identifier.
  ///
  /// > Reference: Apple, metadata. Addition: the error of the save.
  open var metadata: [String: Any]! {
    get {
      let (isOpen, pending, kind) = state.withLock { ($0.isOpen, $0.pending, $0.type) }
      guard isOpen else { return pending?.values ?? [:] }
      var metadata: [String: Any] = [:]
      do throws(StoreError) {
        metadata = if let pending { pending.values } else { try backend.metadata() }
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
      let plain = (newValue ?? [:]).compactMapValues(PropertyListValue.plain)
      state.withLock { state in
        state.settings += 1
        state.pending = PendingMetadata(
          values: plain, number: state.settings, unread: state.failure)
      }
    }
  }

  /// The metadata to write with the next save.
  ///
  /// - Throws: `CocoaError` when the application set it without having seen the stored metadata; it is dropped then.
  final func pendingMetadata() throws -> PendingMetadata? {
    let pending = state.withLock { $0.pending }
    guard let pending, let unread = pending.unread else { return pending }
    forget(pending)
    throw CocoaError.make(unread)
  }

  /// Forgets metadata that was written or dropped, unless the application has set it again meanwhile.
  final func forget(_ metadata: PendingMetadata) {
    state.withLock { state in
      if state.pending?.number == metadata.number { state.pending = nil }
    }
  }

  // MARK: Stores of the application

  /// Reads the metadata of a custom store without opening it.
  ///
  /// - Returns: The values by name.
  /// - Throws: `CocoaError`; subclasses override it.
  /// > Reference: Apple, metadataForPersistentStore(with:).
  open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    throw CocoaError.make(
      .persistentStoreUnsupportedRequestType,
      "The class \(self) does not override metadataForPersistentStore(with:).", path: url.path)
  }

  /// Writes the metadata of a custom store without opening it.
  ///
  /// - Throws: `CocoaError`; subclasses override it.
  /// > Reference: Apple, setMetadata(_:forPersistentStoreAt:).
  open class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreAt url: URL
  ) throws {
    throw CocoaError.make(
      .persistentStoreUnsupportedRequestType,
      "The class \(self) does not override setMetadata(_:forPersistentStoreAt:).", path: url.path)
  }

  /// Reads the metadata of a custom store that is being added, and sets `metadata`.
  ///
  /// - Throws: An error that makes adding the store fail.
  /// > Reference: Apple, loadMetadata().
  open func loadMetadata() throws {}

  /// Called after the store was added to a coordinator.
  ///
  /// > Reference: Apple, didAdd(to:).
  open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

  /// Called before the store is removed from a coordinator.
  ///
  /// > Reference: Apple, willRemove(from:).
  open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

  final func adoptType(_ type: String) { state.withLock { $0.type = type } }

  /// Makes a custom store that is being added serve rows.
  ///
  /// - Throws: What the application throws; `StoreError`.
  func makeBackend(
    _ settings: StoreConfiguration, for coordinator: NSPersistentStoreCoordinator
  ) throws -> any StoreBackend {
    throw StoreError(
      .unsupported,
      "The class \(Swift.type(of: self)) is neither an NSAtomicStore nor an NSIncrementalStore.")
  }

  /// Takes the URL that the coordinator assigns.
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

  /// Called when the coordinator is deallocated with the store still attached.
  func coordinatorWillDeallocate() {}

  /// Gives new objects permanent keys where the store does not number them itself.
  ///
  /// - Returns: A key for each object; nil where the keys are those of the rows' sequence.
  func permanentKeys(for objects: [NSManagedObject]) throws -> [Int64]? { nil }

  /// Whether new objects get their permanent keys before they are written.
  var namesObjectsItself: Bool { false }

  /// Writes a save's changes of this store.
  ///
  /// - Parameters:
  ///   - changes: The changes as rows.
  ///   - share: The objects that they are of.
  ///   - context: The context that saves.
  func commit(
    _ changes: inout ChangeSet, of share: SaveSet, in context: NSManagedObjectContext
  ) throws(StoreError) -> CommitOutcome {
    try backend.commit(&changes)
  }

  /// What the application calls its objects; nil where rows number them.
  var references: ReferenceTable? { nil }

  /// How a URI names an object of the store.
  final func uriName(of key: Int64, _ entity: CompiledEntity) -> String {
    references?.uriName(of: key, root: entity.rootIndex) ?? "p\(key)"
  }

  /// The key of the object that the last part of a URI names; nil when it names none.
  final func key(named name: String, of entity: CompiledEntity) -> Int64? {
    if let references { return references.key(named: name, root: entity.rootIndex) }
    guard let key = Int64(name.dropFirst()), key > 0, name == "p\(key)" else { return nil }
    return key
  }

  // MARK: Writing

  /// What errors call the store.
  final var name: String { url?.path ?? backend.identifier }

  /// Throws when the store is open as read-only.
  final func refuseReadOnly() throws {
    guard isReadOnly else { return }
    throw CocoaError.make(
      .persistentStoreSave, "The store is open for reading only; nothing was written.",
      path: url?.path)
  }

  /// Throws when the store could not take changes: it is read-only or closed, or its file was deleted.
  final func requireWritable() throws {
    try refuseReadOnly()
    do { try backend.requireWritable() } catch { throw CocoaError.surfaced(error) }
  }
}

/// Metadata that the application set, and that the next save writes.
struct PendingMetadata {
  let values: StoreMetadata
  /// Counts the settings of one store.
  fileprivate let number: Int
  /// Why the entries that these ones replace could not be read.
  fileprivate let unread: StoreError?
}
