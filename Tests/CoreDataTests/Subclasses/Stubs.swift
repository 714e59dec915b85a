import CoreData
import Foundation

// Subclasses that replace parts of the framework, as the tests of applications have them.

enum StubError: Error { case fetch, count, destruction }

/// A context that notes the requests of its fetches.
class RecordingContext: NSManagedObjectContext, @unchecked Sendable {
  private(set) var requests: [NSFetchRequest<any NSFetchRequestResult>] = []

  override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
    requests.append(request)
    return try super.fetch(request)
  }

  override func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
    requests.append(request)
    return try super.count(for: request)
  }
}

/// A context whose fetches return fixed results or fail.
class StubbedContext: NSManagedObjectContext, @unchecked Sendable {
  var results: [Any]?
  private(set) var calls: [String] = []

  override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
    guard let results else { throw StubError.fetch }
    return results
  }

  override func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
    guard let results else { throw StubError.count }
    return results.count
  }

  override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    StubbedDeletion()
  }

  override var userInfo: NSMutableDictionary { NSMutableDictionary(dictionary: ["kind": "stub"]) }

  override var concurrencyType: NSManagedObjectContextConcurrencyType { .mainQueueConcurrencyType }

  override var stalenessInterval: TimeInterval {
    get { 7 }
    set {}
  }

  override func assign(_ object: Any, to store: NSPersistentStore) { calls.append("assign") }

  override func detectConflicts(for object: NSManagedObject) { calls.append("detectConflicts") }
}

/// A container with another context for views.
class StubbedContainer: NSPersistentContainer, @unchecked Sendable {
  let stubbedContext = StubbedContext(concurrencyType: .privateQueueConcurrencyType)

  override var viewContext: NSManagedObjectContext { stubbedContext }
  override var name: String { "stub of \(super.name)" }
  override var managedObjectModel: NSManagedObjectModel { super.managedObjectModel }
  override var persistentStoreCoordinator: NSPersistentStoreCoordinator {
    super.persistentStoreCoordinator
  }
}

class StubbedCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
  override var managedObjectModel: NSManagedObjectModel { StubbedModel() }

  override func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
  ) throws -> Any {
    "stub"
  }

  override func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    throw StubError.destruction
  }
}

/// A model with one entity, which accepts any store.
class StubbedModel: NSManagedObjectModel {
  override func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    true
  }

  static func make() -> StubbedModel {
    let model = StubbedModel()
    let entity = NSEntityDescription()
    entity.name = "Stubbed"
    entity.managedObjectClassName = StubbedItem.description()
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    title.isOptional = true
    entity.properties = [title]
    model.entities = [entity]
    return model
  }
}

/// An object that misreports its state, and stores the values of unknown keys.
class StubbedItem: NSManagedObject {
  private var unmodeled: [String: Any] = [:]

  override class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    let request = super.fetchRequest()
    request.fetchLimit = 1
    return request
  }

  override class func entity() -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = "stub"
    return entity
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    super.keyPathsForValuesAffectingValue(forKey: key).union(["title"])
  }

  override var entity: NSEntityDescription { super.entity }
  override var managedObjectContext: NSManagedObjectContext? { nil }
  override var objectID: NSManagedObjectID { StubbedID() }
  override var isInserted: Bool { false }
  override var isUpdated: Bool { false }
  override var isDeleted: Bool { true }
  override var hasChanges: Bool { false }
  override var isFault: Bool { true }
  override var faultingState: Int { 7 }
  override var hasPersistentChangedValues: Bool { false }
  override func changedValues() -> [String: Any] { ["stub": true] }
  override func committedValues(forKeys keys: [String]?) -> [String: Any] { ["stub": true] }

  override func value(forUndefinedKey key: String) -> Any? {
    unmodeled[key] ?? super.value(forUndefinedKey: key)
  }

  override func setValue(_ value: Any?, forUndefinedKey key: String) { unmodeled[key] = value }
}

class StubbedRequest: NSFetchRequest<StubbedItem> {
  override func execute() throws -> [StubbedItem] { throw StubError.fetch }
}

class StubbedID: NSManagedObjectID, @unchecked Sendable {
  override var isTemporaryID: Bool { false }
  override func uriRepresentation() -> URL { URL(fileURLWithPath: "/stub") }
}

class StubbedTransaction: NSPersistentHistoryTransaction, @unchecked Sendable {
  override var author: String? { "stub" }
  override var changes: [NSPersistentHistoryChange]? { [StubbedChange()] }
}

class StubbedChange: NSPersistentHistoryChange, @unchecked Sendable {
  override var changeType: NSPersistentHistoryChangeType { .insert }
  override var changedObjectID: NSManagedObjectID { StubbedID() }
}

class StubbedHistory: NSPersistentHistoryResult {
  override var result: Any? { [StubbedTransaction()] }
}

class StubbedInsertion: NSBatchInsertResult {
  override var result: Any? { 7 }
}

class StubbedUpdate: NSBatchUpdateResult {
  override var result: Any? { 7 }
}

class StubbedDeletion: NSBatchDeleteResult {
  override var result: Any? { [StubbedID()] }
  override var resultType: NSBatchDeleteRequestResultType { .resultTypeObjectIDs }
}

class StubbedConflict: NSMergeConflict {
  override var newVersionNumber: Int { 7 }
}

class StubbedConstraint: NSConstraintConflict {
  override var constraint: [String] { ["stub"] }
}
