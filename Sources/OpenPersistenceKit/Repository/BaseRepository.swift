public import Foundation
public import OpenCoreData

/// The operations that an application performs on the managed objects of one entity.
///
/// Call the methods on the queue of the objects' context. For asynchronous access, and for entities
/// that are plain values or models, use ``Repository``.
///
/// This is an addition to Apple's API.
public protocol ManagedObjectRepository<Entity> {
  associatedtype Entity: NSManagedObject

  /// Returns the objects that match a predicate, or all objects if the predicate is nil.
  ///
  /// - Parameters:
  ///   - predicate: The condition that selects the objects, or nil for no condition.
  ///   - sortDescriptors: The order of the objects, or nil for the default order of the repository.
  /// - Throws: Any error that the fetch throws.
  func fetch(predicate: NSPredicate?, sortDescriptors: [NSSortDescriptor]?) throws -> [Entity]
  /// Returns the first object that matches a predicate, or nil if there is none.
  ///
  /// - Parameter predicate: The condition that selects the object, or nil for no condition.
  /// - Throws: Any error that the fetch throws.
  func fetchFirst(predicate: NSPredicate?) throws -> Entity?
  /// Creates an object, but does not save the object.
  ///
  /// - Returns: The new object.
  func create() -> Entity
  /// Saves an object together with all other changes of its context.
  ///
  /// - Parameter entity: The object to save.
  /// - Throws: Any error that the save throws.
  func save(_ entity: Entity) throws
  /// Deletes an object and saves the object's context.
  ///
  /// - Parameter entity: The object to delete.
  /// - Throws: Any error that the save throws.
  func delete(_ entity: Entity) throws
  /// Deletes the saved objects that match a predicate.
  ///
  /// - Parameter predicate: The condition that selects the objects, or nil to delete all objects.
  /// - Throws: Any error that the deletion throws.
  func deleteAll(predicate: NSPredicate?) throws
}

/// A repository for the objects of one entity in one context.
///
/// A subclass can override ``makeRequest()`` to restrict the repository to some objects of the
/// entity. The methods with a `predicate` parameter respect the predicate, limit, order and stores
/// of the request that `makeRequest()` returns.
///
/// > Concurrency: Confined to the queue of the repository's context.
open class BaseRepository<Entity: NSManagedObject>: ManagedObjectRepository {
  /// The context that the objects belong to.
  public let context: NSManagedObjectContext

  /// Creates a repository.
  ///
  /// - Parameter context: The context that the objects belong to.
  public init(context: NSManagedObjectContext) { self.context = context }

  /// Returns a request for all objects of the repository.
  ///
  /// A subclass may override this method to configure the request, for example with a predicate.
  /// The other methods of the repository combine the predicate of the request with the predicate
  /// that the caller passes.
  open func makeRequest() -> NSFetchRequest<Entity> { Entity.fetchRequest() }

  /// Returns the objects of the repository that match a predicate.
  ///
  /// - Parameters:
  ///   - predicate: The condition that selects the objects, or nil to fetch all objects of the
  ///     repository.
  ///   - sortDescriptors: The order of the objects, or nil for the order of the repository's
  ///     request.
  /// - Returns: The matching objects in order.
  /// - Throws: Any error that the fetch throws.
  open func fetch(
    predicate: NSPredicate? = nil, sortDescriptors: [NSSortDescriptor]? = nil
  ) throws -> [Entity] {
    let request = request(matching: predicate)
    if let sortDescriptors { request.sortDescriptors = sortDescriptors }
    return try context.fetch(request)
  }

  /// Returns the first object of the repository that matches a predicate.
  ///
  /// - Parameter predicate: The condition that selects the object, or nil to match all objects of
  ///   the repository.
  /// - Returns: The first matching object in the order of the repository's request, or nil if there
  ///   is none.
  /// - Throws: Any error that the fetch throws.
  open func fetchFirst(predicate: NSPredicate? = nil) throws -> Entity? {
    let request = request(matching: predicate)
    request.fetchLimit = 1
    return try context.fetch(request).first
  }

