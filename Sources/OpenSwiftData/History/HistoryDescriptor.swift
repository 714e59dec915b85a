public import Foundation

/// The predicate, the sort order and the limit of a fetch of history transactions.
///
/// ```swift
/// let descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
/// let news = try context.fetchHistory(descriptor)
/// ```
///
/// > Concurrency: Any thread.
/// > Reference: Apple, HistoryDescriptor.
// Invariant of the unchecked conformance: predicates and sort descriptors are immutable.
public struct HistoryDescriptor<TransactionType: HistoryTransaction>: @unchecked Sendable {
  /// The condition that transactions must satisfy; `nil` for all transactions.
  ///
  /// If the predicate has a lower bound for `token` or `timestamp`, the fetch does not read the
  /// transactions before the bound.
  public var predicate: Predicate<TransactionType>?
  /// The sort order. If the array is empty, transactions are sorted from oldest to newest.
  public var sortBy: [SortDescriptor<TransactionType>]
  /// The maximum number of transactions. The default, 0, means no limit.
  public var fetchLimit: UInt64 = 0

  /// Creates a descriptor with a predicate and a sort order.
  ///
  /// - Parameters:
  ///   - predicate: The condition that transactions must satisfy; `nil` for all transactions.
  ///   - sortBy: The sort order. If the array is empty, transactions are sorted from oldest to
  ///     newest.
  public init(
    predicate: Predicate<TransactionType>? = nil, sortBy: [SortDescriptor<TransactionType>] = []
  ) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}
