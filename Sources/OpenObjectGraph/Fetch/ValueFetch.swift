internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// One fetch of values: columns of the stored rows, without objects.
///
/// The request is for dictionaries or for typed columns. Unsaved changes are ignored, as on Apple
/// platforms.
///
/// > Concurrency: Confined to the context's queue.
struct ValueFetch {
  let plan: FetchPlan
  let stores: [NSPersistentStore]
  private let context: NSManagedObjectContext
  private let columns: DictionaryColumns
  private let window: FetchWindow
  private let sortDescriptors: [NSSortDescriptor]

  /// Prepares a request without reading rows.
  ///
  /// - Throws: `PredicateFormatError`, or `CocoaError` for a request that does not match the model.
  init<Result>(_ request: NSFetchRequest<Result>, in context: NSManagedObjectContext) throws {
    self.context = context
    let coordinator = try context.requireCoordinator()
    let entity = try coordinator.model.entity(of: request)
    stores = try coordinator.searchedStores(of: request, for: entity)
    columns = try DictionaryColumns(request, entity)
    window = request.window
    sortDescriptors = request.sortDescriptors ?? []
    var wanted = FetchPlanner.Request(
      request, of: entity, window: stores.count > 1 ? .whole : request.window)
    wanted.isStrict = true
    wanted.projection = columns.request
    wanted.groupPredicate = request.havingPredicate
    wanted.interruption = context.source.interruption
    plan = try coordinator.planner.plan(wanted, in: context).plan
  }

  /// Whether the limit and the offset apply in memory to the results of several stores.
  var isWindowedInMemory: Bool { stores.count > 1 && !window.isWhole }

  /// Returns the results as dictionaries, without nil values and with to-one relationships as ids.
  func dictionaries<Result>() throws -> [Result] {
    if Result.self == [String: Any].self {
      var dictionaries: [[String: Any]] = []
      try forEachRun { rows, run in
        for row in run { dictionaries.append(rows.dictionary(row)) }
      }
      return try ResultCast.values(dictionaries)
    }
    if Result.self == FetchedRow.self {
      var fetched: [FetchedRow] = []
      try forEachRun { rows, run in
        for row in run { fetched.append(FetchedRow(rows, row)) }
      }
      return try ResultCast.values(fetched)
    }
    var dictionaries: [NSDictionary] = []
    try forEachRun { rows, run in
      let keys = rows.keyObjects
      for row in run { dictionaries.append(rows.foundationDictionary(row, keys)) }
    }
    return try ResultCast.values(dictionaries)
  }

  /// Passes the results to a closure in runs, in the order of the request.
  func forEachRun(
    _ body: (ResultRows, Range<Int>) throws(StoreError) -> Void
  ) throws {
    try context.reporting {
      if stores.count == 1 {
        return try forEachBatch { (rows) throws(StoreError) in try body(rows, 0..<rows.count) }
      }
      var all: [FetchedRow] = []
      try forEachBatch { rows in
        for row in 0..<rows.count { all.append(FetchedRow(rows, row)) }
      }
      for result in window.apply(all.sorted(by: sortDescriptors)) { try result.withRow(body) }
    }
  }

  private func forEachBatch(
    _ body: (ResultRows) throws(StoreError) -> Void
  ) throws(StoreError) {
    var columns = columns
    for store in stores {
      columns.store = store
      try context.source.valueReader(of: store).forEachResultBatch(
        matching: plan.addressed(to: store)
      ) {
        (values) throws(StoreError) in try body(ResultRows(columns, values))
      }
    }
  }
}
