internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract
internal import Synchronization

/// The backend of an incremental custom store.
///
/// A context passes itself and its fetch request to the backend; see `StoreSource`. For callers
/// with a fetch plan, such as copies of stores, the backend creates a context. The plan must select
/// all rows of an entity.
///
/// > Concurrency: Usable on any thread. The backend calls the store on one thread at a time.
final class RequestBackend: StoreBackend {
  let capabilities: StoreCapabilities = [.durable]
  let identifier: String
  private let weakReference: WeakReference<NSIncrementalStore>
  private let coordinator: WeakReference<NSPersistentStoreCoordinator>
  private let state: Mutex<State>
  /// The newest known versions of rows that contexts of the coordinator have written.
  let written = WrittenRows()
  /// The lock that a thread holds while it calls the store. The lock is recursive, because the
  /// store may call the backend.
  private let callLock = NSRecursiveLock()

  private struct State {
    var metadata: StoreMetadata
    var isClosed = false
  }

  init(
    _ weakReference: WeakReference<NSIncrementalStore>, _ coordinator: NSPersistentStoreCoordinator,
    identifier: String, metadata: StoreMetadata
  ) {
    self.weakReference = weakReference
    self.coordinator = coordinator.weakReference
    self.identifier = identifier
    state = Mutex(State(metadata: metadata))
  }

  // MARK: Questions of contexts

  /// Returns the keys of the objects that a fetch finds.
  func keys(
    matching request: NSFetchRequest<any NSFetchRequestResult>, in context: NSManagedObjectContext
  ) throws(StoreError) -> [ObjectKey] {
    let store = try openStore()
    let results = try ask(store) { try store.execute(request, with: context) }
    var ids: [NSManagedObjectID] = []
    for result in results as? [Any] ?? [] {
      switch result {
      case let object as NSManagedObject: ids.append(object.currentID)
      case let id as NSManagedObjectID: ids.append(id)
      default: throw unfit("a fetch result with an element that is not an object or id", store)
      }
    }
    guard results is [Any],
      let entity = request.entityName.flatMap({ context.model.entity(named: $0) }),
      ids.allSatisfy({ $0.store === store && !$0.isTemporaryID && $0.refers(to: entity) })
    else {
      throw unfit(
        "a fetch result that is not an array, or that contains objects of another store or entity",
        store)
    }
    return ids.map { ObjectKey(entityIndex: $0.compiledEntity.index, key: $0.key) }
  }

  /// Returns the number of objects that a fetch finds.
  func count(
    matching request: NSFetchRequest<any NSFetchRequestResult>, in context: NSManagedObjectContext
  ) throws(StoreError) -> Int {
    let store = try openStore()
    let counted = NSFetchRequest<any NSFetchRequestResult>(copying: request)
    counted.resultType = .countResultType
    let result = try ask(store) { try store.execute(counted, with: context) }
    let number = (result as? [Any])?.first ?? result
    guard let count = (number as? NSNumber)?.intValue ?? number as? Int, count >= 0 else {
      throw unfit("a count that is negative or not a number", store)
    }
    return count
  }

  /// Returns the dictionaries that a fetch finds.
  func dictionaries(
    matching request: NSFetchRequest<any NSFetchRequestResult>, in context: NSManagedObjectContext
  ) throws(StoreError) -> [[String: Any]] {
    let store = try openStore()
    let results = try ask(store) { try store.execute(request, with: context) }
    guard let dictionaries = results as? [[String: Any]] else {
      throw unfit("a fetch result that is not an array of dictionaries", store)
    }
    return dictionaries
  }

  /// Returns the rows of objects, with one request to the store for each object.
  func chunks(
    of entity: CompiledEntity, keys: [Int64], in context: NSManagedObjectContext
  ) throws(StoreError) -> [RowChunk] {
    let store = try openStore()
    let position = context.registry.position(of: store)
    var writer = RowWriter(capacity: 4 << 10)
    for key in keys {
      // The request may name the root entity, but the store must be asked for the object's id.
      let known = position.flatMap {
        context.registry.identityMap.object(store: $0, root: entity.rootIndex, key: key)
      }
      let id = NSManagedObjectID(store: store, entity: known?.compiledEntity ?? entity, key: key)
      let (node, version) = try values(of: id, store, context)
      _ = try row(of: node, version, id, store, context, &writer)
    }
    return writer.chunks
  }

