public import Foundation

/// The changes of one save to a store.
///
/// > Concurrency: A value; usable on any thread.
/// > Reference: Apple, HistoryTransaction.
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
  associatedtype TokenType: Comparable, Hashable, Identifiable, Sendable
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// When the save was committed.
  var timestamp: Date { get }
  /// What was inserted, updated and deleted, in the order in which it was written.
  var changes: [HistoryChange] { get }
  /// The place after the transaction.
  var token: TokenType { get }
  /// Names the transaction in its store.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the store.
  var storeIdentifier: String { get }
  /// The author of the context that saved; nil where none was set.
  var author: String? { get }
}
