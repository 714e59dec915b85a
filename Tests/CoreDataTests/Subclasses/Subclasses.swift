import CoreData
import Foundation

// Subclasses as applications for Apple systems have them.

/// A container with its own folder that sets the transaction author of its contexts.
class ProjectContainer: NSPersistentContainer, @unchecked Sendable {
  static let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("project-\(UUID().uuidString)")
  private(set) var openedStores = 0

  override init(name: String, managedObjectModel model: NSManagedObjectModel) {
    super.init(name: name, managedObjectModel: model)
    viewContext.name = "view"
  }

  convenience init(inMemory: Bool) {
    self.init(name: "Project", managedObjectModel: ProjectModel.make())
    if inMemory { persistentStoreDescriptions.first?.type = NSInMemoryStoreType }
  }

  override class func defaultDirectoryURL() -> URL { folder }

  override func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    super.loadPersistentStores { [self] description, error in
      if error == nil { openedStores += 1 }
      block(description, error)
    }
  }

  override func newBackgroundContext() -> NSManagedObjectContext {
    let context = super.newBackgroundContext()
    context.transactionAuthor = "background"
    return context
  }
}

/// A context that counts its requests.
class CountingContext: NSManagedObjectContext, @unchecked Sendable {
  private(set) var calls: [String] = []

  override init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
    super.init(concurrencyType: ct)
    mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
  }

  override func save() throws {
    calls.append("save")
    try super.save()
  }

  override func insert(_ object: NSManagedObject) {
    calls.append("insert")
    super.insert(object)
  }

  override func delete(_ object: NSManagedObject) {
    calls.append("delete")
    super.delete(object)
  }

  override func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    calls.append("object")
    return super.object(with: objectID)
  }

  override func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    calls.append("refresh")
    super.refresh(object, mergeChanges: flag)
  }

  override func rollback() {
    calls.append("rollback")
    super.rollback()
  }

  override func reset() {
    calls.append("reset")
    super.reset()
  }

  override func execute(
    _ request: NSPersistentStoreRequest
  ) throws -> NSPersistentStoreResult {
    calls.append("execute")
    return try super.execute(request)
  }
}

class ProjectCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
  private(set) var added: [String] = []

  override func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    added.append(storeType)
    return try super.addPersistentStore(
      ofType: storeType, configurationName: configuration, at: storeURL, options: options)
  }
}

/// A model that creates its own entities.
class ProjectModel: NSManagedObjectModel {
  override init() {
    super.init()
    let project = NSEntityDescription()
    project.name = "Project"
    let title = RequiredText()
    title.name = "title"
    project.properties = [title]
    entities = [project]
  }

  static func make() -> NSManagedObjectModel { ProjectModel() }
}

class RequiredText: NSAttributeDescription {
  override init() {
    super.init()
    attributeType = .stringAttributeType
    isOptional = false
    defaultValue = "untitled"
  }
}

/// A policy that prefers the store's values, and counts its calls.
class NotingPolicy: NSMergePolicy, @unchecked Sendable {
  private(set) var conflictCount = 0

  init() { super.init(merge: .mergeByPropertyStoreTrumpMergePolicyType) }

  override func resolve(mergeConflicts list: [Any]) throws {
    conflictCount += list.count
    try super.resolve(mergeConflicts: list)
  }
}

class ProjectRequest: NSFetchRequest<NSManagedObject> {
  override init() {
    super.init()
    fetchBatchSize = 20
    sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
  }
}

class ProjectInsertion: NSBatchInsertRequest {
  override var requestType: NSPersistentStoreRequestType { super.requestType }
}

class ProjectUpdate: NSBatchUpdateRequest {
  override init(entityName: String) {
    super.init(entityName: entityName)
    resultType = .updatedObjectsCountResultType
  }
}

class ProjectDeletion: NSBatchDeleteRequest {
  override var resultType: NSBatchDeleteRequestResultType {
    get { .resultTypeCount }
    set {}
  }
}

class ProjectResults: NSFetchedResultsController<NSManagedObject> {
  private(set) var fetchCount = 0

  convenience init(in context: NSManagedObjectContext) {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Project")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    self.init(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
      cacheName: nil)
  }

  override func performFetch() throws {
    fetchCount += 1
    try super.performFetch()
  }

  override func sectionIndexTitle(forSectionName sectionName: String) -> String? { "#" }
}

class ReadOnlyDescription: NSPersistentStoreDescription {
  override init(url: URL) {
    super.init(url: url)
    isReadOnly = true
  }
}
