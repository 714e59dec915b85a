/// The history of a store's changes.
///
/// Each new transaction has a greater number than all earlier transactions. ``delete(before:)``
/// deletes the oldest transactions.
///
/// > Concurrency: Usable on any thread.
public protocol StoreHistory: Sendable {
  /// Returns the numbers of the oldest and newest transactions.
  ///
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   history cannot be read.
  func bounds() throws(StoreError) -> HistoryBounds

  /// Returns the transactions that a query selects, oldest first.
  ///
  /// - Parameter query: The query that selects the transactions.
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   history cannot be read.
  func transactions(_ query: HistoryQuery) throws(StoreError) -> [StoreHistoryTransaction]

  /// Deletes the transactions before a limit, oldest first.
  ///
  /// - Parameter limit: The point before which transactions are deleted. The deletion ends at the
  ///   first transaction that the limit keeps.
  /// - Returns: The number of deleted transactions.
  /// - Throws: `StoreError` with code `.readOnly` if the store is read-only, with code `.closed` if
  ///   the store is closed, or with another code if the history cannot be changed.
  func delete(before limit: HistoryLimit) throws(StoreError) -> Int

  /// Returns the number of the last transaction that each named consumer has processed, keyed by
  /// the name of the consumer.
  ///
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   history cannot be read.
  func consumers() throws(StoreError) -> [String: Int64]

  /// Records the last transaction that a named consumer has processed.
  ///
  /// - Parameters:
  ///   - name: The name of the consumer.
  ///   - transaction: The number of the transaction; nil removes the consumer's record.
  /// - Throws: `StoreError` with code `.readOnly` if the store is read-only, with code `.closed` if
  ///   the store is closed, or with another code if the history cannot be changed.
  func setConsumer(_ name: String, _ transaction: Int64?) throws(StoreError)
}

/// The numbers of the oldest and newest transactions of a history.
public struct HistoryBounds: Sendable, Hashable {
  /// The number of the oldest transaction in the history; nil if the history is empty.
  public var first: Int64?
  /// The number of the last recorded transaction, even if it was deleted; 0 if none was recorded.
  public var last: Int64

  public init(first: Int64?, last: Int64) {
    self.first = first
    self.last = last
  }

  /// Returns whether the history still contains every transaction with a number greater than the
  /// given number.
  ///
  /// The result is `false` if the given number is negative or greater than ``last``.
  public func continues(after number: Int64) -> Bool {
    if number >= last { return number == last }
    guard let first, number >= 0 else { return false }
    return number >= first &- 1
  }
}

/// A selection of transactions from a history.
public struct HistoryQuery: Sendable {
  /// The point in the history after which transactions are selected.
  public enum Start: Sendable, Hashable {
    /// Selects the transactions from the oldest transaction in the history.
    case beginning
    /// Selects the transactions after the transaction with the given number.
    case transaction(Int64)
    /// Selects the transactions after a date, in seconds since 2001-01-01 UTC.
    case date(Double)
  }

  public var start: Start
  /// Whether the result contains the changes of each transaction.
  public var includesChanges: Bool
  /// The maximum number of transactions to select, oldest first; nil for no limit. A negative limit
  /// is treated as 0.
  public var limit: Int?

  public init(_ start: Start, includesChanges: Bool = true, limit: Int? = nil) {
    self.start = start
    self.includesChanges = includesChanges
    self.limit = limit
  }
}

/// The point before which a history's transactions are deleted.
public enum HistoryLimit: Sendable, Hashable {
  /// Deletes the transactions before the transaction with the given number.
  case transaction(Int64)
  /// Deletes the transactions that are older than a date, in seconds since 2001-01-01 UTC.
  case date(Double)

  /// Returns whether this limit keeps a transaction; the deletion ends at the first such
  /// transaction.
  package func keeps(_ transaction: StoreHistoryTransaction) -> Bool {
    switch self {
    case .transaction(let number): transaction.number >= number
    // No transaction is older than a date that is not a number.
    case .date(let date): !(transaction.timestamp < date)
    }
  }
}
