/// A store that records a history of saves.
///
/// ``ModelContext/fetchHistory(_:)`` fetches from the stores of the context's container whose
/// ``historyType`` is the transaction type of the descriptor.
///
/// > Reference: Apple, HistoryProviding.
public protocol HistoryProviding<HistoryType> {
  associatedtype HistoryType: HistoryTransaction

  /// The type of the store's transactions.
  static var historyType: HistoryType.Type { get }

  /// Returns the transactions that a descriptor selects.
  ///
  /// - Parameter descriptor: The predicate, the order and the limit of the fetch.
  /// - Throws: `SwiftDataError.historyTokenExpired` if transactions after a token were deleted;
  ///   `.invalidTransactionFetchRequest` if the store does not support the descriptor; errors of
  ///   the store.
  func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]
  /// Deletes the transactions that a descriptor selects.
  ///
  /// - Parameter descriptor: The transactions to delete.
  /// - Throws: The same errors as ``fetchHistory(_:)``.
  func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}

extension HistoryProviding {
  public static var historyType: HistoryType.Type { HistoryType.self }
}
