internal import Foundation
public import OpenObjectModel
internal import OpenStoreContract

/// A custom store that is read and written as a whole.
///
/// A subclass provides `metadata` (with the store's UUID), reads everything in ``load()`` and adds it as nodes, turns objects into
/// nodes in ``newCacheNode(for:)`` and ``updateCacheNode(_:from:)``, and writes all nodes in ``save()``. Fetches, faults,
/// relationships and uniqueness constraints then work as in every store, on rows in memory that are created from the nodes.
///
/// > Concurrency: `load()` runs on the thread that adds the store; the other methods on the queue of the context that saves,
/// > for one save at a time.
/// > Reference: Apple, NSAtomicStore.
// Invariant of the unchecked conformance: the nodes and the running save are used only while their locks are held.
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
  private let nodeLock = NSLock()
  @exclusivity(unchecked) private var nodes: [ObjectIdentity: NSAtomicStoreCacheNode] = [:]
  private let saveLock = NSRecursiveLock()
  /// What a save of this thread writes; nil for changes that come without objects.
  @exclusivity(unchecked) private var saving: SaveSet?
  private let table = ReferenceTable()
  private let weakReference = WeakReference<NSAtomicStore>()

  deinit { weakReference.end() }

  /// An object by the root of its entity.
  private struct ObjectIdentity: Hashable {
    let root: Int
    let key: Int64

    init(_ id: NSManagedObjectID) {
      root = id.compiledEntity.rootIndex
      key = id.key
    }
  }

  // MARK: For subclasses to override

  /// Reads the complete store, and adds its objects with ``addCacheNodes(_:)``.
  ///
  /// A missing or empty file is a new store.
  ///
  /// - Throws: An error that makes adding the store fail; the caller receives it unchanged.
  /// > Reference: Apple, NSAtomicStore, load().
  open func load() throws {
    throw unimplemented("load()")
  }

  /// Writes the whole store: all of ``cacheNodes()`` and `metadata`.
  ///
  /// - Throws: An error that makes the save fail; the caller receives it unchanged. Nodes and objects are then
  ///   unchanged.
  /// > Reference: Apple, NSAtomicStore, save().
  open func save() throws {
    throw unimplemented("save()")
  }

  /// Creates the node of a new object, which has its permanent id.
  ///
  /// Its destinations may have no nodes yet; ``updateCacheNode(_:from:)`` is called after all nodes were created.
  ///
  /// - Returns: The node.
  /// > Reference: Apple, NSAtomicStore, newCacheNode(for:). Addition: the method of this class creates a plain node.
  open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    NSAtomicStoreCacheNode(objectID: managedObject.objectID)
  }

  /// Copies an object's values to its node.
  ///
  /// > Reference: Apple, NSAtomicStore, updateCacheNode(_:from:). Addition: the method of this class puts all stored values, and
  /// > nodes for relationships.
  open func updateCacheNode(
    _ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject
  ) {
    for property in managedObject.compiledEntity.properties
    where !property.isTransient && !property.isElement {
      let value = managedObject.value(forKey: property.name)
      guard property.relationship != nil else {
        node.setValue(value, forKey: property.name)
        continue
      }
      node.setValue(nodeValue(value), forKey: property.name)
    }
  }

  /// Called before the nodes of deleted objects are removed.
  ///
  /// > Reference: Apple, NSAtomicStore, willRemoveCacheNodes(_:).
  open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

  /// Creates a reference for a new object: a number or a string that no other object of the same root entity has or
  /// had.
  ///
  /// - Returns: The value.
  /// > Reference: Apple, NSAtomicStore, newReferenceObject(for:). Addition: the method of this class creates a UUID.
  open func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }

  // MARK: For subclasses to call

  /// All nodes.
  ///
  /// - Returns: All nodes.
  /// > Reference: Apple, NSAtomicStore, cacheNodes().
  open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { nodeLock.withLock { Set(nodes.values) } }

  /// Adds nodes; ``load()`` calls it with the nodes that it has read.
  ///
  /// > Reference: Apple, NSAtomicStore, addCacheNodes(_:).
  open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
    nodeLock.withLock {
      for node in cacheNodes { nodes[ObjectIdentity(node.objectID)] = node }
    }
  }

  /// The node of an object; nil when there is none.
  ///
  /// - Returns: The node of an object; nil when there is none.
  /// > Reference: Apple, NSAtomicStore, cacheNode(for:).
  open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
    nodeLock.withLock { nodes[ObjectIdentity(objectID)] }
  }

  /// The id of the object that a reference names.
  ///
  /// - Parameters:
  ///   - entity: The object's entity, one of the coordinator's model.
  ///   - data: A number or a string.
  /// - Returns: The id of the object that a reference names.
  /// > Reference: Apple, NSAtomicStore, objectID(for:withReferenceObject:).
  open func objectID(
    for entity: NSEntityDescription, withReferenceObject data: Any
  ) -> NSManagedObjectID {
    makeObjectID(entity, data, table)
  }

  /// The reference of an object of the store; the id's number where there is none.
  ///
  /// - Returns: The reference of an object of the store.
  /// > Reference: Apple, NSAtomicStore, referenceObject(for:).
  open func referenceObject(for objectID: NSManagedObjectID) -> Any {
    table.reference(of: objectID)
  }

  // MARK: Opening

  override func makeBackend(
    _ settings: StoreConfiguration, for coordinator: NSPersistentStoreCoordinator
  ) throws -> any StoreBackend {
    weakReference.begin(self)
    do {
      try loadMetadata()
      try load()
    } catch {
      coordinatorWillDeallocate()
      throw error
    }
    let match = ModelMatch(
      model: coordinator.model, configurationName: settings.configurationName,
      path: settings.url?.path)
    let given = metadata.compactMapValues(PropertyListValue.plain)
    if !settings.ignoresModelVersion { try match.requireVersions(in: given) }
    var contents = StoreContents(
      identifier: given[NSStoreUUIDKey] as? String ?? UUID().uuidString,
      metadata: given.merging(match.metadata()) { $1 })
    contents.metadata[NSStoreTypeKey] = type
    var builder = ContentsBuilder(model: coordinator.model, path: settings.url?.path ?? type)
    for node in cacheNodes() { try builder.add(try NodeReader(node).object()) }
    try builder.fill(&contents)
    return try StoreTypes.makeRowStore(
      settings, coordinator.model, contents, NodePersistence(weakReference))
  }

  override func coordinatorWillDeallocate() {
    // Nodes keep each other, and ids, which keep the store.
    let dropped = nodeLock.withLock {
      defer { nodes = [:] }
      return nodes
    }
    for node in dropped.values { node.propertyCache = nil }
  }

  override var references: ReferenceTable? { table }

  // MARK: Saving

  override var namesObjectsItself: Bool { true }

  override func permanentKeys(for objects: [NSManagedObject]) throws -> [Int64]? {
    try objects.map { object in
      let reference = newReferenceObject(for: object)
      let root = object.compiledEntity.rootIndex
      guard !table.contains(reference, root: root) else {
        throw CocoaError.make(
          .persistentStoreOperation,
          "newReferenceObject(for:) of \(Swift.type(of: self)) returned a reference that another object of "
            + "\(object.compiledEntity.name) has.")
      }
      return table.key(of: reference, root: root)
    }
  }

  override func commit(
    _ changes: inout ChangeSet, of share: SaveSet, in context: NSManagedObjectContext
  ) throws(StoreError) -> CommitOutcome {
    saveLock.lock()
    let outer = saving
    saving = share
    defer {
      saving = outer
      saveLock.unlock()
    }
    return try backend.commit(&changes)
  }

  /// Brings the nodes up to date, and writes them.
  ///
  /// - Throws: `StoreError` with code `.application` and the error that ``save()`` threw.
  func write(_ changes: ChangeSet) throws(StoreError) {
    saveLock.lock()
    defer { saveLock.unlock() }
    guard let share = saving else {
      throw StoreError(
        .unsupported,
        "An atomic store of the application takes the objects of contexts; batch requests and copies of other stores "
          + "cannot be written to it.")
    }
    let former = NodeStates(of: share, in: self)
    do {
      apply(share)
      try save()
    } catch {
      restore(former)
      throw StoreError(
        .application, "The store's save() threw: \(error)", path: url?.path, underlying: error)
    }
  }

  private func apply(_ share: SaveSet) {
    addCacheNodes(Set(share.inserted.map(newCacheNode)))
    for object in share.inserted + share.updated {
      guard let node = cacheNode(for: object.objectID) else { continue }
      updateCacheNode(node, from: object)
    }
    let removed = Set(share.deleted.compactMap { cacheNode(for: $0.objectID) })
    guard !removed.isEmpty else { return }
    willRemoveCacheNodes(removed)
    nodeLock.withLock {
      for node in removed { nodes[ObjectIdentity(node.objectID)] = nil }
    }
  }

  /// Takes back what a save that failed did to the nodes.
  private func restore(_ former: NodeStates) {
    nodeLock.withLock {
      for id in former.inserted { nodes[ObjectIdentity(id)] = nil }
      for (node, values) in former.values {
        node.propertyCache = values.map(NSMutableDictionary.init(values:))
        nodes[ObjectIdentity(node.objectID)] = node
      }
    }
  }

  private func nodeValue(_ value: Any?) -> Any? {
    switch value {
    case let object as NSManagedObject: return cacheNode(for: object.objectID)
    case let ordered as NSOrderedSet:
      return NSOrderedSet(array: ordered.array.compactMap(nodeValue))
    case let members?:
      let objects = PropertyAssignment.objects(in: members) ?? []
      return NSSet(array: objects.compactMap { cacheNode(for: $0.objectID) })
    case nil: return nil
    }
  }
}
