internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel
internal import Synchronization

/// A store of the object graph that forwards requests to a custom store.
///
/// The identifier of an object contains the primary key from the custom store. A new object has a
/// generated key, which does not change when the custom store saves the object. ``names`` maps the
/// identifiers of new objects to the primary keys that the custom store assigned.
///
/// > Concurrency: Any thread.
// Invariant of the unchecked conformance: the store is immutable after its creation, a lock
// protects the names, and custom stores can be used on any thread.
final class CustomStore: NSIncrementalStore, @unchecked Sendable {
  static let type = "OpenSwiftData.DataStore"
  /// The key of the option that contains the bridge to the custom store.
  static let bridgeOption = "OpenSwiftData.DataStoreBridge"

  private let bridge: (any StoreBridging)?
  private let names = StoreNames()

  /// Whether the process has created a custom store.
  static var wasCreated: Bool { creation.load(ordering: .relaxed) }
  private static let creation = Atomic<Bool>(false)

  required init(
    persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?,
    at url: URL, options: [AnyHashable: Any]? = nil
  ) {
    Self.creation.store(true, ordering: .relaxed)
    bridge = options?[Self.bridgeOption] as? any StoreBridging
    super.init(
      persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
  }

  /// Registers the store class, once in a process.
  static let isKnown: Void = NSPersistentStoreCoordinator.registerStoreClass(
    CustomStore.self, forStoreType: type)

  private func requireBridge() throws -> any StoreBridging {
    guard let bridge else {
      throw SwiftDataError(
        .loadIssueModelContainer, "A custom store can be opened only by a model container.")
    }
    return bridge
  }

  override func loadMetadata() throws {
    metadata = [NSStoreUUIDKey: try requireBridge().identifier, NSStoreTypeKey: Self.type]
  }

  // MARK: Requests

  override func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
  ) throws -> Any {
    let bridge = try requireBridge()
    if let save = request as? NSSaveChangesRequest {
      try bridge.save(save, in: context as? GraphContext, self)
      return [NSManagedObjectID]()
    }
    guard let fetch = request as? NSFetchRequest<any NSFetchRequestResult>,
      fetch.resultType != .dictionaryResultType
    else { throw DataStoreError.unsupportedFeature }
    let question = try StoreQuestion(fetch, context as? GraphContext, self)
    if fetch.resultType == .countResultType {
      return [NSNumber(value: try bridge.count(question))]
    }
    return try bridge.ids(question)
  }

  override func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    let values = try requireBridge().values(of: objectID, editing(context), self)
    let nodeValues = try NodeValues(values, of: objectID.entity, self).byName
    return NSIncrementalStoreNode(objectID: objectID, withValues: nodeValues, version: 1)
  }

  override func newValue(
    forRelationship relationship: NSRelationshipDescription,
    forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
  ) throws -> Any {
    let values = try requireBridge().values(of: objectID, editing(context), self)
    switch values[relationship.name] {
    case .members(let identifiers): return try identifiers.map { try requireID(of: $0) }
    case .destination(let identifier): return try requireID(of: identifier)
    case .attribute, nil: return relationship.isToMany ? [NSManagedObjectID]() : NSNull()
    }
  }

  override func obtainPermanentIDs(
    for array: [NSManagedObject]
  ) throws -> [NSManagedObjectID] {
    array.map { object in
      let id = newObjectID(for: object.entity, referenceObject: UUID().uuidString)
      names.addUnsaved(id)
      return id
    }
  }

  private func editing(_ context: NSManagedObjectContext?) -> EditingState {
    (context as? GraphContext)?.owner?.editingState ?? EditingState(author: nil)
  }

  // MARK: Names

  /// Returns whether the custom store has not saved an object yet.
  func isUnsaved(_ id: NSManagedObjectID) -> Bool { names.isUnsaved(id) }

  /// Returns the primary key that the custom store assigned to an object.
  func primaryKey(of id: NSManagedObjectID) -> String {
    names.primaryKey(of: id) ?? "\(referenceObject(for: id))"
  }

  /// Records the primary key that the custom store assigned to a new object.
  func settle(_ id: NSManagedObjectID, _ identifier: PersistentIdentifier) {
    names.settle(id, identifier.primaryKey, "\(referenceObject(for: id))")
  }

  /// Returns the object identifier for a persistent identifier; `nil` if the identifier belongs to
  /// another store, or has an unknown entity.
  func objectID(of identifier: PersistentIdentifier) -> NSManagedObjectID? {
    if case .object(let id) = identifier.form, id.store === self { return id }
    guard let entity = persistentStoreCoordinator?.model.entity(named: identifier.entityName)
    else { return nil }
    if identifier.isTemporary {
      let id = newObjectID(
        for: entity.entityDescription, referenceObject: identifier.primaryKey)
      return names.isInserted(id) ? id : nil
    }
    guard identifier.storeIdentifier == self.identifier else { return nil }
    let key = identifier.primaryKey
    return newObjectID(
      for: entity.entityDescription,
      referenceObject: names.reference(of: key, root: entity.rootIndex) ?? key)
  }

  /// Returns the object identifier for a persistent identifier, or throws an error if there is
  /// none.
  ///
  /// - Throws: `SwiftDataError.unknownDataStoreSchema` if the identifier belongs to another store,
  ///   or has an unknown entity.
  func requireID(of identifier: PersistentIdentifier) throws -> NSManagedObjectID {
    if let id = objectID(of: identifier) { return id }
    throw SwiftDataError(
      .unknownDataStoreSchema,
      "The store \(self.identifier ?? "") returned the identifier \(identifier.uriRepresentation), which belongs to another store or "
        + "to a model that is not in the schema. Create identifiers with the store's identifier.")
  }
}
