internal import Foundation
internal import OpenObjectGraph

extension ModelContext {
  /// Fetches transactions from the histories of the container's stores.
  ///
  /// The histories include the saves of other contexts and processes.
  ///
  /// - Parameter descriptor: The predicate, the sort order and the limit of the fetch.
  /// - Returns: The transactions in the sort order of the descriptor. If the descriptor has no sort
  ///   order, the oldest transaction is first. If the transactions are in several custom stores,
  ///   the method returns all transactions of one store before the transactions of the next store.
  /// - Throws: `SwiftDataError.historyTokenExpired` if transactions after a token in the predicate
  ///   were deleted; `.invalidTransactionFetchRequest` if no store has transactions of type `T`;
  ///   `.unsupportedSortDescriptor` if the transactions cannot be sorted with the descriptor. The
  ///   method also throws any error that a store throws, and an error if the predicate cannot be
  ///   evaluated.
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
    let found = customStores.compactMap { $0 as? any HistoryProviding<T> }
    guard found.isEmpty else { return found }
    throw SwiftDataError(
      .invalidTransactionFetchRequest,
      "None of the container's stores has transactions of the type \(type).")
  }
}
