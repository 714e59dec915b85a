public import Foundation
public import OpenCoreData

/// The operations of an application on the managed objects of one entity, on the queue of their context.
///
/// For asynchronous access, and for entities that are plain values or models, see ``Repository``.
///
/// > Reference: Addition.
public protocol ManagedObjectRepository<Entity> {
  associatedtype Entity: NSManagedObject

  /// The matching objects in order.
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
/// A subclass that overrides `makeRequest()` works on a part of the entity: every method keeps to the predicate, limit,
/// order and stores of that request.
///
/// > Concurrency: Confined to the queue of its context.
open class BaseRepository<Entity: NSManagedObject>: ManagedObjectRepository {
  /// The context that the objects belong to.
  public let context: NSManagedObjectContext

  /// Creates a repository.
  public init(context: NSManagedObjectContext) { self.context = context }

  /// A request for all objects of the repository; subclasses may prepare it further, for example with a predicate.
  ///
  /// The methods of the repository add their predicate to that of the request, and never replace it. They change a copy.
  ///
  /// - Returns: A request for all objects of the repository.
  open func makeRequest() -> NSFetchRequest<Entity> { Entity.fetchRequest() }

  /// The matching objects in order.
  ///
  /// - Parameters:
  ///   - predicate: The condition for objects of the repository; nil for all.
  ///   - sortDescriptors: Their order; nil for that of the repository's request.
  /// - Returns: The matching objects in order.
  /// - Throws: The error of the fetch.
  open func fetch(
    predicate: NSPredicate? = nil, sortDescriptors: [NSSortDescriptor]? = nil
  ) throws -> [Entity] {
    let request = request(matching: predicate)
    if let sortDescriptors { request.sortDescriptors = sortDescriptors }
    return try context.fetch(request)
  }

  /// One object that matches, nil when none does.
  ///
  /// - Returns: One object that matches; nil if there is none.
  /// - Throws: The error of the fetch.
  open func fetchFirst(predicate: NSPredicate? = nil) throws -> Entity? {
    let request = request(matching: predicate)
    request.fetchLimit = 1
    return try context.fetch(request).first
  }

  /// Returns the number of objects that match.
  ///
  /// - Returns: The number.
  /// - Throws: The same errors as `NSManagedObjectContext.count(for:)`.
  open func count(predicate: NSPredicate? = nil) throws -> Int {
    try context.count(for: request(matching: predicate))
  }

  /// A new object, not yet saved.
  ///
  /// - Returns: A new object.
  open func create() -> Entity { Entity(context: context) }

  /// Saves the object with all other changes of its context.
  ///
  /// - Throws: The error of the save; `CocoaError` 134060 for an object that is not in the repository's context.
  open func save(_ entity: Entity) throws { try saveAll([entity]) }

  /// Saves the changes of an object that exists, with all other changes of its context.
  ///
  /// - Throws: The error of the save; `CocoaError` 134060 for an object that is not in the repository's context.
  open func update(_ entity: Entity) throws { try save(entity) }

  /// Saves many objects with all other changes of their context, in one transaction.
  ///
  /// - Throws: The error of the save, and nothing is saved then; `CocoaError` 134060 for an object that is not in the
  ///   repository's context.
  open func batchSave(_ entities: [Entity]) throws { try saveAll(entities) }

  private func saveAll(_ entities: [Entity]) throws {
    try requireMembers(entities)
    if context.hasChanges { try context.save() }
  }

  /// Deletes the object and saves.
  ///
  /// - Throws: The same errors as `NSManagedObjectContext.save()`.
  open func delete(_ entity: Entity) throws {
    context.delete(entity)
    try context.save()
  }

  /// Deletes many objects and saves, in one transaction.
  ///
  /// `deleteAll(predicate:)` deletes objects without loading them.
  ///
  /// - Throws: The error of the save; the deletions stay pending then. `CocoaError` 134060 for an object that is not in
  ///   the repository's context; in that case nothing is deleted.
  open func batchDelete(_ entities: [Entity]) throws {
    try requireMembers(entities)
    entities.forEach(context.delete)
    if context.hasChanges { try context.save() }
  }

  /// The save of this context would leave the changes of an object of another one unsaved, without an error.
  private func requireMembers(_ entities: [Entity]) throws {
    for entity in entities where entity.managedObjectContext !== context {
      throw CocoaError(
        .coreData,
        userInfo: [
          NSLocalizedDescriptionKey:
            "An object of the entity \(entity.entity.name ?? "") is not in the repository's context, or was deleted. Get it by its id in this context."
        ])
    }
  }

  /// Deletes the matching objects of the repository in the store, and in the context if they are loaded.
  ///
  /// Unsaved objects are kept.
  ///
  /// - Throws: The error of the deletion; in that case nothing is deleted.
  open func deleteAll(predicate: NSPredicate? = nil) throws {
    try BatchChange(deleting: request(matching: predicate), in: context).merge(into: context)
  }

  /// A copy of the repository's request with an additional predicate.
  private func request(matching predicate: NSPredicate?) -> NSFetchRequest<Entity> {
    let made = makeRequest()
    // A subclass may hand out the same request each time.
    let request = made.copy() as? NSFetchRequest<Entity> ?? made
    let parts = [request.predicate, predicate].compactMap { $0 }
    request.predicate =
      parts.count > 1 ? NSCompoundPredicate(andPredicateWithSubpredicates: parts) : parts.first
    return request
  }
}
