public import Foundation
public import OpenCoreData

/// Builds a fetch step by step.
///
/// ```swift
/// let threads = try QueryBuilder<ForumThread>(entityName: "Thread")
///   .where("forum.id == %d", 26)
///   .orderBy("lastPostDate", ascending: false)
///   .limit(50)
///   .execute(in: context)
/// ```
///
/// > Concurrency: Confined to one thread.
open class QueryBuilder<Entity: NSManagedObject> {
  private let request: NSFetchRequest<Entity>
  private var predicates: [NSPredicate] = []
  private var sortDescriptors: [NSSortDescriptor] = []

  /// Begins a query for the objects of an entity.
  public init(entityName: String) { request = NSFetchRequest(entityName: entityName) }

  /// Adds a condition; all conditions must be true.
  ///
  /// - Returns: The receiver, for chaining.
  @discardableResult
  open func `where`(_ predicate: NSPredicate) -> Self {
    predicates.append(predicate)
    return self
  }

  /// Adds a condition in the predicate format language.
  ///
  /// - Returns: The receiver, for chaining.
  @discardableResult
  public func `where`(_ format: String, _ arguments: any CVarArg...) -> Self {
    self.where(NSPredicate(format: format, argumentArray: arguments))
  }

  /// Adds a sort key; the first key that is added has precedence.
  ///
  /// - Returns: The receiver, for chaining.
  @discardableResult
  open func orderBy(_ keyPath: String, ascending: Bool = true) -> Self {
    sortDescriptors.append(NSSortDescriptor(key: keyPath, ascending: ascending))
    return self
  }

  /// Limits the number of results.
  ///
  /// - Returns: The receiver, for chaining.
  @discardableResult
  open func limit(_ limit: Int) -> Self {
    request.fetchLimit = limit
    return self
  }

  /// Skips results at the start.
  ///
  /// - Returns: The receiver, for chaining.
  @discardableResult
  open func offset(_ offset: Int) -> Self {
    request.fetchOffset = offset
    return self
  }

  /// Prefetches the destinations of relationships.
  ///
  /// - Returns: The receiver, for chaining.
  @discardableResult
  open func prefetch(_ keyPaths: String...) -> Self {
    request.relationshipKeyPathsForPrefetching =
      (request.relationshipKeyPathsForPrefetching ?? []) + keyPaths
    return self
  }

  /// Fetches the objects.
  ///
  /// - Returns: The results.
  /// - Throws: The error of the fetch, including errors of the format language.
  open func execute(in context: NSManagedObjectContext) throws -> [Entity] {
    try context.fetch(prepared())
  }

  /// Fetches the first object; the builder's limit is not changed.
  ///
  /// - Returns: The object; nil if there is none.
  /// - Throws: The same errors as `NSManagedObjectContext.fetch(_:)`.
  open func executeFirst(in context: NSManagedObjectContext) throws -> Entity? {
    let request = prepared()
    let limit = request.fetchLimit
    defer { request.fetchLimit = limit }
    request.fetchLimit = 1
    return try context.fetch(request).first
  }

  /// Counts the objects.
  ///
  /// - Returns: The number.
  /// - Throws: The same errors as `NSManagedObjectContext.count(for:)`.
  open func count(in context: NSManagedObjectContext) throws -> Int {
    try context.count(for: prepared())
  }

  private func prepared() -> NSFetchRequest<Entity> {
    if !predicates.isEmpty {
      request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
    }
    if !sortDescriptors.isEmpty { request.sortDescriptors = sortDescriptors }
    return request
  }
}
