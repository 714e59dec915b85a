internal import Foundation
internal import OpenObjectModel
public import OpenPredicates
internal import OpenStoreContract

extension NSManagedObjectContext {
  /// Fetches objects, ids, dictionaries or a count, depending on the request's result type.
  ///
  /// The result includes the context's unsaved changes, unless the request excludes them.
  /// Dictionaries never include unsaved changes.
  ///
  /// In an instance of a subclass, this method passes a copy of the request to the untyped method
  /// of the same name, which the subclass may override (D-418).
  ///
  /// - Parameter request: The request to execute.
  /// - Returns: The results. For a count, the array contains one `NSNumber`.
  /// - Throws: `PredicateFormatError` for a predicate that cannot be parsed; `CocoaError`, or the
  ///   error of a custom store, if a store cannot be read. The method throws `CocoaError` 134060 in
  ///   the following cases:
  ///   - The context has no coordinator, or the coordinator has no stores.
  ///   - The entity is unknown, or the predicate does not match the model.
  ///   - Another property of the request is invalid, as ``NSFetchRequest`` documents.
  ///   - A fetched object does not have the result type.
  ///   - A value in a dictionary cannot be decoded.
  /// - Complexity: One statement for each store, and at least one for each relationship to
  ///   prefetch.
  public func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    if mayOverrideFetches { return try overriddenResults(of: request) }
    return try results(of: request)
  }

  /// Returns the results that the class's override of the untyped `fetch(_:)` returns for a
  /// request.
  private func overriddenResults<Result>(of request: NSFetchRequest<Result>) throws -> [Result] {
    let untyped = NSFetchRequest<any NSFetchRequestResult>.recasting(request)
    let results: [Any] = try fetch(untyped)
    if request.entity == nil { request.entity = untyped.entity }
    return try ResultCast.values(results)
  }

  /// Implements `fetch(_:)`.
  @inline(__always)
  final func results<Result>(of request: NSFetchRequest<Result>) throws -> [Result] {
    let results = try loadingFreely { () throws(any Error) in
      try FetchOperation.results(of: request, in: self)
    }
    counters.countFetch(rows: request.resultType.contains(.countResultType) ? 0 : results.count)
    return results
  }

  /// Fetches the results of a full-text search, with the most relevant objects first.
  ///
  /// The results contain only objects that satisfy the request's predicate. The limit and the
  /// offset apply to the ranked results. The sort descriptors order equally relevant objects. The
  /// search ignores unsaved changes. The measure of relevance is FTS5's `bm25`.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - request: A request for objects or ids.
  ///   - query: The words to find in attributes whose `isIndexedBySpotlight` is true.
  ///   - candidateLimit: The maximum number of matching objects to rank, starting with the most
  ///     recently inserted objects; nil for no limit. A limit bounds the duration of a search for
  ///     very common words. A value less than 1 counts as 1.
  /// - Returns: The objects or ids, the most relevant first.
  /// - Throws: The same errors as `fetch(_:)`. Also throws `CocoaError` 134060 if the store cannot
  ///   evaluate a part of the request, and 134091 in the following cases:
  ///   - The store is not a SQLite store, or has no text index (see `OpenTextIndexOption`).
  ///   - The request searches several stores.
  ///   - The result type is neither objects nor ids.
  ///   - The context is a child context.
  /// - Complexity: One statement; ranks every row that contains the words, up to `candidateLimit`.
  public func fetch<Result>(
    _ request: NSFetchRequest<Result>, rankedBy query: TextQuery, candidateLimit: Int? = nil
  ) throws -> [Result] {
    let results: [Result] = try loadingFreely { () throws(any Error) in
      let operation = FetchOperation(
        try PreparedFetch(
          request, rankedBy: query, candidateLimit: candidateLimit.map { max(1, $0) } ?? 0, in: self
        ),
        in: self)
      if request.resultType == .managedObjectIDResultType {
        return try ResultCast.values(operation.ids())
      }
      return try ResultCast.objects(
        operation.objects(), of: operation.fetch.plan.shape.entity, classes: classes)
    }
    counters.countFetch(rows: results.count)
    return results
  }

  /// Returns the number of results that `fetch(_:)` would return for a request.
  ///
  /// If the request fetches dictionaries, the number does not include unsaved changes.
  ///
  /// In an instance of a subclass, this method calls the untyped method of the same name (D-418).
  ///
  /// - Parameter request: The request whose results are counted.
  /// - Returns: The number of results.
  /// - Throws: The same errors as `fetch(_:)`.
  public func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
    guard mayOverrideFetches else { return try resultCount(of: request) }
    let untyped = NSFetchRequest<any NSFetchRequestResult>.recasting(request)
    let number: Int = try count(for: untyped)
    if request.entity == nil { request.entity = untyped.entity }
    return number
  }

  /// Implements `count(for:)`.
  final func resultCount<Result>(of request: NSFetchRequest<Result>) throws -> Int {
    let count = try FetchOperation.count(of: request, in: self)
    counters.countFetch(rows: 0)
    return count
  }

  /// Returns the entity of a request, and sets the entity's description in the request if it is not
  /// set.
  ///
  /// - Throws: The same errors as `CompiledModel.entity(of:)`.
  func entity<Result>(of request: NSFetchRequest<Result>) throws -> CompiledEntity {
    let entity = try model.entity(of: request)
    if request.entity == nil { request.entity = descriptions[entity.index] }
    return entity
  }
}

