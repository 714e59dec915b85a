internal import OpenPredicates

// Fetches of values: columns of the stored rows with the types of the properties, without objects.

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
  /// - Throws: `PredicateFormatError` for a key path that is not a managed property; `CocoaError`
  ///   134060 if the entity is unknown, if the predicate or a column does not match the model, or
  ///   if a stored value is not of the column's Swift type; another `CocoaError`, or the error of a
  ///   custom store, if a store cannot be read.
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
  /// - Throws: `PredicateFormatError` for a key path that is not a managed property; `CocoaError`
  ///   134060 if the entity is unknown, if the predicate or a column does not match the model, or
  ///   if a stored value is not of the column's Swift type; another `CocoaError`, or the error of a
  ///   custom store, if a store cannot be read.
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
  /// - Throws: `PredicateFormatError` for a key path that is not a managed property; `CocoaError`
  ///   134060 if the entity is unknown, if the predicate or the column does not match the model, or
  ///   if a stored value is not of the column's Swift type; another `CocoaError`, or the error of a
  ///   custom store, if a store cannot be read.
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
  /// - Throws: `PredicateFormatError` for a key path that is not a managed property; `CocoaError`
  ///   134060 if the entity is unknown, if the predicate or a column does not match the model, or
  ///   if a stored value is not of the column's Swift type; another `CocoaError`, or the error of a
  ///   custom store, if a store cannot be read.
  /// - Complexity: One statement for each store, which reads only this column.
  public func values<Root: NSManagedObject, Content>(
    of request: NSFetchRequest<Root>, _ column: KeyPath<Root, Content>
  ) throws -> [Content] {
    try ValueFetch.contents(of: request, in: self, TypedExpression(column))
  }
}
