public import Foundation

/// Which transactions of a history are wanted, and in what order.
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
  /// Which transactions; nil for all.
  ///
  /// Where the history after a token or a date is wanted, older transactions are not read.
  public var predicate: Predicate<TransactionType>?
  /// The order; without any, transactions come oldest first.
  public var sortBy: [SortDescriptor<TransactionType>]
  /// At most how many; 0 for all.
  public var fetchLimit: UInt64 = 0

  public init(
    predicate: Predicate<TransactionType>? = nil, sortBy: [SortDescriptor<TransactionType>] = []
  ) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}