  /// Returns the destinations of a to-many relationship for each source, in the order of the
  /// sources.
  func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64],
    _ context: NSManagedObjectContext
  ) throws(StoreError) -> [[ObjectKey]] {
    let store = try openStore()
    var found: [[ObjectKey]] = []
    for source in sources {
      let id = NSManagedObjectID(store: store, entity: entity, key: source)
      let value = try self.value(of: property, id, store, context)
      guard let members = Self.members(of: value), let relationship = property.relationship,
        members.allSatisfy({ $0.refers(to: relationship.destination) })
      else {
        throw unfit(
          "a value for the relationship \(property.name) that is not a collection of object ids of its destination entity",
          store)
      }
      found.append(
        members.map { ObjectKey(entityIndex: $0.compiledEntity.index, key: $0.key) })
    }
    return found
  }

  /// Keeps the metadata that the store has written.
  func adopt(_ metadata: StoreMetadata) {
    state.withLock { state in
      let fixed = state.metadata.filter { [NSStoreUUIDKey, NSStoreTypeKey].contains($0.key) }
      state.metadata = metadata.merging(fixed) { $1 }
    }
  }

  // MARK: Rows

  /// Returns the values of an object from the store, and the version of the values.
  private func values(
    of id: NSManagedObjectID, _ store: NSIncrementalStore, _ context: NSManagedObjectContext
  ) throws(StoreError) -> (NSIncrementalStoreNode, Int64) {
    let root = id.compiledEntity.rootIndex
    // No other thread may write the row before the read is recorded.
    return try serially { () throws(StoreError) -> (NSIncrementalStoreNode, Int64) in
      let node = try ask(store) { try store.newValuesForObject(with: id, with: context) }
      // The values read last are the newest, even if the store does not count versions.
      let cached = store.rowCache.row(root: root, key: id.key)?.version ?? 1
      let version = max(Int64(clamping: node.version), cached, 1)
      return (node, written.noteRead(version, root: root, key: id.key))
    }
  }

  private func row(
    of node: NSIncrementalStoreNode, _ version: Int64, _ id: NSManagedObjectID,
    _ store: NSIncrementalStore, _ context: NSManagedObjectContext, _ writer: inout RowWriter
  ) throws(StoreError) -> Row {
    let entity = id.compiledEntity
    let properties = entity.entityDescription.propertiesByName
    var values: [SlotValue] = []
    for property in entity.properties where !property.isTransient && !property.isElement {
      guard let description = properties[property.name] else { continue }
      var value = node.value(for: description)
      if let relationship = property.relationship {
        if relationship.isToMany { continue }
        if value == nil { value = try self.value(of: property, id, store, context) }
        values += try slots(of: value, property, relationship, store)
      } else if let value, !(value is NSNull) {
        // Archiving a value runs code of the application, so this thread does not take the lock.
        do { values += try Self.contents(of: value, property, entity) } catch {
          throw .thrown(by: store, error)
        }
      }
    }
    return try writer.checkedRow(
      of: entity, key: id.key, version: version, over: nil, values: values)
  }

  /// The slot values for the destination of a to-one relationship and for its entity discriminator.
  private func slots(
    of value: Any?, _ property: CompiledProperty, _ relationship: CompiledRelationship,
    _ store: NSIncrementalStore
  ) throws(StoreError) -> [SlotValue] {
    guard let slot = property.slot, let value, !(value is NSNull) else { return [] }
    guard let id = (value as? NSManagedObject)?.currentID ?? value as? NSManagedObjectID,
      id.refers(to: relationship.destination)
    else {
      throw unfit(
        "a value for the relationship \(property.name) that is not an object id of its destination entity",
        store)
    }
    var slots = [SlotValue(slot: slot, content: .integer(id.key))]
    if let discriminator = relationship.discriminatorSlot {
      let number = Int64(id.compiledEntity.index) + 1
      slots.append(SlotValue(slot: discriminator, content: .integer(number)))
    }
    return slots
  }

  private static func contents(
    of value: Any, _ property: CompiledProperty, _ entity: CompiledEntity
  ) throws -> [SlotValue] {
    if let slot = property.slot {
      return [SlotValue(slot: slot, content: try BatchValue.content(value, property, entity))]
    }
    guard let given = value as? [String: Any] else { throw BatchValue.unfit(property, entity) }
    let composite = CompositeValue(given, named: property.name, of: entity)
    return try composite.elements.flatMap { name, value in
      guard let ordinal = entity.ordinal(of: name) else { throw BatchValue.unfit(property, entity) }
      return try contents(of: value, entity.properties[ordinal], entity)
    }
  }

  private func value(
    of property: CompiledProperty, _ id: NSManagedObjectID, _ store: NSIncrementalStore,
    _ context: NSManagedObjectContext
  ) throws(StoreError) -> Any {
    guard let description = id.entity.relationshipsByName[property.name] else { return NSNull() }
    return try ask(store) {
      try store.newValue(forRelationship: description, forObjectWith: id, with: context)
    }
  }

  private static func members(of value: Any) -> [NSManagedObjectID]? {
    let members: [Any]
    switch value {
    case is NSNull: members = []
    case let set as NSSet: members = set.allObjects
    case let set as NSOrderedSet: members = set.array
    case let array as [Any]: members = array
    case let set as Set<AnyHashable>: members = set.map(\.base)
    default: return nil
    }
    let ids = members.compactMap {
      ($0 as? NSManagedObject)?.currentID ?? $0 as? NSManagedObjectID
    }
    return ids.count == members.count ? ids : nil
  }

  // MARK: The store

  func openStore() throws(StoreError) -> NSIncrementalStore {
    guard !state.withLock({ $0.isClosed }), let store = weakReference.target else {
      throw StoreError(.closed, "The store is closed. Add it to the coordinator again.")
    }
    return store
  }

  /// Runs work that calls the store, while no other thread calls the store.
  ///
  /// Calls may be nested.
  func serially<Answer, Failure>(
    _ work: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    callLock.lock()
    defer { callLock.unlock() }
    return try work()
  }

  /// Runs code of the application, and wraps its error in a `StoreError`.
  private func ask<Answer>(
    _ store: NSIncrementalStore, _ question: () throws -> Answer
  ) throws(StoreError) -> Answer {
    do { return try serially(question) } catch { throw .thrown(by: store, error) }
  }

  private func unfit(_ answer: String, _ store: NSIncrementalStore) -> StoreError {
    StoreError(
      .unsupported, "The class \(Swift.type(of: store)) returned \(answer).",
      path: store.url?.path)
  }

  // MARK: Questions without a context

  /// Runs work with a new context.
  private func serving<Answer>(
    _ work: (NSManagedObjectContext) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    guard let coordinator = coordinator.target else {
      throw StoreError(.closed, "The store's coordinator was released.")
    }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { () throws(StoreError) in try work(context) }
  }

  private func keys(
    matching plan: FetchPlan, _ context: NSManagedObjectContext
  ) throws(StoreError) -> [ObjectKey] {
    let shape = plan.shape
    guard shape.filter == nil, shape.sort.isEmpty, shape.projection == nil, !shape.hasLimit,
      !shape.hasOffset
    else {
      throw StoreError(
        .unsupported,
        "For this operation, a custom incremental store supports only fetch requests without a predicate, sort descriptors or limits."
      )
    }
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: shape.entity.name)
    request.entity = shape.entity.entityDescription
    request.includesSubentities = shape.includesSubentities
    return try keys(matching: request, in: context)
  }

  func forEachChunk(
    matching plan: FetchPlan, _ body: (RowChunk) throws(StoreError) -> Void
  ) throws(StoreError) {
    try serving { (context) throws(StoreError) in
      let keys = try keys(matching: plan, context)
      let entities = plan.shape.entity.model.entities
      for key in keys {
        let entity = entities[Int(key.entityIndex)]
        for chunk in try chunks(of: entity, keys: [key.key], in: context) { try body(chunk) }
      }
    }
  }

  func forEachKeyBatch(
    matching plan: FetchPlan, _ body: ([ObjectKey]) throws(StoreError) -> Void
  ) throws(StoreError) {
    try body(try serving { (context) throws(StoreError) in try keys(matching: plan, context) })
  }

  func forEachResultBatch(
    matching plan: FetchPlan, _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError) {
    throw StoreError(
      .unsupported,
      "To fetch values from a custom incremental store, set resultType to dictionaryResultType, and use a request "
        + "for [String: Any] or NSDictionary.")
  }

  func count(matching plan: FetchPlan) throws(StoreError) -> Int {
    try serving { (context) throws(StoreError) in try keys(matching: plan, context).count }
  }

  func explanation(
    of plan: FetchPlan, result: PlanResult, bindings: BindingVisibility
  ) throws(StoreError) -> PlanExplanation {
    throw StoreError(
      .unsupported, "The library cannot explain how a custom incremental store executes a fetch.")
  }

  func rows(of entity: CompiledEntity, keys: [Int64]) throws(StoreError) -> RowChunk {
    try serving { (context) throws(StoreError) in
      let chunks = try chunks(of: entity, keys: keys, in: context)
      if chunks.count == 1 { return chunks[0] }
      var writer = RowWriter(capacity: max(8, chunks.reduce(0) { $0 + $1.used + 8 }))
      for chunk in chunks {
        chunk.forEachRow { row in
          writer.beginRow(over: row.view)
          let entity = entity.model.entities[row.entityIndex]
          _ = writer.finishRow(of: entity, key: row.key, version: row.version)
        }
      }
      return writer.chunks.first ?? RowChunk(capacity: 8)
    }
  }

  func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64]
  ) throws(StoreError) -> [[ObjectKey]] {
    try serving { (context) throws(StoreError) in
      try destinations(of: property, in: entity, sources: sources, context)
    }
  }

  func reserveKeys(_ counts: [Int: Int]) throws(StoreError) -> [Int: Int64] {
    throw StoreError(.unsupported, "A custom incremental store assigns object ids itself.")
  }

  func requireWritable() throws(StoreError) { _ = try openStore() }

  func commit(_ changes: inout ChangeSet) throws(StoreError) -> CommitOutcome {
    throw StoreError(
      .unsupported,
      "A custom incremental store can save only the objects of contexts. Other stores cannot be copied to it."
    )
  }

  func metadata() throws(StoreError) -> StoreMetadata {
    _ = try openStore()
    return state.withLock { $0.metadata }
  }

  func close() { state.withLock { $0.isClosed = true } }
}