// MARK: Values

// Columns of the stored rows with the types of the properties, without objects.
extension NSManagedObjectContext {
  /// Fetches several values of each row: the properties and aggregates that a closure selects.
  ///
  /// Each result is a tuple of the values:
  ///
  /// ```swift
  /// let rows = try context.values(of: Post.fetchRequest()) { ($0.title, $0.author.name, $0.comments.count) }
  /// for (title, author, comments) in rows { … }
  /// ```
  ///
  /// Each value equals the value that the property of a saved object returns. For example, a null
  /// number is 0 if its property is not optional. If the closure reads `objectID`, the value is the
  /// object's id. If the closure reads a to-one relationship, the value is the destination, as a
  /// fault.
  ///
  /// The elements of a tuple correspond to the elements of ``NSFetchRequest/propertiesToFetch`` in
  /// a fetch of dictionaries. The method ignores unsaved changes and the request's `resultType` and
  /// `propertiesToFetch`.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - request: The request that selects and sorts the rows.
  ///   - columns: A closure that receives a placeholder for the object, and returns the values to
  ///     read. A value is a property of the object, a property that is reached through to-one
  ///     relationships, or an aggregate of a to-many relationship.
  /// - Returns: One tuple for each row.
  /// - Throws: `PredicateFormatError` for a predicate that cannot be parsed, or for a key path that
  ///   is not a managed property; `CocoaError`, or the error of a custom store, if a store cannot
  ///   be read. The method throws `CocoaError` 134060 in the following cases:
  ///   - The context has no coordinator, or the coordinator has no stores.
  ///   - The entity is unknown.
  ///   - The predicate or a column does not match the model, or cannot be evaluated by a store.
  ///   - A stored value is not of the column's Swift type.
  /// - Complexity: One statement for each store, which reads only these columns.
  public func values<Root: NSManagedObject, each Content>(
    of request: NSFetchRequest<Root>,
    _ columns: (TypedExpression<Root, Root>) -> (repeat TypedExpression<Root, each Content>)
  ) throws -> [(repeat each Content)] {
    try ValueFetch.tuples(of: request, in: self, repeat each columns(TypedExpression(steps: [])))
  }

