internal import Foundation
internal import OpenObjectGraph

extension ModelContext {
  /// Fetches the transactions of all contexts and processes in the container's stores.
  ///
  /// - Parameter descriptor: The predicate, the order and the limit of the transactions.
  /// - Returns: The transactions in the descriptor's order; without an order, from the oldest to
  ///   the newest.
  /// - Throws: `SwiftDataError.historyTokenExpired` if transactions after a token in the predicate
  ///   were deleted; `.invalidTransactionFetchRequest` if no store has transactions of this type;
  ///   `.unsupportedSortDescriptor` if the transactions cannot be sorted as described; errors of
  ///   the store and of the predicate.
  /// > Reference: Apple, fetchHistory(_:). Differs: D-360.
  public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]
  {
    graph.takeOverChanges()
    if let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> {
      return try HistoryReading(graph).transactions(descriptor) as? [T] ?? []
    }
    return try customHistories(of: T.self).flatMap { try $0.fetchHistory(descriptor) }
  }

  /// Deletes transactions from the histories of the container's stores.
  ///
  /// A default store deletes only its oldest transactions, so the history has no gaps.
  ///
  /// - Parameter descriptor: The transactions to delete.
  /// - Throws: `SwiftDataError.invalidTransactionFetchRequest` if the descriptor excludes a
  ///   transaction that is older than an included transaction; otherwise the same errors as
  ///   ``fetchHistory(_:)``. If the descriptor is rejected, nothing is deleted.
  /// > Reference: Apple, deleteHistory(_:). Differs: D-361.
  public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
    graph.takeOverChanges()
    if let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> {
      return try HistoryReading(graph).delete(descriptor)
    }
    for history in try customHistories(of: T.self) { try history.deleteHistory(descriptor) }
  }

  /// Returns the custom stores with transactions of a type.
  ///
  /// - Throws: `SwiftDataError.invalidTransactionFetchRequest` if there is no such store.
  private func customHistories<T: HistoryTransaction>(
    of type: T.Type
  ) throws -> [any HistoryProviding<T>] {
    let found = container.customStores.compactMap { $0 as? any HistoryProviding<T> }
    guard found.isEmpty else { return found }
    throw SwiftDataError(
      .invalidTransactionFetchRequest,
      "None of the container's stores keeps transactions of the type \(type).")
  }
}
