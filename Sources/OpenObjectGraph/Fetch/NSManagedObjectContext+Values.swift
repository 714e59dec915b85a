internal import OpenPredicates

// Fetches of values: columns of the stored rows with the types of the properties, without objects.

extension NSManagedObjectContext {
  /// Fetches values of properties, written on a stand-in for the object.
  ///
  /// Each result is a tuple of the values, or the value itself where one is asked for:
  ///
  /// ```swift
  /// let rows = try context.values(of: Post.fetchRequest()) { ($0.title, $0.author.name, $0.comments.count) }
  /// for (title, author, comments) in rows { … }
  /// ```
  ///
  /// The values are what the properties of a saved object read: a missing number is 0 where its property is not
  /// optional. `objectID` gives ids, a to-one relationship its object, as a fault.
  ///
  /// An addition: what ``NSFetchRequest/propertiesToFetch`` does for dictionaries. As there, unsaved changes do not
  /// count; the request's `resultType` and `propertiesToFetch` are not looked at.
  ///
  /// - Parameters:
  ///   - request: Which rows, in which order.
  ///   - columns: The properties to read, key paths over to-one relationships and statistics of to-many ones.
  /// - Throws: `PredicateFormatError` for a key path that is no managed property; `CocoaError` when the entity is
  ///   unknown, the predicate or a column does not fit the model, values are of another type, or the store cannot be
  ///   read.
  /// - Complexity: One statement, which reads these columns only.
  public func values<Root: NSManagedObject, each Content>(
    of request: NSFetchRequest<Root>,
    _ columns: (TypedExpression<Root, Root>) -> (repeat TypedExpression<Root, each Content>)
  ) throws -> [(repeat each Content)] {
    try ValueFetch.tuples(of: request, in: self, repeat each columns(TypedExpression(steps: [])))
  }

  /// Fetches values of properties, given as key paths: `context.values(of: request, \.title, \.author?.name)`.
  ///
  /// As the form with a closure. An addition.
  ///
  /// - Parameters:
  ///   - request: Which rows, in which order.
  ///   - columns: The properties to read.
  /// - Throws: As there.
  /// - Complexity: One statement, which reads these columns only.
  public func values<Root: NSManagedObject, each Content>(
    of request: NSFetchRequest<Root>, _ columns: repeat KeyPath<Root, each Content>
  ) throws -> [(repeat each Content)] {
    try ValueFetch.tuples(of: request, in: self, repeat TypedExpression(each columns))
  }

  /// Fetches the values of one property, written on a stand-in for the object.
  ///
  /// As the form with several columns, whose results the compiler cannot always tell from a literal. An addition.
  ///
  /// - Parameters:
  ///   - request: Which rows, in which order.
  ///   - column: The property to read.
  /// - Throws: As there.
  /// - Complexity: One statement, which reads this column only.
  public func values<Root: NSManagedObject, Content>(
    of request: NSFetchRequest<Root>,
    _ column: (TypedExpression<Root, Root>) -> TypedExpression<Root, Content>
  ) throws -> [Content] {
    try ValueFetch.contents(of: request, in: self, column(TypedExpression(steps: [])))
  }

  /// Fetches the values of one property: `context.values(of: request, \.title)`.
  ///
  /// As the form with several columns. An addition.
  ///
  /// - Parameters:
  ///   - request: Which rows, in which order.
  ///   - column: The property to read.
  /// - Throws: As there.
  /// - Complexity: One statement, which reads this column only.
  public func values<Root: NSManagedObject, Content>(
    of request: NSFetchRequest<Root>, _ column: KeyPath<Root, Content>
  ) throws -> [Content] {
    try ValueFetch.contents(of: request, in: self, TypedExpression(column))
  }
}
