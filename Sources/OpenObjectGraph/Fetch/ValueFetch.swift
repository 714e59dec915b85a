internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// One fetch of values: columns of the stored rows, without objects.
///
/// The request is for dictionaries or for typed columns. Unsaved changes are ignored, as on Apple
/// platforms. The results of several stores are sorted, and duplicates removed, in memory.
///
/// > Concurrency: Confined to the context's queue.
struct ValueFetch {
  let plan: FetchPlan
  let stores: [NSPersistentStore]
  private let context: NSManagedObjectContext
  private let columns: DictionaryColumns
  private let window: FetchWindow

  /// Prepares a request without reading rows.
  ///
  /// - Throws: `PredicateFormatError`, or `CocoaError` for a request that does not match the model,
  ///   or for groups or totals of several stores.
  init<Result>(_ request: NSFetchRequest<Result>, in context: NSManagedObjectContext) throws {
    self.context = context
    let coordinator = try context.requireCoordinator()
    let entity = try context.entity(of: request)
    stores = try coordinator.searchedStores(of: request, for: entity)
    columns = try DictionaryColumns(
      request, entity, sortCount: stores.count > 1 ? request.sortDescriptors?.count ?? 0 : 0)
    window = request.window
    var wanted = FetchPlanner.Request(
      request, of: entity, window: stores.count > 1 ? .whole : request.window)
    wanted.isStrict = true
    wanted.projection = columns.request
    wanted.groupPredicate = request.havingPredicate
    wanted.interruption = context.source.interruption
    plan = try coordinator.planner.plan(wanted, in: context).plan
    if stores.count > 1, let projection = plan.shape.projection,
      !projection.groups.isEmpty || projection.columns.contains(where: { $0.operand.hasTotal })
    {
      throw CocoaError.make(
        .coreData,
        "Groups and totals of several stores cannot be combined (\(entity.name)). Set affectedStores of the request to one "
          + "store, and combine the results of all stores yourself.")
    }
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
    try surfacingErrors {
      if stores.count == 1 {
        return try forEachBatch { (rows) throws(StoreError) in try body(rows, 0..<rows.count) }
      }
      for result in try merged() { try result.withRow(body) }
    }
  }

  /// Returns the number of results.
  func count() throws -> Int {
    try surfacingErrors {
      // Different stores may have equal results.
      if stores.count > 1, columns.request.isDistinct { return try merged().count }
      var total = 0
      for store in stores {
        total += try plan.addressing(store) { (plan) throws(StoreError) in
          try context.source.valueReader(of: store).count(matching: plan)
        }
      }
      return stores.count == 1 ? total : window.count(of: total)
    }
  }

  /// A result and the values by which the results are sorted.
  private struct Keyed {
    var row: FetchedRow
    var keys: [Value]
  }

  /// Returns the results of several stores in the order of the request; equal results are in the
  /// order of the stores.
  private func merged() throws(StoreError) -> [FetchedRow] {
    var all: [Keyed] = []
    try forEachBatch { (rows) throws(StoreError) in
      for row in 0..<rows.count {
        all.append(Keyed(row: FetchedRow(rows, row), keys: rows.sortKeys(of: row)))
      }
    }
    let sort = plan.shape.sort
    var results = all.enumerated()
      .sorted { one, other in
        switch SortTerm.order(one.element.keys, other.element.keys, by: sort) {
        case .orderedAscending: true
        case .orderedDescending: false
        case .orderedSame: one.offset < other.offset
        }
      }
      .map(\.element.row)
    if columns.request.isDistinct {
      var seen: Set<[Value]> = []
      results = results.filter { seen.insert($0.distinguishingValues).inserted }
    }
    return window.apply(results)
  }

  private func forEachBatch(
    _ body: (ResultRows) throws(StoreError) -> Void
  ) throws(StoreError) {
    var columns = columns
    for store in stores {
      columns.store = store
      try plan.addressing(store) { (plan) throws(StoreError) in
        try context.source.valueReader(of: store).forEachResultBatch(matching: plan) {
          (values) throws(StoreError) in try body(ResultRows(columns, values))
        }
      }
    }
  }
}
