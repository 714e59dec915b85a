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
    var found: [DefaultHistoryTransaction] = []
    for managed in try managed(from: condition.start) {
      let transaction = DefaultHistoryTransaction(managed)
      guard try condition.isMet(by: transaction) else { continue }
      found.append(transaction)
      if descriptor.sortBy.isEmpty, found.count == limit { break }
    }
    guard !descriptor.sortBy.isEmpty else { return found }
    return Array(try HistoryOrder(descriptor.sortBy).sorted(found).prefix(limit))
  }

  /// Returns the transactions after a starting point, from the oldest to the newest.
  private func managed(
    from start: HistoryCondition.Start
  ) throws -> [NSPersistentHistoryTransaction] {
    let request =
      switch start {
      case .beginning:
        NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none)
      case .date(let date): NSPersistentHistoryChangeRequest.fetchHistory(after: date)
      case .token(let token, let isIncluded):
        NSPersistentHistoryChangeRequest.fetchHistory(
          after: NSPersistentHistoryToken(
            token.numbers.mapValues { isIncluded ? max(0, $0 - 1) : $0 }))
      }
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
        "The history after the token was deleted, or the token is of another store. Read the models again, and continue "
          + "from the newest transaction.", error)
    } catch let error as CocoaError where error.code == .persistentStoreUnsupportedRequestType {
      throw SwiftDataError(
        .invalidTransactionFetchRequest, "None of the container's stores keeps such a history.",
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
    let everything = Dictionary(grouping: try managed(from: .beginning), by: \.storeID)
    for (store, numbers) in wanted {
      let oldest = (everything[store] ?? []).map(\.transactionNumber).sorted()
        .prefix(numbers.count)
      guard let last = oldest.last, numbers == Set(oldest) else {
        throw SwiftDataError(
          .invalidTransactionFetchRequest,
          "A history is deleted from its beginning only, but the descriptor excludes transactions that are older than "
            + "included ones. Delete by token or by date.")
      }
      ends[store] = last + 1
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
