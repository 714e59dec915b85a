import Foundation
import OpenCoreData

/// A test store, written like an application's store: a property list with one dictionary for each object.
final class ListStore: NSAtomicStore, @unchecked Sendable {
  static let storeType = "ListStore"

  struct Refusal: Error, Equatable { var reason: String }

  /// The error that the next saves throw.
  var refusal: Refusal?
  /// A closure that each save calls first.
  var onSave: (() -> Void)?
  /// Names of the methods that the framework called, in order.
  var calls: [String] = []

  static func register() {
    NSPersistentStoreCoordinator.registerStoreClass(self, forStoreType: storeType)
  }

  override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    try contents(of: url)["metadata"] as? [String: Any] ?? [:]
  }

  override func loadMetadata() throws {
    let stored = try Self.metadataForPersistentStore(with: file)
    metadata =
      stored.isEmpty
      ? [NSStoreUUIDKey: UUID().uuidString, NSStoreTypeKey: Self.storeType] : stored
  }

  private var file: URL { url ?? URL(fileURLWithPath: "/dev/null") }

  private static func contents(of url: URL) throws -> [String: Any] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [:] }
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: url), format: nil)
    return list as? [String: Any] ?? [:]
  }

  // MARK: Reading

  override func load() throws {
    if options?["refuses"] as? Bool == true { throw Refusal(reason: "load") }
    let objects = try Self.contents(of: file)["objects"] as? [[String: Any]] ?? []
    let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
    // Create all nodes first, so that relationships find them with their actual entities.
    for object in objects {
      guard let entity = entities[object["entity"] as? String ?? ""],
        let reference = object["reference"] as? String
      else { throw Refusal(reason: "an object has no entity") }
      _ = node(entity, reference)
    }
    for object in objects {
      guard let entity = entities[object["entity"] as? String ?? ""],
        let reference = object["reference"] as? String
      else { throw Refusal(reason: "an object has no entity") }
      let node = node(entity, reference)
      for (name, value) in object["values"] as? [String: Any] ?? [:] {
        guard let relationship = entity.relationshipsByName[name] else {
          node.setValue(value, forKey: name)
          continue
        }
        let nodes = (value as? [String] ?? []).compactMap { reference in
          relationship.destinationEntity.map { self.node($0, reference) }
        }
        if !relationship.isToMany {
          node.setValue(nodes.first, forKey: name)
        } else if relationship.isOrdered {
          node.setValue(NSOrderedSet(array: nodes), forKey: name)
        } else {
          node.setValue(NSSet(array: nodes), forKey: name)
        }
      }
    }
  }

  /// Returns the node of a reference, or a new node if there is none yet.
  private func node(_ entity: NSEntityDescription, _ reference: String) -> NSAtomicStoreCacheNode {
    let id = objectID(for: entity, withReferenceObject: reference)
    if let known = cacheNode(for: id) { return known }
    let node = NSAtomicStoreCacheNode(objectID: id)
    addCacheNodes([node])
    return node
  }

  // MARK: Writing

  override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    "\(managedObject.entity.name ?? "")-\(UUID().uuidString)"
  }

  override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    calls.append("new")
    return super.newCacheNode(for: managedObject)
  }

  override func updateCacheNode(
    _ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject
  ) {
    calls.append("update")
    super.updateCacheNode(node, from: managedObject)
  }

  override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
    calls.append("remove \(cacheNodes.count)")
  }

  override func save() throws {
    calls.append("save")
    onSave?()
    if let refusal { throw refusal }
    let objects = cacheNodes().map { node in
      [
        "entity": node.objectID.entity.name ?? "",
        "reference": referenceObject(for: node.objectID),
        "values": values(of: node),
      ]
    }
    let list: [String: Any] = ["metadata": metadata ?? [:], "objects": objects]
    try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
      .write(to: file, options: .atomic)
  }

  private func values(of node: NSAtomicStoreCacheNode) -> [String: Any] {
    var values: [String: Any] = [:]
    for name in node.objectID.entity.propertiesByName.keys {
      switch node.value(forKey: name) {
      case let node as NSAtomicStoreCacheNode: values[name] = [referenceObject(for: node.objectID)]
      case let set as NSOrderedSet: values[name] = references(set.array)
      case let set as NSSet: values[name] = references(set.allObjects)
      case let value?: values[name] = value
      case nil: continue
      }
    }
    return values
  }

  private func references(_ nodes: [Any]) -> [Any] {
    nodes.compactMap { $0 as? NSAtomicStoreCacheNode }.map { referenceObject(for: $0.objectID) }
  }
}
