public import Foundation
public import OpenCoreData

/// A builder that configures and executes a fetch request with chained method calls.
///
/// ```swift
/// let threads = try QueryBuilder<ForumThread>(entityName: "Thread")
///   .where("forum.id == %d", 26)
///   .orderBy("lastPostDate", ascending: false)
///   .limit(50)
///   .execute(in: context)
/// ```
///
/// > Concurrency: Confined to the queue of the context in which the request is executed.
open class QueryBuilder<Entity: NSManagedObject> {
  private let request: NSFetchRequest<Entity>
  private var predicates: [NSPredicate] = []
  private var sortDescriptors: [NSSortDescriptor] = []

  /// Creates a builder for the objects of an entity.
  ///
  /// - Parameter entityName: The name of the entity.
  public init(entityName: String) { request = NSFetchRequest(entityName: entityName) }

  /// Adds a condition. Every result satisfies all added conditions.
  ///
  /// - Parameter predicate: The condition.
  /// - Returns: The builder, for chaining.
  @discardableResult
  open func `where`(_ predicate: NSPredicate) -> Self {
    predicates.append(predicate)
    return self
  }

  /// Adds a condition in the predicate format language. Every result satisfies all added
  /// conditions.
  ///
  /// If the format is invalid, executing the fetch throws `PredicateFormatError`.
  ///
  /// - Parameters:
  ///   - format: The format of the predicate.
  ///   - arguments: The values for the placeholders in the format, in order.
  /// - Returns: The builder, for chaining.
  @discardableResult
  public func `where`(_ format: String, _ arguments: any CVarArg...) -> Self {
    self.where(NSPredicate(format: format, argumentArray: arguments))
  }

  /// Adds a sort key. The sort key that was added first has the highest precedence.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the values to sort by.
  ///   - ascending: Whether the values are sorted in ascending order.
  /// - Returns: The builder, for chaining.
  @discardableResult
  open func orderBy(_ keyPath: String, ascending: Bool = true) -> Self {
    sortDescriptors.append(NSSortDescriptor(key: keyPath, ascending: ascending))
    return self
  }

  /// Limits the number of results.
  ///
  /// - Parameter limit: The maximum number of results; 0 or a negative number for no limit.
  /// - Returns: The builder, for chaining.
  @discardableResult
  open func limit(_ limit: Int) -> Self {
    request.fetchLimit = limit
    return self
  }

  /// Sets the number of results to skip at the beginning.
  ///
  /// - Parameter offset: The number of results to skip; 0 or a negative number to skip none.
  /// - Returns: The builder, for chaining.
  @discardableResult
  open func offset(_ offset: Int) -> Self {
    request.fetchOffset = offset
    return self
  }

  /// Requests that the fetch also loads the destinations of relationships.
  ///
  /// - Parameter keyPaths: The key paths of the relationships.
  /// - Returns: The builder, for chaining.
  @discardableResult
  open func prefetch(_ keyPaths: String...) -> Self {
    request.relationshipKeyPathsForPrefetching =
      (request.relationshipKeyPathsForPrefetching ?? []) + keyPaths
    return self
  }

  /// Fetches the objects that satisfy all conditions.
  ///
  /// - Parameter context: The context to fetch in.
  /// - Returns: The matching objects, in the order of the sort keys. Without sort keys, the order
  ///   is unspecified.
  /// - Throws: The same errors as `NSManagedObjectContext.fetch(_:)`, including
  ///   `PredicateFormatError` for an invalid predicate format.
  open func execute(in context: NSManagedObjectContext) throws -> [Entity] {
    try context.fetch(prepared())
  }

  /// Fetches the first matching object, without changing the builder's limit.
  ///
  /// - Parameter context: The context to fetch in.
  /// - Returns: The first matching object, or nil if no object matches.
  /// - Throws: The same errors as `NSManagedObjectContext.fetch(_:)`.
  open func executeFirst(in context: NSManagedObjectContext) throws -> Entity? {
    let request = prepared()
    let limit = request.fetchLimit
    defer { request.fetchLimit = limit }
    request.fetchLimit = 1
    return try context.fetch(request).first
  }

  /// Returns the number of matching objects.
  ///
  /// - Parameter context: The context to count in.
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
