internal import OpenPredicates

// Fetches of values: columns of the stored rows with the types of the properties, without objects.

extension NSManagedObjectContext {
  /// Fetches values of properties, selected on a placeholder of the object.
  ///
  /// Each result is a tuple of the values, or a single value:
  ///
  /// ```swift
  /// let rows = try context.values(of: Post.fetchRequest()) { ($0.title, $0.author.name, $0.comments.count) }
  /// for (title, author, comments) in rows { … }
  /// ```
  ///
  /// The values equal the properties of a saved object: a missing number is 0 if its property is not optional.
  /// `objectID` returns ids; a to-one relationship returns its object as a fault.
  ///
  /// An addition that corresponds to ``NSFetchRequest/propertiesToFetch`` for dictionaries. Unsaved changes, and the
  /// request's `resultType` and `propertiesToFetch`, are ignored.
  ///
  /// - Parameters:
  ///   - request: The rows and their order.
  ///   - columns: The properties to read, key paths over to-one relationships, and statistics of to-many
  ///     relationships.
  /// - Returns: The results.
  /// - Throws: `PredicateFormatError` for a key path that is not a managed property; `CocoaError` 134060 if the
  ///   entity is unknown, the predicate or a column does not match the model, or values have another type, or the
  ///   error of a store that cannot be read.
  /// - Complexity: One statement, which reads these columns only.
  public func values<Root: NSManagedObject, each Content>(
    of request: NSFetchRequest<Root>,
    _ columns: (TypedExpression<Root, Root>) -> (repeat TypedExpression<Root, each Content>)
  ) throws -> [(repeat each Content)] {
    try ValueFetch.tuples(of: request, in: self, repeat each columns(TypedExpression(steps: [])))
  }

  /// Fetches values of properties, given as key paths: `context.values(of: request, \.title, \.author?.name)`.
  ///
  /// Equivalent to the method with a closure. An addition to Apple's API.
  ///
  /// - Parameters:
  ///   - request: The rows and their order.
  ///   - columns: The properties to read.
  /// - Returns: The results.
  /// - Throws: The same errors as the method with several columns.
  /// - Complexity: One statement, which reads these columns only.
  public func values<Root: NSManagedObject, each Content>(
    of request: NSFetchRequest<Root>, _ columns: repeat KeyPath<Root, each Content>
  ) throws -> [(repeat each Content)] {
    try ValueFetch.tuples(of: request, in: self, repeat TypedExpression(each columns))
  }

  /// Fetches the values of one property, selected on a placeholder of the object.
  ///
  /// Corresponds to the method with several columns. An addition to Apple's API.
  ///
  /// - Parameters:
  ///   - request: The rows and their order.
  ///   - column: The property to read.
  /// - Returns: The results.
  /// - Throws: The same errors as the method with several columns.
  /// - Complexity: One statement, which reads this column only.
  public func values<Root: NSManagedObject, Content>(
    of request: NSFetchRequest<Root>,
    _ column: (TypedExpression<Root, Root>) -> TypedExpression<Root, Content>
  ) throws -> [Content] {
    try ValueFetch.contents(of: request, in: self, column(TypedExpression(steps: [])))
  }

  /// Fetches the values of one property: `context.values(of: request, \.title)`.
  ///
  /// Equivalent to the method with several columns. An addition to Apple's API.
  ///
  /// - Parameters:
  ///   - request: The rows and their order.
  ///   - column: The property to read.
  /// - Returns: The results.
  /// - Throws: The same errors as the method with several columns.
  /// - Complexity: One statement, which reads this column only.
  public func values<Root: NSManagedObject, Content>(
    of request: NSFetchRequest<Root>, _ column: KeyPath<Root, Content>
  ) throws -> [Content] {
    try ValueFetch.contents(of: request, in: self, TypedExpression(column))
  }
}
