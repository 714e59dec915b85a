internal import Foundation
public import OpenObjectModel
internal import OpenStoreContract

/// A custom store that reads all objects when it is opened, and writes all objects in each save.
///
/// A subclass overrides the following methods:
///
/// - ``NSPersistentStore/loadMetadata()`` sets `metadata`, including the store's UUID.
/// - ``load()`` reads all objects and adds a node for each object.
/// - ``newCacheNode(for:)`` and ``updateCacheNode(_:from:)`` copy objects to nodes.
/// - ``save()`` writes all nodes.
///
/// The library creates rows in memory from the nodes. Fetches, faults, relationships and uniqueness
/// constraints therefore work as in every other store.
///
/// > Concurrency: `load()` runs on the thread that adds the store. The other methods run on the
/// > queue of the saving context, for one save at a time.
/// > Reference: Apple, NSAtomicStore.
// Invariant of the unchecked conformance: the nodes and the running save are used only while their
// locks are held.
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
  private let nodeLock = NSLock()
  @exclusivity(unchecked) private var nodes: [ObjectIdentity: NSAtomicStoreCacheNode] = [:]
  /// The identities of new and deleted objects since the store was opened.
  @exclusivity(unchecked) private var used: Set<ObjectIdentity> = []
  private let saveLock = NSRecursiveLock()
  /// The objects that the running save writes; nil for changes without objects.
  @exclusivity(unchecked) private var saving: SaveSet?
  private let table = ReferenceTable()
  private let weakReference = WeakReference<NSAtomicStore>()

  deinit { weakReference.end() }

  /// The root entity and the key of an object.
  private struct ObjectIdentity: Hashable {
    let root: Int
    let key: Int64

    init(root: Int, key: Int64) {
      self.root = root
      self.key = key
    }

    init(_ id: NSManagedObjectID) {
      self.init(root: id.compiledEntity.rootIndex, key: id.key)
    }
  }

  // MARK: For subclasses to override

  /// Reads all objects in the store, and adds a node for each object.
  ///
  /// Subclasses must override this method.
  ///
  /// Call ``addCacheNodes(_:)`` to add the nodes. Treat a missing or empty file as a new store.
  ///
  /// - Throws: An error if the objects cannot be read. The call that adds the store throws the
  ///   error unchanged. The default implementation throws `CocoaError` 134091.
  /// > Reference: Apple, NSAtomicStore, load().
  open func load() throws {
    throw unimplemented("load()")
  }

  /// Writes the complete store: all ``cacheNodes()`` and `metadata`.
  ///
  /// Subclasses must override this method.
  ///
  /// - Throws: An error if the store cannot be written. The context's save throws the error
  ///   unchanged, and the library restores the previous nodes and values. The default
  ///   implementation throws `CocoaError` 134091.
  /// > Reference: Apple, NSAtomicStore, save().
  open func save() throws {
    throw unimplemented("save()")
  }

  /// Creates the node for a new object.
  ///
  /// The object already has its permanent id, but the destinations of its relationships may not
  /// have nodes yet. Set the values in ``updateCacheNode(_:from:)``, which the library calls after
  /// it has created the nodes of all new objects. The default implementation creates a node without
  /// values.
  ///
  /// - Parameter managedObject: The new object.
  /// - Returns: The node, with the id of the object. If the node has another id, the save throws
  ///   `CocoaError` 134070.
  /// > Reference: Apple, NSAtomicStore, newCacheNode(for:).
  open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    NSAtomicStoreCacheNode(objectID: managedObject.currentID)
  }

  /// Copies an object's values to its node.
  ///
  /// The default implementation copies the values of all stored attributes, and sets the nodes of
  /// the destinations as the values of relationships.
  ///
  /// - Parameters:
  ///   - node: The node of the object.
  ///   - managedObject: The new or changed object.
  /// > Reference: Apple, NSAtomicStore, updateCacheNode(_:from:).
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

  /// Prepares the store for the removal of the nodes of deleted objects.
  ///
  /// The library calls this method during a save, before it removes the nodes from the store and
  /// from the to-many relationships of other nodes. The default implementation does nothing.
  ///
  /// - Parameter cacheNodes: The nodes of the deleted objects.
  /// > Reference: Apple, NSAtomicStore, willRemoveCacheNodes(_:).
  open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

  /// Creates the reference object for a new object.
  ///
  /// The reference object is a number or a string that identifies the object in the store.
  ///
  /// No two objects with the same root entity may have the same reference object, even if one of
  /// the objects was deleted. If another object already has the reference object, the save throws
  /// `CocoaError` 134070. The default implementation returns the string of a new UUID.
  ///
  /// - Parameter managedObject: The new object.
  /// - Returns: The reference object.
  /// > Reference: Apple, NSAtomicStore, newReferenceObject(for:).
  open func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }

  // MARK: For subclasses to call

  /// Returns all nodes in the store.
  ///
  /// > Reference: Apple, NSAtomicStore, cacheNodes().
  open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { nodeLock.withLock { Set(nodes.values) } }

  /// Adds nodes to the store.
  ///
  /// Call this method in ``load()`` with a node for each object that you read.
  ///
  /// - Parameter cacheNodes: The nodes. A node replaces an earlier node with the same id.
  /// > Reference: Apple, NSAtomicStore, addCacheNodes(_:).
  open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
    nodeLock.withLock {
      for node in cacheNodes { nodes[ObjectIdentity(node.objectID)] = node }
    }
  }

  /// Returns the node of an object.
  ///
  /// - Parameter objectID: The id of the object.
  /// - Returns: The node; nil if the store has no node for the object.
  /// > Reference: Apple, NSAtomicStore, cacheNode(for:).
  open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
    nodeLock.withLock { nodes[ObjectIdentity(objectID)] }
  }

  /// Returns the id of the object that a reference object identifies.
  ///
  /// If the coordinator's model does not have the entity, the method logs an error, and returns an
  /// id that does not belong to any object.
  ///
  /// - Parameters:
  ///   - entity: The object's entity in the coordinator's model.
  ///   - data: The reference object, a number or a string.
  /// - Returns: The id.
  /// > Reference: Apple, NSAtomicStore, objectID(for:withReferenceObject:).
  open func objectID(
    for entity: NSEntityDescription, withReferenceObject data: Any
  ) -> NSManagedObjectID {
    makeObjectID(entity, data, table)
  }

  /// Returns the reference object of an object in the store.
  ///
  /// - Parameter objectID: The id of the object.
  /// - Returns: The reference object. If the store has no reference object for the id, the method
  ///   returns the numeric key in the id, as an `NSNumber`.
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
      return try makeRowStore(settings, for: coordinator)
    } catch {
      releaseNodes()
      throw error
    }
  }

  /// Creates the rows of the nodes.
  private func makeRowStore(
    _ settings: StoreConfiguration, for coordinator: NSPersistentStoreCoordinator
  ) throws -> any StoreBackend {
    let match = ModelMatch(
      model: coordinator.model, configurationName: settings.configurationName,
      path: settings.url?.path)
    let given = metadata.compactMapValues(PropertyListValue.plain)
    if !settings.ignoresModelVersion { try match.requireVersions(in: given) }
    var contents = StoreContents(
      identifier: given[NSStoreUUIDKey] as? String ?? UUID().uuidString,
      metadata: given.merging(match.metadata()) { $1 })
    contents.metadata[NSStoreTypeKey] = type
    var builder = ContentsBuilder(
      model: coordinator.model, path: settings.url?.path ?? type,
      problem: "The nodes of the class \(Swift.type(of: self)) are invalid",
      remedy: "Correct the nodes that load() adds.")
    for node in cacheNodes() { try builder.add(try NodeReader(node).object()) }
    try builder.fill(&contents)
    return try StoreTypes.makeRowStore(
      settings, coordinator.model, contents, NodePersistence(weakReference))
  }

  /// Releases the nodes of a store that is closed.
  final func releaseNodes() {
    // Nodes retain each other and ids, and ids retain the store.
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
    // After an error, the references stay free, so that the call can be repeated.
    var new: Set<ObjectIdentity> = []
    let keys = try objects.map { object in
      let root = object.compiledEntity.rootIndex
      let key = table.key(of: newReferenceObject(for: object), root: root)
      let identity = ObjectIdentity(root: root, key: key)
      guard !isUsed(identity), new.insert(identity).inserted else {
        throw CocoaError.make(
          .persistentStoreOperation,
          "newReferenceObject(for:) of \(Swift.type(of: self)) returned a reference that is already used by another "
            + "object of \(object.compiledEntity.name).")
      }
      return key
    }
    nodeLock.withLock { used.formUnion(new) }
    return keys
  }

  /// Whether an object has, or a deleted object had, an identity.
  ///
  /// The table of references also contains references that were only looked up.
  private func isUsed(_ identity: ObjectIdentity) -> Bool {
    nodeLock.withLock { nodes[identity] != nil || used.contains(identity) }
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
    let metadata = addMetadata(to: &changes)
    let outcome = try backend.commit(&changes)
    if let metadata, case .committed = outcome { forget(metadata) }
    return outcome
  }

  /// Updates the nodes and writes the nodes.
  ///
  /// - Throws: `StoreError` with code `.application` and the error that ``save()`` threw.
  func write(_ changes: ChangeSet) throws(StoreError) {
    saveLock.lock()
    defer { saveLock.unlock() }
    guard let share = saving else {
      throw StoreError(
        .unsupported,
        "A custom atomic store can save only the objects of contexts. Copies of other stores cannot be "
          + "written to it.")
    }
    var former = NodeStates(of: share, in: self)
    do {
      try apply(share)
      former.members = removeMembers(share.deleted)
      try save()
    } catch {
      restore(former)
      throw StoreError(
        .application, "The store's save() threw an error: \(error)", path: url?.path,
        underlying: error)
    }
  }

  private func apply(_ share: SaveSet) throws {
    let new = share.inserted.map(newCacheNode)
    guard zip(new, share.inserted).allSatisfy({ $0.objectID == $1.currentID }) else {
      throw CocoaError.make(
        .persistentStoreOperation,
        "newCacheNode(for:) of \(Swift.type(of: self)) returned the node of another object.")
    }
    addCacheNodes(Set(new))
    for object in share.inserted + share.updated {
      guard let node = cacheNode(for: object.currentID) else { continue }
      updateCacheNode(node, from: object)
    }
    let removed = Set(share.deleted.compactMap { cacheNode(for: $0.currentID) })
    guard !removed.isEmpty else { return }
    willRemoveCacheNodes(removed)
    nodeLock.withLock {
      for node in removed {
        let identity = ObjectIdentity(node.objectID)
        nodes[identity] = nil
        used.insert(identity)
      }
    }
  }

  /// Removes the nodes of deleted objects from the to-many relationships of all other nodes.
  ///
  /// - Returns: The former values of the changed relationships.
  private func removeMembers(
    _ deleted: [NSManagedObject]
  ) -> [(node: NSAtomicStoreCacheNode, name: String, value: Any)] {
    if deleted.isEmpty { return [] }
    let ids = Set(deleted.map(\.currentID))
    return cacheNodes().flatMap { $0.removeMembers(ids) }
  }

  /// Restores the nodes to their state before a failed save.
  private func restore(_ former: NodeStates) {
    for (node, name, value) in former.members { node.setValue(value, forKey: name) }
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
    case let object as NSManagedObject: return cacheNode(for: object.currentID)
    case let ordered as NSOrderedSet:
      return NSOrderedSet(array: ordered.array.compactMap(nodeValue))
    case let members?:
      let objects = PropertyAssignment.objects(in: members) ?? []
      return NSSet(array: objects.compactMap { cacheNode(for: $0.currentID) })
    case nil: return nil
    }
  }
}
