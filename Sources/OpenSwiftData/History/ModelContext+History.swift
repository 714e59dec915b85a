internal import Foundation
internal import OpenObjectGraph

extension ModelContext {
  /// Fetches transactions from the histories of the container's stores.
  ///
  /// The histories include the saves of other contexts and processes.
  ///
  /// - Parameter descriptor: The predicate, the order and the limit of the fetch.
  /// - Returns: The transactions in the descriptor's order, or from the oldest to the newest if the
  ///   descriptor has no order. The transactions of several custom stores are in the order of the
  ///   stores.
  /// - Throws: `SwiftDataError.historyTokenExpired` if transactions after a token in the predicate
  ///   were deleted; `.invalidTransactionFetchRequest` if no store has transactions of type `T`;
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
  /// A default store deletes only its oldest transactions, so that its history has no gaps.
  ///
  /// - Parameter descriptor: A descriptor that selects the transactions to delete.
  /// - Throws: `SwiftDataError.invalidTransactionFetchRequest` if the descriptor excludes a
  ///   transaction of a default store that is older than a transaction to delete, in which case the
  ///   method deletes nothing; otherwise the same errors as ``fetchHistory(_:)``.
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
