import Foundation
import OpenCoreData

/// The contents of a test server: objects by reference.
final class Server: NSObject {
  struct Record {
    var entity: String
    var values: [String: Any] = [:]
    /// References of destinations, by relationship.
    var destinations: [String: [String]] = [:]
    var version: UInt64 = 1
  }

  struct Refusal: Error, Equatable { var reason: String }

  var records: [String: Record] = [:]
  /// The error that the next requests throw.
  var refusal: Refusal?
  /// The references of the objects that every fetch finds; nil for the objects that match.
  var answer: [String]?
  /// The result of every request for a count; nil for the number of objects that match.
  var count: Int?
  /// The reference of every new object; nil for a new reference for each object.
  var newReference: String?
  var metadata: [String: Any] = [NSStoreUUIDKey: UUID().uuidString]
  /// The received requests, in order.
  var calls: [String] = []
  /// Predicates, sort keys and limits of fetches.
  var requests: [NSFetchRequest<any NSFetchRequestResult>] = []
  private var lastNumber = 0

  func nextReference(_ entity: String) -> String {
    if let newReference { return newReference }
    lastNumber += 1
    return "\(entity.lowercased())/\(lastNumber)"
  }
}

/// A test store for a server, written like an application's store.
final class ServerStore: NSIncrementalStore, @unchecked Sendable {
  static let storeType = "ServerStore"

  static func register() {
    NSPersistentStoreCoordinator.registerStoreClass(self, forStoreType: storeType)
  }

  private var server: Server { options?["server"] as? Server ?? Server() }

  override func loadMetadata() throws {
    if let refusal = server.refusal { throw refusal }
    metadata = server.metadata.merging([NSStoreTypeKey: Self.storeType]) { $1 }
  }

