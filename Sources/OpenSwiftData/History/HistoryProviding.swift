/// A store that records history.
///
/// ``ModelContext/fetchHistory(_:)`` queries the stores of its container whose transactions have the descriptor's
/// type.
///
/// > Reference: Apple, HistoryProviding.
public protocol HistoryProviding<HistoryType> {
  associatedtype HistoryType: HistoryTransaction

  /// The type of the store's transactions.
  static var historyType: HistoryType.Type { get }

  /// Finds transactions.
  ///
  /// - Throws: `SwiftDataError.historyTokenExpired`, `.invalidTransactionFetchRequest`, and errors of the store.
  func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]
  /// Deletes transactions.
  ///
  /// - Throws: The same errors as ``fetchHistory(_:)``.
  func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}

extension HistoryProviding {
  public static var historyType: HistoryType.Type { HistoryType.self }
}
