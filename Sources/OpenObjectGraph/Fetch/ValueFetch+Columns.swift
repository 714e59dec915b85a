internal import OpenPredicates
internal import OpenStoreContract

// Typed columns: tuples of values, or the values of one column.

extension ValueFetch {
  /// Fetches the values of typed columns, one tuple for each row.
  static func tuples<Root: NSManagedObject, each Content>(
    of request: NSFetchRequest<Root>, in context: NSManagedObjectContext,
    _ columns: repeat TypedExpression<Root, each Content>
  ) throws -> [(repeat each Content)] {
    var names: [String] = []
    for column in repeat each columns { names.append(try column.columnName()) }
    var position = 0
    let readers = (repeat ColumnReader<each Content>(next: &position, of: context))
    var results: [(repeat each Content)] = []
    try forEachRun(of: request, columns: names, in: context) { (rows, run) throws(StoreError) in
      let contents = (repeat try (each readers).contents(rows, run))
      for index in 0..<run.count { results.append((repeat (each contents)[index])) }
    }
    context.counters.countFetch(rows: results.count)
    return results
  }

  /// Fetches the values of one typed column.
  static func contents<Root: NSManagedObject, Content>(
    of request: NSFetchRequest<Root>, in context: NSManagedObjectContext,
    _ column: TypedExpression<Root, Content>
  ) throws -> [Content] {
    var position = 0
    let reader = ColumnReader<Content>(next: &position, of: context)
    var results: [Content] = []
    try forEachRun(of: request, columns: [column.columnName()], in: context) {
      (rows, run) throws(StoreError) in
      results += try reader.contents(rows, run)
    }
    context.counters.countFetch(rows: results.count)
    return results
  }

  private static func forEachRun<Root: NSManagedObject>(
    of request: NSFetchRequest<Root>, columns: [String], in context: NSManagedObjectContext,
    _ body: (ResultRows, Range<Int>) throws(StoreError) -> Void
  ) throws {
    context.checkQueue("values were fetched")
    let request = NSFetchRequest<Root>(copying: request)
    request.propertiesToFetch = columns
    try context.loadingFreely { () throws(any Error) in
      try ValueFetch(request, in: context).forEachRun(body)
    }
  }
}

extension TypedExpression {
  /// The column name of the expression in a fetch.
  fileprivate func columnName() throws -> String {
    var lowering = TypedLowering()
    let names = lowering.names(of: steps)
    if let failure = lowering.failure { throw failure }
    return names.isEmpty ? "objectID" : names.joined(separator: ".")
  }
}
