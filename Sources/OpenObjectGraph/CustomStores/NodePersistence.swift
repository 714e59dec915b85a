internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// Writes changed rows of an atomic custom store to the store's nodes.
///
/// > Concurrency: Usable on any thread.
final class NodePersistence: RowPersistence {
  let capabilities: StoreCapabilities = [.durable, .uniquenessConstraints]
  private let weakReference: WeakReference<NSAtomicStore>

  init(_ weakReference: WeakReference<NSAtomicStore>) { self.weakReference = weakReference }

  func requireWritable() throws(StoreError) {}

  func write(
    _ contents: any StoreBackend, nextKeys: [Int: Int64], changes: ChangeSet
  ) throws(StoreError) {
    guard let store = weakReference.target else {
      throw StoreError(.closed, "The store is closed. Add it to the coordinator again.")
    }
    try store.write(changes)
  }

  func close() { weakReference.target?.releaseNodes() }
}

/// The state of nodes before a save changes them.
struct NodeStates {
  /// The ids of objects that have no nodes yet.
  let inserted: [NSManagedObjectID]
  /// The values of the other objects' nodes.
  let values: [(node: NSAtomicStoreCacheNode, values: [(key: Any, value: Any)]?)]
  /// The former values of relationships from which deleted nodes were removed.
  var members: [(node: NSAtomicStoreCacheNode, name: String, value: Any)] = []

  init(of share: SaveSet, in store: NSAtomicStore) {
    inserted = share.inserted.map(\.currentID)
    values = (share.updated + share.deleted).compactMap { object in
      store.cacheNode(for: object.currentID).map { node in
        (node, node.propertyCache.map { cache in cache.map { ($0.key, $0.value) } })
      }
    }
  }
}

extension NSAtomicStoreCacheNode {
  /// Removes deleted nodes from the to-many relationships of this node.
  ///
  /// The context does not change this object if the relationship has no inverse, or if the delete
  /// rule of the inverse is No Action.
  ///
  /// - Parameter ids: The ids of the deleted nodes.
  /// - Returns: The former values of the changed relationships.
  func removeMembers(
    _ ids: Set<NSManagedObjectID>
  ) -> [(node: NSAtomicStoreCacheNode, name: String, value: Any)] {
    var changed: [(node: NSAtomicStoreCacheNode, name: String, value: Any)] = []
    for property in objectID.compiledEntity.properties
    where property.relationship?.isToMany == true {
      guard let value = self.value(forKey: property.name),
        let members = NodeReader.members(of: value)
      else { continue }
      let kept = members.filter { member in
        NodeReader.id(of: member).map { !ids.contains($0) } ?? true
      }
      guard kept.count < members.count else { continue }
      changed.append((self, property.name, value))
      setValue(NodeReader.collection(of: kept, like: value), forKey: property.name)
    }
    return changed
  }
}

extension NSMutableDictionary {
  /// Creates a dictionary with values by key.
  convenience init(values: [(key: Any, value: Any)]) {
    self.init()
    for (key, value) in values {
      if let key = key as? String {
        setObject(value, forKey: key as NSString)
      }
    }
  }
}

/// Reads a node of an atomic custom store. Used only while the store is opened.
struct NodeReader {
  private let node: NSAtomicStoreCacheNode
  private let entity: CompiledEntity

  init(_ node: NSAtomicStoreCacheNode) {
    self.node = node
    entity = node.objectID.compiledEntity
  }

  /// Returns the object of the node.
  ///
  /// - Throws: `CocoaError` for a value that does not have the type of its property.
  func object() throws -> StoredObject {
    var object = StoredObject(entity: entity, key: node.objectID.key)
    for property in entity.properties where !property.isTransient && !property.isElement {
      guard let value = node.value(forKey: property.name), !(value is NSNull) else { continue }
      switch property.kind {
      case .attribute: try put(value, property, into: &object)
      case .relationship(let relationship) where relationship.isToMany:
        object.toMany.append((property.ordinal, try keys(value, property)))
      case .relationship:
        guard let key = Self.key(value) else { throw BatchValue.unfit(property, entity) }
        object.toOne.append((property.ordinal, key))
      }
    }
    return object
  }

  private func put(
    _ value: Any, _ property: CompiledProperty, into object: inout StoredObject
  ) throws {
    if let slot = property.slot {
      let content = try BatchValue.content(value, property, entity)
      return object.values.append(SlotValue(slot: slot, content: content))
    }
    guard let given = value as? [String: Any] else { throw BatchValue.unfit(property, entity) }
    for (name, value) in CompositeValue(given, named: property.name, of: entity).elements {
      guard let ordinal = entity.ordinal(of: name) else { throw BatchValue.unfit(property, entity) }
      try put(value, entity.properties[ordinal], into: &object)
    }
  }

  private func keys(_ value: Any, _ property: CompiledProperty) throws -> [Int64] {
    guard let members = Self.members(of: value) else { throw BatchValue.unfit(property, entity) }
    let keys = members.compactMap(Self.key)
    guard keys.count == members.count else { throw BatchValue.unfit(property, entity) }
    return keys
  }

  /// Returns the members of a collection; nil for any other value.
  static func members(of value: Any) -> [Any]? {
    switch value {
    case let set as NSSet: set.allObjects
    case let set as NSOrderedSet: set.array
    case let array as [Any]: array
    case let set as Set<AnyHashable>: set.map(\.base)
    default: nil
    }
  }

  /// Returns a collection of the same kind as another collection.
  static func collection(of members: [Any], like value: Any) -> Any {
    switch value {
    case is NSOrderedSet: NSOrderedSet(array: members)
    case is [Any]: members
    default: NSSet(array: members)
    }
  }

  /// Returns the id of a destination, which is a node or an id; nil for any other value.
  static func id(of value: Any) -> NSManagedObjectID? {
    switch value {
    case let node as NSAtomicStoreCacheNode: node.objectID
    case let id as NSManagedObjectID: id
    default: nil
    }
  }

  private static func key(_ value: Any) -> Int64? { id(of: value)?.key }
}

extension NSManagedObjectID {
  /// Returns whether the id is for an object of an entity or of its subentities.
  func refers(to entity: CompiledEntity) -> Bool {
    compiledEntity.rootToken == entity.rootToken && entity.subtree.contains(compiledEntity.index)
  }
}

extension NSPersistentStore {
  /// Returns the id of the object with an entity and a reference object.
  ///
  /// For an entity that the model does not have, the method logs an error and returns an id of no
  /// object.
  func makeObjectID(
    _ entity: NSEntityDescription, _ reference: Any, _ references: ReferenceTable
  ) -> NSManagedObjectID {
    let known = entity.name.flatMap { persistentStoreCoordinator?.model.entity(named: $0) }
    guard let known else {
      GraphLog.error(
        "An object id was requested for the entity \(entity.name ?? "without a name"), which is not in the model."
      )
      return NSManagedObjectID()
    }
    let key = references.key(of: reference, root: known.rootIndex)
    return NSManagedObjectID(store: self, entity: known, key: key)
  }

  /// Returns the error for a method that a subclass must override.
  func unimplemented(_ method: String) -> CocoaError {
    CocoaError.make(
      .persistentStoreUnsupportedRequestType,
      "The class \(Swift.type(of: self)) does not override \(method).")
  }
}
