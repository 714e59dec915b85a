internal import OpenObjectModel
internal import OpenStoreContract
internal import Synchronization

/// What a context's objects keep of it: the way back to the context, without keeping it alive.
///
/// Outlives the context, so that an object that is released late can still leave the identity map.
// Invariant of the unchecked conformance: all but `weakReference` is used on the context's queue only; the identity map locks by itself.
final class ContextRegistry: @unchecked Sendable {
  let identityMap: IdentityMap
  /// The model of the objects.
  let model: CompiledModel
  /// The context, for its own queue; nil once it is gone.
  var context: NSManagedObjectContext? { uncountedContext?.takeUnretainedValue() }
  @exclusivity(unchecked) private var uncountedContext: Unmanaged<NSManagedObjectContext>?
  private let weakReference: WeakReference<NSManagedObjectContext>?
  /// The coordinator's stores as last seen by the context; behind them the stores that were removed and of which
  /// objects are registered.
  @exclusivity(unchecked) private var stores: [NSPersistentStore] = []
  /// The positions of `stores`.
  @exclusivity(unchecked) private var positions: [Int] = []
  /// How many of the stores are the coordinator's.
  @exclusivity(unchecked) private var attachedCount = 0

  /// What is done for observers of the objects.
  let observation: ContextObservation
  /// The to-many relationships that are loaded, for changes that no row describes.
  @exclusivity(unchecked) var loadedLists = LoadedLists()

  /// The tokens of the entities of the context's model, by position; none without coordinator.
  private let entityTokens: [UInt32]

  /// Whether an entity, told by its position and its token, is one of the context's model.
  @inline(__always)
  func holds(entity index: Int, _ token: UInt32) -> Bool {
    index < entityTokens.count && entityTokens[index] == token
  }

  /// Where new objects go, by entity.
  @exclusivity(unchecked) var defaultStorePositions: [UInt32] = []
  /// The revision of the coordinator's list of stores from which `stores` was read.
  @exclusivity(unchecked) private var revision = -1

  /// Takes over the coordinator's stores if any was added or removed.
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
    stores = attached + removed
    positions = stores.map(\.position)
    attachedCount = attached.count
    defaultStorePositions = coordinator.defaultStorePositions
  }

  /// Where contexts without coordinator look; holds nothing.
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

  /// Calls `body` with the context, on its own queue, if it is there.
  @inline(__always)
  func withContext(_ body: (NSManagedObjectContext) -> Void) {
    uncountedContext?._withUnsafeGuaranteedRef(body)
  }

  /// Forgets the context, which is going away.
  func endContext() {
    uncountedContext = nil
    observation.end()
  }

  /// The context, for other threads.
  var sharedContext: NSManagedObjectContext? { weakReference?.target }

  // MARK: Keys that a parent made permanent

  /// Permanent keys by the temporary ones that objects of a parent had; written by the parent's save.
  private let renamed = Mutex(Renames())

  private struct Renames {
    var keys: [Int64: Int64] = [:]
    /// Those of registered objects that are not yet filed under their new key.
    var due: [ObjectRename] = []
  }

  /// Notes the permanent keys that a save of the parent gave.
  ///
  /// > Concurrency: Any thread.
  func note(_ renames: [ObjectRename]) {
    renamed.withLock { state in
      for rename in renames {
        state.keys[rename.temporaryKey] = rename.key
        let object = identityMap.object(
          store: rename.store, root: rename.root, key: rename.temporaryKey)
        if object != nil { state.due.append(rename) }
      }
    }
  }

  /// Hands out the renames of registered objects that were not yet executed.
  func takeRenames() -> [ObjectRename] {
    renamed.withLock { state in
      defer { state.due = [] }
      return state.due
    }
  }

  /// The key by which an object is known now.
  @inline(__always)
  func presentKey(_ key: Int64) -> Int64 {
    key < 0 ? renamedKey(key) : key
  }

  private func renamedKey(_ key: Int64) -> Int64 { renamed.withLock { $0.keys[key] ?? key } }

  /// The token of a store; 0 without one.
  func storeToken(at position: Int) -> UInt32 {
    guard let place = place(of: position) else { return 0 }
    return borrowing(stores[place]) { $0.token }
  }

  /// The store at a position; a removed one as long as objects of it are registered.
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

  @inline(__always)
  private func place(of position: Int) -> Int? {
    for place in 0..<positions.count where positions[place] == position { return place }
    return nil
  }
}

/// A temporary key and the permanent one that took its place.
struct ObjectRename: Sendable {
  var store: Int
  var root: Int
  var temporaryKey: Int64
  var key: Int64
}