  override func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
  ) throws -> Any {
    if let refusal = server.refusal { throw refusal }
    if let save = request as? NSSaveChangesRequest { return try write(save) }
    guard let fetch = request as? NSFetchRequest<any NSFetchRequestResult>, let context else {
      throw Server.Refusal(reason: "unknown request")
    }
    server.calls.append("fetch \(fetch.entityName ?? "")")
    server.requests.append(fetch)
    return try answer(fetch, context)
  }

  override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
    server.calls.append("register \(objectIDs.count)")
  }

  override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
    server.calls.append("unregister \(objectIDs.count)")
  }

  // MARK: Fetches

  private func answer(
    _ fetch: NSFetchRequest<any NSFetchRequestResult>, _ context: NSManagedObjectContext
  ) throws -> Any {
    let found = try matching(fetch)
    switch fetch.resultType {
    case .countResultType: return [NSNumber(value: server.count ?? found.count)]
    case .dictionaryResultType: return found.compactMap { server.records[$0]?.values }
    case .managedObjectIDResultType: return found.map { id($0, nil) }
    default: return found.map { context.object(with: id($0, nil)) }
    }
  }

  /// Returns the references of the objects that a fetch finds, evaluated on objects of a context
  /// without changes.
  private func matching(_ fetch: NSFetchRequest<any NSFetchRequestResult>) throws -> [String] {
    if let answer = server.answer { return answer }
    let entity = fetch.entity?.name ?? ""
    let names =
      fetch.includesSubentities
      ? Set([entity] + (fetch.entity?.subentities ?? []).compactMap(\.name)) : [entity]
    let references = server.records.filter { names.contains($0.value.entity) }.keys.sorted()
    let plain = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    plain.persistentStoreCoordinator = persistentStoreCoordinator
    return plain.performAndWait {
      var objects = references.map { plain.object(with: id($0, nil)) }
      if let predicate = fetch.predicate {
        objects = objects.filter { predicate.evaluate(with: $0) }
      }
      objects = Self.sorted(objects, by: fetch.sortDescriptors ?? [])
      objects = Array(objects.dropFirst(fetch.fetchOffset))
      if fetch.fetchLimit > 0 { objects = Array(objects.prefix(fetch.fetchLimit)) }
      return objects.compactMap { referenceObject(for: $0.objectID) as? String }
    }
  }

  private static func sorted(
    _ objects: [NSManagedObject], by descriptors: [NSSortDescriptor]
  ) -> [NSManagedObject] {
    objects.sorted { one, other in
      for descriptor in descriptors {
        let key = descriptor.key ?? ""
        let order = Self.order(one.value(forKeyPath: key), other.value(forKeyPath: key))
        if order == .orderedSame { continue }
        return (order == .orderedAscending) == descriptor.ascending
      }
      return false
    }
  }

  /// Texts are in the order of their bytes, as in other stores; nil comes first.
  private static func order(_ one: Any?, _ other: Any?) -> ComparisonResult {
    guard let one else { return other == nil ? .orderedSame : .orderedAscending }
    guard let other else { return .orderedDescending }
    if let one = one as? String, let other = other as? String {
      if one == other { return .orderedSame }
      return one.utf8.lexicographicallyPrecedes(other.utf8) ? .orderedAscending : .orderedDescending
    }
    if let one = one as? Date, let other = other as? Date { return one.compare(other) }
    if let one = one as? NSNumber, let other = other as? NSNumber { return one.compare(other) }
    return .orderedSame
  }

  /// Returns the id of an object, with its actual entity if the server has the object.
  private func id(_ reference: String, _ entity: NSEntityDescription?) -> NSManagedObjectID {
    let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
    let actual = server.records[reference].flatMap { entities[$0.entity] }
    return newObjectID(
      for: actual ?? entity ?? NSEntityDescription(), referenceObject: reference)
  }

  private func record(_ objectID: NSManagedObjectID) throws -> Server.Record {
    if let refusal = server.refusal { throw refusal }
    guard let reference = referenceObject(for: objectID) as? String,
      let record = server.records[reference]
    else { throw Server.Refusal(reason: "not found") }
    return record
  }

  override func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    let record = try record(objectID)
    server.calls.append("values")
    return NSIncrementalStoreNode(
      objectID: objectID, withValues: record.values, version: record.version)
  }

  override func newValue(
    forRelationship relationship: NSRelationshipDescription,
    forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    let record = try record(objectID)
    server.calls.append("relationship \(relationship.name)")
    let ids = references(relationship, of: objectID, record).map {
      id($0, relationship.destinationEntity)
    }
    if relationship.isToMany { return ids }
    return ids.first ?? NSNull()
  }

  /// Returns the destinations; if the inverse is a to-one relationship, it is authoritative.
  private func references(
    _ relationship: NSRelationshipDescription, of objectID: NSManagedObjectID,
    _ record: Server.Record
  ) -> [String] {
    let stored = record.destinations[relationship.name] ?? []
    guard relationship.isToMany, let inverse = relationship.inverseRelationship,
      !inverse.isToMany, let own = referenceObject(for: objectID) as? String
    else { return stored }
    let members = server.records.filter { $0.value.destinations[inverse.name] == [own] }.keys
    return stored.filter(members.contains) + members.filter { !stored.contains($0) }.sorted()
  }

  // MARK: Saves

  override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    if let refusal = server.refusal { throw refusal }
    return array.map {
      newObjectID(
        for: $0.entity, referenceObject: server.nextReference($0.entity.name ?? ""))
    }
  }

  private func write(_ save: NSSaveChangesRequest) throws -> [Any] {
    guard let inserted = save.insertedObjects else {
      server.calls.append("metadata")
      server.metadata = metadata
      return []
    }
    let deleted = save.deletedObjects ?? []
    let updated = save.updatedObjects ?? []
    server.calls.append("save \(inserted.count) \(updated.count) \(deleted.count)")
    for object in inserted.union(updated) {
      guard let reference = referenceObject(for: object.objectID) as? String else { continue }
      var record = Server.Record(entity: object.entity.name ?? "")
      record.version = (server.records[reference]?.version ?? 0) + 1
      for name in object.entity.attributesByName.keys {
        record.values[name] = object.value(forKey: name)
      }
      for name in object.entity.relationshipsByName.keys {
        record.destinations[name] = references(object.value(forKey: name))
      }
      server.records[reference] = record
    }
    for object in deleted {
      if let reference = referenceObject(for: object.objectID) as? String {
        server.records[reference] = nil
      }
    }
    return []
  }

  private func references(_ value: Any?) -> [String] {
    let objects: [Any] =
      switch value {
      case let object as NSManagedObject: [object]
      case let set as NSOrderedSet: set.array
      case let set as NSSet: set.allObjects
      default: []
      }
    return objects.compactMap { $0 as? NSManagedObject }
      .compactMap { referenceObject(for: $0.objectID) as? String }
  }
}
