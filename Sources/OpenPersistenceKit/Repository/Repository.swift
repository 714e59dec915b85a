public import Foundation
public import OpenCoreData

/// What an application does with the objects of one entity.
public protocol Repository {
  associatedtype Entity: NSManagedObject

  /// The objects that match, in order.
  func fetch(predicate: NSPredicate?, sortDescriptors: [NSSortDescriptor]?) throws -> [Entity]
  /// One object that matches.
  func fetchFirst(predicate: NSPredicate?) throws -> Entity?
  /// A new object, not yet saved.
  func create() -> Entity
  /// Saves the object with all other changes of its context.
  func save(_ entity: Entity) throws
  /// Deletes the object and saves.
  func delete(_ entity: Entity) throws
  /// Deletes all objects that match inside the store.
  func deleteAll(predicate: NSPredicate?) throws
}

/// The repository of one entity over one context.
///
/// > Concurrency: Confined to the queue of its context.
open class BaseRepository<Entity: NSManagedObject>: Repository {
  /// The context that the objects belong to.
  public let context: NSManagedObjectContext

  /// Makes a repository.
  public init(context: NSManagedObjectContext) { self.context = context }

  /// A request for all objects of the entity; subclasses may prepare it further.
  open func makeRequest() -> NSFetchRequest<Entity> { Entity.fetchRequest() }

  /// The objects that match, in order.
  ///
  /// - Throws: What the fetch throws.
  open func fetch(
    predicate: NSPredicate? = nil, sortDescriptors: [NSSortDescriptor]? = nil
  ) throws -> [Entity] {
    let request = makeRequest()
    request.predicate = predicate
    request.sortDescriptors = sortDescriptors
    return try context.fetch(request)
  }

  /// One object that matches, nil when none does.
  ///
  /// - Throws: What the fetch throws.
  open func fetchFirst(predicate: NSPredicate? = nil) throws -> Entity? {
    let request = makeRequest()
    request.predicate = predicate
    request.fetchLimit = 1
    return try context.fetch(request).first
  }

  /// How many objects match.
  open func count(predicate: NSPredicate? = nil) throws -> Int {
    let request = makeRequest()
    request.predicate = predicate
    return try context.count(for: request)
  }

  /// A new object, not yet saved.
  open func create() -> Entity { Entity(context: context) }

  /// Saves the object with all other changes of its context.
  open func save(_ entity: Entity) throws { try context.save() }

  /// Deletes the object and saves.
  open func delete(_ entity: Entity) throws {
    context.delete(entity)
    try context.save()
  }

  /// Deletes all objects that match inside the store, and from the context if they are loaded.
  open func deleteAll(predicate: NSPredicate? = nil) throws {
    let request = NSFetchRequest<Entity>(entityName: makeRequest().entityName ?? "")
    request.predicate = predicate
    let deletion = NSBatchDeleteRequest(fetchRequest: request)
    deletion.resultType = .resultTypeObjectIDs
    guard let result = try context.execute(deletion) as? NSBatchDeleteResult,
      let ids = result.result as? [NSManagedObjectID]
    else { return }
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
  }
}
