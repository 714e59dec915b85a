internal import OpenPredicates
internal import OpenStoreContract

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
    try tuples(of: request, repeat each columns(TypedExpression(steps: [])))
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
    try tuples(of: request, repeat TypedExpression(each columns))
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
    try contents(of: request, column(TypedExpression(steps: [])))
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
    try contents(of: request, TypedExpression(column))
  }

  private func tuples<Root: NSManagedObject, each Content>(
    of request: NSFetchRequest<Root>, _ columns: repeat TypedExpression<Root, each Content>
  ) throws -> [(repeat each Content)] {
    var names: [String] = []
    for column in repeat each columns { names.append(try column.columnName()) }
    var position = 0
    let readers = (repeat ColumnReader<each Content>(next: &position, of: self))
    var results: [(repeat each Content)] = []
    try forEachRun(of: request, columns: names) { (rows, run) throws(StoreError) in
      let contents = (repeat try (each readers).contents(rows, run))
      for index in 0..<run.count { results.append((repeat (each contents)[index])) }
    }
    countFetch(rows: results.count)
    return results
  }

  private func contents<Root: NSManagedObject, Content>(
    of request: NSFetchRequest<Root>, _ column: TypedExpression<Root, Content>
  ) throws -> [Content] {
    var position = 0
    let reader = ColumnReader<Content>(next: &position, of: self)
    var results: [Content] = []
    try forEachRun(of: request, columns: [column.columnName()]) {
      (rows, run) throws(StoreError) in
      results += try reader.contents(rows, run)
    }
    countFetch(rows: results.count)
    return results
  }

  private func forEachRun<Root: NSManagedObject>(
    of request: NSFetchRequest<Root>, columns: [String],
    _ body: (ResultRows, Range<Int>) throws(StoreError) -> Void
  ) throws {
    checkQueue("values were fetched")
    let request = NSFetchRequest<Root>(copying: request)
    request.propertiesToFetch = try columns + columnsToMerge(request, beside: columns)
    try loadingFreely { () throws(any Error) in try forEachRun(of: request, body) }
  }

  /// The columns by which results of several stores become one in the request's order.
  private func columnsToMerge<Root>(
    _ request: NSFetchRequest<Root>, beside columns: [String]
  ) throws -> [String] {
    guard try affectedStores(of: request).count > 1, !request.returnsDistinctResults else {
      return []
    }
    return (request.sortDescriptors ?? []).compactMap(\.key).filter { !columns.contains($0) }
  }
}

extension TypedExpression {
  /// The name under which a fetch asks for the expression as a column.
  fileprivate func columnName() throws -> String {
    var lowering = TypedLowering()
    let names = lowering.names(of: steps)
    if let failure = lowering.failure { throw failure }
    return names.isEmpty ? "objectID" : names.joined(separator: ".")
  }
}
