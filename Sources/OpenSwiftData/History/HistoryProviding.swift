/// A store that records a history of saves.
///
/// If a container has several stores, ``ModelContext/fetchHistory(_:)`` fetches from each store
/// whose ``historyType`` equals the transaction type of the descriptor.
///
/// > Reference: Apple, HistoryProviding.
public protocol HistoryProviding<HistoryType> {
  associatedtype HistoryType: HistoryTransaction

  /// The type of the store's transactions.
  static var historyType: HistoryType.Type { get }

  /// Returns the transactions that a descriptor selects.
  ///
  /// - Parameter descriptor: The predicate, the sort order and the limit of the fetch.
  /// - Returns: The transactions in the sort order of the descriptor.
  /// - Throws: `SwiftDataError.historyTokenExpired` if transactions after a token were deleted;
  ///   `.invalidTransactionFetchRequest` if the store does not support the descriptor; any other
  ///   error if the store cannot read its history.
  func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]
  /// Deletes the transactions that a descriptor selects.
  ///
  /// - Parameter descriptor: A descriptor that selects the transactions to delete.
  /// - Throws: `SwiftDataError.invalidTransactionFetchRequest` if the store does not support the
  ///   descriptor or cannot delete the selected transactions; `.historyTokenExpired` if
  ///   transactions after a token were deleted; any other error if the store cannot change its
  ///   history.
  func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}

extension HistoryProviding {
  public static var historyType: HistoryType.Type { HistoryType.self }
}