  /// Returns the number of objects that match a predicate.
  ///
  /// - Parameter predicate: The condition that selects the objects, or nil to count all objects of
  ///   the repository.
  /// - Throws: The same errors as `NSManagedObjectContext.count(for:)`.
  open func count(predicate: NSPredicate? = nil) throws -> Int {
    try context.count(for: request(matching: predicate))
  }

  /// Creates an object in the repository's context, but does not save the object.
  ///
  /// - Returns: The new object.
  open func create() -> Entity { Entity(context: context) }

  /// Saves an object together with all other changes of its context.
  ///
  /// - Parameter entity: The object to save.
  /// - Throws: Any error that the save throws; `CocoaError` 134060 if the object is not in the
  ///   repository's context.
  open func save(_ entity: Entity) throws { try saveAll([entity]) }

  /// Saves an existing object together with all other changes of its context, by calling
  /// ``save(_:)``.
  ///
  /// - Parameter entity: The object to save.
  /// - Throws: Any error that the save throws; `CocoaError` 134060 if the object is not in the
  ///   repository's context.
  open func update(_ entity: Entity) throws { try save(entity) }

  /// Saves several objects together with all other changes of their context, in one transaction for
  /// each store.
  ///
  /// - Parameter entities: The objects to save.
  /// - Throws: Any error that the save throws, or `CocoaError` 134060 if an object is not in the
  ///   repository's context. After an error, nothing is saved, except in the stores that error
  ///   134040 lists as written.
  open func batchSave(_ entities: [Entity]) throws { try saveAll(entities) }

  private func saveAll(_ entities: [Entity]) throws {
    try requireMembers(entities)
    try context.saveIfNeeded()
  }

  /// Deletes an object and saves the repository's context.
  ///
  /// - Parameter entity: The object to delete. The method ignores an object without a context.
  /// - Throws: The same errors as `NSManagedObjectContext.save()`, such as `ObjectError` if the
  ///   object belongs to another context. After any other error, the deletion remains pending.
  open func delete(_ entity: Entity) throws {
    context.delete(entity)
    try context.save()
  }

  /// Deletes several objects, and saves the repository's context once.
  ///
  /// To delete objects without loading the objects, use `deleteAll(predicate:)`.
  ///
  /// - Parameter entities: The objects to delete.
  /// - Throws: Any error that the save throws, or `CocoaError` 134060 if an object is not in the
  ///   repository's context. After a save error, the deletions remain pending. After error 134060,
  ///   nothing is deleted.
  open func batchDelete(_ entities: [Entity]) throws {
    try requireMembers(entities)
    entities.forEach(context.delete)
    try context.saveIfNeeded()
  }

  /// Requires that all objects are in this context. Otherwise, a save would not save their changes
  /// and would report no error.
  private func requireMembers(_ entities: [Entity]) throws {
    for entity in entities where entity.managedObjectContext !== context {
      throw CocoaError(
        .coreData,
        userInfo: [
          NSLocalizedDescriptionKey:
            "An object of the entity \(entity.entity.name ?? "") is not in the repository's context, or was deleted. Use its id to get the object in that context."
        ])
    }
  }

  /// Deletes the saved objects of the repository that match a predicate, without loading the
  /// objects.
  ///
  /// If the method deletes the row of an object that is registered in the context, the method also
  /// removes the object from the context. The method keeps inserted objects that are not yet saved.
  ///
  /// - Parameter predicate: The condition that selects the objects, or nil to delete all objects of
  ///   the repository.
  /// - Throws: Any error that the deletion throws, such as `CocoaError` 133021 if a deny rule
  ///   prevents the deletion. After an error, nothing is deleted, except in the stores that error
  ///   134040 lists as written.
  open func deleteAll(predicate: NSPredicate? = nil) throws {
    try BatchChange(deleting: request(matching: predicate), in: context).merge(into: context)
  }

  /// Returns a copy of the repository's request with an additional predicate.
  private func request(matching predicate: NSPredicate?) -> NSFetchRequest<Entity> {
    let made = makeRequest()
    // A subclass may return the same request each time.
    let request = made.copy() as? NSFetchRequest<Entity> ?? made
    let parts = [request.predicate, predicate].compactMap { $0 }
    request.predicate =
      parts.count > 1 ? NSCompoundPredicate(andPredicateWithSubpredicates: parts) : parts.first
    return request
  }
}