  /// Fetches the values of the properties that key paths select.
  ///
  /// For example, `context.values(of: request, \.title, \.author?.name)` returns one tuple of a
  /// title and a name for each row. To read aggregates of to-many relationships, pass a closure
  /// instead of key paths.
  ///
  /// Each value equals the value that the property of a saved object returns. The method ignores
  /// unsaved changes and the request's `resultType` and `propertiesToFetch`.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - request: The request that selects and sorts the rows.
  ///   - columns: The key paths of the properties to read.
  /// - Returns: One tuple for each row.
  /// - Throws: `PredicateFormatError` for a predicate that cannot be parsed, or for a key path that
  ///   is not a managed property; `CocoaError`, or the error of a custom store, if a store cannot
  ///   be read. The method throws `CocoaError` 134060 in the following cases:
  ///   - The context has no coordinator, or the coordinator has no stores.
  ///   - The entity is unknown.
  ///   - The predicate or a column does not match the model, or cannot be evaluated by a store.
  ///   - A stored value is not of the column's Swift type.
  /// - Complexity: One statement for each store, which reads only these columns.
  public func values<Root: NSManagedObject, each Content>(
    of request: NSFetchRequest<Root>, _ columns: repeat KeyPath<Root, each Content>
  ) throws -> [(repeat each Content)] {
    try ValueFetch.tuples(of: request, in: self, repeat TypedExpression(each columns))
  }

  /// Fetches one value of each row: the property or aggregate that a closure selects.
  ///
  /// Each value equals the value that the property of a saved object returns. The method ignores
  /// unsaved changes and the request's `resultType` and `propertiesToFetch`.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - request: The request that selects and sorts the rows.
  ///   - column: A closure that receives a placeholder for the object, and returns the value to
  ///     read: a property of the object, a property that is reached through to-one relationships,
  ///     or an aggregate of a to-many relationship.
  /// - Returns: One value for each row.
  /// - Throws: `PredicateFormatError` for a predicate that cannot be parsed, or for a key path that
  ///   is not a managed property; `CocoaError`, or the error of a custom store, if a store cannot
  ///   be read. The method throws `CocoaError` 134060 in the following cases:
  ///   - The context has no coordinator, or the coordinator has no stores.
  ///   - The entity is unknown.
  ///   - The predicate or the column does not match the model, or cannot be evaluated by a store.
  ///   - A stored value is not of the column's Swift type.
  /// - Complexity: One statement for each store, which reads only this column.
  public func values<Root: NSManagedObject, Content>(
    of request: NSFetchRequest<Root>,
    _ column: (TypedExpression<Root, Root>) -> TypedExpression<Root, Content>
  ) throws -> [Content] {
    try ValueFetch.contents(of: request, in: self, column(TypedExpression(steps: [])))
  }

  /// Fetches the values of the property that a key path selects.
  ///
  /// For example, `context.values(of: request, \.title)` returns the titles. Each value equals the
  /// value that the property of a saved object returns. The method ignores unsaved changes and the
  /// request's `resultType` and `propertiesToFetch`.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - request: The request that selects and sorts the rows.
  ///   - column: The key path of the property to read.
  /// - Returns: One value for each row.
  /// - Throws: `PredicateFormatError` for a predicate that cannot be parsed, or for a key path that
  ///   is not a managed property; `CocoaError`, or the error of a custom store, if a store cannot
  ///   be read. The method throws `CocoaError` 134060 in the following cases:
  ///   - The context has no coordinator, or the coordinator has no stores.
  ///   - The entity is unknown.
  ///   - The predicate or a column does not match the model, or cannot be evaluated by a store.
  ///   - A stored value is not of the column's Swift type.
  /// - Complexity: One statement for each store, which reads only this column.
  public func values<Root: NSManagedObject, Content>(
    of request: NSFetchRequest<Root>, _ column: KeyPath<Root, Content>
  ) throws -> [Content] {
    try ValueFetch.contents(of: request, in: self, TypedExpression(column))
  }
}
