public import Foundation

/// The changes of one save to a store.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, HistoryTransaction.
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
  associatedtype TokenType: Comparable, Hashable, Identifiable, Sendable
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// The time at which the store committed the save.
  var timestamp: Date { get }
  /// The insertions, updates and deletions, in the order in which the store wrote the changes.
  var changes: [HistoryChange] { get }
  /// The position in the history immediately after the transaction.
  var token: TokenType { get }
  /// The identifier of the transaction within its store.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the store that recorded the transaction.
  var storeIdentifier: String { get }
  /// The author of the context that saved the changes; `nil` if the context has no author.
  var author: String? { get }
}
