public import Foundation

/// The transactions of a history to fetch, and their order.
///
/// ```swift
/// let descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
/// let news = try context.fetchHistory(descriptor)
/// ```
///
/// > Concurrency: A value; usable on any thread.
/// > Reference: Apple, HistoryDescriptor.
// Invariant of the unchecked conformance: predicates and sort descriptors are immutable.
public struct HistoryDescriptor<TransactionType: HistoryTransaction>: @unchecked Sendable {
  /// A filter; nil for all transactions.
  ///
  /// If the predicate requires transactions after a token or a date, older ones are not read.
  public var predicate: Predicate<TransactionType>?
  /// The sort order; if empty, transactions are sorted from oldest to newest.
  public var sortBy: [SortDescriptor<TransactionType>]
  /// The maximum number of transactions; 0 for all.
  public var fetchLimit: UInt64 = 0

  public init(
    predicate: Predicate<TransactionType>? = nil, sortBy: [SortDescriptor<TransactionType>] = []
  ) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}
