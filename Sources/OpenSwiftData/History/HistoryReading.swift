internal import Foundation
internal import OpenObjectGraph

/// Reads and deletes the history of default stores.
///
/// > Concurrency: Confined to the actor or task that uses the context.
struct HistoryReading {
  private let graph: NSManagedObjectContext

  init(_ graph: NSManagedObjectContext) { self.graph = graph }

  /// Returns the transactions that a descriptor selects.
  ///
  /// - Throws: The errors of ``ModelContext/fetchHistory(_:)``.
  func transactions(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws -> [DefaultHistoryTransaction] {
    let condition = HistoryCondition(descriptor.predicate)
    let limit = descriptor.fetchLimit == 0 ? Int.max : Int(clamping: descriptor.fetchLimit)
    guard descriptor.sortBy.isEmpty else {
      let all = try transactions(condition, limit: .max)
      return Array(try HistoryOrder(descriptor.sortBy).sorted(all).prefix(limit))
    }
    return try transactions(condition, limit: limit)
  }

  /// Returns the first transactions that satisfy a condition, from the oldest to the newest.
  private func transactions(
    _ condition: HistoryCondition, limit: Int
  ) throws -> [DefaultHistoryTransaction] {
    var found: [DefaultHistoryTransaction] = []
    var start = condition.start
    // The history of a single store is read in pages, because a page ends at a number of the store.
    let isPaged = limit < .max && graph.persistentStoreCoordinator?.persistentStores.count == 1
    let pageSize = isPaged ? max(limit, 256) : nil
    // Read before the transactions, so that all later transactions of a store have greater numbers.
    let newest = newestNumbers
    while true {
      let page = try managed(from: start, limit: pageSize)
      var numbers = Self.numbers(before: page, from: start, newest)
      for managed in page {
        numbers[managed.storeID] = managed.transactionNumber
        let transaction = DefaultHistoryTransaction(managed, numbers)
        guard try condition.isMet(by: transaction) else { continue }
        found.append(transaction)
        if found.count == limit { return found }
      }
      guard page.count == pageSize else { return found }
      start = .token(DefaultHistoryToken(numbers), isIncluded: false)
    }
  }

  /// The number of the last transaction of each store, by store identifier.
  ///
  /// The dictionary is empty if there is only one store, because each transaction has the number of
  /// this store.
  private var newestNumbers: [String: Int64] {
    guard let coordinator = graph.persistentStoreCoordinator,
      coordinator.persistentStores.count > 1
    else { return [:] }
    return coordinator.readableHistoryNumbers
  }

  /// Returns the number of the last transaction of each store before a page, by store identifier.
  ///
  /// A token with these numbers, and with those of the page's transactions, contains all stores.
  /// A fetch of the transactions after the token therefore does not repeat the transactions of a
  /// store that the starting point does not contain.
  private static func numbers(
    before page: [NSPersistentHistoryTransaction], from start: HistoryCondition.Start,
    _ newest: [String: Int64]
  ) -> [String: Int64] {
    var numbers = newest
    for managed in page.reversed() { numbers[managed.storeID] = managed.transactionNumber &- 1 }
    if case .token(let token, let isIncluded) = start {
      for (store, number) in token.start(isIncluded: isIncluded) where numbers[store] != nil {
        numbers[store] = number
      }
    }
    return numbers
  }

  /// Returns the transactions after a starting point, from the oldest to the newest.
  ///
  /// - Parameters:
  ///   - start: The starting point.
  ///   - limit: The maximum number of transactions; nil for no limit.
  ///   - includesChanges: Whether the transactions contain their changes.
  private func managed(
    from start: HistoryCondition.Start, limit: Int? = nil, includesChanges: Bool = true
  ) throws -> [NSPersistentHistoryTransaction] {
    let request =
      switch start {
      case .beginning:
        NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none)
      case .date(let date): NSPersistentHistoryChangeRequest.fetchHistory(after: date)
      case .token(let token, let isIncluded):
        NSPersistentHistoryChangeRequest.fetchHistory(
          after: NSPersistentHistoryToken(token.start(isIncluded: isIncluded)))
      }
    if let limit {
      request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
      request.fetchRequest?.fetchLimit = limit
    }
    if !includesChanges { request.resultType = .transactionsOnly }
    return try execute(request)?.result as? [NSPersistentHistoryTransaction] ?? []
  }

