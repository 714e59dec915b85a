public import Foundation
internal import OpenObjectGraph

/// The changes of one save to a default store.
///
/// > Concurrency: Usable on any thread.
/// > Reference: Apple, DefaultHistoryTransaction.
public struct DefaultHistoryTransaction: HistoryTransaction {
  public typealias TokenType = DefaultHistoryToken
  public typealias TransactionIdentifier = Int64

  public let timestamp: Date
  public let changes: [HistoryChange]
  public let token: DefaultHistoryToken
  /// The number of the transaction in its store. Later transactions have greater numbers.
  public let transactionIdentifier: Int64
  public let storeIdentifier: String
  public let author: String?
  /// The bundle identifier of the program that committed the transaction; the name of the process
  /// if the program has no bundle identifier.
  public let bundleIdentifier: String
  /// The name of the process that committed the transaction.
  public let processIdentifier: String

  /// Creates a transaction.
  ///
  /// - Parameters:
  ///   - transaction: The transaction of one store.
  ///   - numbers: The number of the last transaction of each store up to this transaction, by
  ///     store identifier.
  init(_ transaction: NSPersistentHistoryTransaction, _ numbers: [String: Int64]) {
    timestamp = transaction.timestamp
    changes = (transaction.changes ?? []).map { HistoryChange($0, in: transaction) }
    token = DefaultHistoryToken(numbers)
    transactionIdentifier = transaction.transactionNumber
    storeIdentifier = transaction.storeID
    author = transaction.author
    bundleIdentifier = transaction.bundleID
    processIdentifier = transaction.processID
  }

  /// The number of the transaction in its store.
  public var id: Int64 { transactionIdentifier }

  /// Returns whether two transactions have the same number and the same store.
  public static func == (
    one: DefaultHistoryTransaction, other: DefaultHistoryTransaction
  ) -> Bool {
    one.transactionIdentifier == other.transactionIdentifier
      && one.storeIdentifier == other.storeIdentifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(transactionIdentifier)
    hasher.combine(storeIdentifier)
  }
}
