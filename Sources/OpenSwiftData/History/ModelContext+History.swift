internal import Foundation
internal import OpenObjectGraph

extension ModelContext {
  /// Fetches transactions from the histories of the container's stores.
  ///
  /// The histories include the saves of other contexts and processes.
  ///
  /// - Parameter descriptor: The predicate, the sort order and the limit of the fetch.
  /// - Returns: The transactions in the sort order of the descriptor. If the descriptor has no sort
  ///   order, the oldest transaction is first. If the descriptor has no sort order and the
  ///   transactions are also in custom stores, the transactions of the default stores come first,
  ///   followed by all transactions of one custom store after the other.
  /// - Throws: `SwiftDataError.historyTokenExpired` if transactions after a token in the predicate
  ///   were deleted; `.invalidTransactionFetchRequest` if no store has transactions of type `T`;
  ///   `.unsupportedSortDescriptor` if the transactions cannot be sorted with the descriptor. The
  ///   method also throws any error that a store or the evaluation of the predicate throws.
  /// > Reference: Apple, fetchHistory(_:). Differs: D-360.
  public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]
  {
    graph.takeOverChanges()
    let customs = try customHistories(of: T.self)
    var histories = try customs.map { try $0.fetchHistory(descriptor) }
    if let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction>,
      customs.isEmpty || recordsHistory
    {
      let own = try HistoryReading(graph).transactions(descriptor) as? [T]
      histories.insert(own ?? [], at: 0)
    }
    if histories.count == 1 { return histories[0] }
    return try joined(histories, descriptor)
  }

  /// Joins the histories of several stores, and applies the order and the limit of the descriptor.
  private func joined<T: HistoryTransaction>(
    _ histories: [[T]], _ descriptor: HistoryDescriptor<T>
  ) throws -> [T] {
    var transactions = histories.flatMap { $0 }
    if !descriptor.sortBy.isEmpty {
      transactions = try HistoryOrder(descriptor.sortBy).sorted(transactions)
    }
    if descriptor.fetchLimit == 0 { return transactions }
    return Array(transactions.prefix(Int(clamping: descriptor.fetchLimit)))
  }

  /// Deletes transactions from the histories of the container's stores.
  ///
  /// A default store can delete only its oldest transactions, so that its history has no gaps.
  ///
  /// - Parameter descriptor: A descriptor that selects the transactions to delete.
  /// - Throws: `SwiftDataError.invalidTransactionFetchRequest` if a deletion would leave a gap in
  ///   the history of a default store. A gap results if the descriptor selects a transaction but
  ///   not all older transactions. In this case, the method deletes nothing. The method also throws
  ///   the same errors as ``fetchHistory(_:)``.
  /// > Reference: Apple, deleteHistory(_:). Differs: D-361.
  public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
    graph.takeOverChanges()
    let customs = try customHistories(of: T.self)
    if let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction>,
      customs.isEmpty || recordsHistory
    {
      try HistoryReading(graph).delete(descriptor)
    }
    for history in customs { try history.deleteHistory(descriptor) }
  }

  /// Whether a default store of the container records a history.
  private var recordsHistory: Bool { graph.persistentStoreCoordinator?.recordsHistory == true }

  /// Returns the custom stores with transactions of a type.
  ///
  /// - Throws: `SwiftDataError.invalidTransactionFetchRequest` if there is no such store, unless
  ///   the default stores have transactions of the type.
  private func customHistories<T: HistoryTransaction>(
    of type: T.Type
  ) throws -> [any HistoryProviding<T>] {
    let found = customStores.compactMap { $0 as? any HistoryProviding<T> }
    if !found.isEmpty || type == DefaultHistoryTransaction.self { return found }
    throw SwiftDataError(
      .invalidTransactionFetchRequest,
      "None of the container's stores has transactions of the type \(type).")
  }
}