  @discardableResult
  private func execute(
    _ request: NSPersistentHistoryChangeRequest
  ) throws -> NSPersistentHistoryResult? {
    do {
      return try graph.execute(request) as? NSPersistentHistoryResult
    } catch let error as CocoaError where error.code == .persistentHistoryTokenExpired {
      throw SwiftDataError(
        .historyTokenExpired,
        "The history after the token was deleted, or the token belongs to another store. Read the models again, and continue "
          + "from the newest transaction.", error)
    } catch let error as CocoaError where error.code == .persistentStoreUnsupportedRequestType {
      throw SwiftDataError(
        .invalidTransactionFetchRequest,
        "No store of the container records a history of this type.",
        error)
    }
  }

  // MARK: Deleting

  /// Deletes the transactions that a descriptor selects, which must be the oldest transactions of
  /// their store.
  ///
  /// - Throws: The errors of ``ModelContext/deleteHistory(_:)``.
  func delete(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    var wanted: [String: Set<Int64>] = [:]
    for transaction in try transactions(descriptor) {
      wanted[transaction.storeIdentifier, default: []].insert(transaction.transactionIdentifier)
    }
    guard !wanted.isEmpty else { return }
    var ends: [String: Int64] = [:]
    let everything = Dictionary(
      grouping: try managed(from: .beginning, includesChanges: false), by: \.storeID)
    for (store, numbers) in wanted {
      let oldest = (everything[store] ?? []).map(\.transactionNumber).sorted()
        .prefix(numbers.count)
      guard let last = oldest.last, numbers == Set(oldest) else {
        throw SwiftDataError(
          .invalidTransactionFetchRequest,
          "Only the oldest transactions of a history can be deleted, but the descriptor excludes a transaction that is "
            + "older than a selected one. Delete by token or by date.")
      }
      ends[store] = last &+ 1
    }
    // One request for each store: a request for all stores would stop at the first store that
    // cannot be written.
    for store in graph.persistentStoreCoordinator?.persistentStores ?? [] {
      guard let end = ends[store.identifier] else { continue }
      let request = NSPersistentHistoryChangeRequest.deleteHistory(
        before: NSPersistentHistoryToken([store.identifier: end]))
      request.affectedStores = [store]
      try execute(request)
    }
  }
}

extension DefaultHistoryToken {
  /// Returns the numbers of the transactions after which a fetch starts, by store identifier.
  ///
  /// - Parameter isIncluded: Whether the fetch includes the transactions of the token.
  fileprivate func start(isIncluded: Bool) -> [String: Int64] {
    isIncluded ? numbers.mapValues { max(1, $0) - 1 } : numbers
  }
}

/// The order of transactions.
struct HistoryOrder<Transaction> {
  private let descriptors: [(path: PartialKeyPath<Transaction>, isForward: Bool)]

  /// - Throws: `SwiftDataError.unsupportedSortDescriptor` if a descriptor has no key path.
  init(_ descriptors: [SortDescriptor<Transaction>]) throws {
    self.descriptors = try descriptors.map { descriptor in
      guard let path = descriptor.keyPath else {
        throw SwiftDataError(
          .unsupportedSortDescriptor, "A sort descriptor of transactions has no key path.")
      }
      return (path, descriptor.order == .forward)
    }
  }

  func sorted(_ transactions: [Transaction]) throws -> [Transaction] {
    try transactions.sorted { one, other in
      for (path, isForward) in descriptors {
        switch try Self.order(one[keyPath: path], other[keyPath: path], path) {
        case .orderedSame: continue
        case let order: return (order == .orderedAscending) == isForward
        }
      }
      return false
    }
  }

  private static func order(
    _ one: Any, _ other: Any, _ path: AnyKeyPath
  ) throws -> ComparisonResult {
    switch (ModelCoding.unwrapped(one), ModelCoding.unwrapped(other)) {
    case (nil, nil): return .orderedSame
    case (nil, _): return .orderedAscending
    case (_, nil): return .orderedDescending
    case (let one?, let other?):
      guard let value = one as? any Comparable, let order = order(value, other) else {
        throw SwiftDataError(
          .unsupportedSortDescriptor, "Values of \(path) cannot be compared with each other.")
      }
      return order
    }
  }

  private static func order<Value: Comparable>(_ one: Value, _ other: Any) -> ComparisonResult? {
    guard let other = other as? Value else { return nil }
    if one < other { return .orderedAscending }
    return other < one ? .orderedDescending : .orderedSame
  }
}
